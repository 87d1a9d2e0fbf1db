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
        let mut ranks = Ranks {
            starts: vec![0],
            ..Ranks::default()
        };
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
            let positives = relevance.positives(place);
            let start = ranks.ranks.len();
            let of_items = targets.find_all(query as usize, positives);
            ranks
                .ranks
                .extend(of_items.map(|at| of_pair[at]).filter(|&rank| rank > 0));
            ranks.ranks[start..].sort_unstable();
            let competing = ranks.ranks.len() - start;
            let left_out = positives.len() - competing;
            if let Some(depths) = depths {
                ranks.cut_query(start, depths[query as usize]);
            }
            ranks.push_query(query, relevance.listed(place) - left_out as u32);
        }
        ranks
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
        let mut ideal = Ranks {
            starts: vec![0],
            ..Ranks::default()
        };
        for (&query, ranks) in self.queries.iter().zip(self.iter()) {
            ideal
                .ranks
                .extend(1..=ranks.ranks.len() as u32 + ranks.unranked);
            ideal.push_query(query, ranks.listed);
        }
        ideal
    }

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
