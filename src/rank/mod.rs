//! Ranks: the waist between files and metrics.
//!
//! The rank of an item is 1 + the items that score higher + the equal items at a lower index,
//! inside the pool. Ranks are counted, not sorted: no full ranking is ever stored. What is counted
//! is the rank of every *target*, a (query, positive) pair of any truth; the ranks of one truth are
//! then looked up, so a further truth costs no further pass over the matrix.
//!
//! # Cost
//!
//! [`pass::count`] reads the matrix once, in *tiles* of eight rows and about a thousand columns. A
//! tile fits the first-level cache, so memory is read once however many targets there are:
//!
//! | work, for each row of the file | what it costs |
//! |---|---|
//! | bringing it in, decoding `f2`, looking for NaN | one pass over the row |
//! | its own targets (`rows`) | one comparison for each score and target, four targets a load |
//! | dense levels of column targets (`columns`) | one comparison for each column and level |
//! | the tail of column targets | one move for each of its columns, one comparison for each target |
//!
//! On COCO with three truths and images first that is 10 + 3 comparisons a score and a tail of 1,734
//! columns; with captions first it is 2 + 12 and a tail of 1,135. All comparisons are plain loops
//! over contiguous memory, compiled for AVX-512, AVX2 and NEON and chosen at run time: sixteen of
//! them take about a quarter of a nanosecond, so that a pass is a small multiple of plain reading.
//! Queries without targets cost nothing but the reading.
//!
//! What remains is proportional to the number of targets: their scores are looked up before the pass
//! (in the order of the file, all threads sharing the page faults), and every target that lies in a
//! tile or block is corrected for its ties there. The ranks inside the five 1K folds come from the
//! same comparisons: no tile and no task crosses the border of a fold, and counts are summed by fold.
//!
//! Memory: each thread holds a threshold and a count for every slot of `columns` (0.6 MB on COCO)
//! and, for `f2`, foreign byte orders and mixtures, one decoded tile; never a row or a column of ranks.
//! A mixture of two files is one more way to bring a tile in (`grid`): both are read once.
//!
//! Truths with many positives a query (Plausible Match: up to half the gallery) would make that
//! pass slow and its counts many. They are left out of it and ranked query by query: [`many`].

mod by_query;
mod column_count;
mod columns;
pub mod edited;
mod grid;
pub mod heads;
#[cfg(test)]
mod heads_oracle;
mod kernel;
mod lists;
pub mod many;
#[cfg(test)]
mod many_oracle;
#[cfg(test)]
mod mixture_oracle;
#[cfg(test)]
mod naive;
mod partial;
#[cfg(test)]
mod partial_oracle;
pub mod pass;
mod product;
pub mod ranking;
mod ranks;
mod rows;
mod sorter;
pub mod targets;

use std::fmt;

use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use pass::Watch;
pub use ranks::{QueryRanks, Ranks};
use targets::Targets;

/// Equal, contiguous parts of a gallery, as in the COCO 1K protocol: fold f holds the f-th part of
/// the images and the captions of these images.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Folds {
    /// How many.
    pub count: usize,
}

impl Folds {
    /// The five folds of 1,000 images, on the COCO test gallery only.
    pub fn of(gallery: &Gallery) -> Option<Folds> {
        gallery.is_coco_test().then_some(Folds { count: 5 })
    }

    /// The fold of index `at` on a side of `len` entries: the one whose [`Folds::range`] holds it.
    pub fn fold(self, at: usize, len: usize) -> usize {
        ((at + 1) * self.count - 1) / len
    }

    /// The indices of a fold on a side of `len` entries.
    pub fn range(self, fold: usize, len: usize) -> std::ops::Range<usize> {
        fold * len / self.count..(fold + 1) * len / self.count
    }
}

/// The part of the gallery that competes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pool {
    /// All of it.
    All,
    /// One fold, counted from 0.
    Fold(usize),
}

impl Pool {
    /// The pools of these names: `all`, and `fold1` on where the gallery has folds.
    ///
    /// # Errors
    /// An unknown name; the known ones are listed.
    pub fn named(names: &[String], folds: Option<Folds>) -> Result<Vec<Pool>> {
        let known: Vec<Pool> = std::iter::once(Pool::All)
            .chain((0..folds.map_or(0, |f| f.count)).map(Pool::Fold))
            .collect();
        let find = |name: &String| known.iter().copied().find(|pool| pool.to_string() == *name);
        let unknown = |name: &String| {
            let known: Vec<String> = known.iter().map(ToString::to_string).collect();
            Error::new("--pool", format!("no pool named {name}"))
                .expected(format!("one of: {}", known.join(", ")))
        };
        names
            .iter()
            .map(|name| find(name).ok_or_else(|| unknown(name)))
            .collect()
    }
}

impl fmt::Display for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Pool::All => f.write_str("all"),
            Pool::Fold(fold) => write!(f, "fold{}", fold + 1),
        }
    }
}

/// In the place of a rank: the model did not rank this item for this query.
pub const UNRANKED: u32 = u32::MAX;

/// Ranks of the targets of one model and direction, in the order of a [`targets::PairSet`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// Rank among all items, or [`UNRANKED`].
    pub all: Vec<u32>,
    /// Rank among the items of the query's own fold; 0 where the item is in another fold,
    /// [`UNRANKED`] where it is in this one without a rank. Empty without folds.
    pub fold: Vec<u32>,
    /// How far each query's ranking goes; `None` where every item is ranked.
    pub depths: Option<Depths>,
    /// Ranks of the truths in [`targets::PairSet::wide`], in that order.
    pub wide: Vec<many::Wide>,
}

impl Counted {
    /// Puts the parts of a whole together, in query order. None of them ends early.
    fn concatenate(parts: Vec<Counted>) -> Counted {
        let mut whole = Counted::default();
        for part in parts {
            whole.all.extend(part.all);
            whole.fold.extend(part.fold);
        }
        whole
    }
}

/// How many items each query of a direction has ranked: ranked lists and re-ranked matrices end
/// before the last item.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Depths {
    /// Among all items, by query.
    pub all: Vec<u32>,
    /// Among the items of the query's own fold; empty without folds.
    pub fold: Vec<u32>,
}

/// Counts the rank of every target of a model; `None` when it was cancelled. Targets that the model
/// did not score or list are [`UNRANKED`].
///
/// # Errors
/// As [`pass::count`].
pub fn count(
    model: &Model,
    targets: &Targets,
    folds: Option<Folds>,
    watch: &Watch,
) -> Result<Option<PerDirection<Counted>>> {
    watch.begin();
    many::announce(targets, watch);
    let Some(mut counted) = partial::count(&model.scores, targets, folds, watch)? else {
        return Ok(None);
    };
    for direction in Direction::BOTH {
        for relevance in targets[direction].wide() {
            let wide = many::count(&model.scores, direction, relevance, folds, watch)?;
            let Some(wide) = wide else { return Ok(None) };
            counted[direction].wide.push(wide);
        }
    }
    Ok(Some(counted))
}

/// The number of items that a query of this direction ranks in a pool.
pub fn pool_size(
    gallery: &Gallery,
    direction: Direction,
    pool: Pool,
    folds: Option<Folds>,
) -> usize {
    let items = gallery.items(direction).len();
    match (pool, folds) {
        (Pool::Fold(fold), Some(folds)) => folds.range(fold, items).len(),
        _ => items,
    }
}
