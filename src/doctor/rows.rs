//! Scores of sampled queries, for every kind of scores.

use std::ops::Range;

use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::{Form, Lists, Scores};
use crate::data::sets::Set;
use crate::study::percentile::mean;

/// Queries per matrix product.
const BLOCK: usize = 32;
/// Scores compared at once with the lowest top score.
const PART: usize = 64;
/// Length of [`QueryScores::top`].
pub const TOP: usize = 11;

/// The scores of one query over all items.
pub struct QueryScores {
    /// By item. In a ranked list, the place from the end; lower for unlisted items.
    pub scores: Vec<f64>,
    rest: Rest,
}

enum Rest {
    /// The value of cells without a score.
    Fill(Option<f64>),
    /// The top ranks of a list; `None` without scores.
    Listed(Option<Vec<(f64, u32)>>),
}

impl QueryScores {
    /// The top ranks, score and item; `None` for lists without scores.
    pub fn top(&self) -> Option<Vec<(f64, u32)>> {
        match &self.rest {
            Rest::Fill(fill) => Some(top(&self.scores, *fill)),
            Rest::Listed(top) => top.clone(),
        }
    }

    /// Mean place of items in a ranked list, from 1 (first) to 0 (last); `None` if it lists none of them, or is not a
    /// list.
    pub fn place_in_list(&self, items: Set<'_>) -> Option<f64> {
        let Rest::Listed(_) = self.rest else { return None };
        let len = self.scores.iter().copied().fold(0.0, f64::max);
        let from_end = items.iter().map(|item| self.scores[item as usize]);
        let places = from_end.filter(|place| *place > 0.0).map(|place| (place - 1.0) / (len - 1.0));
        mean(&places.filter(|place| place.is_finite()).collect::<Vec<_>>())
    }

    fn listed(lists: &Lists, query: usize) -> Self {
        let mut buffer = Vec::new();
        let items = lists.items(query, &mut buffer);
        let mut scores = vec![0.0; lists.item_count()];
        for (at, &item) in items.iter().enumerate() {
            scores[item as usize] = (items.len() - at) as f64;
        }
        let of_list = lists.scores(query);
        let top = of_list.map(|s| s.into_iter().zip(items.iter().copied()).take(TOP).collect());
        QueryScores { scores, rest: Rest::Listed(top) }
    }
}

/// The top scores and their items; scores up to `fill` are missing.
fn top(scores: &[f64], fill: Option<f64>) -> Vec<(f64, u32)> {
    let mut best: Vec<(f64, u32)> = Vec::with_capacity(TOP + 1);
    let mut bar = f64::NEG_INFINITY;
    for (start, part) in (0..).step_by(PART).zip(scores.chunks(PART)) {
        // Counting is branch-free, unlike a search.
        let higher = part.iter().filter(|score| **score > bar).count();
        if best.len() == TOP && higher == 0 {
            continue;
        }
        for (item, &score) in (start..).zip(part) {
            let full = best.len() == TOP;
            let is_score = !score.is_nan() && fill.is_none_or(|fill| score > fill);
            if is_score && (score > bar || !full) {
                best.insert(best.partition_point(|(other, _)| *other >= score), (score, item));
                best.truncate(TOP);
                bar = best[best.len() - 1].0;
            }
        }
    }
    best
}

/// Applies `look` to the scores of each query, in order.
pub fn each<R: Send>(
    scores: &Scores,
    direction: Direction,
    queries: &[usize],
    look: impl Fn(usize, QueryScores) -> R + Sync,
) -> Vec<R> {
    let read = scores.by_query(direction);
    if let Form::Lists(lists) = read.form {
        let row = |&query: &usize| look(query, QueryScores::listed(lists, query));
        return parallel::map(queries, row);
    }
    let of_block = |range: Range<usize>| {
        let queries = &queries[range];
        let rows = queries.iter().zip(read.cells(queries));
        rows.map(|(&query, cells)| {
            look(query, QueryScores { scores: cells, rest: Rest::Fill(read.fill()) })
        })
        .collect()
    };
    let step = if read.is_computed() { read.step().min(BLOCK) } else { 1 };
    parallel::flat_map_ranges(queries.len(), step, of_block)
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
        let row = QueryScores::listed(&lists, 0);
        assert_eq!((row.top(), row.scores), (None, vec![1.0, 0.0, 2.0, 0.0]));
        let lists = Lists::new(4, [(&[2, 0][..], &[0.5, 0.1][..])].into_iter());
        assert_eq!(QueryScores::listed(&lists, 0).top(), Some(vec![(0.5, 2), (0.1, 0)]));
    }
}
