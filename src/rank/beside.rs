//! The scores that two models give to the items of each query, side by side.
//!
//! Comparing two rankings needs some of their scores, and the rank that one gives to the other's top-1, which is one
//! comparison a score. No ranking is sorted or stored.

use std::ops::Range;

use super::pass::{CancelToken, in_tasks};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::{
    DirectionScores, Form, Lists, Model, Peaks, Queries, QueryBlock, Scalar, has_nan,
};
use crate::error::Result;

/// Parts of both models' rankings of one query.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryRankings {
    /// The top items, best first: fewer if a ranking ends.
    pub top_k: [Vec<u32>; 2],
    /// Scores of the items in either top k, ascending by item; NaN for unranked ones.
    pub union: [Vec<f64>; 2],
    /// Whether both models rank every item.
    pub are_whole: bool,
    /// The rank that the second model gives to the first one's top-1, and vice versa; `None` if it does not rank it.
    pub top_ranks: [Option<u32>; 2],
}

/// Calls `each` with every query of a direction and both models' results for its first `k` items; returns its results
/// in the order of the queries, `None` if cancelled.
///
/// # Errors
/// NaN in a matrix: names the first such cell. Embeddings whose products are no numbers.
pub fn compare_rankings<R: Send>(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    k: usize,
    token: &CancelToken,
    each: impl Fn(usize, QueryRankings) -> R + Sync,
) -> Result<Option<Vec<R>>> {
    let queries = gallery.queries(direction).len();
    token.begin();
    token.announce(queries);
    let reads = models.map(|model| model.scores.by_query(direction));
    let [one, other] = &reads;
    let parts = in_tasks(queries, one.step().max(other.step()), token, |range| {
        let mut first = open_block(one, range.clone())?;
        let mut second = open_block(other, range.clone())?;
        let compare_query = |query: usize| {
            let rows = [first.row(query)?, second.row(query)?];
            let top_k = rows.each_ref().map(|row| row.top_k(k));
            let mut items = top_k.concat();
            items.sort_unstable();
            items.dedup();
            let scores = rows.each_ref().map(|row| row.scores(&items));
            let rank_in_other = |model: usize| rows[1 - model].rank(*top_k[model].first()?);
            // If every cell is a score there is no NaN.
            let is_whole = |at: usize| reads[at].has_all_scores() || rows[at].has_all_scores();
            let both = QueryRankings {
                union: scores,
                are_whole: is_whole(0) && is_whole(1),
                top_ranks: [rank_in_other(0), rank_in_other(1)],
                top_k,
            };
            Ok(each(query, both))
        };
        range.map(compare_query).collect::<Result<Vec<R>>>().map(Some)
    })?;
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

/// Consecutive queries of one model.
trait Block {
    /// The scores of a query.
    ///
    /// # Errors
    /// As [`compare_rankings`].
    fn row(&mut self, query: usize) -> Result<Box<dyn Row + '_>>;
}

/// The scores of one query by item; NaN for unranked items.
trait Row {
    /// The first `k` items, best first: fewer if the ranking ends.
    fn top_k(&self, k: usize) -> Vec<u32>;
    /// The scores of these items, in their order.
    fn scores(&self, items: &[u32]) -> Vec<f64>;
    /// The rank of an item; `None` if unranked.
    fn rank(&self, item: u32) -> Option<u32>;
    /// Whether every item has a score.
    fn has_all_scores(&self) -> bool;
}

impl<T: Scalar> Row for Peaks<'_, T> {
    fn top_k(&self, k: usize) -> Vec<u32> {
        self.top_k(k, None)
    }

    fn scores(&self, items: &[u32]) -> Vec<f64> {
        items.iter().map(|&item| self.scores()[item as usize].wide()).collect()
    }

    /// Equal scores before the item outrank it, those behind it do not.
    fn rank(&self, item: u32) -> Option<u32> {
        let score = self.scores()[item as usize];
        let outranking = |(start, run): (usize, &[T])| {
            let (before, behind) =
                run.split_at((item as usize).clamp(start, start + run.len()) - start);
            (T::loops().count_from)(before, score) + (T::loops().count_from)(behind, score.above())
        };
        (!score.is_nan()).then(|| 1 + self.runs_reaching(score).map(outranking).sum::<u32>())
    }

    fn has_all_scores(&self) -> bool {
        !has_nan(self.scores())
    }
}

/// Opens a range of queries, to read their scores one by one.
fn open_block<'a>(read: &DirectionScores<'a>, range: Range<usize>) -> Result<Box<dyn Block + 'a>> {
    Ok(match read.form {
        Form::Single(all) => open_score_block(all, range, read.fill())?,
        Form::Double(all) => open_score_block(all, range, read.fill())?,
        Form::Lists(lists) => Box::new(ListBlock { lists, scores: Vec::new() }),
    })
}

/// Opens a range of queries whose scores are read as numbers; `fill` is the score of unranked items.
fn open_score_block<'a, T: Scalar>(
    queries: Queries<'a, T>,
    range: Range<usize>,
    fill: Option<f64>,
) -> Result<Box<dyn Block + 'a>> {
    Ok(Box::new(ScoreBlock { queries, block: queries.block(range)?, fill, masked: Vec::new() }))
}

/// Queries whose scores are read as numbers.
struct ScoreBlock<'a, T> {
    queries: Queries<'a, T>,
    block: QueryBlock<'a, T>,
    /// The score of unranked items.
    fill: Option<f64>,
    /// Scores of the current query, NaN for unranked items; used only with `fill`.
    masked: Vec<T>,
}

impl<T: Scalar> Block for ScoreBlock<'_, T> {
    fn row(&mut self, query: usize) -> Result<Box<dyn Row + '_>> {
        let mut row = self.block.row(query);
        if has_nan(row) {
            return Err(self.queries.nan_error(query));
        }
        if let Some(fill) = self.fill {
            let mask = |&score: &T| if score.wide() > fill { score } else { T::UNREACHABLE };
            self.masked.clear();
            self.masked.extend(row.iter().map(mask));
            row = &self.masked;
        }
        Ok(Box::new(Peaks::new(row)))
    }
}

/// Queries of ranked lists: an item's score is its negated position, NaN if it is not in the list.
struct ListBlock<'a> {
    lists: &'a Lists,
    /// The current query's scores by item.
    scores: Vec<f64>,
}

impl Block for ListBlock<'_> {
    fn row(&mut self, query: usize) -> Result<Box<dyn Row + '_>> {
        self.scores.clear();
        self.scores.resize(self.lists.item_count(), f64::NAN);
        for (place, &item) in self.lists.items(query, &mut Vec::new()).iter().enumerate() {
            self.scores[item as usize] = -(place as f64);
        }
        Ok(Box::new(Peaks::new(&self.scores)))
    }
}
