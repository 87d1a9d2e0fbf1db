//! The list of items: a line for each query and item, as `find --items` has them.

mod search;
mod titles;
mod view;

use std::sync::Arc;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use self::search::copied;
use super::export::ExportForm;
use crate::analysis::first_items::{FirstItem, Which};
use crate::data::text::count;
use crate::jobs::{ItemsKey, ListedItems};
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::keymap::Key;
use crate::tui::model::Model;
use crate::tui::model::dirty::Asked;
use crate::tui::model::item_list::{Common, ItemsState};
use crate::tui::model::picks::Sighted;
use crate::tui::popup::{Answer, Hint, Popup};
use crate::tui::ui::{Context, Ui, plain};
use crate::tui::widgets::prompt::{PromptLine, Typed};

/// Rows above the list: the choices and the names of the columns.
const ABOVE: u16 = 2;

/// The list of items.
#[derive(Clone)]
pub struct ItemList {
    key: ItemsKey,
    /// What the queries have in common.
    common: Common,
    /// Places of the selected line and of the first one shown.
    selected: usize,
    offset: usize,
    /// Words that an item is looked for by.
    search: PromptLine,
    is_typed: bool,
}

impl ItemList {
    /// The first items of these queries of a view; where they were listed last, at the line that was left.
    pub(in crate::tui) fn new(model: &Model, view: View, queries: &[u32], common: Common) -> Self {
        let key = model.items_key(view, queries);
        let (selected, offset) = model.items_at(&key);
        ItemList { key, common, selected, offset, search: PromptLine::default(), is_typed: false }
    }

    fn found<'a>(&self, model: &'a Model) -> Option<&'a Arc<ListedItems>> {
        model.items_of(&self.key)?.as_ref().ok()
    }

    /// Which items are listed.
    fn which(&self, model: &Model) -> Which {
        let found = self.found(model).map(|found| &**found);
        model.items.which(model.item_choices(), found)
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
        let (from, choices) = (self.which(model), model.item_choices());
        self.list(model, |items| items.step_which(choices, from, by));
    }

    /// The selected item; where there is none, why is told.
    fn chosen_or_told(&self, model: &mut Model) -> Option<FirstItem> {
        let chosen = self.chosen(model);
        if chosen.is_none() {
            let why = match self.found(model) {
                Some(_) => "no item is listed",
                None => "the items are still ranked",
            };
            model.message = Some(why.into());
        }
        chosen
    }

    fn open(&self, model: &mut Model) -> Answer {
        let Some(item) = self.chosen_or_told(model) else {
            return Answer::Stay;
        };
        model.look_at_item(self.key.view, item);
        model.leave_items(&self.key, &self.common);
        Answer::Act(Action::Browse)
    }

    /// Picks the query of the selected line, or lets go of it.
    fn pick(&self, model: &mut Model) {
        let view = self.key.view;
        let Some(item) = self.chosen_or_told(model) else {
            return;
        };
        let what = model.toggle_pick_alone(Some(Sighted {
            query: item.query as usize,
            view,
            models: vec![view.model],
        }));
        model.message = what.or(model.message.take());
    }

    fn copy(&self, model: &mut Model) -> Answer {
        let Some(item) = self.chosen_or_told(model) else {
            return Answer::Stay;
        };
        let line = copied(model, self.key.view, item);
        model.message = Some(format!("copied: {}", line.replace('\t', "  ")));
        Answer::Effect(Effect::Copy(line))
    }

    /// Opens the form that has the rows written, which are too many for a clipboard.
    fn export(&self, model: &mut Model) -> Answer {
        let rows = match model.rows_of(&self.key, &self.common) {
            Ok(rows) => rows,
            Err(why) => {
                model.message = Some(why);
                return Answer::Stay;
            }
        };
        let titles = titles::titles(self, model, &format!("{}: ", count(rows.count(), "row")));
        match ExportForm::of_rows(model, rows, titles, Box::new(self.clone())) {
            Some(form) => Answer::Open(Box::new(form)),
            None => Answer::Stay,
        }
    }

    /// Looks at something else, and lists its items where the queries listed were those of the screen.
    fn look(&mut self, model: &mut Model, action: Action) -> Answer {
        let is_of_screen = model.is_of_list(&self.key);
        match action {
            Action::Direction => model.flip_direction(),
            Action::NextTruth => model.step_truth(1),
            Action::PreviousTruth => model.step_truth(-1),
            Action::NextModel => model.step_model(1),
            _ => model.step_model(-1),
        }
        match open(model).filter(|_| is_of_screen) {
            Some(list) => {
                *self = list;
                Answer::Stay
            }
            None => Answer::Close,
        }
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
        return Some(ItemList::new(model, left.view, &left.queries, left.common));
    }
    let named = [("search", model.search.text()), ("filter", &model.filter.text)];
    let named = named.into_iter().filter(|(_, words)| !words.is_empty());
    let words: Vec<String> = named.map(|(what, words)| format!("{what} {words}")).collect();
    let common = Common {
        words: words.join(", "),
        expression: (model.search.text().is_empty() && model.queue_in_force().is_none())
            .then(|| model.filter.text.clone()),
    };
    let queries = &model.selection.queries;
    Some(ItemList::new(model, model.view, queries, common))
}

impl Popup for ItemList {
    fn opened_by(&self) -> Action {
        Action::Items
    }

    fn key(&mut self, key: Key, model: &mut Model) -> Answer {
        if !self.is_typed {
            return Answer::Pass;
        }
        match self.search.key(key, &[]) {
            Typed::Closed => (self.is_typed, self.search) = (false, PromptLine::default()),
            Typed::Entered => {
                self.is_typed = false;
                self.find_item(model, (1, 0));
            }
            Typed::Edited | Typed::Ignored => {}
        }
        Answer::Stay
    }

    fn prompt(&mut self) -> Option<&mut PromptLine> {
        self.is_typed.then_some(&mut self.search)
    }

    fn is_searched(&self, _model: &Model) -> bool {
        !self.search.text().is_empty()
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
            Action::Export => return self.export(model),
            Action::Search => (self.is_typed, self.search) = (true, PromptLine::default()),
            Action::NextMatch | Action::PreviousMatch if self.search.text().is_empty() => {
                model.message = Some("nothing is searched for here: / begins".into());
            }
            Action::NextMatch => self.find_item(model, (1, 1)),
            Action::PreviousMatch => self.find_item(model, (-1, -1)),
            Action::Pick => self.pick(model),
            Action::CopyId
            | Action::CopyCaption
            | Action::CopyPath
            | Action::CopyRow
            | Action::OpenPicture
            | Action::Note
            | Action::Mark
            | Action::MarkDown
            | Action::MarkUp
            | Action::Judge => {
                model.message = Some("Enter goes to the pair, where this key is about it".into());
            }
            Action::Direction
            | Action::NextTruth
            | Action::PreviousTruth
            | Action::NextModel
            | Action::PreviousModel => return self.look(model, action),
            answer if answer.is_of_judging() && model.judging.is_on => {
                model.message = Some("Enter goes to the pair, then answer".into());
            }
            Action::Close if self.is_searched(model) => self.search = PromptLine::default(),
            Action::Close | Action::Quit | Action::Items => {
                model.items.way_back = None;
                return Answer::Pass;
            }
            _ => return Answer::Pass,
        }
        Answer::Stay
    }

    fn hints(&self, model: &Model) -> Vec<Hint> {
        let is_searched = self.is_searched(model);
        let close = ["close", "end the search"][usize::from(is_searched)];
        let mut hints = vec![
            (Action::NextPane, "others"),
            (Action::Sort, "sort"),
            (Action::DialUp, "more"),
            (Action::DialDown, "fewer"),
            (Action::Detail, "open"),
            (Action::Export, "write rows"),
            (Action::Search, "search"),
            (Action::Copy, "copy"),
            (Action::Pick, "pick"),
            (Action::Direction, "direction"),
            (Action::Help, "help"),
        ];
        hints.insert(6 * usize::from(!is_searched), (Action::Close, close));
        if is_searched {
            hints.insert(0, (Action::NextMatch, "next match"));
        }
        hints
    }

    fn refresh(&mut self, model: &Model) {
        let now = model.items_key(self.key.view, &[]);
        self.key.ranks = now.ranks;
    }

    fn is_done(&self, model: &Model) -> bool {
        !model.has_model(self.key.view.model)
    }

    fn scroll(&mut self, by: i32, model: &Model, ui: &Ui) {
        let count = self.found(model).map_or(0, |found| found.count(self.which(model)));
        let to = self.selected.saturating_add_signed(by as isize);
        self.selected = to.min(count.saturating_sub(1));
        self.offset = followed(self.offset, self.selected, Self::rows(ui));
    }

    fn asks(&self) -> Asked {
        Asked::Items(self.key.clone())
    }

    fn draw(&self, cx: Context<'_>, _screen: Rect, buf: &mut Buffer) -> Option<(u16, u16)> {
        view::draw(self, cx, buf);
        let (note, footer) = (("words of an item", cx.theme.dim), cx.ui.frame().footer);
        self.is_typed.then(|| self.search.draw_over(" / ", note, footer, cx.theme, buf))?
    }
}

/// The least scrolling from `offset` that brings `selected` into so many rows.
fn followed(offset: usize, selected: usize, rows: usize) -> usize {
    offset.clamp((selected + 1).saturating_sub(rows), selected)
}
