//! The filter's line and ready conditions to choose from.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use tui_input::Input;
use unicode_width::UnicodeWidthStr;

use crate::data::text::{grouped, shown};
use crate::filter::{Mistake, Ready, ready};
use crate::truth::relevance::Relevance;
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::model::Model;
use crate::tui::model::demand::Asked;
use crate::tui::model::filter::Found;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::ui::Context;
use crate::tui::widgets::{pane, text};

/// Rows above the list: the line, what is found of it, two for a mistake.
const ABOVE: u16 = 4;

/// The line, and the ready conditions.
pub struct FilterMenu {
    pub(in crate::tui) input: Input,
    /// Conditions of this study.
    pub(in crate::tui) ready: Vec<Ready>,
    /// Place of the chosen condition; `None` while the line counts.
    pub(in crate::tui) chosen: Option<usize>,
    /// The queries that meet what is typed or chosen, or a mistake.
    pub(in crate::tui) found: Result<Found, Mistake>,
}

impl FilterMenu {
    /// The menu with the condition in force on its line.
    pub fn new(model: &Model) -> Self {
        let mut menu = FilterMenu {
            input: Input::new(model.filter.text.clone()),
            ready: ready(&model.study, model.view),
            chosen: None,
            found: Ok(Found::Nothing),
        };
        menu.ask(model);
        menu
    }

    /// The condition that Enter puts in force.
    pub(in crate::tui) fn text(&self) -> &str {
        match self.chosen {
            Some(at) => &self.ready[at].expression,
            None => self.input.value(),
        }
    }

    pub(in crate::tui) fn ask(&mut self, model: &Model) {
        self.found = if self.text().trim().is_empty() {
            Ok(Found::Nothing)
        } else {
            model.queries_that(self.text())
        };
    }
}

impl Popup for FilterMenu {
    fn opened_by(&self) -> Action {
        Action::Filter
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Esc"), _) | (Code::Char('c'), true) => return Answer::Close,
            (Code::Named("Enter"), _) if self.found.is_ok() => {
                model.filter_by(self.text().trim().to_owned());
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
        self.ask(model);
        Answer::Stay
    }

    fn paste(&mut self, text: &str, model: &Model) -> Pasted {
        let is_whole = insert(&mut self.input, text);
        self.chosen = None;
        self.ask(model);
        is_whole.into()
    }

    fn refresh(&mut self, model: &Model) {
        if let (Some((stamp, met)), Ok(found)) = (&model.typed_met, &mut self.found) {
            found.take(*stamp, met);
        }
        if matches!(self.found, Ok(Found::Lacking(_))) {
            self.ask(model);
        }
    }

    fn asks(&self) -> Asked {
        let found = self.found.as_ref().ok();
        let lacking = found.and_then(|found| match found {
            Found::Lacking(lacking) => Some(lacking.clone()),
            _ => None,
        });
        Asked::Filter(found.and_then(Found::asked).cloned(), lacking)
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, cx, screen, buf)
    }
}

/// Draws the menu; gives the cursor's place.
fn draw(menu: &FilterMenu, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let width = screen.width.saturating_sub(4).min(100);
    let rows = u16::try_from(menu.ready.len()).unwrap_or(u16::MAX);
    let height = rows.saturating_add(ABOVE + 2).min(screen.height);
    let note = "Enter filters, Tab edits, Esc closes";
    let inner = pane::popup("filter", note, (width, height), cx.theme, screen, buf);
    if inner.height < ABOVE {
        return None;
    }
    let columns = usize::from(inner.width);
    let line = format!(" {}", shown(menu.input.value()));
    buf.set_stringn(inner.x, inner.y, line, columns, cx.theme.base);
    found(menu, cx, inner, buf);
    let room = usize::from(inner.height - ABOVE);
    let offset = menu.chosen.map_or(0, |at| (at + 1).saturating_sub(room));
    for (row, ready) in menu.ready.iter().enumerate().skip(offset).take(room) {
        let y = inner.y + ABOVE + (row - offset) as u16;
        let line = Line::from(vec![
            Span::styled(format!("  {}", text::pad(ready.name, 24)), cx.theme.title),
            Span::styled(ready.meaning, cx.theme.dim),
        ]);
        buf.set_line(inner.x, y, &line, inner.width);
        if menu.chosen == Some(row) {
            pane::mark(true, cx.theme, Rect::new(inner.x, y, inner.width, 1), buf);
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
fn found(menu: &FilterMenu, cx: Context<'_>, inner: Rect, buf: &mut Buffer) {
    let columns = usize::from(inner.width);
    let mut put = |row: u16, words: String, style: crate::tui::theme::ThemeStyle| {
        buf.set_stringn(inner.x, inner.y + row, words, columns, style);
    };
    let judged = cx.model.truth().relevance[cx.model.view.direction].as_ref();
    let of = judged.map_or(0, Relevance::len);
    match &menu.found {
        Err(mistake) if menu.chosen.is_none() => {
            let before = " ".repeat(mistake.indent());
            put(1, format!(" {before}^"), cx.theme.error);
            let found = format!(" column {}: {}", mistake.column(), mistake.found());
            put(2, found, cx.theme.error);
            // The fix first: it is short.
            let advice: Vec<&str> = mistake.advice().into_iter().rev().flatten().collect();
            put(3, format!(" {}", advice.join("; ")), cx.theme.dim);
        }
        Err(mistake) => put(2, format!(" {}", mistake.found()), cx.theme.error),
        Ok(Found::Met(met)) => {
            let words = format!(" {} of {} queries", grouped(met.len()), grouped(of));
            put(2, words, cx.theme.title);
        }
        Ok(_) if menu.text().trim().is_empty() => {
            let words = " such as: r1 == 0 and rank <= 5 and words <= 12, or one of these:";
            put(2, words.into(), cx.theme.dim);
        }
        Ok(_) => put(2, " counting …".into(), cx.theme.dim),
    }
    if menu.chosen.is_some() {
        put(3, format!(" {}", menu.text()), cx.theme.key);
    }
}
