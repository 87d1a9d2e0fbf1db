//! Scores of some items for each query, the others left out; and which items those are that score highest.

use std::cmp::Ordering;
use std::sync::Arc;

use rayon::prelude::*;

use super::by_query::{ByQuery, Form};
use super::{Lists, Model, Scalar, Scores};
use crate::data::candidate_mask::CandidateMask;
use crate::data::sets::Sets;
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Lists of one task.
const TASK_LISTS: usize = 1_000;

impl Scores {
    /// The `k` items that score highest for each of so many queries, as far as they are scored; of equal ones
    /// those with the lower index.
    ///
    /// # Errors
    /// Scores that are no numbers.
    pub fn nearest(&self, direction: Direction, queries: usize, k: usize) -> Result<Vec<Vec<u32>>> {
        let of_list = |list: &[u32]| list.iter().copied().take(k).collect();
        self.chosen(direction, queries, &of_list, &|_, scores| {
            best(scores, 0..scores.len() as u32, k)
        })
    }

    /// For each query what is made of its scores (NaN where there is none), or of its list.
    fn chosen(
        &self,
        direction: Direction,
        queries: usize,
        of_list: &(dyn Fn(&[u32]) -> Vec<u32> + Sync),
        of_scores: &(dyn Fn(usize, &[f64]) -> Vec<u32> + Sync),
    ) -> Result<Vec<Vec<u32>>> {
        let read = self.by_query(direction);
        let fill = read.fill();
        let (chosen, nan) = match &read.form {
            Form::Single(scores) => each(&**scores, (queries, fill), of_scores)?,
            Form::Double(scores) => each(&**scores, (queries, fill), of_scores)?,
            Form::Lists(lists) => {
                let list = |query| of_list(lists.items(query, &mut Vec::new()));
                let all = (0..queries).into_par_iter().with_min_len(TASK_LISTS);
                (all.map(list).collect(), None)
            }
        };
        let error = nan.and_then(|query| self.nan_error_of(direction, &[query]));
        error.map_or(Ok(chosen), Err)
    }
}

/// Items of each query, and a query that has a score that is no number.
type Chosen = (Vec<Vec<u32>>, Option<usize>);

fn each<T: Scalar>(
    scores: &dyn ByQuery<T>,
    (queries, fill): (usize, Option<f64>),
    choose: &(dyn Fn(usize, &[f64]) -> Vec<u32> + Sync),
) -> Result<Chosen> {
    let step = scores.step().max(1);
    let task = |at: usize| {
        let range = at * step..queries.min((at + 1) * step);
        let mut chosen = Vec::with_capacity(range.len());
        let (mut row, mut nan) = (Vec::new(), None);
        let is_scored = |score: &f64| fill.is_none_or(|fill| *score > fill);
        scores.visit(range, &mut |query, cells| {
            let cells = cells.iter().map(|cell| cell.wide());
            row.clear();
            nan = nan.or(cells.clone().any(f64::is_nan).then_some(query));
            row.extend(cells.map(|score| if is_scored(&score) { score } else { f64::NAN }));
            chosen.push(choose(query, &row));
        })?;
        Ok((chosen, nan))
    };
    let tasks = (0..queries.div_ceil(step)).into_par_iter();
    let parts: Vec<Chosen> = tasks.map(task).collect::<Result<_>>()?;
    let nan = parts.iter().find_map(|(_, nan)| *nan);
    Ok((
        parts.into_iter().flat_map(|(chosen, _)| chosen).collect(),
        nan,
    ))
}

/// The best `k` of these items, which ascend, best first; those without a score are left out.
fn best(scores: &[f64], items: impl Iterator<Item = u32>, k: usize) -> Vec<u32> {
    let ahead = |one: &u32, other: &u32| {
        let [a, b] = [*one, *other].map(|item| scores[item as usize]);
        b.partial_cmp(&a)
            .unwrap_or(Ordering::Equal)
            .then(one.cmp(other))
    };
    // No item that follows is among the best with a score that is not above this one.
    let mut bar = f64::NAN;
    let mut kept: Vec<u32> = Vec::new();
    for item in items {
        let score = scores[item as usize];
        if score.is_nan() || score <= bar {
            continue;
        }
        kept.push(item);
        if kept.len() == k.saturating_mul(2) {
            let (_, last, _) = kept.select_nth_unstable_by(k - 1, ahead);
            bar = scores[*last as usize];
            kept.truncate(k);
        }
    }
    kept.sort_unstable_by(ahead);
    kept.truncate(k);
    kept.shrink_to_fit();
    kept
}

impl CandidateMask {
    /// A model over one of the parts, as far as items compete there for a query.
    ///
    /// # Errors
    /// Scores that are no numbers.
    pub fn model(&self, model: &Model, part: usize) -> Result<Model> {
        match self.around() {
            None => Ok(model.within(&self.parts()[part])),
            Some(around) => model.among(around),
        }
    }
}

impl Model {
    /// The model as ranked lists of these items of each query.
    fn among(&self, candidates: &PerDirection<Sets>) -> Result<Model> {
        let lists = |direction: Direction| {
            let sets = &candidates[direction];
            let query_of_list = |list: &[u32]| list.to_vec();
            let count = candidates[direction.flipped()].len();
            let chosen =
                self.scores
                    .chosen(direction, sets.len(), &query_of_list, &|query, scores| {
                        best(scores, sets.get(query).iter(), usize::MAX)
                    })?;
            let kept = (0..).zip(chosen).map(|(query, list)| {
                let set = sets.get(query);
                let is_in = |item: &u32| set.contains(*item);
                list.into_iter().filter(is_in).collect::<Vec<u32>>()
            });
            let kept: Vec<Vec<u32>> = kept.collect();
            let none: &[f64] = &[];
            Ok(Lists::new(
                count,
                kept.iter().map(|list| (list.as_slice(), none)),
            ))
        };
        let lists = PerDirection {
            i2t: lists(Direction::I2t)?,
            t2i: lists(Direction::T2i)?,
        };
        Ok(Model {
            scores: Scores::Lists(Arc::new(lists)),
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_in_order_and_equal_ones_by_index() {
        let scores = [0.5, f64::NAN, 0.9, 0.5, -1.0, 0.9];
        let all = || 0..6;
        assert_eq!(best(&scores, all(), 3), [2, 5, 0]);
        assert_eq!(best(&scores, all(), 9), [2, 5, 0, 3, 4]);
        // Kept in parts, they are those of sorting all; none is kept with the room of others.
        let many: Vec<f64> = (0..997).map(|at| f64::from(at * 7 % 101)).collect();
        let mut sorted: Vec<u32> = (0..997).collect();
        sorted.sort_by(|a, b| many[*b as usize].total_cmp(&many[*a as usize]));
        for k in [1, 2, 40, 498, 499, 996, 997] {
            let found = best(&many, 0..997, k);
            assert_eq!(found, sorted[..k]);
            assert_eq!(found.capacity(), k);
        }
        assert_eq!(best(&scores, [1, 3, 4].into_iter(), usize::MAX), [3, 4]);
    }
}
