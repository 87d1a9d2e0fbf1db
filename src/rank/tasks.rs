//! Work over the queries of a direction, or over its items, that can be cancelled.

use std::ops::Range;

use super::pass::CancelToken;
use crate::data::parallel;
use crate::error::Result;

/// What `task` finds of each `step` of `len` queries, in their order; `None` when it was cancelled.
///
/// # Errors
/// The first of the tasks', in the order of the queries.
pub(super) fn in_tasks<R: Send>(
    len: usize,
    step: usize,
    token: &CancelToken,
    task: impl Fn(Range<usize>) -> Result<Option<R>> + Sync,
) -> Result<Option<Vec<R>>> {
    let of_task = |range: Range<usize>| {
        if token.is_cancelled() {
            return Ok(None);
        }
        let len = range.len();
        let found = task(range)?;
        token.advance(len);
        Ok(found)
    };
    let found = parallel::try_map_ranges(len, step, of_task)?;
    Ok(found.into_iter().collect())
}
