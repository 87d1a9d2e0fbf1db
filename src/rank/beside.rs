//! The scores that two models give to the items of each query, beside each other.
//!
//! What asks whether two models order the same items alike needs some of their scores, and the rank that
//! one gives to the other's first item, which is one comparison a score. No ranking is sorted or stored.

use std::ops::Range;

use rayon::prelude::*;

use super::pass::CancelToken;
use super::strip;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;
use by_column::Columns;
use by_row::Source;

mod by_column;
mod by_row;

/// What is asked about each query.
#[derive(Clone, Copy)]
pub struct HeadRequest<'a> {
    /// How many items are a ranking's head.
    pub head: usize,
    /// Further items of a query.
    pub further: &'a (dyn Fn(usize) -> Vec<u32> + Sync),
}

/// What two models make of one query.
#[derive(Debug, Clone, PartialEq)]
pub struct Both {
    /// The first items, best first: fewer where a ranking ends.
    pub top_k: [Vec<u32>; 2],
    /// The scores of the items that are in a head or both, ascending by item; NaN for what is not ranked.
    pub union: [Vec<f64>; 2],
    /// The scores of the further items.
    pub further: [Vec<f64>; 2],
    /// Whether both models rank every item.
    pub are_whole: bool,
    /// The rank that the second model gives to the first one's first item, and the other way round.
    pub top_ranks: [Option<u32>; 2],
}

/// What one model says of the items that it is asked about.
struct ItemsOfModel {
    /// Their scores; NaN for those not ranked.
    scores: Vec<f64>,
    /// The rank of the one whose rank is asked for.
    rank: Option<u32>,
}

/// What is asked about a query, once the top k are known.
struct Question {
    top_k: [Vec<u32>; 2],
    /// The union of the top k, ascending, then the further items.
    items: Vec<u32>,
    /// How many the former are.
    union: usize,
}

impl Question {
    fn new(top_k: [Vec<u32>; 2], further: &[u32]) -> Self {
        let mut items = top_k.concat();
        items.sort_unstable();
        items.dedup();
        let union = items.len();
        items.extend_from_slice(further);
        Question {
            top_k,
            items,
            union,
        }
    }

    /// The item whose rank in one model is asked for: the other one's first.
    fn top(&self, model: usize) -> Option<u32> {
        self.top_k[1 - model].first().copied()
    }

    fn answered(self, told: &[ItemsOfModel; 2], are_whole: bool) -> Both {
        let [in_first, in_second] = told.each_ref().map(|told| told.rank);
        Both {
            union: told
                .each_ref()
                .map(|told| told.scores[..self.union].to_vec()),
            further: told
                .each_ref()
                .map(|told| told.scores[self.union..].to_vec()),
            top_k: self.top_k,
            are_whole,
            top_ranks: [in_second, in_first],
        }
    }
}

/// Calls `each` with every query of a direction and what both models make of it; what it returns is in
/// the order of the queries, `None` when it was cancelled.
///
/// # Errors
/// NaN in a matrix: the first such cell is named. Embeddings whose products are no numbers.
pub fn beside<R: Send>(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    asked: HeadRequest<'_>,
    token: &CancelToken,
    each: impl Fn(usize, Both) -> R + Sync,
) -> Result<Option<Vec<R>>> {
    let queries = gallery.queries(direction).len();
    let items = gallery.items(direction).len();
    token.begin();
    token.announce(queries);
    if let [Some(first), Some(second)] = models.map(|model| by_column::of(model, direction)) {
        let both = [&*first, &*second];
        return in_tasks(queries, strip::step(queries), token, |range| {
            let found = of_columns(both, range.clone(), asked, token)?;
            Ok(found.map(|found| {
                range
                    .zip(found)
                    .map(|(query, both)| each(query, both))
                    .collect()
            }))
        });
    }
    let sources = models.map(|model| Source::of(model, direction, items));
    let step = sources[0].step().max(sources[1].step());
    in_tasks(queries, step, token, |range| {
        let blocks = [
            sources[0].block(range.clone())?,
            sources[1].block(range.clone())?,
        ];
        let of_query = |query: usize| {
            let [first, second] = &blocks;
            let mut found = None;
            first.row(query, &mut |first| {
                second.row(query, &mut |second| {
                    let rows = [first, second];
                    let further = (asked.further)(query);
                    let top_k = rows.map(|row| row.head(asked.head));
                    let question = Question::new(top_k, &further);
                    let told = [0, 1]
                        .map(|model| rows[model].of_model(&question.items, question.top(model)));
                    let are_whole = rows.iter().all(|row| row.is_whole());
                    found = Some(each(query, question.answered(&told, are_whole)));
                    Ok(())
                })
            })?;
            Ok(found)
        };
        range.map(of_query).collect()
    })
}

/// Does tasks of `step` queries at once; what they find, in order.
fn in_tasks<R: Send>(
    queries: usize,
    step: usize,
    token: &CancelToken,
    task: impl Fn(Range<usize>) -> Result<Option<Vec<R>>> + Sync,
) -> Result<Option<Vec<R>>> {
    let of_task = |at: usize| {
        if token.is_cancelled() {
            return Ok(None);
        }
        let range = at * step..queries.min((at + 1) * step);
        let found = task(range.clone())?;
        token.advance(range.len());
        Ok(found)
    };
    let tasks = (0..queries.div_ceil(step)).into_par_iter();
    let parts: Option<Vec<Vec<R>>> = tasks.map(of_task).collect::<Result<_>>()?;
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

/// The same for queries that are columns of both matrices, all of whose cells are scores.
fn of_columns(
    both: [&dyn Columns; 2],
    range: Range<usize>,
    asked: HeadRequest<'_>,
    token: &CancelToken,
) -> Result<Option<Vec<Both>>> {
    let top_k = |model: usize| both[model].top_k(&range, asked.head, token);
    let (Some(first), Some(second)) = (top_k(0)?, top_k(1)?) else {
        return Ok(None);
    };
    let questions: Vec<Question> = range
        .clone()
        .zip(first.into_iter().zip(second))
        .map(|(query, (first, second))| Question::new([first, second], &(asked.further)(query)))
        .collect();
    let of_model = |side: usize| {
        let about = questions
            .iter()
            .map(|question| (&*question.items, question.top(side)));
        both[side].of_model(&range, &about.collect::<Vec<_>>(), token)
    };
    let (Some(first), Some(second)) = (of_model(0), of_model(1)) else {
        return Ok(None);
    };
    let told = first.into_iter().zip(second);
    let answered = questions.into_iter().zip(told);
    Ok(Some(
        answered
            .map(|(question, (first, second))| question.answered(&[first, second], true))
            .collect(),
    ))
}
