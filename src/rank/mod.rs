//! Ranks: the waist between files and metrics.
//!
//! The rank of an item is 1 + the items that score higher + the equal items at a lower index,
//! inside the pool. Ranks are counted, not sorted: no full ranking is ever stored. What is counted
//! is the rank of every *target*, a (query, positive) pair of any truth; the ranks of one truth are
//! then looked up, so a further truth costs no further pass over the matrix.
//!
//! Cost of [`pass::count`]: one streaming read of the matrix. Each row is compared with the
//! thresholds of its own targets (about ten per image on COCO) and with one running threshold per
//! target column (about two per caption); both loops vectorise, and both work on rows that are in
//! the second-level cache, so that reading memory remains the larger part. The ranks inside the
//! five 1K folds come from the same comparisons, summed per fold.
//!
//! Truths with many positives a query (Plausible Match: up to half the gallery) would make that
//! pass slow and its lists long. They are left out of it and counted query by query: [`many`].

mod columns;
mod kernel;
pub mod many;
#[cfg(test)]
mod naive;
pub mod pass;
pub mod ranking;
mod rows;
pub mod targets;

use std::fmt;

use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::relevance::Relevance;
use pass::Watch;
use targets::{PairSet, Targets};

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

/// Ranks of the targets of one model and direction, in the order of a [`PairSet`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counted {
    /// Rank among all items.
    pub all: Vec<u32>,
    /// Rank among the items of the query's own fold; 0 where the item is in another fold. Empty
    /// without folds.
    pub fold: Vec<u32>,
    /// Ranks of the truths in [`PairSet::wide`], in that order.
    pub wide: Vec<many::Wide>,
}

/// Ascending ranks of the positives of every covered query, with R: all that a metric sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    queries: Vec<u32>,
    starts: Vec<u32>,
    ranks: Vec<u32>,
    listed: Vec<u32>,
}

/// One query's part of [`Ranks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryRanks<'a> {
    /// Ranks (from 1) of the positives that compete, ascending.
    pub ranks: &'a [u32],
    /// R: positives that the truth lists, those outside the gallery included.
    pub listed: u32,
}

impl QueryRanks<'_> {
    /// Rank of the first positive that competes.
    pub fn first(&self) -> Option<u32> {
        self.ranks.first().copied()
    }
}

impl Ranks {
    /// Collects the ranks of one truth from the counted targets, in the truth's query order.
    ///
    /// In a fold, only its queries and the positives inside it remain; positives outside the
    /// gallery altogether still count in R.
    pub fn of(
        relevance: &Relevance,
        targets: &PairSet,
        counted: &Counted,
        pool: Pool,
        folds: Option<Folds>,
    ) -> Ranks {
        if let Some(wide) = targets.wide_place(relevance) {
            return counted.wide[wide].ranks(pool, folds, targets.query_count());
        }
        let mut ranks = Ranks::with_capacity(0);
        let of_pair = match pool {
            Pool::All => &counted.all,
            Pool::Fold(_) => &counted.fold,
        };
        for (place, &query) in relevance.queries().iter().enumerate() {
            if let (Pool::Fold(wanted), Some(folds)) = (pool, folds)
                && folds.fold(query as usize, targets.query_count()) != wanted
            {
                continue;
            }
            let positives = relevance.positives(place);
            let start = ranks.ranks.len();
            let of_items = targets.find_all(query as usize, positives);
            ranks
                .ranks
                .extend(of_items.map(|at| of_pair[at]).filter(|&rank| rank > 0));
            ranks.ranks[start..].sort_unstable();
            let competing = ranks.ranks.len() - start;
            let left_out = positives.len() - competing;
            ranks.push_query(query, relevance.listed(place) - left_out as u32);
        }
        ranks
    }

    fn with_capacity(pairs: usize) -> Ranks {
        Ranks {
            starts: vec![0],
            ranks: Vec::with_capacity(pairs),
            ..Ranks::default()
        }
    }

    /// Appends a query with its ranks in any order, and its R.
    fn push_unsorted(&mut self, query: u32, ranks: impl Iterator<Item = u32>, listed: u32) {
        let start = self.ranks.len();
        self.ranks.extend(ranks);
        self.ranks[start..].sort_unstable();
        self.push_query(query, listed);
    }

    /// The ranks of a perfect model: every positive that competes before everything else. What a
    /// metric makes of it is the metric's ceiling.
    #[must_use]
    pub fn ideal(&self) -> Ranks {
        let mut ideal = self.clone();
        for place in 0..self.len() {
            let (start, end) = self.span(place);
            for (rank, slot) in (1..).zip(&mut ideal.ranks[start..end]) {
                *slot = rank;
            }
        }
        ideal
    }

    /// Ends the list of `query` at the ranks appended so far.
    fn push_query(&mut self, query: u32, listed: u32) {
        self.queries.push(query);
        self.starts.push(self.ranks.len() as u32);
        self.listed.push(listed);
    }

    fn span(&self, place: usize) -> (usize, usize) {
        (self.starts[place] as usize, self.starts[place + 1] as usize)
    }

    /// Number of covered queries.
    pub fn len(&self) -> usize {
        self.queries.len()
    }

    /// Whether no query is covered.
    pub fn is_empty(&self) -> bool {
        self.queries.is_empty()
    }

    /// Gallery indices of the covered queries, in the truth's order.
    pub fn queries(&self) -> &[u32] {
        &self.queries
    }

    /// The ranks of the query at `place`.
    pub fn query(&self, place: usize) -> QueryRanks<'_> {
        let (start, end) = self.span(place);
        QueryRanks {
            ranks: &self.ranks[start..end],
            listed: self.listed[place],
        }
    }

    /// Every covered query's ranks, in the truth's order.
    pub fn iter(&self) -> impl Iterator<Item = QueryRanks<'_>> {
        (0..self.len()).map(|place| self.query(place))
    }
}

/// Counts the rank of every target of a model; `None` when it was cancelled.
///
/// # Errors
/// As [`pass::count`].
pub fn count(
    model: &Model,
    targets: &Targets,
    folds: Option<Folds>,
    watch: &Watch,
) -> Result<Option<PerDirection<Counted>>> {
    many::announce(&model.scores, targets, watch);
    let Some(mut counted) = pass::count(&model.scores, targets, folds, watch)? else {
        return Ok(None);
    };
    for direction in Direction::BOTH {
        for relevance in targets[direction].wide() {
            let wide = many::count(&model.scores, direction, relevance, folds, watch);
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
