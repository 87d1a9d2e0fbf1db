//! Ranks of the targets where scores are computed from embeddings.
//!
//! Each direction goes on its own: a block of queries is multiplied with all items, ranked as rows
//! of a matrix are, and dropped. Queries without targets are left out.

use rayon::prelude::*;

use super::kernel::{self, Score};
use super::pass::Watch;
use super::rows::RowCount;
use super::targets::{PairSet, Targets};
use super::{Counted, Folds};
use crate::data::scores::{Embeddings, Product, Scalar};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// Counts the rank of every target; `None` when it was cancelled.
pub(super) fn count(
    embeddings: &Embeddings,
    targets: &Targets,
    folds: Option<Folds>,
    watch: &Watch,
) -> Result<Option<PerDirection<Counted>>> {
    let covered = PerDirection::from_fn(|direction| covered(&targets[direction]));
    watch.begin(covered.i2t.len() + covered.t2i.len());
    let mut counted: PerDirection<Counted> = PerDirection::default();
    for direction in Direction::BOTH {
        let (set, queries) = (&targets[direction], &covered[direction]);
        let ranks = match embeddings {
            Embeddings::Single(product) => rank(product, direction, set, queries, folds, watch),
            Embeddings::Double(product) => rank(product, direction, set, queries, folds, watch),
        };
        let Some(ranks) = ranks? else { return Ok(None) };
        counted[direction] = ranks;
    }
    Ok(Some(counted))
}

/// The queries that have targets.
fn covered(set: &PairSet) -> Vec<usize> {
    let queries = 0..set.query_count();
    queries
        .filter(|&query| !set.items(query).is_empty())
        .collect()
}

fn rank<T: Scalar + Score>(
    product: &Product<T>,
    direction: Direction,
    set: &PairSet,
    queries: &[usize],
    folds: Option<Folds>,
    watch: &Watch,
) -> Result<Option<Counted>> {
    let row_count = RowCount::new(folds, product.side(direction.flipped()).nrows());
    let of_block = |queries: &[usize]| {
        if watch.is_cancelled() {
            return Ok(None);
        }
        let mut ranks = Counted::default();
        let block = product.block(direction, queries);
        for (&query, row) in queries.iter().zip(block.rows()) {
            let row = row.to_slice().expect("a product has contiguous rows");
            if kernel::has_nan(row) {
                return Err(nan_error(direction, query));
            }
            let own = folds.map_or(0, |folds| folds.fold(query, set.query_count()));
            row_count.rank(row, set.items(query), own, &mut ranks);
        }
        watch.advance(queries.len());
        Ok(Some(ranks))
    };
    let blocks = queries
        .par_chunks(product.block_len(direction))
        .map(of_block);
    let parts: Option<Vec<Counted>> = blocks.collect::<Result<_>>()?;
    Ok(parts.map(Counted::concatenate))
}

/// Finite embeddings can still overflow.
fn nan_error(direction: Direction, query: usize) -> Error {
    Error::new(
        "embeddings",
        format!(
            "the products of {direction} query {} are not numbers",
            grouped(query)
        ),
    )
    .expected("embeddings whose dot products are finite")
    .mend("--cosine scales them to length one")
}
