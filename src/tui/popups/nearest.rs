//! Nearest items of the selected one, the query, or a text: what it is confused with.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::analysis::nearest::{Near, Nearest, To};
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
use crate::tui::ui::list::{Column, ListView, Scrolled};
use crate::tui::ui::prompt::{PromptLine, Typed};
use crate::tui::ui::{pane, text};

/// Nearest items, listed by similarity.
pub struct NearestList {
    to: To,
    /// Both items of the selected pair, shown in turn.
    pair: Vec<To>,
    selected: usize,
    scrolled: Scrolled,
    line: PromptLine,
    is_typed: bool,
}

/// Columns of a similarity.
const SIMILARITY: usize = 10;

impl NearestList {
    /// List for the focused item; `None`, with a message, if nothing is selected.
    pub(in crate::tui) fn new(model: &mut Model) -> Option<Self> {
        let query = model.selection.query().map(|at| To::Item(model.view.direction, at));
        let item = model.linked().map(|at| To::Item(model.view.direction.flipped(), at));
        let mut pair: Vec<To> = query.into_iter().chain(item).collect();
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
            scrolled: Scrolled::default(),
            line: PromptLine::default(),
            is_typed: false,
        })
    }

    fn show(&mut self, to: To) {
        (self.to, self.selected, self.is_typed) = (to, 0, false);
    }

    fn found<'a>(&self, model: &'a Model) -> Option<Result<&'a Nearest, &'a Error>> {
        model.nearest_to(&self.to).map(Result::as_ref)
    }

    fn items<'a>(&self, model: &'a Model) -> &'a [Near] {
        self.found(model).and_then(Result::ok).map_or(&[], |found| &found.items)
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
        if !self.is_typed {
            return Answer::Pass;
        }
        match self.line.key(key, model.prompts.entries(Action::Search)) {
            Typed::Closed => self.is_typed = false,
            Typed::Entered => {
                let text = self.line.text().trim().to_owned();
                model.prompts.add(Action::Search, &text);
                self.show(To::Text(text));
            }
            Typed::Edited | Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        match action {
            Action::Search => self.is_typed = true,
            Action::NextPane => {
                let here = self.pair.iter().position(|to| *to == self.to);
                let next = here.map_or(0, |here| (here + 1) % self.pair.len());
                self.show(self.pair[next].clone());
            }
            Action::Detail => {
                let near = self.items(model).get(self.selected).map(|near| near.index);
                let goes = near
                    .and_then(|at| model.attempt(|model| model.jump_to_query(self.to.side(), at)));
                return if goes.is_some() { Answer::Act(Action::Browse) } else { Answer::Stay };
            }
            _ => return Answer::Pass,
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        self.is_typed.then_some(&mut self.line)
    }

    fn selected(&mut self, model: &Model) -> Option<(&mut usize, usize)> {
        let len = self.items(model).len();
        Some((&mut self.selected, len))
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        if self.is_typed {
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
            To::Item(side, at) => model.label(*side, *at, columns),
            To::Text(text) => shown(text),
        };
        let title = format!("nearest to {to}");
        let (by, empty) = match self.found(model) {
            None => ("", "searching".into()),
            Some(Err(error)) => ("", one_line(error)),
            Some(Ok(found)) => (found.by.name(), "nothing is near it".into()),
        };
        let inner = pane::popup(&text::fit(&title, columns / 2), by, size, cx.ui, screen, buf);
        let shares = |at: usize, _| match items[at].shares {
            None => Span::styled("·", theme.dim),
            Some(true) => Span::styled("shared", theme.badge(Badge::Positive)),
            Some(false) => Span::raw("none"),
        };
        let kind = if side == Direction::I2t { "image" } else { "caption" };
        let view = ListView {
            id: "nearest",
            columns: vec![
                Column::new("similarity", SIMILARITY, |at, _| signs::score(items[at].similarity))
                    .right(),
                Column::new("positives", 9, shares),
                Column::rest(kind, |at, room| model.label(side, items[at].index, room)),
            ],
            len: items.len(),
            selected: Some(self.selected),
            empty,
            ..ListView::default()
        };
        view.draw(&self.scrolled, cx.ui, inner, buf);
        let (note, footer) = (("nearest captions by CIDEr-D", theme.dim), cx.ui.frame().footer);
        self.is_typed.then(|| self.line.draw_over(" caption ", note, footer, theme, buf))?
    }
}
