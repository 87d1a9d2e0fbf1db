//! The full ranking of one query, sorted on demand.

use std::cmp::Ordering;

use crate::data::Direction;
use crate::data::scores::Model;

/// All items of one query, best first; equal scores in index order.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Gallery index of each item, best first.
    pub order: Vec<u32>,
    /// Score by gallery index.
    pub scores: Vec<f64>,
}

impl Ranking {
    /// Sorts the items of one query.
    pub fn of(model: &Model, direction: Direction, query: usize) -> Self {
        let scores = model.scores.of_query(direction, query);
        let mut order: Vec<u32> = (0..scores.len() as u32).collect();
        order.sort_unstable_by(|&a, &b| {
            descending(scores[a as usize], scores[b as usize]).then(a.cmp(&b))
        });
        Ranking { order, scores }
    }
}

/// Higher first. NaN, which a study never holds once its ranks are counted, comes last.
fn descending(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a)
        .unwrap_or_else(|| a.is_nan().cmp(&b.is_nan()))
}
