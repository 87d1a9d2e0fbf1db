//! The filter's line and ready conditions to choose from.

use super::{Answer, Pasted, Popup};
use crate::data::text::{grouped, shown};
use crate::engine::{FilterRequest, Stamp};
use crate::filter::{Mistake, Ready, ready};
use crate::truth::relevance::Relevance;
use crate::tui::action::Action;
use crate::tui::app::App;
use crate::tui::filter::Found;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::widgets::{pane, text};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use std::sync::Arc;
use tui_input::Input;
use unicode_width::UnicodeWidthStr;

/// Rows above the list: the line, what is found of it, two for a mistake.
const ABOVE: u16 = 4;

/// The line, and the ready conditions.
pub struct FilterMenu {
    pub(super) input: Input,
    /// Conditions of this study.
    pub(super) ready: Vec<Ready>,
    /// Place of the chosen condition; `None` while the line counts.
    pub(super) chosen: Option<usize>,
    /// The queries that meet what is typed or chosen, or a mistake.
    pub(in crate::tui) found: Result<Found, Mistake>,
}

impl FilterMenu {
    /// The menu with the condition in force on its line.
    pub fn new(app: &App) -> Self {
        let mut menu = FilterMenu {
            input: Input::new(app.filter.text.clone()),
            ready: ready(&app.study, app.view),
            chosen: None,
            found: Ok(Found::Nothing),
        };
        menu.ask(app);
        menu
    }

    /// The condition that Enter puts in force.
    pub(super) fn text(&self) -> &str {
        match self.chosen {
            Some(at) => &self.ready[at].expression,
            None => self.input.value(),
        }
    }

    pub(in crate::tui) fn ask(&mut self, app: &App) {
        self.found = if self.text().trim().is_empty() {
            Ok(Found::Nothing)
        } else {
            app.queries_that(self.text())
        };
    }

    /// What the engine is to ask.
    pub fn asked(&self) -> Option<&Arc<FilterRequest>> {
        self.found.as_ref().ok()?.asked()
    }

    /// Takes the answer of the engine, if it is to what is typed or chosen.
    pub fn take(&mut self, request: Stamp, met: &[u32]) {
        if let Ok(found) = &mut self.found {
            found.take(request, met);
        }
    }
}

impl Popup for FilterMenu {
    fn opened_by(&self) -> Action {
        Action::Filter
    }

    fn key(&mut self, key: Key, app: &mut App) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Answer::Close,
            (Code::Named("Enter"), _) if self.found.is_ok() => {
                app.filter_by(self.text().trim().to_owned());
                return Answer::Close;
            }
            (Code::Named("Enter"), _) => {}
            (Code::Named("Down"), _) | (Code::Char('n'), true) => {
                let next = self.chosen.map_or(0, |at| at + 1);
                self.chosen = Some(next.min(self.ready.len().saturating_sub(1)));
                self.chosen = self.chosen.filter(|_| !self.ready.is_empty());
            }
            (Code::Named("Up"), _) | (Code::Char('p'), true) => {
                self.chosen = self.chosen.and_then(|at| at.checked_sub(1));
            }
            (Code::Named("Tab"), _) => {
                // The chosen condition comes to the line, to be changed.
                self.input = Input::new(self.text().to_owned());
                self.chosen = None;
            }
            _ => {
                if edit(&mut self.input, key) {
                    self.chosen = None;
                }
            }
        }
        self.ask(app);
        Answer::Stay
    }

    fn paste(&mut self, text: &str, app: &App) -> Pasted {
        let is_whole = insert(&mut self.input, text);
        self.chosen = None;
        self.ask(app);
        is_whole.into()
    }

    fn refresh(&mut self, app: &App) -> bool {
        if matches!(self.found, Ok(Found::Lacking(_))) {
            self.ask(app);
        }
        true
    }

    fn draw(&self, app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, app, screen, buf)
    }
}

/// Draws the menu; gives the cursor's place.
fn draw(menu: &FilterMenu, app: &App, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(100);
    let rows = u16::try_from(menu.ready.len()).unwrap_or(u16::MAX);
    let height = rows.saturating_add(ABOVE + 2).min(screen.height);
    let note = "Enter filters, Tab edits, Esc closes";
    let inner = pane::popup("filter", note, (width, height), &app.theme, screen, buf);
    if inner.height < ABOVE {
        return None;
    }
    let columns = usize::from(inner.width);
    let line = format!(" {}", shown(menu.input.value()));
    buf.set_stringn(inner.x, inner.y, line, columns, app.theme.base);
    found(menu, app, inner, buf);
    let room = usize::from(inner.height - ABOVE);
    let offset = menu.chosen.map_or(0, |at| (at + 1).saturating_sub(room));
    for (row, ready) in menu.ready.iter().enumerate().skip(offset).take(room) {
        let y = inner.y + ABOVE + (row - offset) as u16;
        let line = Line::from(vec![
            Span::styled(format!("  {}", text::pad(ready.name, 24)), app.theme.title),
            Span::styled(ready.meaning, app.theme.dim),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
        if menu.chosen == Some(row) {
            pane::mark(true, &app.theme, Rect::new(inner.x, y, inner.width, 1), buf);
        }
    }
    let before: String = menu
        .input
        .value()
        .chars()
        .take(menu.input.cursor())
        .collect();
    let column = inner.x + 1 + shown(&before).width() as u16;
    Some((column.min(inner.right().saturating_sub(1)), inner.y))
}

/// How many queries meet the condition, or what is wrong with it and where.
fn found(menu: &FilterMenu, app: &App, inner: Rect, buf: &mut Buffer) {
    let columns = usize::from(inner.width);
    let mut put = |row: u16, words: String, style: crate::tui::theme::ThemeStyle| {
        buf.set_stringn(inner.x, inner.y + row, words, columns, style);
    };
    let judged = app.truth().relevance[app.view.direction].as_ref();
    let of = judged.map_or(0, Relevance::len);
    match &menu.found {
        Err(mistake) if menu.chosen.is_none() => {
            let before = " ".repeat(mistake.indent());
            put(1, format!(" {before}^"), app.theme.error);
            let found = format!(" column {}: {}", mistake.column(), mistake.found());
            put(2, found, app.theme.error);
            // The fix first: it is short.
            let advice: Vec<&str> = mistake.advice().into_iter().rev().flatten().collect();
            put(3, format!(" {}", advice.join("; ")), app.theme.dim);
        }
        Err(mistake) => put(2, format!(" {}", mistake.found()), app.theme.error),
        Ok(Found::Met(met)) => {
            let words = format!(" {} of {} queries", grouped(met.len()), grouped(of));
            put(2, words, app.theme.title);
        }
        Ok(_) if menu.text().trim().is_empty() => {
            let words = " such as: r1 == 0 and rank <= 5 and words <= 12, or one of these:";
            put(2, words.into(), app.theme.dim);
        }
        Ok(_) => put(2, " counting …".into(), app.theme.dim),
    }
    if menu.chosen.is_some() {
        put(3, format!(" {}", menu.text()), app.theme.key);
    }
}
