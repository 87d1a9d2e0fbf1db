//! Every action by name: type some letters, choose one.

use std::cmp::Reverse;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::entries::{Entry, found};
use crate::jobs::{self, Quality};
use crate::tui::action::Action;
use crate::tui::keymap::{Code, Key};
use crate::tui::model::Model;
use crate::tui::popup::{Answer, Popup};
use crate::tui::ui::{Context, Ui};
use crate::tui::widgets::hits::Target;
use crate::tui::widgets::list::{Column, ListView, Scrolled};
use crate::tui::widgets::pane;
use crate::tui::widgets::prompt::{PromptLine, Typed};

/// A line, the actions that match it, and the chosen one.
pub struct Palette {
    line: PromptLine,
    /// Every action, found as the help finds it.
    entries: Vec<(Action, Entry)>,
    /// Matching actions, best first.
    actions: Vec<Action>,
    selected: usize,
    scrolled: Scrolled,
}

impl Palette {
    pub(in crate::tui) fn new(ui: &Ui) -> Self {
        let entry = |&action: &Action| (action, Entry::action(ui, action, action.doc().to_owned()));
        Palette {
            line: PromptLine::default(),
            entries: Action::ALL.iter().map(entry).collect(),
            actions: Action::ALL.to_vec(),
            selected: 0,
            scrolled: Scrolled::default(),
        }
    }

    /// Lists what has the words that are typed, or else what has their letters in order in its name.
    fn narrow(&mut self) {
        self.selected = 0;
        let wanted = self.line.text().trim();
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
        self.actions = found.iter().filter_map(|(_, entry)| entry.name.parse().ok()).collect();
        if self.actions.is_empty() {
            let scattered =
                |&action: &Action| Some((Reverse(jobs::matches(action.name(), wanted)?), action));
            let mut found: Vec<_> = Action::ALL.iter().filter_map(scattered).collect();
            found.sort();
            self.actions = found.into_iter().map(|(_, action)| action).collect();
        }
    }

    /// What an action does, after other words for it that are typed.
    fn words(&self, action: Action) -> String {
        let entry = self.entries.iter().find(|(of, _)| *of == action);
        let others = entry.map(|(_, entry)| entry.others(self.line.text().trim()).join(", "));
        match others.unwrap_or_default().as_str() {
            "" => action.doc().to_owned(),
            others => format!("{others}: {}", action.doc()),
        }
    }

    fn step(&mut self, by: isize) {
        let last = self.actions.len().saturating_sub(1);
        self.selected = self.selected.saturating_add_signed(by).min(last);
    }
}

impl Popup for Palette {
    fn opened_by(&self) -> Action {
        Action::Palette
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        match (key.code, key.ctrl) {
            (Code::Named("Down" | "Tab"), _) | (Code::Char('n'), true) => self.step(1),
            (Code::Named("Up" | "BackTab"), _) | (Code::Char('p'), true) => self.step(-1),
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

    fn edited(&mut self, _model: &Model) {
        self.narrow();
    }

    fn scroll(&mut self, by: i32, _model: &Model, _ui: &Ui) {
        self.step(by as isize);
    }

    fn point(&mut self, target: Target, _model: &mut Model, _ui: &Ui) {
        if let Target::Row(_, at) = target {
            self.selected = at;
        }
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let rows = u16::try_from(self.actions.len()).unwrap_or(u16::MAX).saturating_add(3);
        let size = (screen.width.saturating_sub(4).min(110), rows.clamp(4, 20));
        let inner = pane::popup("do", "Enter does it", size, cx.ui, screen, buf);
        let height = inner.height.checked_sub(1).filter(|height| *height > 0)?;
        let columns = vec![
            Column::new("", 21, |at, _| {
                Span::styled(format!("  {}", self.actions[at].name()), cx.theme.title)
            }),
            Column::rest("", |at, _| self.words(self.actions[at])),
            Column::new("", 8, |at, _| {
                Span::styled(cx.ui.keymap.hint(self.actions[at]), cx.theme.key)
            })
            .right(),
        ];
        let list = ListView {
            id: "palette",
            columns,
            len: self.actions.len(),
            selected: Some(self.selected),
            empty: "nothing matches".into(),
            ..ListView::default()
        };
        list.draw(&self.scrolled, cx.ui, Rect { y: inner.y + 1, height, ..inner }, buf);
        let row = Rect { height: 1, ..inner };
        self.line.draw(" : ", ("", cx.theme.dim), row, cx.theme, buf)
    }
}
