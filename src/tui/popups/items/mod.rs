//! The list of items: a line for each query and item, as `find --items` has them.

mod view;
use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use crate::analysis::first_items::{FirstItem, Which};
use crate::engine::{ItemsKey, ListedItems};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::model::Model;
use crate::tui::model::demand::Asked;
use crate::tui::model::listed_items::ItemsState;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::signs;
use crate::tui::ui::{Context, Ui};

/// Rows above the list: the choices and the names of the columns.
const ABOVE: u16 = 2;
/// The list of items.
pub struct ItemList {
    key: ItemsKey,
    /// What the queries have in common, in words; nothing where they are all that are judged.
    condition: String,
    /// Places of the selected line and of the first one shown.
    selected: usize,
    offset: usize,
}

impl ItemList {
    /// The first items of these queries of a view; where they were listed last, at the line that was left.
    pub(in crate::tui) fn new(
        model: &Model,
        view: View,
        queries: &[u32],
        condition: String,
    ) -> Self {
        let key = model.items_key(view, queries);
        let (selected, offset) = model.items_at(&key);
        ItemList {
            key,
            condition,
            selected,
            offset,
        }
    }

    fn found<'a>(&self, model: &'a Model) -> Option<&'a Arc<ListedItems>> {
        model.items_of(&self.key)?.as_ref().ok()
    }

    /// Which items are listed.
    fn which(&self, model: &Model) -> Which {
        model.items.which(self.found(model).map(|found| &**found))
    }

    fn chosen(&self, model: &Model) -> Option<FirstItem> {
        let found = self.found(model)?;
        found.get(self.which(model), self.selected).copied()
    }

    /// Lists other items, from the top. What is listed stays the choice, though another one may take more then.
    fn list(&mut self, model: &mut Model, change: impl FnOnce(&mut ItemsState)) {
        if self.found(model).is_some() {
            model.items.chosen = Some(self.which(model));
        }
        change(&mut model.items);
        (self.key.depth, self.key.order) = (model.items.depth, model.items.order);
        (self.selected, self.offset) = (0, 0);
    }

    /// Lists the items of the next choice, or of the previous one.
    fn step(&mut self, model: &mut Model, by: isize) {
        let (from, has_phi) = (self.which(model), !model.study.phis.is_empty());
        self.list(model, |items| items.step_which(from, by, has_phi));
    }

    fn open(&self, model: &mut Model) -> Answer {
        let Some(item) = self.chosen(model) else {
            return Answer::Stay;
        };
        model.look_at_item(self.key.view, item);
        model.leave_items(&self.key, &self.condition);
        Answer::Act(Action::Browse)
    }

    fn copy(&self, model: &mut Model) -> Answer {
        let Some(item) = self.chosen(model) else {
            return Answer::Stay;
        };
        let line = copied(model, self.key.view, item);
        model.message = Some(format!("copied: {}", line.replace('\t', "  ")));
        Answer::Effect(Effect::Copy(line))
    }

    /// Rows of the list on a terminal as it is.
    fn rows(ui: &Ui) -> usize {
        usize::from(ui.frame().body.height.saturating_sub(2 + ABOVE)).max(1)
    }
}

/// Opens the first items of the queries that are listed; `None` while it is not known which these are.
pub(in crate::tui) fn open(model: &mut Model) -> Option<ItemList> {
    if model.is_filtering() {
        model.message = Some("the filter is still asked".into());
        return None;
    }
    if let Some(left) = model.left_items() {
        return Some(ItemList::new(
            model,
            left.view,
            &left.queries,
            left.condition,
        ));
    }
    let named = [
        ("search", model.search.text()),
        ("filter", &model.filter.text),
    ];
    let named = named.into_iter().filter(|(_, words)| !words.is_empty());
    let words: Vec<String> = named
        .map(|(what, words)| format!("{what} {words}"))
        .collect();
    let queries = &model.selection.queries;
    Some(ItemList::new(model, model.view, queries, words.join(", ")))
}

impl Popup for ItemList {
    fn opened_by(&self) -> Action {
        Action::Items
    }

    fn act(&mut self, action: Action, model: &mut Model) -> Answer {
        model.items.place = Some((self.key.clone(), (self.selected, self.offset)));
        match action {
            Action::NextPane | Action::Right => self.step(model, 1),
            Action::PreviousPane | Action::Left => self.step(model, -1),
            Action::DialUp => self.list(model, |items| items.step_depth(1)),
            Action::DialDown => self.list(model, |items| items.step_depth(-1)),
            Action::Sort => {
                self.list(model, |items| items.order = items.order.next());
                model.message = Some(format!("sorted: {}", model.items.order.words()));
            }
            Action::Detail => return self.open(model),
            Action::Copy => return self.copy(model),
            answer if answer.is_of_judging() && model.judging.is_on => {
                model.message = Some("Enter goes to the pair, then answer".into());
            }
            Action::Close | Action::Quit | Action::Items => {
                model.items.way_back = None;
                return Answer::Pass;
            }
            _ => return Answer::Pass,
        }
        Answer::Stay
    }

    fn hints(&self, _model: &Model) -> Vec<Hint> {
        vec![
            (Action::NextPane, "other items"),
            (Action::Sort, "sort"),
            (Action::DialUp, "more"),
            (Action::DialDown, "fewer"),
            (Action::Detail, "go to it"),
            (Action::Copy, "copy"),
            (Action::Close, "close"),
        ]
    }

    fn refresh(&mut self, model: &Model) {
        let now = model.items_key(self.key.view, &[]);
        self.key.ranks = now.ranks;
    }

    fn is_done(&self, model: &Model) -> bool {
        !model.has_model(self.key.view.model)
    }

    fn scroll(&mut self, by: i32, model: &Model, ui: &Ui) {
        let count = self
            .found(model)
            .map_or(0, |found| found.count(self.which(model)));
        let to = self.selected.saturating_add_signed(by as isize);
        self.selected = to.min(count.saturating_sub(1));
        self.offset = followed(self.offset, self.selected, Self::rows(ui));
    }

    fn asks(&self) -> Asked {
        Asked::Items(self.key.clone())
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        view::draw(self, cx, buf);
        None
    }
}

/// The least scrolling from `offset` that brings `selected` into so many rows.
fn followed(offset: usize, selected: usize, rows: usize) -> usize {
    offset.clamp((selected + 1).saturating_sub(rows), selected)
}

/// An item as text: ids of query and item, rank, score, what is known of the pair, both texts.
fn copied(model: &Model, view: View, one: FirstItem) -> String {
    let (query, item) = (one.query as usize, one.item as usize);
    [
        model.named(view.direction, query),
        model.named(view.direction.flipped(), item),
        one.rank.to_string(),
        signs::score(one.score),
        one.badge.in_lists().to_owned(),
    ]
    .join("\t")
}
