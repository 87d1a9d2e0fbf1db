//! Ranks of the targets where scores are computed in blocks.
//!
//! Each direction goes on its own: the scores of a block of queries with all items are computed, ranked as
//! rows of a matrix are, and dropped. Queries without targets are left out. Embeddings most of whose queries have
//! targets take one pass for both directions instead: see [`super::pass`].

use std::ops::Range;

use ndarray::{Array2, Axis};

use super::kernel::{self, ROWS, Score};
use super::pass::{self, CancelToken, TILE};
use super::rows::RowCount;
use super::targets::{PairSet, Targets};
use super::tasks::in_tasks;
use super::{Counted, Folds};
use crate::data::scores::{Blocks, Scalar};
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Counts the rank of every target; `None` when it was cancelled.
pub(super) fn count<T: Scalar + Score>(
    scores: &impl Blocks<T>,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    let covered = PerDirection::from_fn(|direction| covered(&targets[direction]));
    token.announce(covered.i2t.len() + covered.t2i.len());
    let mut counted: PerDirection<Counted> = PerDirection::default();
    for direction in Direction::BOTH {
        let (set, queries) = (&targets[direction], &covered[direction]);
        let ranks = rank(scores, direction, set, queries, folds, token)?;
        let Some(ranks) = ranks else { return Ok(None) };
        counted[direction] = ranks;
    }
    Ok(Some(counted))
}

/// The queries that have targets.
pub(super) fn covered(set: &PairSet) -> Vec<usize> {
    let queries = 0..set.query_count();
    queries.filter(|&query| !set.items(query).is_empty()).collect()
}

fn rank<T: Scalar + Score>(
    blocks: &impl Blocks<T>,
    direction: Direction,
    set: &PairSet,
    queries: &[usize],
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<Counted>> {
    let tiles = pass::cut(folds, blocks.side_len(direction.flipped()), TILE);
    let of_block = |range: Range<usize>| {
        let queries = &queries[range];
        let scores = blocks.block(direction, queries);
        let ranks = rank_block(&scores, queries, set, folds, &tiles);
        ranks.map(Some).map_err(|query| blocks.nan_error_at(direction, query))
    };
    let step = blocks.block_len(direction);
    let parts = in_tasks(queries.len(), step, token, of_block)?;
    Ok(parts.map(Counted::concatenate))
}

/// Ranks the targets of `queries`, whose scores are the rows of `scores`. The error is a query with
/// NaN.
fn rank_block<T: Score>(
    scores: &Array2<T>,
    queries: &[usize],
    set: &PairSet,
    folds: Option<Folds>,
    tiles: &[(usize, Range<usize>)],
) -> std::result::Result<Counted, usize> {
    let mut ranks = Counted::default();
    let mut count = RowCount::new(set, folds, scores.ncols());
    for (rows, queries) in scores.axis_chunks_iter(Axis(0), ROWS).zip(queries.chunks(ROWS)) {
        count.begin(queries.iter().copied(), |at, column| rows[[at, column]]);
        for (fold, columns) in tiles {
            for (at, row) in rows.rows().into_iter().enumerate() {
                let row = row.to_slice().expect("a block has contiguous rows");
                let run = &row[columns.clone()];
                if kernel::has_nan(run) {
                    return Err(queries[at]);
                }
                count.add(at, columns.start, run, *fold);
            }
        }
        count.finish(&mut ranks);
    }
    Ok(ranks)
}
