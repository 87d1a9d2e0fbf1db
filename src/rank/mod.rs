//! Ranks of the positives, counted from scores: the only input that metrics need from a model.
//!
//! The rank of an item is 1 + the items that score higher + the equal items at a lower index, inside the pool. Ranks
//! are counted, not sorted: no full ranking is ever stored. One pass over the matrix counts the ranks of all *targets*,
//! the (query, positive) pairs of any truth. The ranks of one truth are then looked up, so a further truth costs no
//! further pass.
//!
//! # Cost
//!
//! `pass::rank_targets` reads the matrix once, in *tiles* of eight rows and up to 4,096 columns. A
//! tile fits the second-level cache, so memory is read once however many targets there are:
//!
//! | work, for each row of the file | what it costs |
//! |---|---|
//! | loading it, decoding `f2`, looking for NaN | one pass over the row |
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
//! A mixture of two files is one more way to load a tile (`grid`): both are read once.
//!
//! Truths with many positives a query (Plausible Match: up to half the gallery) would make that
//! pass slow and its counts many. They are excluded from it and ranked query by query: [`many`].

pub mod beside;
#[cfg(test)]
mod beside_oracle;
#[cfg(test)]
mod candidate_mask_oracle;
mod columns;
pub mod counter;
pub mod edits;
pub mod gains;
pub mod hubs;
pub mod judged_ranks;
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
pub mod ranking;
mod ranks;
pub mod retrieval;
mod rows;
pub mod similar;
mod sorter;
mod strip;
pub mod targets;
pub mod top_k;
#[cfg(test)]
mod top_k_oracle;

use crate::data::gallery::Folds;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::truth::conventions::{Conventions, ShortLists};
use crate::truth::relevance::Relevance;
use pass::CancelToken;
pub use ranks::{QueryRanks, Ranks};
use targets::Targets;

/// Rank of an item that the model did not rank for this query.
pub const UNRANKED: u32 = u32::MAX;

/// Ranks of the targets of one model and direction, in the order of a [`targets::PairSet`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TargetRanks {
    /// Rank among all items, or [`UNRANKED`].
    pub all: Vec<u32>,
    /// Rank among the items of the query's own fold; 0 if the item is in another fold, [`UNRANKED`] if it is in this
    /// one without a rank. Empty without folds.
    pub fold: Vec<u32>,
    /// Length of each query's ranking; `None` if every item is ranked.
    pub depths: Option<Depths>,
    /// Ranks of truths with many positives per query, in the order of [`targets::PairSet::wide`].
    pub wide: Vec<many::DenseRanks>,
    /// Similarities of retrieved items for the truths in [`targets::PairSet::similar`], in that order.
    pub similar: Vec<similar::Similarities>,
}

impl TargetRanks {
    /// Concatenates parts in query order. No part has short rankings.
    fn concatenate(parts: Vec<TargetRanks>) -> TargetRanks {
        let mut whole = TargetRanks::default();
        for part in parts {
            whole.all.extend(part.all);
            whole.fold.extend(part.fold);
        }
        whole
    }
}

/// Number of ranked items of each query of a direction: ranked lists and re-ranked matrices end early.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Depths {
    /// Among all items, by query.
    pub all: Vec<u32>,
    /// Among the items of the query's own fold; empty without folds.
    pub fold: Vec<u32>,
}

impl Depths {
    /// The conventions of the truth; but if no query has any ranked item, short rankings make values unknown instead of
    /// counting as missed.
    fn conventions(&self, of_truth: Conventions) -> Conventions {
        if self.all.iter().any(|&depth| depth > 0) {
            return of_truth;
        }
        Conventions { short_lists: ShortLists::Unknown, ..of_truth }
    }
}

/// Ranks every target of a model; `None` if cancelled. Targets that the model did not score or list are
/// [`UNRANKED`].
///
/// # Errors
/// A score that is NaN.
pub fn rank_targets(
    model: &Model,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<TargetRanks>>> {
    token.begin();
    many::announce(targets, token);
    let Some(mut counted) = partial::rank_targets(&model.scores, targets, folds, token)? else {
        return Ok(None);
    };
    for direction in Direction::BOTH {
        for relevance in &targets[direction].wide {
            let wide = many::rank_positives(&model.scores, direction, relevance, folds, token)?;
            let Some(wide) = wide else { return Ok(None) };
            counted[direction].wide.push(wide);
        }
        for similar in targets[direction].similar.iter().filter_map(Relevance::similar) {
            let similar = similar::find_similarities(&model.scores, direction, similar, token)?;
            let Some(similar) = similar else {
                return Ok(None);
            };
            counted[direction].similar.push(similar);
        }
    }
    Ok(Some(counted))
}
