//! Scores of sampled queries, for every kind of scores.

use std::ops::Range;

use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::{Form, Lists, Scores};
use crate::data::sets::Set;
use crate::study::percentile::mean;

/// Maximum number of queries per matrix product.
const MAX_BLOCK: usize = 32;
/// Number of scores that are compared at once with the lowest top score.
const CHUNK: usize = 64;
/// Maximum length of [`QueryScores::top`].
pub const TOP: usize = 11;

/// The scores of one query over all items.
pub struct QueryScores {
    /// Score of each item. In a ranked list, this is the place from the end, which is 1 for the last item; 0 for
    /// unlisted items.
    pub scores: Vec<f64>,
    source: ScoreSource,
}

/// Where the scores of a query come from.
enum ScoreSource {
    /// Cells; with the value of those without a score.
    Cells(Option<f64>),
    /// A ranked list; with the scores and items at its top, or `None` without scores.
    List(Option<Vec<(f64, u32)>>),
}

impl QueryScores {
    /// Score and item of the top [`TOP`] ranks; `None` for lists without scores.
    pub fn top(&self) -> Option<Vec<(f64, u32)>> {
        match &self.source {
            ScoreSource::Cells(fill) => Some(top(&self.scores, *fill)),
            ScoreSource::List(top) => top.clone(),
        }
    }

    /// Mean place of items in a ranked list, from 1 (first) to 0 (last); `None` if it lists none of them, or is not a
    /// list.
    pub fn place_in_list(&self, items: Set<'_>) -> Option<f64> {
        let ScoreSource::List(_) = self.source else { return None };
        let len = self.scores.iter().copied().fold(0.0, f64::max);
        let from_end = items.iter().map(|item| self.scores[item as usize]);
        let places = from_end.filter(|place| *place > 0.0).map(|place| (place - 1.0) / (len - 1.0));
        mean(&places.filter(|place| place.is_finite()).collect::<Vec<_>>())
    }

    /// The scores of a query with a ranked list.
    fn from_list(lists: &Lists, query: usize) -> Self {
        let mut buffer = Vec::new();
        let items = lists.items(query, &mut buffer);
        let mut scores = vec![0.0; lists.item_count()];
        for (at, &item) in items.iter().enumerate() {
            scores[item as usize] = (items.len() - at) as f64;
        }
        let of_list = lists.scores(query);
        let top = of_list.map(|s| s.into_iter().zip(items.iter().copied()).take(TOP).collect());
        QueryScores { scores, source: ScoreSource::List(top) }
    }
}

/// The top scores and their items, highest first; cells up to `fill` are not scores.
fn top(scores: &[f64], fill: Option<f64>) -> Vec<(f64, u32)> {
    let mut best: Vec<(f64, u32)> = Vec::with_capacity(TOP + 1);
    let mut lowest = f64::NEG_INFINITY;
    for (start, part) in (0..).step_by(CHUNK).zip(scores.chunks(CHUNK)) {
        // Counting is branch-free, unlike a search.
        let higher = part.iter().filter(|score| **score > lowest).count();
        if best.len() == TOP && higher == 0 {
            continue;
        }
        for (item, &score) in (start..).zip(part) {
            let is_full = best.len() == TOP;
            let is_score = !score.is_nan() && fill.is_none_or(|fill| score > fill);
            if is_score && (score > lowest || !is_full) {
                best.insert(best.partition_point(|(other, _)| *other >= score), (score, item));
                best.truncate(TOP);
                lowest = best[best.len() - 1].0;
            }
        }
    }
    best
}

/// Calls `look` with each query and its scores; returns the results in the order of `queries`.
pub fn map_queries<R: Send>(
    scores: &Scores,
    direction: Direction,
    queries: &[usize],
    look: impl Fn(usize, QueryScores) -> R + Sync,
) -> Vec<R> {
    let reader = scores.by_query(direction);
    if let Form::Lists(lists) = reader.form {
        let row = |&query: &usize| look(query, QueryScores::from_list(lists, query));
        return parallel::map(queries, row);
    }
    let map_block = |range: Range<usize>| {
        let queries = &queries[range];
        let rows = queries.iter().zip(reader.cells(queries));
        rows.map(|(&query, cells)| {
            look(query, QueryScores { scores: cells, source: ScoreSource::Cells(reader.fill()) })
        })
        .collect()
    };
    let step = if reader.is_computed() { reader.step().min(MAX_BLOCK) } else { 1 };
    parallel::flat_map_ranges(queries.len(), step, map_block)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_ranks_in_their_order() {
        let scores: Vec<f64> = (0..40).map(|at| f64::from(at * 7 % 20)).collect();
        let best = top(&scores, None);
        assert_eq!(best.len(), TOP);
        assert_eq!(best[..3], [(19.0, 17), (19.0, 37), (18.0, 14)]);
        assert_eq!(top(&scores, Some(18.0)), [(19.0, 17), (19.0, 37)]);
        assert_eq!(top(&[f64::NAN, f64::NEG_INFINITY], None), [(f64::NEG_INFINITY, 1)]);
    }

    #[test]
    fn a_list_ranks_its_items_before_all_others() {
        let lists = Lists::new(4, [(&[2, 0][..], &[][..])].into_iter());
        let row = QueryScores::from_list(&lists, 0);
        assert_eq!((row.top(), row.scores), (None, vec![1.0, 0.0, 2.0, 0.0]));
        let lists = Lists::new(4, [(&[2, 0][..], &[0.5, 0.1][..])].into_iter());
        assert_eq!(QueryScores::from_list(&lists, 0).top(), Some(vec![(0.5, 2), (0.1, 0)]));
    }
}
