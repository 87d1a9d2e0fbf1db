//! The items that a model scores highest, and models of some items of each query.

use std::sync::Arc;

use super::nan::has_nan;
use super::{Form, Lists, Model, Peaks, Queries, Scalar, Scores};
use crate::data::candidate_mask::CandidateMask;
use crate::data::parallel;
use crate::data::sets::Sets;
use crate::data::{Direction, PerDirection};
use crate::error::Result;

impl Scores {
    /// The `k` items that score highest for each of so many queries, as far as they are scored; of equal ones
    /// those with the lower index.
    ///
    /// # Errors
    /// Scores that are no numbers.
    pub fn nearest(&self, direction: Direction, queries: usize, k: usize) -> Result<Vec<Vec<u32>>> {
        let read = self.by_query(direction);
        match read.form {
            Form::Single(scores) => nearest(scores, queries, k, read.fill()),
            Form::Double(scores) => nearest(scores, queries, k, read.fill()),
            Form::Lists(lists) => Ok(parallel::map_indices(queries, |query| {
                let mut buffer = Vec::new();
                lists.items(query, &mut buffer).iter().copied().take(k).collect()
            })),
        }
    }

    /// These items of each query, best first, as far as they are scored.
    ///
    /// # Errors
    /// Scores that are no numbers.
    fn ordered(&self, direction: Direction, sets: &Sets) -> Result<Vec<Vec<u32>>> {
        let read = self.by_query(direction);
        let queries: Vec<usize> = (0..sets.len()).collect();
        parallel::try_map(&queries, |&query| {
            let set = sets.get(query);
            if let Form::Lists(lists) = read.form {
                let mut buffer = Vec::new();
                let items = lists.items(query, &mut buffer).iter().copied();
                return Ok(items.filter(|&item| set.contains(item)).collect());
            }
            let items: Vec<u32> = set.iter().collect();
            let scores = read.items(query, &items);
            if has_nan(&scores)
                && let Some(error) = self.nan_error_of(direction, &[query])
            {
                return Err(error);
            }
            let order = Peaks::new(&scores).top_k(items.len(), read.fill());
            Ok(order.into_iter().map(|at| items[at as usize]).collect())
        })
    }
}

fn nearest<T: Scalar>(
    scores: Queries<'_, T>,
    queries: usize,
    k: usize,
    fill: Option<f64>,
) -> Result<Vec<Vec<u32>>> {
    let parts = parallel::try_map_ranges(queries, scores.step(), |range| {
        let mut found = Vec::with_capacity(range.len());
        let mut nan = None;
        scores.visit(range, |query, row| {
            nan = nan.or_else(|| has_nan(row).then_some(query));
            let mut items = Peaks::new(row).top_k(k, fill);
            items.shrink_to_fit();
            found.push(items);
        })?;
        nan.map_or(Ok(found), |query| Err(scores.nan_error(query)))
    })?;
    Ok(parts.into_iter().flatten().collect())
}

impl CandidateMask {
    /// A model over one of the parts, as far as items compete there for a query.
    ///
    /// # Errors
    /// Scores that are no numbers.
    pub fn model(&self, model: &Model, part: usize) -> Result<Model> {
        let Some(around) = self.around() else {
            return Ok(model.within(&self.parts()[part]));
        };
        // As ranked lists of these items of each query.
        let lists = |direction: Direction| {
            let count = around[direction.flipped()].len();
            let kept = model.scores.ordered(direction, &around[direction])?;
            let none: &[f64] = &[];
            Ok(Lists::new(count, kept.iter().map(|list| (list.as_slice(), none))))
        };
        let lists = PerDirection { i2t: lists(Direction::I2t)?, t2i: lists(Direction::T2i)? };
        Ok(Model { scores: Scores::Lists(Arc::new(lists)), ..model.clone() })
    }
}
