//! The errors screen: error types with their counts and examples, hubs, words of failures, and what
//! rescaled scores would give.

mod example;
mod lists;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use serde_json::{Map, Value};

use self::lists::ORDERS;
use crate::analysis::kinds::{self, KINDS};
use crate::filter::first_is;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::popup::Popup;
use crate::tui::popups::prompt::PromptPopup;
use crate::tui::screen::{Call, Hint, Reply, Screen, hints_now, tell_idle};
use crate::tui::state::Model;
use crate::tui::state::picks::Sighted;
use crate::tui::state::results::Demand;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::Scrolled;

/// The error type and the place of its example, as a session has them.
const TYPE: &str = "error_type";
const EXAMPLE: &str = "example";

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The table of error types.
    #[default]
    Kinds,
    /// Hubs.
    Hubs,
    /// Words of failures.
    Words,
    /// Words that tell first items from positives.
    Swapped,
    /// What rescaled scores would give.
    WhatIf,
}

impl Pane {
    /// Every pane, in the order of the keys.
    pub const ALL: [Pane; 5] = [Pane::Kinds, Pane::Hubs, Pane::Words, Pane::Swapped, Pane::WhatIf];

    /// The name of its list.
    fn list(self) -> ListId {
        let names =
            ["error types", "hubs", "words of failures", "words swapped", "rescaled scores"];
        names[self as usize]
    }

    fn stepped(self, by: isize) -> Pane {
        Pane::ALL[(self as isize + by).rem_euclid(Pane::ALL.len() as isize) as usize]
    }
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Errors {
    /// What keys go to.
    pub pane: Pane,
    /// The pane that was gone to last, of those beside the table.
    beside: Option<Pane>,
    /// The selected entry of each pane's list; beyond its end while the list is not there yet.
    selected: [usize; 5],
    scrolled: [Scrolled; 5],
    /// The column that was selected in the table, and what was looked at then.
    column: Option<(View, View)>,
    /// Place of the example among the queries of the error type.
    example: usize,
    /// Place of the order of hubs among [`ORDERS`].
    order: usize,
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Errors>;

/// Rows of what the cursor is on.
const BELOW: u16 = 7;
/// Rows that a pane needs.
const LEAST: u16 = 8;
/// Narrower screens show one pane beside the table.
const SIDE_BY_SIDE: u16 = 110;
/// Columns and rows of what rescaled scores would give.
const RESCALED: (u16, u16) = (47, 9);

/// The parts of a body: each pane in the order of [`Pane::ALL`], then what the cursor is on; a part of no size is
/// not shown. The table has `table` rows with its frame, keys go to `pane`, and `beside` is beside the table.
fn areas(body: Rect, table: u16, [pane, beside]: [Pane; 2]) -> [Rect; 6] {
    let mut areas = [Rect::default(); 6];
    let below = if body.height >= table + BELOW { BELOW } else { 0 };
    let [above, example] =
        body.layout(&Layout::vertical([Constraint::Fill(1), Constraint::Length(below)]));
    areas[5] = example;
    if body.height < table + BELOW + LEAST {
        areas[pane as usize] = above;
        return areas;
    }
    let [kinds, rest] =
        above.layout(&Layout::vertical([Constraint::Length(table), Constraint::Fill(1)]));
    areas[Pane::Kinds as usize] = kinds;
    // On the right two panes are above each other.
    if body.width < SIDE_BY_SIDE || rest.height < RESCALED.1 + LEAST - 1 {
        areas[beside as usize] = rest;
        return areas;
    }
    let words = Constraint::Length((body.width / 5).clamp(34, 40));
    let columns = [Constraint::Fill(1), words, Constraint::Length(RESCALED.0)];
    let [hubs, words, right] = rest.layout(&Layout::horizontal(columns));
    let [what_if, swapped] =
        right.layout(&Layout::vertical([Constraint::Length(RESCALED.1), Constraint::Fill(1)]));
    [kinds, hubs, words, swapped, what_if, example]
}

impl Cx<'_> {
    fn areas(self) -> [Rect; 6] {
        let panes = [self.state.pane, self.state.beside.unwrap_or(Pane::Hubs)];
        let table = kinds::of(&self.model.study).len() as u16 + lists::AROUND;
        let mut areas = areas(self.ui.frame().body, table, panes);
        self.ui.zoom(&mut areas, self.state.pane as usize);
        areas
    }

    /// Place of the selected entry of a pane's list.
    pub fn selected(self, pane: Pane) -> usize {
        self.state.selected[pane as usize].min(self.len(pane).saturating_sub(1))
    }

    /// The model and the ground truth under the cursor: what is looked at, unless another column was selected
    /// since.
    pub fn view(self) -> View {
        let chosen = self.state.column.filter(|(at, _)| *at == self.model.view);
        chosen.map_or(self.model.view, |(_, view)| view)
    }

    /// The queries under the cursor: their view, and the condition that they meet. Those of the error type, or those
    /// whose first place the selected hub takes.
    fn counted(self) -> Option<(View, String)> {
        let study = &self.model.study;
        let (view, condition, queries) = if self.state.pane == Pane::Hubs {
            let (view, hub) = (self.model.view, self.hub()?);
            let is_first = first_is(study, view.direction, hub.item as usize);
            (view, format!("r1 == 0 and {is_first}"), &*hub.taken)
        } else {
            let (kind, view) = (self.kind(), self.view());
            (view, kind.expression(study, view)?, self.list_of_kind()?)
        };
        (!queries.is_empty()).then_some((view, condition))
    }
}

impl Errors {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }

    /// Gives keys to a pane.
    fn go_to(&mut self, pane: Pane) {
        self.pane = pane;
        if pane != Pane::Kinds {
            self.beside = Some(pane);
        }
    }

    /// Selects an entry of the list that keys go to.
    fn select(&mut self, at: usize) {
        let selected = &mut self.selected[self.pane as usize];
        if *selected != at && self.pane == Pane::Kinds {
            self.example = 0;
        }
        *selected = at;
    }

    /// Moves the selection of the list that keys go to.
    fn step(&mut self, model: &Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let last = cx.len(self.pane).saturating_sub(1);
        let to = cx.selected(self.pane).saturating_add_signed(by).min(last);
        self.select(to);
    }

    fn select_column(&mut self, model: &Model, view: View) {
        self.column = Some((model.view, view));
        self.example = 0;
    }

    fn step_column(&mut self, model: &Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let (columns, here) = (cx.columns(), cx.view());
        let at = columns.iter().position(|view| *view == here).unwrap_or(0);
        if let Some(&to) = columns.get(at.saturating_add_signed(by)) {
            self.select_column(model, to);
        }
    }

    /// Shows another example, counted round.
    fn step_example(&mut self, model: &Model, ui: &Ui, by: isize) {
        let count = self.cx(model, ui).list_of_kind().map_or(0, <[u32]>::len).max(1);
        let at = self.example % count;
        self.example = (at as isize + by).rem_euclid(count as isize) as usize;
    }
}

impl Screen for Errors {
    fn shown_by(&self) -> Action {
        Action::Errors
    }

    fn title(&self) -> &'static str {
        "Errors"
    }

    fn demand(&self) -> Demand {
        Demand { causes: true, ..Demand::default() }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let is_table = self.pane == Pane::Kinds;
        let at = self.pane as usize;
        match action {
            Action::Left if is_table => self.step_column(model, ui, -1),
            Action::Right if is_table => self.step_column(model, ui, 1),
            Action::NextPane | Action::Right => self.go_to(self.pane.stepped(1)),
            Action::PreviousPane | Action::Left => self.go_to(self.pane.stepped(-1)),
            Action::NextPositive if is_table => self.step_example(model, ui, 1),
            Action::PreviousPositive if is_table => self.step_example(model, ui, -1),
            Action::Sort if self.pane == Pane::Hubs => {
                self.order = (self.order + 1) % ORDERS.len();
                self.selected[at] = 0;
            }
            Action::Copy => {
                let entry = self.cx(model, ui).copied();
                return Reply::copy(model, entry);
            }
            Action::Detail if self.pane == Pane::WhatIf => model.ask_what_if(),
            Action::Detail if matches!(self.pane, Pane::Words | Pane::Swapped) => {
                tell_idle(model, ui, action);
            }
            Action::Detail | Action::Items => {
                let Some((view, condition)) = self.cx(model, ui).counted() else {
                    model.message = Some("no query is of this kind".into());
                    return Reply::Done;
                };
                model.list_by(view, condition);
                let is_items = action == Action::Items;
                return Reply::Act(if is_items { action } else { Action::Browse });
            }
            Action::Note => {
                let sighted = self.sighted(model, ui);
                return Reply::open(PromptPopup::note(model, sighted.as_ref()));
            }
            Action::Pick => {
                let sighted = self.sighted(model, ui);
                model.message = model.toggle_pick(sighted).or(model.message.take());
            }
            Action::WhatIf => {
                // Keys go there only where the table leaves no room for it.
                if is_table {
                    self.beside = Some(Pane::WhatIf);
                }
                if self.cx(model, ui).areas()[Pane::WhatIf as usize].area() == 0 {
                    self.go_to(Pane::WhatIf);
                }
                model.ask_what_if();
            }
            other => match other.lines(self.scrolled[at].page()) {
                Some(by) if self.pane != Pane::WhatIf => self.step(model, ui, by),
                _ => tell_idle(model, ui, other),
            },
        }
        Reply::Done
    }

    /// The example can be picked and noted, and items are those of the queries counted.
    fn takes(&self, model: &Model, ui: &Ui, action: Action) -> bool {
        let is_of_example = matches!(action, Action::Pick | Action::Note);
        action == Action::Items || is_of_example && self.sighted(model, ui).is_some()
    }

    fn is_called_by(&self, action: Action) -> Option<Call> {
        (action == Action::WhatIf).then_some(Call::Does)
    }

    fn hints(&self, _model: &Model, _ui: &Ui) -> Vec<Hint> {
        let is_table = self.pane == Pane::Kinds;
        let has_queries = matches!(self.pane, Pane::Kinds | Pane::Hubs);
        hints_now([
            (self.pane != Pane::WhatIf, Action::Down, "move"),
            (true, Action::NextPane, "pane"),
            (has_queries, Action::Detail, "list queries"),
            (has_queries, Action::Items, "list items"),
            (is_table, Action::NextPositive, "next example"),
            (is_table, Action::Pick, "pick"),
            (is_table, Action::Note, "note"),
            (self.pane == Pane::Hubs, Action::Sort, "sort"),
            (true, Action::WhatIf, "what if rescaled"),
            (true, Action::NextModel, "model"),
            (true, Action::NextTruth, "truth"),
            (true, Action::Direction, "direction"),
            (true, Action::Define, "definitions"),
            (true, Action::Copy, "copy row"),
            (true, Action::Undo, "undo"),
        ])
    }

    fn point(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        let (list, entry, column) = match target {
            Target::Cell(list, entry, column) => (list, Some(entry), column.checked_sub(1)),
            Target::Row(list, entry) => (list, Some(entry), None),
            Target::List(list) => (list, None, None),
            _ => return,
        };
        if let Some(pane) = Pane::ALL.into_iter().find(|pane| pane.list() == list) {
            self.go_to(pane);
        }
        if let Some(entry) = entry {
            self.select(entry);
        }
        let views = self.cx(model, ui).columns();
        if let Some(&view) = column.and_then(|column| views.get(column)) {
            self.select_column(model, view);
        }
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, list: ListId, by: isize) {
        self.point(model, ui, Target::List(list));
        self.step(model, ui, by);
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let areas = cx.areas();
        for (pane, area) in Pane::ALL.into_iter().zip(areas).filter(|(_, area)| area.area() > 0) {
            lists::draw(cx, pane, area, buf);
        }
        if areas[5].area() > 0 {
            example::draw(cx, areas[5], buf);
        }
    }

    fn open(&self, model: &Model, _ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        let opens = action == Action::Define;
        opens.then(|| Box::new(example::sheet(model.view)) as Box<dyn Popup>)
    }

    /// The example, where it is in sight.
    fn sighted(&self, model: &Model, ui: &Ui) -> Option<Sighted> {
        let cx = self.cx(model, ui);
        let is_shown = self.pane == Pane::Kinds && cx.areas()[5].area() > 0;
        let ((query, _), view) = (cx.example().filter(|_| is_shown)?, cx.view());
        Some(Sighted { query: query as usize, view, models: vec![view.model] })
    }

    fn words(&self) -> Map<String, Value> {
        let kind = KINDS[self.selected[Pane::Kinds as usize]].key;
        Map::from_iter([(TYPE.to_owned(), kind.into()), (EXAMPLE.to_owned(), self.example.into())])
    }

    fn restore(&mut self, view: &Map<String, Value>) {
        let key = view.get(TYPE).and_then(Value::as_str);
        if let Some(kind) = KINDS.iter().position(|kind| Some(kind.key) == key) {
            self.selected[Pane::Kinds as usize] = kind;
            let example = view.get(EXAMPLE).and_then(Value::as_u64);
            self.example = example.unwrap_or_default() as usize;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts fill what is between header and footer, and do not overlap.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 109, 110, 120, 160, 400] {
            for height in [8, 12, 20, 24, 32, 34, 40, 41, 50, 90] {
                for pane in Pane::ALL {
                    let beside = if pane == Pane::Kinds { Pane::WhatIf } else { pane };
                    let body = frame((width, height)).body;
                    let table = KINDS.len() as u16 + lists::AROUND;
                    let parts = areas(body, table, [pane, beside]);
                    let covered: u32 = parts.iter().map(|part| part.area()).sum();
                    assert_eq!(covered, body.area(), "{width}x{height}, {pane:?}");
                    for (at, part) in parts.iter().enumerate() {
                        let clear = parts[..at].iter().all(|other| !part.intersects(*other));
                        let inside = part.intersection(body).area() == part.area();
                        assert!(clear && inside, "{width}x{height}, {pane:?}");
                    }
                    assert!(parts[pane as usize].area() > 0, "{width}x{height}, {pane:?}");
                }
            }
        }
    }
}
