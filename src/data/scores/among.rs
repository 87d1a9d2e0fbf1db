//! Scores of some items for each query, the others left out; and which items those are that score highest.

use std::cmp::Ordering;
use std::ops::Range;
use std::sync::Arc;

use multiversion::multiversion;

use super::by_query::{ByQuery, Form};
use super::nan::has_nan;
use super::{Lists, Model, Scalar, Scores};
use crate::data::candidate_mask::CandidateMask;
use crate::data::parallel;
use crate::data::sets::Sets;
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Scores that are passed over together.
const RUN: usize = 64;
/// Sets of items for each item that is looked for.
const SETS: usize = 4;

impl Scores {
    /// The `k` items that score highest for each of so many queries, as far as they are scored; of equal ones
    /// those with the lower index.
    ///
    /// # Errors
    /// Scores that are no numbers.
    pub fn nearest(&self, direction: Direction, queries: usize, k: usize) -> Result<Vec<Vec<u32>>> {
        let read = self.by_query(direction);
        let fill = read.fill();
        let chosen = match &read.form {
            Form::Single(scores) => each(&**scores, queries, &|_, row: &[f32]| best(row, fill, k))?,
            Form::Double(scores) => each(&**scores, queries, &|_, row: &[f64]| best(row, fill, k))?,
            Form::Lists(lists) => of_each(queries, |query| {
                let mut buffer = Vec::new();
                let items = lists.items(query, &mut buffer).iter();
                (items.copied().take(k).collect(), None)
            }),
        };
        self.refuse_nan(direction, chosen)
    }

    /// These items of each query, best first, as far as they are scored. Of a matrix no other cell is read.
    ///
    /// # Errors
    /// Scores that are no numbers.
    fn ordered(&self, direction: Direction, sets: &Sets) -> Result<Vec<Vec<u32>>> {
        let read = self.by_query(direction);
        let fill = read.fill();
        let in_order = |query: usize, scores: &dyn Fn(&[u32]) -> Vec<f64>| {
            let items: Vec<u32> = sets.get(query).iter().collect();
            let scores = scores(&items);
            let nan = has_nan(&scores).then_some(query);
            let is_scored = |at: &u32| fill.is_none_or(|fill| scores[*at as usize] > fill);
            let mut order: Vec<u32> = (0..items.len() as u32).filter(is_scored).collect();
            order.sort_unstable_by(|one, other| ahead(&scores, *one, *other));
            let order = order.into_iter().map(|at| items[at as usize]).collect();
            (order, nan)
        };
        let chosen = if let Some(matrix) = self.matrix(direction) {
            of_each(sets.len(), |query| {
                in_order(query, &|items| matrix.of_items(direction, query, items))
            })
        } else {
            match &read.form {
                Form::Single(scores) => each(&**scores, sets.len(), &|query, row: &[f32]| {
                    in_order(query, &|items| picked(row, items)).0
                })?,
                Form::Double(scores) => each(&**scores, sets.len(), &|query, row: &[f64]| {
                    in_order(query, &|items| picked(row, items)).0
                })?,
                Form::Lists(lists) => of_each(sets.len(), |query| {
                    let (set, mut buffer) = (sets.get(query), Vec::new());
                    let items = lists.items(query, &mut buffer).iter().copied();
                    (items.filter(|&item| set.contains(item)).collect(), None)
                }),
            }
        };
        self.refuse_nan(direction, chosen)
    }

    fn refuse_nan(&self, direction: Direction, (chosen, nan): Chosen) -> Result<Vec<Vec<u32>>> {
        let error = nan.and_then(|query| self.nan_error_of(direction, &[query]));
        error.map_or(Ok(chosen), Err)
    }
}

/// Items of each query, and a query that has a score that is no number.
type Chosen = (Vec<Vec<u32>>, Option<usize>);

/// What is chosen of each query by itself.
fn of_each(queries: usize, of: impl Fn(usize) -> (Vec<u32>, Option<usize>) + Sync) -> Chosen {
    let found = parallel::map_indices(queries, of);
    let (chosen, nan): (Vec<_>, Vec<_>) = found.into_iter().unzip();
    (chosen, nan.into_iter().flatten().next())
}

/// What is chosen by the scores of each query with all items.
fn each<T: Scalar>(
    scores: &dyn ByQuery<T>,
    queries: usize,
    choose: &(dyn Fn(usize, &[T]) -> Vec<u32> + Sync),
) -> Result<Chosen> {
    let step = scores.step().max(1);
    let task = |range: Range<usize>| {
        let mut chosen = Vec::with_capacity(range.len());
        let mut nan = None;
        scores.visit(range, &mut |query, row| {
            nan = nan.or_else(|| has_nan(row).then_some(query));
            chosen.push(choose(query, row));
        })?;
        Ok((chosen, nan))
    };
    let parts: Vec<Chosen> = parallel::try_map_ranges(queries, step, task)?;
    let nan = parts.iter().find_map(|(_, nan)| *nan);
    Ok((parts.into_iter().flat_map(|(chosen, _)| chosen).collect(), nan))
}

fn picked<T: Scalar>(row: &[T], items: &[u32]) -> Vec<f64> {
    let of = |&item: &u32| row[item as usize].wide();
    items.iter().map(of).collect()
}

/// Higher scores first, equal ones by index.
fn ahead<T: Scalar>(scores: &[T], one: u32, other: u32) -> Ordering {
    let [a, b] = [one, other].map(|item| scores[item as usize]);
    let by_score = b.partial_cmp(&a).unwrap_or(Ordering::Equal);
    by_score.then(one.cmp(&other))
}

/// The `k` items that score highest, best first, of those above the fill; none without a score is.
fn best<T: Scalar>(scores: &[T], fill: Option<f64>, k: usize) -> Vec<u32> {
    let is_scored = |score: T| score.is_number() && fill.is_none_or(|fill| score.wide() > fill);
    let all = (0..).zip(scores);
    let mut kept: Vec<u32> = match reached(scores, k).filter(|least| is_scored(*least)) {
        Some(least) => reaching(scores, least),
        None => all.filter(|(_, score)| is_scored(**score)).map(|(item, _)| item).collect(),
    };
    let by_rank = |one: &u32, other: &u32| ahead(scores, *one, *other);
    if k < kept.len() {
        kept.select_nth_unstable_by(k, by_rank);
        kept.truncate(k);
    }
    kept.sort_unstable_by(by_rank);
    kept.shrink_to_fit();
    kept
}

/// A score that `k` items reach, and not many more: the k-th of the greatest scores of some sets, [`SETS`] for each
/// item that is looked for. `None` where items are too few for that.
fn reached<T: Scalar>(scores: &[T], k: usize) -> Option<T> {
    let sets = k.saturating_mul(SETS);
    if k == 0 || scores.len() < sets {
        return None;
    }
    let mut greatest = vec![T::narrow(f64::NEG_INFINITY); sets];
    raise(scores, &mut greatest);
    let of_most_first = |one: &T, other: &T| other.partial_cmp(one).unwrap_or(Ordering::Equal);
    Some(*greatest.select_nth_unstable_by(k - 1, of_most_first).1)
}

/// The greatest score of each set, to which the items are dealt out in turn. NaN is passed over.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn raise<T: Scalar>(scores: &[T], greatest: &mut [T]) {
    for run in scores.chunks(greatest.len()) {
        for (most, &score) in greatest.iter_mut().zip(run) {
            *most = if score > *most { score } else { *most };
        }
    }
}

/// The items whose score reaches `least`, ascending.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn reaching<T: Scalar>(scores: &[T], least: T) -> Vec<u32> {
    let mut items = Vec::new();
    for (run, start) in scores.chunks(RUN).zip((0..).step_by(RUN)) {
        let mut found = 0;
        for &score in run {
            found |= u32::from(score >= least);
        }
        if found != 0 {
            let of_run = (start..).zip(run).filter(|(_, score)| **score >= least);
            items.extend(of_run.map(|(item, _)| item));
        }
    }
    items
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
            let count = candidates[direction.flipped()].len();
            let kept = self.scores.ordered(direction, &candidates[direction])?;
            let none: &[f64] = &[];
            Ok(Lists::new(count, kept.iter().map(|list| (list.as_slice(), none))))
        };
        let lists = PerDirection { i2t: lists(Direction::I2t)?, t2i: lists(Direction::T2i)? };
        Ok(Model { scores: Scores::Lists(Arc::new(lists)), ..self.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_best_in_order_and_equal_ones_by_index() {
        let scores = [0.5, f64::NAN, 0.9, 0.5, -1.0, 0.9];
        assert_eq!(best(&scores, None, 3), [2, 5, 0]);
        assert_eq!(best(&scores, None, 9), [2, 5, 0, 3, 4]);
        assert_eq!(best(&scores, Some(0.5), 9), [2, 5]);
        // Kept in parts, they are those of sorting all; none is kept with the room of others.
        let many: Vec<f64> = (0..997).map(|at| f64::from(at * 7 % 101)).collect();
        let mut sorted: Vec<u32> = (0..997).collect();
        sorted.sort_by(|a, b| many[*b as usize].total_cmp(&many[*a as usize]));
        for k in [1, 2, 40, 498, 499, 996, 997] {
            let found = best(&many, None, k);
            assert_eq!(found, sorted[..k]);
            assert_eq!(found.capacity(), k);
        }
        // Neither NaN nor what is not above the fill is among them, however few are.
        let holey = |at: usize| {
            if at.is_multiple_of(3) { f64::NAN } else { many[at] }
        };
        let holey: Vec<f64> = (0..997).map(holey).collect();
        for fill in [None, Some(7.0), Some(95.0), Some(100.0)] {
            let is_scored = |item: &u32| holey[*item as usize] > fill.unwrap_or(-1.0);
            let scored: Vec<u32> = sorted.iter().copied().filter(is_scored).collect();
            for k in [1, 5, 40, 300] {
                assert_eq!(best(&holey, fill, k), scored[..k.min(scored.len())]);
            }
        }
    }
}
