//! What a metric sees: the ascending ranks of each covered query's positives, and R.

use super::targets::PairSet;
use super::{Counted, Folds, Pool, UNRANKED};
use crate::truth::relevance::Relevance;

/// Ascending ranks of the positives of every covered query, with R: all that a metric sees.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranks {
    queries: Vec<u32>,
    starts: Vec<u32>,
    ranks: Vec<u32>,
    listed: Vec<u32>,
    /// Items ranked and positives unranked of each query; empty where every item is ranked.
    cut: Vec<Cut>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Cut {
    depth: u32,
    unranked: u32,
}

/// One query's part of [`Ranks`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryRanks<'a> {
    /// Known ranks (from 1) of the positives that compete, ascending.
    pub ranks: &'a [u32],
    /// R: positives that the truth lists, those outside the gallery included.
    pub listed: u32,
    /// Number of items that the model ranked for this query; `None` where it ranked all.
    pub depth: Option<u32>,
    /// Positives that compete, but that the model did not rank: each is somewhere below `depth`.
    pub unranked: u32,
}

impl<'a> QueryRanks<'a> {
    /// Ranks of a query whose items are all ranked.
    pub fn complete(ranks: &'a [u32], listed: u32) -> Self {
        QueryRanks {
            ranks,
            listed,
            depth: None,
            unranked: 0,
        }
    }
}

impl QueryRanks<'_> {
    /// The best known rank of a positive that competes.
    pub fn first(&self) -> Option<u32> {
        self.ranks.first().copied()
    }

    /// Whether it is known which positives stand at the ranks up to `k`.
    pub fn is_known_to(&self, k: u32) -> bool {
        self.unranked == 0 || self.depth.is_none_or(|depth| depth >= k)
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
        let depths = counted.depths.as_ref();
        let (of_pair, depths) = match pool {
            Pool::All => (&counted.all, depths.map(|depths| &depths.all)),
            Pool::Fold(_) => (&counted.fold, depths.map(|depths| &depths.fold)),
        };
        for (place, &query) in relevance.queries().iter().enumerate() {
            if let (Pool::Fold(wanted), Some(folds)) = (pool, folds)
                && folds.fold(query as usize, targets.query_count()) != wanted
            {
                continue;
            }
            let of_items = targets.find_all(query as usize, relevance.positives(place));
            let depth = depths.map(|depths| depths[query as usize]);
            let listed = relevance.listed(place);
            ranks.push_counted(query, of_items.map(|at| of_pair[at]), listed, depth);
        }
        ranks
    }

    /// No queries yet; room for the ranks of so many pairs.
    pub(super) fn with_capacity(pairs: usize) -> Ranks {
        Ranks {
            starts: vec![0],
            ranks: Vec::with_capacity(pairs),
            ..Ranks::default()
        }
    }

    /// Appends a query: its ranks as counted, in any order, 0 for positives that do not compete;
    /// its R over all pools; and how far its ranking goes, if it ends early.
    pub(super) fn push_counted(
        &mut self,
        query: u32,
        counted: impl ExactSizeIterator<Item = u32>,
        listed: u32,
        depth: Option<u32>,
    ) {
        let start = self.ranks.len();
        let positives = counted.len();
        self.ranks.extend(counted.filter(|&rank| rank > 0));
        self.ranks[start..].sort_unstable();
        let left_out = positives - (self.ranks.len() - start);
        if let Some(depth) = depth {
            self.cut_query(start, depth);
        }
        self.push_query(query, listed - left_out as u32);
    }

    /// The same ranks of the queries that `keep` accepts.
    pub(super) fn of_queries(&self, keep: impl Fn(usize) -> bool) -> Ranks {
        let mut kept = Ranks::with_capacity(0);
        for (place, &query) in self.queries.iter().enumerate() {
            if keep(query as usize) {
                let one = self.query(place);
                kept.ranks.extend_from_slice(one.ranks);
                kept.cut.extend(self.cut.get(place));
                kept.push_query(query, one.listed);
            }
        }
        kept
    }

    /// Notes how far the ranking of the query whose ranks begin at `start` goes, and drops what is
    /// no rank: the [`UNRANKED`] at the end.
    fn cut_query(&mut self, start: usize, depth: u32) {
        let known = start + self.ranks[start..].partition_point(|&rank| rank != UNRANKED);
        let unranked = (self.ranks.len() - known) as u32;
        self.ranks.truncate(known);
        self.cut.push(Cut { depth, unranked });
    }

    /// The ranks of a perfect model: every positive that competes before everything else. What a
    /// metric makes of it is the metric's ceiling.
    #[must_use]
    pub fn ideal(&self) -> Ranks {
        let mut ideal = Ranks::with_capacity(self.ranks.len());
        for (&query, ranks) in self.queries.iter().zip(self.iter()) {
            ideal
                .ranks
                .extend(1..=ranks.ranks.len() as u32 + ranks.unranked);
            ideal.push_query(query, ranks.listed);
        }
        ideal
    }

    /// Ends the list of `query` at the ranks appended so far.
    fn push_query(&mut self, query: u32, listed: u32) {
        self.queries.push(query);
        self.starts.push(self.ranks.len() as u32);
        self.listed.push(listed);
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
        let cut = self.cut.get(place);
        QueryRanks {
            ranks: &self.ranks[self.starts[place] as usize..self.starts[place + 1] as usize],
            listed: self.listed[place],
            depth: cut.map(|cut| cut.depth),
            unranked: cut.map_or(0, |cut| cut.unranked),
        }
    }

    /// Every covered query's ranks, in the truth's order.
    pub fn iter(&self) -> impl Iterator<Item = QueryRanks<'_>> {
        (0..self.len()).map(|place| self.query(place))
    }
}
