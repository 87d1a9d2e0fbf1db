//! The first items of the queries listed, pair by pair, and the file that has them as rows.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::first_items::{Asked, FirstItem, Which, first_items, retrieved};
use crate::data::output::write_whole;
use crate::data::parallel;
use crate::error::{Error, Result};
use crate::filter::{self, Column, Expression, FilterMatches, Marks, MatchedQuery, Question};
use crate::rank::pass::CancelToken;
use crate::report::formats::{OF_ROWS, of_rows};
use crate::report::items::{Found, Items, OfDirection};
use crate::study::{Study, View};
use crate::truth::verdict::{Pair, Verdicts};
use crate::tui::app::App;

/// Whose first items are listed, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemsKey {
    /// The state of the study.
    pub study: Stamp,
    /// Model, truth and direction.
    pub view: View,
    /// Gallery indices of the queries.
    pub queries: Arc<[u32]>,
    /// How many items of each query are looked at.
    pub depth: usize,
    /// In which order.
    pub order: ItemsOrder,
    /// What a person said of pairs.
    pub verdicts: Verdicts,
}

/// The order of the items that are listed; those that are alike in it stay query by query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemsOrder {
    /// Query by query as these are listed, by rank.
    #[default]
    Queries,
    /// The highest score first.
    Score,
}

impl ItemsOrder {
    const ALL: [(ItemsOrder, &str); 2] =
        [(ItemsOrder::Queries, "query by query"), (ItemsOrder::Score, "highest score first")];

    /// The order that comes after this one.
    #[must_use]
    pub fn next(self) -> Self {
        ItemsOrder::ALL[(self as usize + 1) % ItemsOrder::ALL.len()].0
    }

    /// In words.
    pub fn words(self) -> &'static str {
        ItemsOrder::ALL[self as usize].1
    }

    /// The places of items in this order.
    fn sorted(self, all: &[FirstItem]) -> Vec<u32> {
        let compare = |a: &u32, b: &u32| {
            let [a, b] = [a, b].map(|place| &all[*place as usize]);
            // Where a model tells no score, this is NaN: such items stand at the end.
            let order = (a.score.is_nan(), b.score).partial_cmp(&(b.score.is_nan(), a.score));
            order.unwrap_or(Ordering::Equal)
        };
        let mut places: Vec<u32> = (0..all.len() as u32).collect();
        if self == ItemsOrder::Score {
            parallel::sort_by(&mut places, &compare);
        }
        places
    }
}

/// Items as they were found: the first ones, and the most similar that are not among these.
type FoundItems = [Arc<[FirstItem]>; 2];

/// Items, and which of them each choice takes.
#[derive(Debug)]
pub struct ListedItems {
    found: FoundItems,
    /// Places in what was found, choice by choice as [`Which::ALL`] has them.
    chosen: [Vec<u32>; Which::ALL.len()],
}

impl ListedItems {
    fn new(found: FoundItems, order: ItemsOrder) -> Self {
        let [places, missed] = found.each_ref().map(|items| order.sorted(items));
        let chosen = Which::ALL.map(|(_, which)| {
            if which == Which::Missed {
                return missed.clone();
            }
            let is_taken = |place: &&u32| which.takes(found[0][**place as usize].badge);
            places.iter().filter(is_taken).copied().collect()
        });
        ListedItems { found, chosen }
    }

    /// The items that a choice is among, and places of those that it takes.
    fn of(&self, which: Which) -> (&[FirstItem], &[u32]) {
        let at = Which::ALL.iter().position(|(_, known)| *known == which);
        let places = at.map_or(&[][..], |at| &self.chosen[at]);
        (&self.found[usize::from(which == Which::Missed)], places)
    }

    /// How many items a choice takes.
    pub fn count(&self, which: Which) -> usize {
        self.of(which).1.len()
    }

    /// All items that a choice takes, in their order.
    pub fn all(&self, which: Which) -> Vec<FirstItem> {
        let (items, places) = self.of(which);
        places.iter().map(|place| items[*place as usize]).collect()
    }

    /// The item at a place among those that a choice takes.
    pub fn get(&self, which: Which, at: usize) -> Option<&FirstItem> {
        let (items, places) = self.of(which);
        items.get(*places.get(at)? as usize)
    }
}

/// Lists the first items of queries; keeps them as they were found last, to be sorted anew.
#[derive(Default)]
pub struct ListItems(Option<(ItemsKey, FoundItems)>);

impl Job for ListItems {
    type Key = ItemsKey;
    type Part = ();
    type Input = Arc<Study>;
    /// All of them, or why they cannot be told.
    type Output = Result<Arc<ListedItems>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let order = run.key.order;
        if let Some(found) = self.found(run).transpose() {
            run.send(found.map(|found| Arc::new(ListedItems::new(found, order))));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.demand.items && !model.is_filtering() && !model.has_current_items();
        is_wanted.then(|| Wanted::one(model.items_key(), || model.study.clone()))
    }

    fn take(app: &mut App, key: ItemsKey, found: Self::Output) {
        app.model.known.items = Some((key, found));
    }
}

impl ListItems {
    /// The items query by query, as they are known or else found; `None` where it was cancelled. Verdicts change
    /// badges alone.
    fn found(&mut self, run: &Run<'_, Self>) -> Result<Option<FoundItems>> {
        let study = run.input;
        let ItemsKey { view, depth, ref queries, ref verdicts, .. } = *run.key;
        let unsorted = ItemsKey {
            order: ItemsOrder::default(),
            verdicts: Verdicts::default(),
            ..run.key.clone()
        };
        if let Some((known, found)) = &self.0
            && *known == unsorted
        {
            let badged = |items: &Arc<[FirstItem]>| {
                parallel::map(items, |one| {
                    let (query, item) = (one.query.into(), one.item.into());
                    let verdict = verdicts.get(Pair::of(view.direction, query, item));
                    FirstItem { badge: study.badge(verdict, view.direction, query, item), ..*one }
                })
            };
            return Ok(Some(found.each_ref().map(|items| badged(items).into())));
        }
        let Some(retrieved) = retrieved(study, view, depth, run.token)? else {
            return Ok(None);
        };
        let find = |which| {
            let asked = Asked { queries, depth, which, verdicts };
            Arc::from(first_items(study, view, asked, &retrieved))
        };
        let found = [find(Which::All), find(Which::Missed)];
        self.0 = Some((unsorted, found.clone()));
        Ok(Some(found))
    }
}

/// The rows of a list of items, as they are listed.
#[derive(Debug)]
pub struct ListedRows {
    /// The study that they are of.
    pub study: Arc<Study>,
    /// Whose items they are, how deep and in which order.
    pub key: ItemsKey,
    /// All items that were found.
    pub items: Arc<ListedItems>,
    /// Which of them are listed.
    pub which: Which,
    /// The condition that their queries meet, whose values are columns; empty where there is none.
    pub condition: String,
    /// The number that their queries are sorted by, whose values are columns too.
    pub sort: Option<String>,
    /// What a person made.
    pub marks: Marks,
    /// Whether what a person made has columns.
    pub has_marks: bool,
}

impl ListedRows {
    /// The endings of files that they are written to.
    pub fn endings() -> impl Iterator<Item = &'static str> {
        OF_ROWS.into_iter().map(|(ending, ..)| ending)
    }

    /// How many rows are written.
    pub fn count(&self) -> usize {
        self.items.count(self.which)
    }

    /// Writes them to a file, which appears whole or not at all.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let (_, format) = of_rows(file)?;
        let view = self.key.view;
        // Captions are those that the model was given.
        let with_texts = self.study.with_texts_of(view.model);
        let study = with_texts.as_ref().unwrap_or(&self.study);
        let condition = if self.condition.is_empty() { filter::ALL } else { &self.condition };
        let filter = Expression::condition(condition, study, view);
        let filter = filter.map_err(|mistake| Error::new("items", mistake))?;
        let named = [Some(&*self.condition), self.sort.as_deref()];
        let columns = Column::each_once((named, true), [], (study, view));
        let found = self.values(study, &filter, &columns)?;
        let items = Items {
            study,
            condition: &self.condition,
            model: &study.models[view.model].name,
            truth: &study.truths[view.truth].name,
            which: self.which,
            depth: self.key.depth as u32,
            columns: columns.iter().map(|one| one.text.as_str()).collect(),
            marks: self.has_marks.then_some(&self.marks),
            directions: vec![OfDirection {
                direction: view.direction,
                found: &found,
                drawn: None,
                items: Found::first(self.items.all(self.which), None),
            }],
        };
        let report = items.report().among(study);
        write_whole(file, |out| (format.write)(report, out))
    }

    /// The values of all queries, in the order in which these are listed; none without columns.
    fn values(
        &self,
        study: &Study,
        filter: &Expression,
        columns: &[Column],
    ) -> Result<FilterMatches> {
        let listed = self.key.queries.iter();
        if columns.is_empty() {
            let count = listed.len();
            return Ok(FilterMatches { queries: Vec::new(), met: count, of: count, unknown: 0 });
        }
        let question =
            Question { filter, key: None, columns, limit: usize::MAX, marks: &self.marks };
        let found = filter::find(study, self.key.view, question, &CancelToken::default())?;
        let of_query = found.queries.into_iter().map(|one| (one.query, one));
        let mut by_query: FxHashMap<u32, MatchedQuery> = of_query.collect();
        let queries: Option<_> = listed.map(|query| by_query.remove(query)).collect();
        let changed = || {
            Error::new("items", "queries that do not meet the condition any more")
                .mend("write the file again")
        };
        Ok(FilterMatches { queries: queries.ok_or_else(changed)?, ..found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::standing::Badge;

    #[test]
    fn items_are_sorted_and_alike_ones_stay_query_by_query() {
        let one = |at: usize, rank, score, badge| FirstItem {
            at,
            query: at as u32,
            item: 0,
            rank,
            score,
            phi: f64::NAN,
            badge,
        };
        let all: Arc<[FirstItem]> = [
            one(0, 1, 0.2, Badge::Extra),
            one(0, 2, 0.1, Badge::NotListed),
            one(1, 1, f64::NAN, Badge::Original),
            one(2, 1, 0.9, Badge::Extra),
        ]
        .into();
        let places = |order: ItemsOrder| order.sorted(&all);
        assert_eq!(places(ItemsOrder::Queries), [0, 1, 2, 3]);
        assert_eq!(places(ItemsOrder::Score), [3, 0, 1, 2]);
        let missed = [one(7, 0, 0.3, Badge::NotJudged), one(5, 40, 0.4, Badge::NotJudged)];
        let listed = ListedItems::new([all, missed.into()], ItemsOrder::Score);
        assert_eq!(listed.get(Which::Missed, 0).map(|one| one.at), Some(5));
        assert_eq!(listed.count(Which::Missed), 2);
        let missed = listed.all(Which::Missed);
        assert_eq!([missed[0].at, missed[1].at], [5, 7]);
        let extra = [0, 1].map(|at| listed.get(Which::Extra, at).unwrap().at);
        assert_eq!((extra, listed.count(Which::Extra)), ([2, 0], 2));
    }
}
