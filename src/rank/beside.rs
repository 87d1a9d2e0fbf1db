//! The scores that two models give to the items of each query, beside each other.
//!
//! What asks whether two models order the same items alike needs some of their scores, and the rank that
//! one gives to the other's first item, which is one comparison a score. No ranking is sorted or stored.

use std::ops::Range;

use super::pass::CancelToken;
use super::strip;
use super::tasks::in_tasks;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;
use by_column::{Cells, Columns};
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
pub struct Both<'a> {
    /// The first items, best first: fewer where a ranking ends.
    pub top_k: [Vec<u32>; 2],
    /// The scores of the items that are in a head or both, ascending by item; NaN for what is not ranked.
    pub union: [&'a [f64]; 2],
    /// The scores of the further items.
    pub further: [&'a [f64]; 2],
    /// Whether both models rank every item.
    pub are_whole: bool,
    /// The rank that the second model gives to the first one's first item, and the other way round.
    pub top_ranks: [Option<u32>; 2],
}

/// What one model says of the items that it is asked about: their scores, NaN for those not ranked, and the
/// rank of the one whose rank is asked for.
type Answer<'a> = (&'a [f64], Option<u32>);

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
        Question { top_k, items, union }
    }

    /// The item whose rank in one model is asked for: the other one's first.
    fn top(&self, model: usize) -> Option<u32> {
        self.top_k[1 - model].first().copied()
    }

    fn answered(self, answers: [Answer<'_>; 2], are_whole: bool) -> Both<'_> {
        let [(_, in_first), (_, in_second)] = answers;
        Both {
            union: answers.map(|(scores, _)| &scores[..self.union]),
            further: answers.map(|(scores, _)| &scores[self.union..]),
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
    each: impl Fn(usize, Both<'_>) -> R + Sync,
) -> Result<Option<Vec<R>>> {
    let queries = gallery.queries(direction).len();
    let items = gallery.items(direction).len();
    token.begin();
    token.announce(queries);
    if let [Some(first), Some(second)] = models.map(|model| by_column::of(model, direction)) {
        let both = [&*first, &*second];
        let parts = in_tasks(queries, strip::step(queries), token, |range| {
            of_columns(both, range, asked, token, &each)
        });
        return parts.map(together);
    }
    let sources = models.map(|model| Source::of(model, direction, items));
    let step = sources[0].step().max(sources[1].step());
    let parts = in_tasks(queries, step, token, |range| {
        let blocks = [sources[0].block(range.clone())?, sources[1].block(range.clone())?];
        let of_query = |query: usize| {
            let [first, second] = &blocks;
            let mut found = None;
            first.row(query, &mut |first| {
                second.row(query, &mut |second| {
                    let rows = [first, second];
                    let further = (asked.further)(query);
                    let top_k = rows.map(|row| row.head(asked.head));
                    let question = Question::new(top_k, &further);
                    let scores = rows.map(|row| row.scores(&question.items));
                    let ranks = [0, 1].map(|of| rows[of].rank(question.top(of)?));
                    let answers = [0, 1].map(|of| (&*scores[of], ranks[of]));
                    let are_whole = rows.iter().all(|row| row.is_whole());
                    found = Some(each(query, question.answered(answers, are_whole)));
                    Ok(())
                })
            })?;
            Ok(found)
        };
        range.map(of_query).collect()
    });
    parts.map(together)
}

/// What all tasks found.
fn together<R>(parts: Option<Vec<Vec<R>>>) -> Option<Vec<R>> {
    parts.map(|parts| parts.into_iter().flatten().collect())
}

/// The same for some queries that are columns of both matrices, all of whose cells are scores.
fn of_columns<R>(
    both: [&dyn Columns; 2],
    range: Range<usize>,
    asked: HeadRequest<'_>,
    token: &CancelToken,
    each: &impl Fn(usize, Both<'_>) -> R,
) -> Result<Option<Vec<R>>> {
    let top_k = |model: usize| both[model].top_k(&range, asked.head, token);
    let (Some(first), Some(second)) = (top_k(0)?, top_k(1)?) else {
        return Ok(None);
    };
    let top_k = range.clone().zip(first.into_iter().zip(second));
    let question =
        |(query, (first, second))| Question::new([first, second], &(asked.further)(query));
    let questions: Vec<Question> = top_k.map(question).collect();
    let cells = Cells::of(questions.iter().map(|question| &*question.items));
    let answers = |model: usize| {
        let tops: Vec<Option<u32>> = questions.iter().map(|of| of.top(model)).collect();
        both[model].answers(&range, &cells, &tops, token)
    };
    let (Some(first), Some(second)) = (answers(0), answers(1)) else {
        return Ok(None);
    };
    let mut start = 0;
    let answered = |(query, question): (usize, Question)| {
        let cells = start..start + question.items.len();
        start = cells.end;
        let column = query - range.start;
        let answers = [&first, &second].map(|of| (&of.scores[cells.clone()], of.ranks[column]));
        each(query, question.answered(answers, true))
    };
    Ok(Some(range.clone().zip(questions).map(answered).collect()))
}
