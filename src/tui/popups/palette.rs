//! Every action by name: type some letters, choose one.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use tui_input::Input;

use super::entries::{Entry, found};
use crate::jobs::{self, Quality};
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::line::{edit, insert};
use crate::tui::model::Model;
use crate::tui::popup::{Answer, Pasted, Popup};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::pane::{self, Scroll};
use crate::tui::widgets::text;

/// The palette's line, the matching actions and the chosen one.
pub struct Palette {
    /// What is typed.
    pub input: Input,
    /// Every action, found as the help finds it.
    entries: Vec<(Action, Entry)>,
    /// Matching actions, best first.
    pub actions: Vec<Action>,
    /// Place of the chosen one.
    pub selected: usize,
}

impl Palette {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        let entry = |&action: &Action| {
            let words = action.doc().to_owned();
            (action, Entry::action(ui, action, words))
        };
        Palette {
            input: Input::default(),
            entries: Action::ALL.iter().map(entry).collect(),
            actions: Action::ALL.to_vec(),
            selected: 0,
        }
    }

    fn filter(&mut self) {
        self.selected = 0;
        let wanted = self.input.value().trim();
        if wanted.is_empty() {
            self.actions = Action::ALL.to_vec();
            return;
        }
        let mut found = found(self.entries.iter().map(|(_, entry)| entry), wanted);
        // After the key itself, those that have it in their name.
        found.sort_by_key(|(group, entry)| {
            let by_name =
                Quality::literal(entry.name, wanted).or_else(|| Quality::near(entry.name, wanted));
            (group.is_some(), by_name.is_none(), by_name)
        });
        let named = found.iter().filter_map(|(_, entry)| entry.name.parse().ok());
        self.actions = named.collect();
        if self.actions.is_empty() {
            self.actions = scattered(wanted);
        }
    }

    /// What an action does; where that does not have all that is typed, after the other words for it that do.
    fn words(&self, action: Action) -> String {
        let wanted = self.input.value().trim();
        let entry = self.entries.iter().find(|(of, _)| *of == action);
        let others = entry.map_or(Vec::new(), |(_, entry)| entry.others(wanted));
        match others.join(", ") {
            none if none.is_empty() => action.doc().to_owned(),
            others => format!("{others}: {}", action.doc()),
        }
    }
}

/// Actions whose names have the letters in their order, best first.
fn scattered(wanted: &str) -> Vec<Action> {
    let quality = |action: &Action| Some((jobs::matches(action.name(), wanted)?, *action));
    let mut found: Vec<_> = Action::ALL.iter().filter_map(quality).collect();
    found.sort();
    found.into_iter().map(|(_, action)| action).collect()
}

impl Popup for Palette {
    fn opened_by(&self) -> Action {
        Action::Palette
    }

    fn key(&mut self, key: Key, _model: &mut Model) -> Answer {
        match (key.code, key.ctrl) {
            _ if key.closes() => return Answer::Close,
            (Code::Named("Enter"), _) => {
                let chosen = self.actions.get(self.selected);
                return chosen.map_or(Answer::Close, |&action| Answer::Act(action));
            }
            (Code::Named("Down" | "Tab"), _) | (Code::Char('n'), true) => {
                self.selected = (self.selected + 1).min(self.actions.len().saturating_sub(1));
            }
            (Code::Named("Up" | "BackTab"), _) | (Code::Char('p'), true) => {
                self.selected = self.selected.saturating_sub(1);
            }
            _ => {
                if edit(&mut self.input, key) {
                    self.filter();
                }
            }
        }
        Answer::Stay
    }

    fn is_typed(&self) -> bool {
        !self.input.value().is_empty()
    }

    fn scroll(&mut self, by: i32, _model: &Model, _ui: &Ui) {
        let last = self.actions.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by as isize).min(last);
    }

    fn paste(&mut self, text: &str, _model: &Model) -> Pasted {
        let is_whole = insert(&mut self.input, text);
        self.filter();
        is_whole.into()
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        draw(self, cx, screen, buf)
    }
}

/// Rows above the list: the line.
const ABOVE: u16 = 1;

fn draw(palette: &Palette, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
    let rows = u16::try_from(palette.actions.len()).unwrap_or(u16::MAX).saturating_add(3);
    let size = (screen.width.saturating_sub(4).min(110), rows.clamp(4, 20));
    let inner = pane::popup("do", "Enter does it, Esc closes", size, cx.ui, screen, buf);
    if inner.height < 2 {
        return None;
    }
    buf.set_stringn(
        inner.x,
        inner.y,
        format!(" : {}", palette.input.value()),
        usize::from(inner.width),
        cx.theme.base,
    );
    let room = usize::from(inner.height - ABOVE);
    let offset = (palette.selected + 1).saturating_sub(room);
    let scroll = Scroll { offset, shown: room, total: palette.actions.len() };
    let below = Rect { y: inner.y + ABOVE, height: inner.height - ABOVE, ..inner };
    pane::scrollbar(scroll, true, cx.theme, below, buf);
    for (row, &action) in palette.actions.iter().enumerate().skip(offset).take(room) {
        let y = inner.y + ABOVE + (row - offset) as u16;
        let width = usize::from(inner.width);
        let name = text::pad(action.name(), 20);
        let keys = text::pad_left(&cx.ui.keymap.hint(action), 8);
        let room = width.saturating_sub(32);
        let doc = text::pad(&text::fit_words(&palette.words(action), room), room);
        let pieces = [
            (cx.theme.title, format!("  {name}")),
            (cx.theme.base, doc),
            (cx.theme.key, format!(" {keys} ")),
        ];
        let line: Line =
            pieces.into_iter().map(|(style, text)| Span::styled(text, style)).collect();
        buf.set_line(inner.x, y, &line, inner.width);
        if row == palette.selected {
            buf.set_style(Rect::new(inner.x, y, inner.width, 1), cx.theme.selected);
        }
    }
    if palette.actions.is_empty() {
        let width = usize::from(inner.width);
        buf.set_stringn(inner.x, inner.y + 1, "  nothing matches", width, cx.theme.dim);
    }
    let column = inner.x + 3 + palette.input.visual_cursor() as u16;
    Some((column.min(inner.right().saturating_sub(1)), inner.y))
}
