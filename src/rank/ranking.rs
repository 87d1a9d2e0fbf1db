//! The full ranking of one query, sorted on demand.

use std::cmp::Ordering;

use super::product::nan_error;
use crate::data::Direction;
use crate::data::arena::Arena;
use crate::data::scores::{Lists, Model, Scores};
use crate::error::Result;

/// The ranked items of one query, best first; equal scores in index order.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// Gallery index of each item, best first. Items that the model did not score or list are
    /// missing: this may be shorter than the gallery, and empty.
    pub order: Vec<u32>,
    /// Score by gallery index; NaN for items without one, and for all items of a ranked
    /// list without scores.
    pub scores: Vec<f64>,
}

impl Ranking {
    /// Sorts the items of one query.
    pub fn of(model: &Model, direction: Direction, query: usize) -> Self {
        match scores(model, direction, query) {
            Known::Scores(scores) => Self::sorted(scores),
            Known::List(lists) => Self::listed(lists, query),
        }
    }

    /// The same among those that compete with each other.
    pub fn among(model: &Model, arena: Option<&Arena>, direction: Direction, query: usize) -> Self {
        let mut ranking = Self::of(model, direction, query);
        if let Some(arena) = arena {
            ranking.keep(|item| arena.competes(direction, query, item));
        }
        ranking
    }

    /// Leaves out the items that do not compete.
    pub fn keep(&mut self, competes: impl Fn(usize) -> bool) {
        self.order.retain(|&item| competes(item as usize));
    }

    /// A list as it stands, with the scores that the file has.
    fn listed(lists: &Lists, query: usize) -> Self {
        let order = lists.items(query, &mut Vec::new()).to_vec();
        let mut scores = vec![f64::NAN; lists.item_count()];
        for (&item, score) in order.iter().zip(lists.scores(query).into_iter().flatten()) {
            scores[item as usize] = score;
        }
        Ranking { order, scores }
    }

    /// Sorts what is scored; NaN, which a study never holds otherwise once its ranks are counted, is
    /// left out.
    fn sorted(scores: Vec<f64>) -> Self {
        let mut order: Vec<u32> = (0..scores.len() as u32)
            .filter(|&item| !scores[item as usize].is_nan())
            .collect();
        order.sort_unstable_by(|&a, &b| {
            descending(scores[a as usize], scores[b as usize]).then(a.cmp(&b))
        });
        Ranking { order, scores }
    }
}

/// Checks the scores that some queries are ranked by, as counting ranks does: a file is refused for
/// one NaN, whichever query has it, embeddings for products of these queries that are no numbers.
///
/// # Errors
/// The first NaN of the file.
pub fn check(model: &Model, direction: Direction, queries: &[usize]) -> Result<()> {
    if let Some(error) = model.scores.nan_error(direction) {
        return Err(error);
    }
    let Scores::Embeddings(embeddings) = &model.scores else {
        return Ok(());
    };
    let has_nan = |&query: &usize| {
        let scores = embeddings.of_query(direction, query);
        scores.iter().any(|score| score.is_nan())
    };
    let found = queries.iter().copied().find(|query| has_nan(query));
    found.map_or(Ok(()), |query| Err(nan_error(direction, query)))
}

/// What a model knows of a query.
enum Known<'a> {
    /// A score for each item, NaN where it has none.
    Scores(Vec<f64>),
    /// Its best items.
    List(&'a Lists),
}

fn scores(model: &Model, direction: Direction, query: usize) -> Known<'_> {
    Known::Scores(match &model.scores {
        Scores::Matrix(matrix) => matrix.of_query(direction, query),
        Scores::Mixture(mixture) => mixture.of_query(direction, query),
        Scores::Two(sides) => {
            let side = &sides[direction];
            let mut scores = side.matrix.of_query(direction, query);
            for score in &mut scores {
                if !side.is_scored(*score) {
                    *score = f64::NAN;
                }
            }
            scores
        }
        Scores::Embeddings(embeddings) => embeddings.of_query(direction, query),
        Scores::Lists(lists) => return Known::List(&lists[direction]),
    })
}

/// The ranks of some items of one query, from 1, among those that compete; `None` where the model does
/// not rank the item, or it does not compete. No ranking is sorted.
pub fn places(
    model: &Model,
    arena: Option<&Arena>,
    direction: Direction,
    query: usize,
    items: &[u32],
) -> Vec<Option<u32>> {
    let competes = |item: usize| arena.is_none_or(|arena| arena.competes(direction, query, item));
    let place: Box<dyn Fn(u32) -> Option<u32>> = match scores(model, direction, query) {
        Known::Scores(mut scores) => {
            if arena.is_some() {
                let out = scores
                    .iter_mut()
                    .enumerate()
                    .filter(|(item, _)| !competes(*item));
                out.for_each(|(_, score)| *score = f64::NAN);
            }
            Box::new(move |item| {
                let score = scores[item as usize];
                let (before, after) = scores.split_at(item as usize);
                let better = before.iter().filter(|&&other| other >= score).count()
                    + after.iter().filter(|&&other| other > score).count();
                (!score.is_nan()).then_some(better as u32 + 1)
            })
        }
        Known::List(lists) => {
            let mut list = lists.items(query, &mut Vec::new()).to_vec();
            list.retain(|&item| competes(item as usize));
            Box::new(move |item| Some(list.iter().position(|&listed| listed == item)? as u32 + 1))
        }
    };
    items.iter().map(|&item| place(item)).collect()
}

/// Higher first; there is no NaN among them.
fn descending(a: f64, b: f64) -> Ordering {
    b.partial_cmp(&a).unwrap_or(Ordering::Equal)
}
