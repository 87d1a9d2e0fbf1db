//! Depth of a ranking that a value needs, and the message if it is too short.
//!
//! Ranked lists and re-ranked matrices rank only the first items of each query. A value is defined if it is the same
//! for all possible unknown ranks. If one covered query's value is unknown, so is the mean over queries: excluding that
//! query would favour the queries that went well. If a list is declared complete for its source, its missing items are
//! missed ([`ShortLists::Miss`](crate::truth::conventions::ShortLists)), and all values are defined.

use std::fmt;

use crate::data::text::grouped;
use crate::rank::QueryRanks;
use crate::rank::gains::Gains;

/// The part of a query's ranking that a value depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reads {
    /// Positives at the ranks up to this one.
    Top(u32),
    /// Items with a gain at the ranks up to this one.
    Gains(u32),
    /// Items at the ranks up to this one.
    Items(u32),
    /// The rank of the first positive.
    First,
    /// The ranks of all positives.
    All,
}

impl Reads {
    /// Whether the query's ranking is long enough to have this part.
    #[inline]
    pub fn is_known_in(self, query: QueryRanks<'_>) -> bool {
        match self {
            Reads::Top(k) => query.is_known_up_to(k),
            Reads::Gains(k) => {
                let is_known = |gains: &Gains| gains.is_known_up_to(k, query.depth);
                query.is_known_up_to(k) && query.gains.is_none_or(is_known)
            }
            Reads::Items(k) => query.similarity.is_none_or(|phis| phis.is_known_up_to(k)),
            Reads::First => query.unranked == 0 || query.first().is_some(),
            Reads::All => query.unranked == 0,
        }
    }
}

impl fmt::Display for Reads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reads::Top(k) | Reads::Gains(k) | Reads::Items(k) => write!(f, "depth {k}"),
            Reads::First => f.write_str("a ranked positive in every query"),
            Reads::All => f.write_str("all positives ranked"),
        }
    }
}

/// Queries whose rankings are too short, which makes a value over all queries unknown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shortage {
    /// Number of queries with a short ranking.
    pub queries: usize,
    /// The greatest need among these queries.
    pub needs: Reads,
    /// Number of items in the shortest of their rankings.
    pub min_depth: u32,
}

impl Shortage {
    /// The shortage of one query's ranking for `needs`; `None` if it is long enough.
    #[inline]
    pub fn for_query(query: QueryRanks<'_>, needs: Reads) -> Option<Self> {
        (!needs.is_known_in(query)).then(|| Shortage {
            queries: 1,
            needs,
            min_depth: query.depth.unwrap_or(0),
        })
    }

    /// How many rankings are too short, and the length of the shortest, as text.
    fn describe_queries(&self) -> String {
        let (queries, ranked) = (grouped(self.queries), grouped(self.min_depth as usize));
        match self.queries {
            1 => format!("too short in 1 query, which has {ranked} ranked"),
            _ => format!("too short in {queries} queries, the shortest has {ranked} ranked"),
        }
    }

    /// The shortage over the queries of both arguments; `None` if neither has any.
    pub fn join(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (Some(one), Some(other)) = (one, other) else { return one.or(other) };
        Some(Shortage {
            queries: one.queries + other.queries,
            needs: one.needs.max(other.needs),
            min_depth: one.min_depth.min(other.min_depth),
        })
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "needs {}: {}", self.needs, self.describe_queries())
    }
}

/// Keys of the metrics that short rankings of a model make undefined in one direction, by shortage.
#[derive(Debug, Default)]
pub struct Undefined(Vec<(Shortage, Vec<String>)>);

impl Undefined {
    /// Adds the key of a metric that this shortage makes undefined.
    pub fn add_key(&mut self, key: &str, shortage: Shortage) {
        match self.0.iter_mut().find(|(other, _)| *other == shortage) {
            Some((_, keys)) => keys.push(key.to_owned()),
            None => self.0.push((shortage, vec![key.to_owned()])),
        }
    }

    /// Whether no metric is undefined.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Undefined {
    /// Prints each shortage once, with the keys of the metrics that it makes undefined.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (shortage, keys)) in self.0.iter().enumerate() {
            let (join, verb) = match (at, keys.len()) {
                (0, 1) => ("", "needs"),
                (0, _) => ("", "need"),
                (_, 1) => ("; ", "needs"),
                _ => ("; ", "need"),
            };
            let keys = keys.join(", ");
            let (needs, queries) = (shortage.needs, shortage.describe_queries());
            write!(f, "{join}{keys} {verb} {needs}: {queries}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::{METRICS, NO_DEPTH, Spec};
    use crate::truth::conventions::Conventions;

    /// A query whose ranking ends at `depth`, above `unranked` positives.
    fn cut(ranks: &[u32], listed: u32, depth: u32, unranked: u32) -> QueryRanks<'_> {
        QueryRanks {
            ranks: ranks.into(),
            listed,
            depth: Some(depth),
            unranked,
            gains: None,
            judged: None,
            similarity: None,
            conventions: Conventions::default(),
        }
    }

    /// Ten items ranked of twelve: for any ranks below ten of the lost positives, a defined value is the value of the
    /// whole ranking.
    #[test]
    fn a_value_is_defined_if_unknown_ranks_cannot_change_it() {
        for known in [&[][..], &[1], &[3, 10], &[1, 2, 9]] {
            for lost in [&[][..], &[11], &[12], &[11, 12]] {
                let whole: Vec<u32> = known.iter().chain(lost).copied().collect();
                let listed = whole.len() as u32 + 1;
                let query = cut(known, listed, 10, lost.len() as u32);
                for k in [1, 3, 10, 11, 12] {
                    for spec in METRICS.iter().map(|&metric| Spec { metric, k }) {
                        let full = spec.per_query(QueryRanks::complete(&whole, listed));
                        let given = spec.per_query(query);
                        assert!(given.is_none() || given == full, "{spec}: {query:?}");
                        let reads = spec.metric.reads(query, k);
                        assert_eq!(given.is_none() && full.is_some(), !reads.is_known_in(query));
                    }
                }
            }
        }
    }

    #[test]
    fn values_that_a_list_of_ten_defines() {
        let spec = |key: &str| key.parse::<Spec>().unwrap();
        let missed = cut(&[], 5, 10, 5);
        assert_eq!(spec("r10").per_query(missed), Some(0.0));
        assert_eq!(spec("map_at_r").per_query(missed), Some(0.0));
        assert_eq!(spec("ir_recall_at_20").per_query(missed), None);
        assert_eq!(spec("mean_rank").per_query(missed), None);
        assert_eq!(spec("mrr").per_query(cut(&[4], 2, 10, 1)), Some(0.25));
        assert_eq!(spec("map").per_query(cut(&[4], 2, 10, 1)), None);
        assert_eq!(spec("map_at_r").per_query(cut(&[4], 11, 10, 1)), None);
        assert_eq!(spec("pmrp").k, NO_DEPTH);
    }

    #[test]
    fn the_reason_names_the_deepest_need_and_the_shortest_list() {
        let short = |depth, k| Shortage::for_query(cut(&[], 1, depth, 1), Reads::Top(k)).unwrap();
        let both = Shortage::join(Some(short(10, 20)), Some(short(7, 12))).unwrap();
        assert_eq!(both.queries, 2);
        let mut undefined = Undefined::default();
        undefined.add_key("ir_recall_at_20", both);
        undefined.add_key("map", Shortage { needs: Reads::All, ..both });
        undefined.add_key("ndcg_at_20", short(3, 20));
        assert_eq!(
            undefined.to_string(),
            "ir_recall_at_20 needs depth 20: too short in 2 queries, the shortest has 7 ranked; \
             map needs all positives ranked: too short in 2 queries, the shortest has 7 ranked; \
             ndcg_at_20 needs depth 20: too short in 1 query, which has 3 ranked"
        );
        assert_eq!(Shortage::for_query(cut(&[], 1, 20, 1), Reads::Top(20)), None);
    }
}
