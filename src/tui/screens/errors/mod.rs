//! The errors screen: a sentence and a bar of all covered queries, then tabs with examples, error types, hubs, words
//! and slices.

mod example;
mod lists;
mod slices;
mod summary;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};

use crate::analysis::breakdown::Part;
use crate::analysis::kinds::Count;
use crate::data::text::grouped;
use crate::figure::scene::DEPTH;
use crate::filter::first_is;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::screen::{Hint, Reply, Screen, hints_now};
use crate::tui::state::Model;
use crate::tui::state::picks::PickTarget;
use crate::tui::state::results::{Demand, ErrorDemand};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::Scrolled;

/// The tabs, and the parts of the bar.
const TABS: ListId = "tabs";
const PARTS: ListId = "parts";

/// A tab below the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// Queries one by one, with their top-1.
    #[default]
    Examples,
    /// The table of error types.
    Types,
    /// Hubs.
    Hubs,
    /// Words of failures.
    Words,
    /// Where two models differ most.
    Slices,
}

impl Tab {
    /// All tabs in order.
    const ALL: [Tab; 5] = [Tab::Examples, Tab::Types, Tab::Hubs, Tab::Words, Tab::Slices];

    fn title(self) -> &'static str {
        ["Examples", "Types", "Hubs", "Words", "Slices"][self as usize]
    }

    /// Id of its list.
    fn list(self) -> ListId {
        ["examples", "error types", "hubs", "words", "slices"][self as usize]
    }
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Errors {
    /// The visible tab.
    pub tab: Tab,
    /// Part of the bar that examples come from; `None`: the error type under the cursor.
    part: Option<&'static str>,
    /// The selected entry of each tab's list; beyond its end while the list is not there yet.
    selected: [usize; Tab::ALL.len()],
    scrolled: [Scrolled; Tab::ALL.len()],
    /// Index of the example in its group.
    example: usize,
    /// Index of the slice order.
    order: usize,
}

type Cx<'a> = Context<'a, Errors>;

/// Queries with something in common.
struct Group<'a> {
    view: View,
    name: String,
    meaning: String,
    condition: String,
    queries: &'a [u32],
    /// Number of applicable queries.
    of: usize,
}

/// Rows of the sentence, the bar, its legend and the tabs. Lower screens have only the tabs.
const ABOVE: u16 = 4;
const MIN_ROWS: u16 = 14;

/// Areas above the tab, and of the tab.
fn areas(body: Rect) -> [Rect; 2] {
    let above = if body.height >= MIN_ROWS { ABOVE } else { 1 };
    body.layout(&Layout::vertical([Constraint::Length(above), Constraint::Fill(1)]))
}

impl<'a> Cx<'a> {
    /// Index of the selected entry of a tab's list.
    pub fn selected(self, tab: Tab) -> usize {
        self.state.selected[tab as usize].min(self.len(tab).saturating_sub(1))
    }

    /// Part of the bar that examples come from.
    fn part(self) -> Option<&'a Part> {
        let name = self.state.part?;
        self.parts().find(|part| part.name == name)
    }

    /// Queries under the cursor: those with the selected hub as top-1, those of the selected part, or of the error
    /// type.
    fn group(self) -> Option<Group<'a>> {
        let (study, view) = (&self.model.study, self.model.view);
        if self.state.tab == Tab::Hubs {
            let hub = self.hub()?;
            let item = hub.item as usize;
            let is_first = first_is(study, view.direction, item);
            let item = self.model.label(view.direction.flipped(), item, usize::MAX);
            return Some(Group {
                view,
                name: format!("top-1 misses of {item}"),
                meaning: String::new(),
                condition: format!("r1 == 0 and {is_first}"),
                queries: &hub.misses,
                of: hub.covered,
            });
        }
        if self.state.tab == Tab::Slices {
            let row = self.slice_rows().get(self.selected(Tab::Slices)).copied()?;
            return Some(Group {
                view,
                name: row.slice.name.clone(),
                meaning: String::new(),
                condition: row.slice.condition.clone(),
                queries: &row.queries,
                of: self.covered(),
            });
        }
        if let Some(part) = self.part().filter(|_| self.state.tab != Tab::Types) {
            return Some(Group {
                view,
                name: part.name.into(),
                meaning: part.meaning.into(),
                condition: part.condition.clone(),
                queries: &part.queries,
                of: self.covered(),
            });
        }
        let (kind, found) = (self.kind(), self.kind_queries()?);
        let mut meaning = kind.meaning.to_owned();
        if found.count() != found.loaded {
            let Count { met, of } = found.loaded;
            let (met, of) = (grouped(met), grouped(of));
            meaning = format!("{meaning}; without your judgments {met} of {of}");
        }
        Some(Group {
            view,
            name: kind.name.into(),
            meaning,
            condition: kind.expression(study, view)?,
            queries: &found.queries,
            of: found.of,
        })
    }
}

impl Errors {
    /// Shows another tab, cyclically.
    fn step_tab(&mut self, by: isize) {
        let at = self.tab as isize + by;
        self.tab = Tab::ALL[at.rem_euclid(Tab::ALL.len() as isize) as usize];
    }

    /// Selects an entry of the tab's list.
    fn select(&mut self, at: usize) {
        if self.tab == Tab::Types {
            (self.example, self.part) = (0, None);
        }
        self.selected[self.tab as usize] = at;
    }

    /// Moves the selection of the tab's list, or goes to another example.
    fn step(&mut self, model: &Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        if self.tab == Tab::Examples {
            let last = cx.group().map_or(0, |of| of.queries.len().saturating_sub(1));
            self.example = self.example.min(last).saturating_add_signed(by).min(last);
        } else {
            let last = cx.len(self.tab).saturating_sub(1);
            let to = cx.selected(self.tab).saturating_add_signed(by).min(last);
            self.select(to);
        }
    }

    /// Shows examples of a part of the bar, by index.
    fn select_part(&mut self, model: &Model, ui: &Ui, at: usize) {
        let part = self.cx(model, ui).parts().nth(at).map(|part| part.name);
        if part.is_some() {
            (self.tab, self.part, self.example) = (Tab::Examples, part, 0);
        }
    }

    /// Shows examples of the next part, cyclically.
    fn step_part(&mut self, model: &Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let count = cx.parts().count().max(1) as isize;
        let here = cx.parts().position(|part| Some(part.name) == self.part);
        let to = here.map_or_else(|| if by > 0 { 0 } else { -1 }, |at| at as isize + by);
        self.select_part(model, ui, to.rem_euclid(count) as usize);
    }
}

impl Screen for Errors {
    fn tab(&self) -> Hint {
        (Action::Errors, "Errors")
    }

    fn demand(&self) -> Demand {
        let errors = match self.tab {
            Tab::Slices => ErrorDemand::Slices,
            _ => ErrorDemand::Causes,
        };
        Demand { errors, ..Demand::default() }
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let tab = self.tab;
        match action {
            Action::NextPane => self.step_tab(1),
            Action::PreviousPane => self.step_tab(-1),
            Action::Left if tab == Tab::Examples => self.step_part(model, ui, -1),
            Action::Right if tab == Tab::Examples => self.step_part(model, ui, 1),
            Action::Sort if tab == Tab::Slices => {
                self.order = (self.order + 1) % slices::ORDERS.len();
                self.selected[tab as usize] = 0;
            }
            Action::Define => return Reply::open(Some(example::sheet(model.view))),
            Action::Detail if tab == Tab::Words => return Reply::Idle,
            Action::Detail => {
                let group = self.cx(model, ui).group().filter(|of| !of.queries.is_empty());
                let Some(Group { view, condition, .. }) = group else {
                    model.message = Some("no query is of this kind".into());
                    return Reply::Done;
                };
                model.list_by(view, condition);
                return Reply::Act(Action::Browse);
            }
            other => match other.lines(self.scrolled[tab as usize].page()) {
                Some(by) => self.step(model, ui, by),
                None => return Reply::Idle,
            },
        }
        Reply::Done
    }

    fn overrides(&self, _model: &Model, _ui: &Ui, action: Action) -> bool {
        action == Action::Define
    }

    fn hints(&self, _model: &Model, _ui: &Ui) -> Vec<Hint> {
        let has_queries = self.tab != Tab::Words;
        let is_examples = self.tab == Tab::Examples;
        hints_now([
            (true, Action::Down, if is_examples { "next example" } else { "move" }),
            (is_examples, Action::Right, "next part"),
            (true, Action::NextPane, "tab"),
            (has_queries, Action::Detail, "list queries"),
            (is_examples, Action::Pick, "pick"),
            (is_examples, Action::Note, "note"),
            (self.tab == Tab::Slices, Action::Sort, "sort"),
            (true, Action::NextModel, "model"),
            (true, Action::NextTruth, "truth"),
            (true, Action::Direction, "direction"),
            (true, Action::Define, "definitions"),
            (true, Action::Undo, "undo"),
        ])
    }

    fn click(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        let entry = match target {
            Target::Row(PARTS, at) => return self.select_part(model, ui, at),
            Target::Row(TABS, at) => {
                self.tab = Tab::ALL[at];
                return;
            }
            Target::Row(_, entry) => entry,
            _ => return,
        };
        let words =
            if self.tab == Tab::Words { self.cx(model, ui).word_rows() } else { Vec::new() };
        let headings = words.iter().take(entry).filter(|row| row.heading.is_some()).count();
        self.select(entry - headings);
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, _list: ListId, by: isize) {
        self.step(model, ui, by);
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let [above, tab] = areas(body);
        summary::draw(cx, above, buf);
        ui.hit(tab, Target::List(self.tab.list()));
        match self.tab {
            Tab::Examples => example::draw(cx, tab, buf),
            _ => lists::draw(cx, tab, buf),
        }
    }

    /// The example, if visible.
    fn pick_target(&self, model: &Model, ui: &Ui) -> Option<PickTarget> {
        let example = self.cx(model, ui).example().filter(|_| self.tab == Tab::Examples);
        let (view, query, _) = example?;
        Some(PickTarget { query: query as usize, view, models: vec![view.model], depth: DEPTH })
    }
}
