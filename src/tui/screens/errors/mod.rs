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
use crate::filter::top_1_condition;
use crate::study::View;
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::screen::{Hint, Reply, Screen, enabled_hints};
use crate::tui::state::Model;
use crate::tui::state::picks::PickTarget;
use crate::tui::state::results::{Demand, ErrorDemand};
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::ScrollState;

/// Id of the tabs.
const TABS: ListId = "tabs";
/// Id of the parts of the bar.
const PARTS: ListId = "parts";

/// A tab below the bar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tab {
    /// Queries one by one, with their top-1.
    #[default]
    Examples,
    /// The table of error types.
    Types,
    /// Items that are retrieved for many queries.
    Hubs,
    /// Words of failures.
    Words,
    /// Groups of queries, first those on which two models differ most.
    Slices,
}

impl Tab {
    /// All tabs in order.
    const ALL: [Tab; 5] = [Tab::Examples, Tab::Types, Tab::Hubs, Tab::Words, Tab::Slices];

    /// Title of the tab.
    fn title(self) -> &'static str {
        ["Examples", "Types", "Hubs", "Words", "Slices"][self as usize]
    }

    /// Id of the list in the tab.
    fn list_id(self) -> ListId {
        ["examples", "error types", "hubs", "words", "slices"][self as usize]
    }
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Errors {
    /// The visible tab.
    pub tab: Tab,
    /// Name of the part of the bar that examples come from; `None` if they are of the selected error type.
    part: Option<&'static str>,
    /// Index of the selected entry in the list of each tab. May be past the end, while the list is not computed.
    selected: [usize; Tab::ALL.len()],
    /// Scroll position of the list of each tab.
    scrolled: [ScrollState; Tab::ALL.len()],
    /// Index of the example in its group.
    example: usize,
    /// Index of the order of slices in [`slices::ORDERS`].
    order: usize,
}

type Cx<'a> = Context<'a, Errors>;

/// Queries that examples come from, and how they are described.
struct QueryGroup<'a> {
    view: View,
    name: String,
    meaning: String,
    /// Filter condition that selects the queries.
    condition: String,
    queries: &'a [u32],
    /// Number of queries among which those of the group were found.
    applicable: usize,
}

/// Rows of the sentence, the bar, its legend and the tabs.
const SUMMARY_ROWS: u16 = 4;
/// Minimum rows of the screen for the sentence, the bar and the legend above the tabs.
const MIN_SUMMARY_HEIGHT: u16 = 14;

/// Areas of the summary with the tabs, and of the content of the current tab.
fn areas(body: Rect) -> [Rect; 2] {
    let above = if body.height >= MIN_SUMMARY_HEIGHT { SUMMARY_ROWS } else { 1 };
    body.layout(&Layout::vertical([Constraint::Length(above), Constraint::Fill(1)]))
}

impl<'a> Cx<'a> {
    /// Index of the selected entry in the list of a tab, without headings.
    pub fn selected(self, tab: Tab) -> usize {
        self.state.selected[tab as usize].min(self.len(tab).saturating_sub(1))
    }

    /// Part of the bar that examples come from; `None` if they are of the selected error type, or until the bar is
    /// computed.
    fn part(self) -> Option<&'a Part> {
        let name = self.state.part?;
        self.parts().find(|part| part.name == name)
    }

    /// Queries of the selected hub, slice, part of the bar or error type, depending on the tab; `None` until they are
    /// known.
    fn group(self) -> Option<QueryGroup<'a>> {
        let (study, view) = (&self.model.study, self.model.view);
        if self.state.tab == Tab::Hubs {
            let hub = self.selected_hub()?;
            let item = hub.item as usize;
            let is_first = top_1_condition(study, view.direction, item);
            let item = self.model.label(view.direction.flipped(), item, usize::MAX);
            return Some(QueryGroup {
                view,
                name: format!("top-1 misses of {item}"),
                meaning: String::new(),
                condition: format!("r1 == 0 and {is_first}"),
                queries: &hub.misses,
                applicable: hub.covered,
            });
        }
        if self.state.tab == Tab::Slices {
            let row = self.slice_rows().get(self.selected(Tab::Slices)).copied()?;
            return Some(QueryGroup {
                view,
                name: row.slice.name.clone(),
                meaning: String::new(),
                condition: row.slice.condition.clone(),
                queries: &row.queries,
                applicable: self.covered_count(),
            });
        }
        if let Some(part) = self.part().filter(|_| self.state.tab != Tab::Types) {
            return Some(QueryGroup {
                view,
                name: part.name.into(),
                meaning: part.meaning.into(),
                condition: part.condition.clone(),
                queries: &part.queries,
                applicable: self.covered_count(),
            });
        }
        let (kind, list) = (self.selected_kind(), self.kind_queries()?);
        let mut meaning = kind.meaning.to_owned();
        if list.count() != list.loaded {
            let Count { met, of } = list.loaded;
            let (met, of) = (grouped(met), grouped(of));
            meaning = format!("{meaning}; without your judgments {met} of {of}");
        }
        Some(QueryGroup {
            view,
            name: kind.name.into(),
            meaning,
            condition: kind.expression(study, view)?,
            queries: &list.queries,
            applicable: list.of,
        })
    }
}

impl Errors {
    /// Shows another tab, cyclically.
    fn step_tab(&mut self, by: isize) {
        let at = self.tab as isize + by;
        self.tab = Tab::ALL[at.rem_euclid(Tab::ALL.len() as isize) as usize];
    }

    /// Selects an entry in the list of the tab. An error type becomes the source of examples.
    fn select(&mut self, at: usize) {
        if self.tab == Tab::Types {
            (self.example, self.part) = (0, None);
        }
        self.selected[self.tab as usize] = at;
    }

    /// Moves the selection in the list of the tab, or goes to another example.
    fn move_selection(&mut self, model: &Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        if self.tab == Tab::Examples {
            let last = cx.group().map_or(0, |group| group.queries.len().saturating_sub(1));
            self.example = self.example.min(last).saturating_add_signed(by).min(last);
        } else {
            let last = cx.len(self.tab).saturating_sub(1);
            let selected = cx.selected(self.tab).saturating_add_signed(by);
            self.select(selected.min(last));
        }
    }

    /// Shows examples of the part at an index among the visible parts of the bar; no effect past the end.
    fn select_part(&mut self, model: &Model, ui: &Ui, at: usize) {
        let part = self.cx(model, ui).parts().nth(at).map(|part| part.name);
        if part.is_some() {
            (self.tab, self.part, self.example) = (Tab::Examples, part, 0);
        }
    }

    /// Shows examples of the next or previous part of the bar, cyclically.
    fn step_part(&mut self, model: &Model, ui: &Ui, by: isize) {
        let cx = self.cx(model, ui);
        let count = cx.parts().count().max(1) as isize;
        let current = cx.parts().position(|part| Some(part.name) == self.part);
        let next = current.map_or_else(|| if by > 0 { 0 } else { -1 }, |at| at as isize + by);
        self.select_part(model, ui, next.rem_euclid(count) as usize);
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
            Action::Define => return Reply::open(Some(example::definitions(model.view))),
            Action::Detail if tab == Tab::Words => return Reply::Idle,
            Action::Detail => {
                let group = self.cx(model, ui).group().filter(|group| !group.queries.is_empty());
                let Some(QueryGroup { view, condition, .. }) = group else {
                    model.message = Some("no query is of this kind".into());
                    return Reply::Done;
                };
                model.show_filtered(view, condition);
                return Reply::Act(Action::Browse);
            }
            other => match other.lines(self.scrolled[tab as usize].page()) {
                Some(by) => self.move_selection(model, ui, by),
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
        enabled_hints([
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
        let rows = if self.tab == Tab::Words { self.cx(model, ui).word_rows() } else { Vec::new() };
        let headings = rows.iter().take(entry).filter(|row| row.heading.is_some()).count();
        self.select(entry - headings);
    }

    fn wheel(&mut self, model: &mut Model, ui: &Ui, _list: ListId, by: isize) {
        self.move_selection(model, ui, by);
    }

    fn draw(&self, model: &Model, ui: &Ui, body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let [above, tab] = areas(body);
        summary::draw(cx, above, buf);
        ui.add_target(tab, Target::List(self.tab.list_id()));
        match self.tab {
            Tab::Examples => example::draw(cx, tab, buf),
            _ => lists::draw(cx, tab, buf),
        }
    }

    /// The example query, if it is visible.
    fn pick_target(&self, model: &Model, ui: &Ui) -> Option<PickTarget> {
        let example = self.cx(model, ui).example().filter(|_| self.tab == Tab::Examples);
        let (view, query, _) = example?;
        Some(PickTarget { query: query as usize, view, models: vec![view.model], depth: DEPTH })
    }
}
