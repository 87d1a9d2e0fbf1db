//! The top items of every query's ranking, selected without sorting the rest.
//!
//! Parts of a query's scores whose maximum is below the best k so far are skipped; queries that are columns are
//! processed together, row by row. Memory: k indices a query.

use super::partial::TASK_QUERIES;
use super::pass::{CancelToken, in_tasks};
use super::strip::{self, Strip};
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::gallery::Gallery;
use crate::data::scores::{Form, Model, Peaks, Queries, Scalar, Scores};
use crate::error::Result;

/// The top items of each query, best first; equal scores in index order, like ranks. Fewer than requested if the
/// gallery or the model's ranking is shorter.
pub type TopK = Vec<Vec<u32>>;

/// Finds the first `k` items of all queries of a direction, by gallery index; `None` if cancelled. With a mask, only
/// its items compete, and queries outside of it have no items. Skips NaN, which is an error when ranks are counted.
///
/// # Errors
/// Embeddings whose products are no numbers.
pub fn top_k(
    gallery: &Gallery,
    model: &Model,
    mask: Option<&CandidateMask>,
    direction: Direction,
    k: usize,
    token: &CancelToken,
) -> Result<Option<TopK>> {
    token.begin();
    let queries = gallery.queries(direction).len();
    let Some(mask) = mask else {
        return top_k_in_scores(&model.scores, queries, direction, k, token);
    };
    let mut heads = vec![Vec::new(); queries];
    for part in mask.parts() {
        let (queries, items) = (part.queries(direction), part.items(direction));
        let scores = model.within(part).scores;
        let Some(found) = top_k_in_scores(&scores, queries.len(), direction, k, token)? else {
            return Ok(None);
        };
        for (&query, head) in queries.iter().zip(found) {
            heads[query as usize] = head.into_iter().map(|item| items[item as usize]).collect();
        }
    }
    Ok(Some(heads))
}

/// [`top_k`] of the first `queries` queries among all items of `scores`; adds them to the progress of `token`.
pub(super) fn top_k_in_scores(
    scores: &Scores,
    queries: usize,
    direction: Direction,
    k: usize,
    token: &CancelToken,
) -> Result<Option<TopK>> {
    token.announce(queries);
    let read = scores.by_query(direction);
    let parts = match read.form {
        Form::Single(all) => select_top_k(all, queries, (k, read.fill()), token)?,
        Form::Double(all) => select_top_k(all, queries, (k, read.fill()), token)?,
        Form::Lists(lists) => in_tasks(queries, TASK_QUERIES, token, |queries| {
            let mut buffer = Vec::new();
            let mut head =
                |query| lists.items(query, &mut buffer).iter().copied().take(k).collect();
            Ok(Some(queries.map(&mut head).collect::<TopK>()))
        })?,
    };
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

/// Selects the top `k` items of each query, in one [`TopK`] per task; `None` if cancelled. Cells with `fill`, or less,
/// are unscored.
fn select_top_k<T: Scalar>(
    scores: Queries<'_, T>,
    queries: usize,
    (k, fill): (usize, Option<f64>),
    token: &CancelToken,
) -> Result<Option<Vec<TopK>>> {
    let is_scored = |score: T| fill.is_none_or(|fill| score.wide() > fill);
    if strip::are_columns(scores) {
        return in_tasks(queries, strip::columns_per_task(queries), token, |columns| {
            let strip = Strip { queries: scores, columns, token };
            let found = strip.top_k(k, is_scored);
            Ok(found.map(|(heads, _)| heads))
        });
    }
    in_tasks(queries, scores.step(), token, |queries| {
        let mut heads = TopK::new();
        scores.visit(queries, |_, scores| heads.push(Peaks::new(scores).top_k(k, fill)))?;
        Ok(Some(heads))
    })
}
