//! The items nearest to the selected item, to the query, or to a typed caption.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::analysis::nearest::{Near, Nearest, NearestTo};
use crate::data::Direction;
use crate::data::text::shown;
use crate::error::Error;
use crate::jobs::MAX_NEAREST;
use crate::truth::standing::Badge;
use crate::tui::action::Action;
use crate::tui::context::Context;
use crate::tui::keymap::Key;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::state::Model;
use crate::tui::state::export::one_line;
use crate::tui::state::query_list::Pane;
use crate::tui::state::results::PopupNeeds;
use crate::tui::ui::list::{Column, ListView, ScrollState};
use crate::tui::ui::prompt::{KeyEffect, PromptLine};
use crate::tui::ui::{pane, text};

/// Nearest items, listed by similarity.
pub struct NearestList {
    /// The item or text whose nearest items are listed.
    to: NearestTo,
    /// The selected query and the selected item, if any; [`Action::NextPane`] switches between them.
    pair: Vec<NearestTo>,
    selected: usize,
    scrolled: ScrollState,
    /// Text input for a caption.
    line: PromptLine,
    /// Whether the text input is open.
    is_typing: bool,
}

impl NearestList {
    /// List for the focused item; `None`, with a message, if nothing is selected.
    pub(in crate::tui) fn new(model: &mut Model) -> Option<Self> {
        let query =
            model.selection.query().map(|query| NearestTo::Item(model.view.direction, query));
        let item =
            model.linked_item().map(|item| NearestTo::Item(model.view.direction.flipped(), item));
        let mut pair: Vec<NearestTo> = query.into_iter().chain(item).collect();
        if model.selection.pane == Pane::Ranking {
            pair.reverse();
        }
        let Some(to) = pair.first().cloned() else {
            model.message = Some("no item is selected".into());
            return None;
        };
        Some(NearestList {
            to,
            pair,
            selected: 0,
            scrolled: ScrollState::default(),
            line: PromptLine::default(),
            is_typing: false,
        })
    }

    /// Lists the items nearest to another item or text.
    fn set_target(&mut self, to: NearestTo) {
        (self.to, self.selected, self.is_typing) = (to, 0, false);
    }

    /// The nearest items, or why there are none; `None` while the search runs.
    fn result<'a>(&self, model: &'a Model) -> Option<Result<&'a Nearest, &'a Error>> {
        model.nearest_to(&self.to).map(Result::as_ref)
    }

    /// The nearest items; empty while the search runs, or on error.
    fn items<'a>(&self, model: &'a Model) -> &'a [Near] {
        self.result(model).and_then(Result::ok).map_or(&[], |found| &found.items)
    }
}

impl Popup for NearestList {
    fn opened_by(&self) -> Action {
        Action::Nearest
    }

    fn needs(&self) -> PopupNeeds {
        PopupNeeds::Nearest(self.to.clone())
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if !self.is_typing {
            return Answer::Pass;
        }
        match self.line.key(key, model.prompts.entries(Action::Search)) {
            KeyEffect::Closed => self.is_typing = false,
            KeyEffect::Entered => {
                let text = self.line.text().trim().to_owned();
                model.prompts.add(Action::Search, &text);
                self.set_target(NearestTo::Text(text));
            }
            KeyEffect::Edited | KeyEffect::Ignored => {}
        }
        Answer::Stay
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Search => self.is_typing = true,
            Action::NextPane => {
                let current = self.pair.iter().position(|to| *to == self.to);
                let next = current.map_or(0, |current| (current + 1) % self.pair.len());
                self.set_target(self.pair[next].clone());
            }
            Action::Detail => {
                let index = self.items(model).get(self.selected).map(|near| near.index);
                let jumped = index
                    .and_then(|at| model.attempt(|model| model.jump_to_query(self.to.side(), at)));
                return if jumped.is_some() { Answer::Act(Action::Browse) } else { Answer::Stay };
            }
            _ => return Answer::Pass,
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        self.is_typing.then_some(&mut self.line)
    }

    fn selection(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        let len = self.items(model).len();
        Some((&mut self.selected, len))
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        if self.is_typing {
            return vec![(Action::Detail, "nearest captions"), (Action::Close, "back")];
        }
        let mut hints = vec![(Action::Detail, "go to it")];
        if self.pair.len() > 1 {
            let is_query = self.to.side() == model.view.direction;
            hints.push((Action::NextPane, if is_query { "of the item" } else { "of the query" }));
        }
        hints.extend([(Action::Search, "type a caption"), (Action::Close, "close")]);
        hints
    }

    fn draw(&self, cx: Context<'_>, screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        let (model, theme) = (cx.model, cx.theme);
        let (items, side) = (self.items(model), self.to.side());
        let size = (screen.width.saturating_sub(4), MAX_NEAREST as u16 + 3);
        let columns = usize::from(size.0);
        let to = match &self.to {
            NearestTo::Item(side, index) => model.label(*side, *index, columns),
            NearestTo::Text(text) => shown(text),
        };
        let title = format!("nearest to {to}");
        let (by, empty) = match self.result(model) {
            None => ("", "searching".into()),
            Some(Err(error)) => ("", one_line(error)),
            Some(Ok(found)) => (found.by.name(), "nothing is near it".into()),
        };
        let inner = pane::draw_popup(&text::fit(&title, columns / 2), by, size, cx.ui, screen, buf);
        let shares_positives = |row: usize, _| match items[row].shares {
            None => Span::styled("·", theme.dim),
            Some(true) => Span::styled("shared", theme.badge(Badge::Positive)),
            Some(false) => Span::raw("none"),
        };
        let kind = if side == Direction::I2t { "image" } else { "caption" };
        let view = ListView {
            id: "nearest",
            columns: vec![
                Column::new("similarity", 10, |row, _| signs::score(items[row].similarity)).right(),
                Column::new("positives", 9, shares_positives),
                Column::rest(kind, |row, columns| model.label(side, items[row].index, columns)),
            ],
            len: items.len(),
            selected: Some(self.selected),
            empty,
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, inner, buf);
        let (note, footer) = (("nearest captions by CIDEr-D", theme.dim), cx.ui.frame().footer);
        self.is_typing.then(|| self.line.draw_over(" caption ", note, footer, theme, buf))?
    }
}
