//! The compare screen: the same query under two to four models side by side, equal items linked.

mod detail;
mod differences;
pub mod layout;
mod order;
mod page;
mod pointer;
pub(in crate::tui::screens) mod queries;
mod ranking;
pub mod view;

use rustc_hash::FxHashMap;
use std::sync::Arc;

use crate::analysis::overlap::Overlaps;
use crate::data::index::ModelIx;
use crate::engine::{PairKey, RankingKey};
use crate::metric::{Spec, map_at_r::MapAtR};
use crate::rank::QueryRanks;
use crate::tui::action::Action;
use crate::tui::app::{App, Numbers};
use crate::tui::screens::Screen;
use crate::tui::screens::browse::{NO_FURTHER, Pane, Sort};
use crate::tui::screens::layout::{follow, rows};
use crate::tui::selection::View;
pub(super) use page::Comparing;

/// The most models that are shown.
const MOST: usize = 4;
/// The depth of what is told of the first items.
pub const FIRST: usize = 10;
/// Lines of column names above each ranking.
const NAMES: u16 = 1;

/// State of the screen; the query and the list that keys go to are those of Browse.
#[derive(Debug, Default)]
pub struct Compare {
    /// Which of the rankings keys go to, while they go to rankings.
    pub column: usize,
    /// Place of the first item shown, in all rankings alike.
    pub offset: usize,
    /// A selected item that the model looked at does not rank.
    apart: Option<Apart>,
    /// How much the rankings of two models have in common, as far as it was asked for.
    overlaps: FxHashMap<PairKey, Arc<Overlaps>>,
}

/// An item that only other models rank, selected while this was selected in the first ranking.
#[derive(Debug, Clone, Copy)]
struct Apart {
    at: (RankingKey, usize),
    item: u32,
}

/// How an item stands in a ranking against the first model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// At the same rank.
    Same,
    /// So many places higher.
    Up(usize),
    /// So many places lower.
    Down(usize),
    /// The first model does not rank it.
    New,
}

impl Change {
    /// From the first model's rank to this one's.
    pub fn between(first: Option<usize>, here: usize) -> Self {
        match first {
            None => Change::New,
            Some(first) if first > here => Change::Up(first - here),
            Some(first) if first < here => Change::Down(here - first),
            Some(_) => Change::Same,
        }
    }
}

impl App {
    /// The models that are compared: the one looked at, and those after it, counted round. Models
    /// without numbers are left out.
    pub fn compared(&self) -> Vec<ModelIx> {
        let count = self.numbers.len();
        let all = (0..count).map(|step| ModelIx::new((self.view.model.get() + step) % count));
        let ready = |&model: &ModelIx| !matches!(self.numbers[model], Numbers::Failed(_));
        all.filter(ready).take(MOST).collect()
    }

    /// The two models that differences are of; `None` with one model.
    pub fn two(&self) -> Option<[ModelIx; 2]> {
        match *self.compared() {
            [first, second, ..] => Some([first, second]),
            _ => None,
        }
    }

    /// The models whose rankings are on screen, the one looked at first.
    pub(in crate::tui) fn shown_models(&self) -> Vec<ModelIx> {
        match self.screen {
            Screen::Compare => self.compared(),
            Screen::Browse | Screen::Metrics | Screen::Errors | Screen::Picks => {
                vec![self.view.model]
            }
        }
    }

    /// The ranks of a query by a model, under the truth looked at.
    pub(super) fn ranks_by(&self, model: ModelIx, query: usize) -> Option<QueryRanks<'_>> {
        self.ranks_at(View { model, ..self.view }, query)
    }

    /// AP@R of a query by a model.
    pub(super) fn ap_by(&self, model: ModelIx, query: usize) -> Option<f64> {
        Spec::new(&MapAtR).per_query(self.ranks_by(model, query)?)
    }

    /// The selected item, where the model looked at does not rank it.
    pub(in crate::tui) fn item_apart(&self) -> Option<u32> {
        let apart = self.compare.apart?;
        let (key, place) = apart.at;
        let is_here = self.screen == Screen::Compare
            && self.wanted_ranking() == Some(key)
            && self.browse.item == place;
        is_here.then_some(apart.item)
    }

    /// The item that is linked over all rankings.
    pub(super) fn linked(&self) -> Option<usize> {
        let ranked = || Some(self.item_at(self.browse.item)?.item);
        self.item_apart().map(|item| item as usize).or_else(ranked)
    }

    /// Which of the rankings shown keys go to.
    pub(super) fn column(&self) -> usize {
        let last = self.compare_areas().columns.len().saturating_sub(1);
        self.compare.column.min(last)
    }

    /// How an item stands in a ranking against the first model's; `None` until that is there.
    pub(super) fn change_of(&self, item: usize, rank: usize) -> Option<Change> {
        let first = self.ranked_by(self.view.model)?;
        Some(Change::between(first.rank(item), rank))
    }

    /// Whether of the models compared this one alone has an item among its first [`FIRST`]. It is not
    /// said before all rankings are there.
    pub(super) fn is_only(&self, model: ModelIx, item: usize) -> bool {
        let is_among = |other: ModelIx| {
            let ranked = self.ranked_by(other)?;
            Some(ranked.rank(item).is_some_and(|rank| rank <= FIRST))
        };
        let mut all = self.compared().into_iter();
        all.all(|other| is_among(other) == Some(other == model))
    }

    /// Takes an action of this screen.
    fn compare_act(&mut self, action: Action) {
        let page = rows(self.compare_areas().list(self.browse.pane), NAMES).max(1) as isize;
        match action {
            Action::Down => self.compare_move(1),
            Action::Up => self.compare_move(-1),
            Action::PageDown => self.compare_move(page),
            Action::PageUp => self.compare_move(-page),
            Action::First => self.compare_move(isize::MIN / 2),
            Action::Last => self.compare_move(isize::MAX / 2),
            Action::NextPane | Action::Right => self.compare_pane(1),
            Action::PreviousPane | Action::Left => self.compare_pane(-1),
            Action::NextPositive => self.compare_positive(true),
            Action::PreviousPositive => self.compare_positive(false),
            Action::Sort => self.compare_sort(),
            _ => {}
        }
    }

    /// Sorts by the next disagreement, and says so: the list's frame may have no room for it.
    fn compare_sort(&mut self) {
        let order = self.browse.sort.next_disagreement();
        let words = match &order {
            Sort::Gallery => "as in the gallery".into(),
            order => order.words(),
        };
        self.sort_by(order);
        self.message = Some(format!("sorted, {words}"));
    }

    /// Goes to the list or ranking beside this one, counted round.
    fn compare_pane(&mut self, by: isize) {
        let columns = self.compare_areas().columns.len().max(1);
        let here = match self.browse.pane {
            Pane::Queries => 0,
            Pane::Ranking => self.column() + 1,
        };
        match (here as isize + by).rem_euclid(columns as isize + 1) as usize {
            0 => self.browse.pane = Pane::Queries,
            column => {
                self.browse.pane = Pane::Ranking;
                self.compare.column = column - 1;
            }
        }
        self.compare_follow();
    }

    /// Moves the selection of the list or ranking that keys go to.
    fn compare_move(&mut self, by: isize) {
        if self.browse.pane == Pane::Queries {
            self.browse_move(by);
        } else if let Some((order, place)) = self.cursor() {
            let last = order.len().saturating_sub(1);
            if let Some(&item) = order.get(place.saturating_add_signed(by).min(last)) {
                self.link(item);
            }
        }
        self.compare_follow();
    }

    /// The ranking that keys go to, and the place of the linked item in it.
    fn cursor(&self) -> Option<(&[u32], usize)> {
        let model = *self.compared().get(self.column())?;
        let ranked = self.ranked_by(model)?;
        let rank = self.linked().and_then(|item| ranked.rank(item));
        Some((&ranked.ranking.order, rank.map_or(0, |rank| rank - 1)))
    }

    /// Selects an item in all rankings.
    fn link(&mut self, item: u32) {
        let first = self.ranked_by(self.view.model);
        let rank = first.and_then(|ranked| ranked.rank(item as usize));
        self.compare.apart = None;
        match (rank, self.wanted_ranking()) {
            (Some(rank), _) => self.browse.item = rank - 1,
            (None, Some(key)) => {
                let at = (key, self.browse.item);
                self.compare.apart = Some(Apart { at, item });
            }
            (None, None) => {}
        }
    }

    fn compare_positive(&mut self, forward: bool) {
        let (Some(query), Some((order, here))) = (self.browse.query(), self.cursor()) else {
            return;
        };
        let place = self.positive_from(query, order, here, forward);
        match place.map(|place| order[place]) {
            Some(item) => {
                self.link(item);
                self.browse.pane = Pane::Ranking;
                self.compare_follow();
            }
            None => self.message = Some(NO_FURTHER.into()),
        }
    }

    /// Scrolls so that the query is in sight, and the linked item where keys go to.
    fn compare_follow(&mut self) {
        let areas = self.compare_areas();
        let browse = &mut self.browse;
        browse.offset = follow(browse.offset, browse.selected, rows(areas.queries, NAMES));
        let place = self.cursor().map_or(0, |(_, place)| place);
        let shown = areas.columns.first().map_or(0, |area| rows(*area, NAMES));
        self.compare.offset = follow(self.compare.offset, place, shown);
    }
}
