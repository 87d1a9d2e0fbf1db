//! Top items of the listed queries, pair by pair, and their export as rows.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::first_items::{FirstItem, ItemsRequest, Which, first_items, retrieved};
use crate::data::output::write_whole;
use crate::data::parallel;
use crate::error::{Error, Result};
use crate::filter::{self, Column, Expression, FilterMatches, Marks, MatchedQuery, Question};
use crate::rank::pass::CancelToken;
use crate::report::formats::{OF_ROWS, of_rows};
use crate::report::items::{DirectionItems, Found, Items};
use crate::study::{Study, View};
use crate::truth::judgment::{Judgments, Pair};
use crate::tui::app::App;

/// Cache key of a list of items.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemsKey {
    /// Stamp of the study.
    pub study: Stamp,
    /// Model, truth and direction.
    pub view: View,
    /// Gallery indices of the queries.
    pub queries: Arc<[u32]>,
    /// Number of top items per query.
    pub depth: usize,
    /// Sort order.
    pub order: ItemsOrder,
    /// Judgments of pairs.
    pub judgments: Judgments,
}

/// Order of the listed items; ties stay query by query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemsOrder {
    /// By query in list order, then by rank.
    #[default]
    Queries,
    /// Highest score first.
    Score,
}

impl ItemsOrder {
    const ALL: [(ItemsOrder, &str); 2] =
        [(ItemsOrder::Queries, "query by query"), (ItemsOrder::Score, "highest score first")];

    /// The next order.
    #[must_use]
    pub fn next(self) -> Self {
        ItemsOrder::ALL[(self as usize + 1) % ItemsOrder::ALL.len()].0
    }

    /// Label.
    pub fn label(self) -> &'static str {
        ItemsOrder::ALL[self as usize].1
    }

    /// Item indices in this order.
    fn sorted(self, all: &[FirstItem]) -> Vec<u32> {
        let compare = |a: &u32, b: &u32| {
            let [a, b] = [a, b].map(|place| &all[*place as usize]);
            // NaN where a model has no score: such items come last.
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

/// Items found: the top ones, and the most similar ones not among them.
type FoundItems = [Arc<[FirstItem]>; 2];

/// Items and the selection of each [`Which`].
#[derive(Debug)]
pub struct ListedItems {
    found: FoundItems,
    /// Indices into `found`, in the order of [`Which::ALL`].
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

    /// Items that a choice selects from, and the indices it selects.
    fn selection(&self, which: Which) -> (&[FirstItem], &[u32]) {
        let at = Which::ALL.iter().position(|(_, known)| *known == which);
        let places = at.map_or(&[][..], |at| &self.chosen[at]);
        (&self.found[usize::from(which == Which::Missed)], places)
    }

    /// Number of selected items.
    pub fn count(&self, which: Which) -> usize {
        self.selection(which).1.len()
    }

    /// Selected items in order.
    pub fn all(&self, which: Which) -> Vec<FirstItem> {
        let (items, places) = self.selection(which);
        places.iter().map(|place| items[*place as usize]).collect()
    }

    /// The item at a position of a choice.
    pub fn get(&self, which: Which, at: usize) -> Option<&FirstItem> {
        let (items, places) = self.selection(which);
        items.get(*places.get(at)? as usize)
    }
}

/// Lists top items of queries; caches the last ones for a new order.
#[derive(Default)]
pub struct ListItems(Option<(ItemsKey, FoundItems)>);

impl Job for ListItems {
    type Key = ItemsKey;
    type Part = ();
    type Input = Arc<Study>;
    /// The list, or why there is none.
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
    /// Cached or newly found items, query by query; `None` if cancelled. Judgments change only badges.
    fn found(&mut self, run: &Run<'_, Self>) -> Result<Option<FoundItems>> {
        let study = run.input;
        let ItemsKey { view, depth, ref queries, ref judgments, .. } = *run.key;
        let unsorted = ItemsKey {
            order: ItemsOrder::default(),
            judgments: Judgments::default(),
            ..run.key.clone()
        };
        if let Some((known, found)) = &self.0
            && *known == unsorted
        {
            let badged = |items: &Arc<[FirstItem]>| {
                parallel::map(items, |one| {
                    let (query, item) = (one.query.into(), one.item.into());
                    let judgment = judgments.get(Pair::from_query(view.direction, query, item));
                    FirstItem { badge: study.badge(judgment, view.direction, query, item), ..*one }
                })
            };
            return Ok(Some(found.each_ref().map(|items| badged(items).into())));
        }
        let Some(retrieved) = retrieved(study, view, depth, run.token)? else {
            return Ok(None);
        };
        let find = |which| {
            let asked = ItemsRequest { queries, depth, which, judgments };
            Arc::from(first_items(study, view, asked, &retrieved))
        };
        let found = [find(Which::All), find(Which::Missed)];
        self.0 = Some((unsorted, found.clone()));
        Ok(Some(found))
    }
}

/// Rows of an item list, as shown.
#[derive(Debug)]
pub struct ListedRows {
    /// The study.
    pub study: Arc<Study>,
    /// Queries, depth and order.
    pub key: ItemsKey,
    /// All items that were found.
    pub items: Arc<ListedItems>,
    /// Kind of the listed items.
    pub which: Which,
    /// Filter of the queries, whose values are columns; empty if none.
    pub condition: String,
    /// Sort key of the queries, whose values are columns too.
    pub sort: Option<String>,
    /// User marks.
    pub marks: Marks,
    /// Whether the marks have columns.
    pub has_marks: bool,
}

impl ListedRows {
    /// File extensions of the formats.
    pub fn endings() -> impl Iterator<Item = &'static str> {
        OF_ROWS.into_iter().map(|(ending, ..)| ending)
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.items.count(self.which)
    }

    /// Writes the rows to a file atomically.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let (_, format) = of_rows(file)?;
        let view = self.key.view;
        // Captions as given to the model.
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
            directions: vec![DirectionItems {
                direction: view.direction,
                found: &found,
                drawn: None,
                items: Found::first(self.items.all(self.which), None),
            }],
        };
        let report = items.report().among(study);
        write_whole(file, |out| (format.write)(report, out))
    }

    /// Values of all queries, in list order; empty without columns.
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
