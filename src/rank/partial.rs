//! Counting ranks in every form of scores.
//!
//! A whole matrix takes one pass. In a re-ranked one, unscored cells are the least of their row: they
//! never outrank a scored one, so the same pass gives the ranks of scored targets, and the others
//! lose the rank that the pass gave them. In a ranked list, the rank is the place.

use super::kernel::Score;
use super::pass::{self, CancelToken};
use super::targets::{PairSet, Targets};
use super::{Counted, Depths, Folds, UNRANKED, blocks, lists};
use crate::data::scores::{Blocks, Embeddings, Mixture, Product, Scalar, Scores, Side, fill};
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Counts the rank of every target; `None` when it was cancelled.
pub(super) fn count(
    scores: &Scores,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    match scores {
        Scores::Matrix(matrix) => {
            token.announce(matrix.row_count());
            pass::count(matrix, targets, folds, token)
        }
        Scores::Mixture(mixture) => match mixture.as_ref() {
            Mixture::Matrices(matrices) => {
                token.announce(matrices.row_count());
                pass::count_mixture(matrices, targets, folds, token)
            }
            Mixture::Blocks(scores) => blocks::count(scores, targets, folds, token),
        },
        Scores::Two(sides) => {
            token.announce(sides.i2t.matrix.row_count() + sides.t2i.matrix.row_count());
            each(|direction| {
                let set = &targets[direction];
                side(&sides[direction], direction, set, folds, token)
            })
        }
        Scores::Embeddings(embeddings) => match embeddings.as_ref() {
            Embeddings::Single(product) => self::product(product, targets, folds, token),
            Embeddings::Double(product) => self::product(product, targets, folds, token),
        },
        Scores::Phi(phi) => blocks::count(phi.as_ref(), targets, folds, token),
        Scores::Lists(lists) => {
            each(|direction| Ok(Some(lists::count(&lists[direction], &targets[direction], folds))))
        }
    }
}

fn each(
    mut count: impl FnMut(Direction) -> Result<Option<Counted>>,
) -> Result<Option<PerDirection<Counted>>> {
    let (Some(i2t), Some(t2i)) = (count(Direction::I2t)?, count(Direction::T2i)?) else {
        return Ok(None);
    };
    Ok(Some(PerDirection { i2t, t2i }))
}

/// Where most queries have targets each product is computed once, for both directions; else those of these queries alone.
fn product<T: Score + Scalar>(
    product: &Product<T>,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<Counted>>> {
    let [images, captions] = Direction::both(|direction| product.side_len(direction));
    let covered = |direction| blocks::covered(&targets[direction]).len();
    let apart = covered(Direction::I2t) * captions + covered(Direction::T2i) * images;
    if apart <= images * captions {
        return blocks::count(product, targets, folds, token);
    }
    token.announce(images);
    pass::count_product(product, targets, folds, token)
}

/// One direction, from the matrix that has its scores.
fn side(
    side: &Side,
    direction: Direction,
    set: &PairSet,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<Counted>> {
    let others = side.matrix.side_len(direction.flipped());
    let mut targets = PerDirection::from_fn(|_| PairSet::without_targets(others));
    targets[direction] = set.clone();
    let Some(mut counted) = pass::count(&side.matrix, &targets, folds, token)? else {
        return Ok(None);
    };
    let mut counted = std::mem::take(&mut counted[direction]);
    if side.fill.is_some() {
        unrank(side, direction, set, &mut counted);
        counted.depths = depths(side, direction, folds);
    }
    Ok(Some(counted))
}

/// How far the rankings of a direction go; `None` without a fill.
pub(super) fn depths(side: &Side, direction: Direction, folds: Option<Folds>) -> Option<Depths> {
    let (fill, all) = (side.fill?, side.depths.clone()?);
    let queries = side.matrix.side_len(direction);
    let items = side.matrix.side_len(direction.flipped());
    let of_folds = |folds: Folds| {
        fill::depths(&side.matrix, direction, fill, |query| {
            folds.range(folds.fold(query, queries), items)
        })
    };
    let fold = folds.map(of_folds).unwrap_or_default();
    Some(Depths { all, fold })
}

/// Takes the rank from every target whose cell holds the fill. Cells are read row by row.
fn unrank(side: &Side, direction: Direction, set: &PairSet, counted: &mut Counted) {
    let queries_are_rows = side.matrix.rows().direction() == direction;
    let mut cells: Vec<(u32, u32, usize)> = Vec::with_capacity(set.len());
    for query in 0..set.query_count() {
        for (&item, at) in set.items(query).iter().zip(set.range(query)) {
            let (row, column) =
                if queries_are_rows { (query as u32, item) } else { (item, query as u32) };
            cells.push((row, column, at));
        }
    }
    cells.sort_unstable();
    let mut buffer = Vec::new();
    for cells in cells.chunk_by(|a, b| a.0 == b.0) {
        let row = side.matrix.row_f64(cells[0].0 as usize, &mut buffer);
        for &(_, column, at) in cells {
            if side.is_scored(row[column as usize]) {
                continue;
            }
            counted.all[at] = UNRANKED;
            if let Some(rank) = counted.fold.get_mut(at).filter(|rank| **rank > 0) {
                *rank = UNRANKED;
            }
        }
    }
}
