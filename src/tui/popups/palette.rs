//! Every action by name: type some letters, choose one.

use std::cmp::Reverse;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Span;

use super::help::{Entry, found};
use crate::jobs;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::keymap::{Code, Key};
use crate::tui::popup::{Answer, Popup};
use crate::tui::state::Model;
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::pane;
use crate::tui::ui::prompt::{PromptLine, Typed};

/// A line, the actions that match it, and the chosen one.
pub struct Palette {
    line: PromptLine,
    /// Every action, found as the help finds it.
    entries: Vec<Entry>,
    /// Matching actions, best first.
    actions: Vec<Action>,
    selected: usize,
    scrolled: Scrolled,
}

impl Palette {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        let entry = |&action: &Action| Entry::action(ui, action, action.doc().to_owned());
        Palette {
            line: PromptLine::default(),
            entries: Action::ALL.iter().map(entry).collect(),
            actions: Action::ALL.to_vec(),
            selected: 0,
            scrolled: Scrolled::default(),
        }
    }
}

impl Popup for Palette {
    fn opened_by(&self) -> Action {
        Action::Palette
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Down" | "Tab"), _) | (Code::Char('n'), true) => self.scroll(1, model),
            (Code::Named("Up" | "BackTab"), _) | (Code::Char('p'), true) => self.scroll(-1, model),
            _ => match self.line.key(key, &[]) {
                Typed::Closed => return Answer::Close,
                Typed::Entered => {
                    let chosen = self.actions.get(self.selected);
                    return chosen.map_or(Answer::Close, |&action| Answer::Act(action));
                }
                Typed::Edited => self.edited(model),
                Typed::Ignored => {}
            },
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        Some(&mut self.line)
    }

    /// Lists what has the words that are typed, or else what has their letters in order in its name.
    fn edited(&mut self, _model: &Model) {
        self.selected = 0;
        let wanted = self.line.text().trim();
        if wanted.is_empty() {
            self.actions = Action::ALL.to_vec();
            return;
        }
        let found = found(self.entries.iter(), wanted).into_iter();
        self.actions = found.filter_map(|entry| entry.action).collect();
        if self.actions.is_empty() {
            let scattered =
                |&action: &Action| Some((Reverse(jobs::matches(action.name(), wanted)?), action));
            let mut found: Vec<_> = Action::ALL.iter().filter_map(scattered).collect();
            found.sort();
            self.actions = found.into_iter().map(|(_, action)| action).collect();
        }
    }

    fn selected(&mut self, _model: &Model) -> Option<(&mut usize, usize)> {
        Some((&mut self.selected, self.actions.len()))
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let rows = self.actions.len() as u16 + 3;
        let size = (screen.width.saturating_sub(4).min(110), rows.clamp(4, 20));
        let inner = pane::popup("do", "Enter does it", size, cx.ui, screen, buf);
        let [line, list] =
            inner.layout(&Layout::vertical([Constraint::Length(1), Constraint::Fill(1)]));
        let action = |at: usize| self.actions[at];
        let name = |at, _| Span::styled(format!("  {}", action(at).name()), cx.theme.title);
        // Other words that are typed come before what the action does.
        let words = |at: usize, _| {
            let entry = self.entries.iter().find(|entry| entry.action == Some(action(at)));
            let others = entry.into_iter().flat_map(|entry| entry.others(self.line.text().trim()));
            others.chain([action(at).doc()]).collect::<Vec<_>>().join(": ")
        };
        let key = |at, _| Span::styled(cx.ui.keymap.hint(action(at)), cx.theme.key);
        let view = ListView {
            id: "palette",
            columns: vec![
                Column::new("", 21, name),
                Column::rest("", words),
                Column::new("", 8, key).right(),
            ],
            len: self.actions.len(),
            selected: Some(self.selected),
            empty: "nothing matches".into(),
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, list, buf);
        self.line.draw(" : ", ("", cx.theme.dim), line, cx.theme, buf)
    }
}
