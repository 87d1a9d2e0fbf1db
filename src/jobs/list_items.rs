//! Top items of the listed queries, pair by pair, and their export as rows.

use std::cmp::Ordering;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::listed_items::{ItemsRequest, ListedItem, Which, list_items, retrieve};
use crate::data::output::write_whole;
use crate::data::parallel;
use crate::error::{Error, Result};
use crate::filter::{self, Column, Expression, FilterMatches, Marks, MatchedQuery, QuerySearch};
use crate::rank::pass::CancelToken;
use crate::report::formats::{ROW_FORMATS, row_format};
use crate::report::items::{DirectionItems, Items, ListedItems};
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
    /// Each order with its label.
    const ALL: [(ItemsOrder, &str); 2] =
        [(ItemsOrder::Queries, "query by query"), (ItemsOrder::Score, "highest score first")];

    /// The next order; after the last one, the first.
    #[must_use]
    pub fn next(self) -> Self {
        ItemsOrder::ALL[(self as usize + 1) % ItemsOrder::ALL.len()].0
    }

    /// Label on screen.
    pub fn label(self) -> &'static str {
        ItemsOrder::ALL[self as usize].1
    }

    /// Indices of all items in this order.
    fn sort_indices(self, all: &[ListedItem]) -> Vec<u32> {
        let compare = |a: &u32, b: &u32| {
            let [a, b] = [a, b].map(|index| &all[*index as usize]);
            // Items without a score (NaN) come last.
            let order = (a.score.is_nan(), b.score).partial_cmp(&(b.score.is_nan(), a.score));
            order.unwrap_or(Ordering::Equal)
        };
        let mut indices: Vec<u32> = (0..all.len() as u32).collect();
        if self == ItemsOrder::Score {
            parallel::sort_by(&mut indices, &compare);
        }
        indices
    }
}

/// Top items of the queries, and the items for [`Which::Missed`].
type FoundItems = [Arc<[ListedItem]>; 2];

/// Items of the queries, and which of them each [`Which`] selects.
#[derive(Debug)]
pub struct ItemChoices {
    found: FoundItems,
    /// Indices into `found`, in the order of [`Which::ALL`].
    chosen: [Vec<u32>; Which::ALL.len()],
}

impl ItemChoices {
    /// Sorts the items, and selects those of every choice.
    fn new(found: FoundItems, order: ItemsOrder) -> Self {
        let [top, missed] = found.each_ref().map(|items| order.sort_indices(items));
        let chosen = Which::ALL.map(|(_, which)| {
            if which == Which::Missed {
                return missed.clone();
            }
            let is_chosen = |index: &&u32| which.includes(found[0][**index as usize].badge);
            top.iter().filter(is_chosen).copied().collect()
        });
        ItemChoices { found, chosen }
    }

    /// Items that `which` selects from, and the indices of those it selects.
    fn selection(&self, which: Which) -> (&[ListedItem], &[u32]) {
        let at = Which::ALL.iter().position(|(_, known)| *known == which);
        let indices = at.map_or(&[][..], |at| &self.chosen[at]);
        (&self.found[usize::from(which == Which::Missed)], indices)
    }

    /// Number of items that `which` selects.
    pub fn count(&self, which: Which) -> usize {
        self.selection(which).1.len()
    }

    /// Items that `which` selects, in order.
    pub fn all(&self, which: Which) -> Vec<ListedItem> {
        let (items, indices) = self.selection(which);
        indices.iter().map(|index| items[*index as usize]).collect()
    }

    /// The item at position `at` among those that `which` selects; `None` if there are fewer.
    pub fn get(&self, which: Which, at: usize) -> Option<&ListedItem> {
        let (items, indices) = self.selection(which);
        items.get(*indices.get(at)? as usize)
    }
}

/// Lists top items of queries; caches the last ones for another order.
#[derive(Default)]
pub struct ListItems(Option<(ItemsKey, FoundItems)>);

impl Job for ListItems {
    type Key = ItemsKey;
    type Part = ();
    type Input = Arc<Study>;
    /// The list, or why there is none.
    type Output = Result<Arc<ItemChoices>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let order = run.key.order;
        if let Some(found) = self.find(run).transpose() {
            run.send(found.map(|found| Arc::new(ItemChoices::new(found, order))));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let is_wanted = model.demand.items && !model.is_filtering() && !model.has_current_items();
        is_wanted.then(|| Wanted::new(model.items_key(), || model.study.clone()))
    }

    fn apply(app: &mut App, key: ItemsKey, found: Self::Output) {
        app.model.known.items = Some((key, found));
    }
}

impl ListItems {
    /// Cached or newly found items, query by query; `None` if cancelled. Judgments change only badges.
    fn find(&mut self, run: &Run<'_, Self>) -> Result<Option<FoundItems>> {
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
            let with_badges = |items: &Arc<[ListedItem]>| {
                parallel::map(items, |one| {
                    let (query, item) = (one.query.into(), one.item.into());
                    let judgment = judgments.get(Pair::from_query(view.direction, query, item));
                    ListedItem { badge: study.badge(judgment, view.direction, query, item), ..*one }
                })
            };
            return Ok(Some(found.each_ref().map(|items| with_badges(items).into())));
        }
        let Some(retrieved) = retrieve(study, view, depth, run.token)? else {
            return Ok(None);
        };
        let find = |which| {
            let request = ItemsRequest { queries, depth, which, judgments };
            Arc::from(list_items(study, view, request, &retrieved))
        };
        let found = [find(Which::All), find(Which::Missed)];
        self.0 = Some((unsorted, found.clone()));
        Ok(Some(found))
    }
}

/// The rows of a list of items, for export.
#[derive(Debug)]
pub struct ListedRows {
    /// The study.
    pub study: Arc<Study>,
    /// Queries, depth and order of the list.
    pub key: ItemsKey,
    /// Items of every choice.
    pub items: Arc<ItemChoices>,
    /// Choice whose items are the rows.
    pub which: Which,
    /// Filter of the queries, empty if none; the values in it are columns.
    pub condition: String,
    /// Sort key of the queries; the values in it are columns, too.
    pub sort: Option<String>,
    /// Marks of the person on queries.
    pub marks: Marks,
    /// Whether marks are columns.
    pub has_marks: bool,
}

impl ListedRows {
    /// File extensions of the formats that rows can be written in.
    pub fn endings() -> impl Iterator<Item = &'static str> {
        ROW_FORMATS.into_iter().map(|(ending, ..)| ending)
    }

    /// Number of rows.
    pub fn count(&self) -> usize {
        self.items.count(self.which)
    }

    /// Writes the rows to a file atomically.
    pub(super) fn write(&self, file: &Path) -> Result<()> {
        let (_, format) = row_format(file)?;
        let view = self.key.view;
        // Captions as given to the model.
        let with_texts = self.study.with_texts_of(view.model);
        let study = with_texts.as_ref().unwrap_or(&self.study);
        let condition =
            if self.condition.is_empty() { filter::ALL_COVERED } else { &self.condition };
        let filter = Expression::condition(condition, study, view);
        let filter = filter.map_err(|mistake| Error::new("items", mistake))?;
        let expressions = [Some(&*self.condition), self.sort.as_deref()];
        let columns = Column::collect((expressions, true), [], (study, view));
        let found = self.column_values(study, &filter, &columns)?;
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
                sample: None,
                items: ListedItems::new(self.items.all(self.which), None),
            }],
        };
        let report = items.report().with_pool(study);
        write_whole(file, |out| (format.write)(report, out))
    }

    /// Values of the columns for each listed query, in list order; no queries if there are no columns. Fails if a
    /// listed query no longer meets `filter`, the condition that the list was made with.
    fn column_values(
        &self,
        study: &Study,
        filter: &Expression,
        columns: &[Column],
    ) -> Result<FilterMatches> {
        let listed = self.key.queries.iter();
        if columns.is_empty() {
            let all = listed.len();
            return Ok(FilterMatches { queries: Vec::new(), met: all, searched: all, unknown: 0 });
        }
        let search =
            QuerySearch { filter, key: None, columns, limit: usize::MAX, marks: &self.marks };
        let found = filter::find_queries(study, self.key.view, search, &CancelToken::default())?;
        let with_index = found.queries.into_iter().map(|one| (one.query, one));
        let mut by_query: FxHashMap<u32, MatchedQuery> = with_index.collect();
        let queries: Option<_> = listed.map(|query| by_query.remove(query)).collect();
        let changed_error = || {
            Error::new("items", "queries that do not meet the condition any more")
                .fix("write the file again")
        };
        Ok(FilterMatches { queries: queries.ok_or_else(changed_error)?, ..found })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::standing::Badge;

    #[test]
    fn items_are_sorted_and_alike_ones_stay_query_by_query() {
        let one = |at: usize, rank, score, badge| ListedItem {
            at,
            query: at as u32,
            item: 0,
            rank,
            score,
            phi: f64::NAN,
            badge,
        };
        let all: Arc<[ListedItem]> = [
            one(0, 1, 0.2, Badge::NonGt),
            one(0, 2, 0.1, Badge::Unjudged),
            one(1, 1, f64::NAN, Badge::Original),
            one(2, 1, 0.9, Badge::NonGt),
        ]
        .into();
        let indices = |order: ItemsOrder| order.sort_indices(&all);
        assert_eq!(indices(ItemsOrder::Queries), [0, 1, 2, 3]);
        assert_eq!(indices(ItemsOrder::Score), [3, 0, 1, 2]);
        let missed = [one(7, 0, 0.3, Badge::NotCovered), one(5, 40, 0.4, Badge::NotCovered)];
        let listed = ItemChoices::new([all, missed.into()], ItemsOrder::Score);
        assert_eq!(listed.get(Which::Missed, 0).map(|one| one.at), Some(5));
        assert_eq!(listed.count(Which::Missed), 2);
        let missed = listed.all(Which::Missed);
        assert_eq!([missed[0].at, missed[1].at], [5, 7]);
        let non_gt = [0, 1].map(|at| listed.get(Which::NonGt, at).unwrap().at);
        assert_eq!((non_gt, listed.count(Which::NonGt)), ([2, 0], 2));
    }
}
