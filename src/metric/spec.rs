//! A metric at a depth, and its value over queries.

use std::fmt;
use std::str::FromStr;

use super::{Depth, METRICS, Metric, Shortage, Unit};
use crate::rank::{QueryRanks, Ranks};
use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

/// A metric at a depth, such as `ndcg_at_10`.
#[derive(Clone, Copy)]
pub struct Spec {
    /// The metric.
    pub metric: &'static dyn Metric,
    /// Its depth, or [`NO_DEPTH`].
    pub k: u32,
}

/// [`Spec::k`] of metrics without a depth, and of `pmrp` without a cap of R.
pub const NO_DEPTH: u32 = u32::MAX;

impl Spec {
    /// The metric without a depth, or without a cap of R.
    pub fn new(metric: &'static dyn Metric) -> Self {
        Spec { metric, k: NO_DEPTH }
    }

    /// Its name in headings, such as `R@1` and `nDCG@10`.
    pub fn title(&self) -> String {
        let title = self.metric.title();
        match self.metric.depth() {
            Depth::AtK => title.replace("@K", &format!("@{}", self.k)),
            Depth::None | Depth::Cap => title.to_owned(),
        }
    }

    /// The value of one query; `None` if undefined.
    ///
    /// # Errors
    /// A [`Shortage`] if the query's ranking is too short for the metric.
    #[inline]
    pub fn value(&self, query: QueryRanks<'_>) -> Result<Option<f64>, Shortage> {
        let is_share = self.metric.unit() == Unit::Share;
        let Conventions { no_positives, short_lists } = query.conventions;
        if !self.metric.has_relevant(query) {
            return Ok((is_share && no_positives == NoPositives::Zero).then_some(0.0));
        }
        let needs = self.metric.reads(query, self.k);
        match Shortage::for_query(query, needs) {
            Some(shortage) if !is_share || short_lists == ShortLists::Unknown => Err(shortage),
            _ => Ok(self.metric.per_query(query, self.k)),
        }
    }

    /// The value of one query; `None` if undefined, or if the ranking is too short.
    pub fn per_query(&self, query: QueryRanks<'_>) -> Option<f64> {
        self.value(query).ok().flatten()
    }

    /// The value over all queries of `ranks`.
    pub fn summary(&self, ranks: &Ranks) -> Summary {
        self.summary_over(ranks.iter())
    }

    /// The value over these queries; values are summed in their order, which decides the last digit.
    pub fn summary_over<'a>(&self, queries: impl Iterator<Item = QueryRanks<'a>>) -> Summary {
        let mut defined = Vec::with_capacity(queries.size_hint().0);
        let mut shortage: Option<Shortage> = None;
        for query in queries {
            match self.value(query) {
                Ok(value) => defined.extend(value),
                Err(other) => shortage = Shortage::join(shortage, Some(other)),
            }
        }
        match shortage {
            None => self.summary_of_values(defined),
            Some(Shortage { queries, min_depth, .. }) => {
                let known = defined.len();
                let value = self.metric.summarise_known(&mut defined, queries, min_depth);
                Summary {
                    value,
                    judged: known + value.map_or(0, |_| queries),
                    shortage: shortage.filter(|_| value.is_none()),
                }
            }
        }
    }

    /// The value over queries, from the defined value of each.
    fn summary_of_values(&self, mut values: Vec<f64>) -> Summary {
        let judged = values.len();
        Summary {
            value: (judged > 0).then(|| self.metric.summarise(&mut values)),
            judged,
            shortage: None,
        }
    }
}

/// The value of a metric over a set of queries.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Summary {
    /// The value; `None` if it is undefined for every query, or unknown because of a short ranking.
    pub value: Option<f64>,
    /// Number of queries that `value` is computed from. Queries with unknown values are included if `value` is known.
    pub judged: usize,
    /// The short rankings, if they make the value unknown.
    pub shortage: Option<Shortage>,
}

impl fmt::Display for Spec {
    /// The key, with the depth in place of `k`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.metric.key().strip_suffix("_at_k") {
            Some(stem) => write!(f, "{stem}_at_{}", self.k),
            None => f.write_str(self.metric.key()),
        }
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Spec({self})")
    }
}

impl PartialEq for Spec {
    fn eq(&self, other: &Self) -> bool {
        (self.metric.key(), self.k) == (other.metric.key(), other.k)
    }
}

impl FromStr for Spec {
    type Err = ();

    /// Parses the output of [`Display`](fmt::Display), such as `r1` and `ndcg_at_5`.
    fn from_str(text: &str) -> Result<Self, ()> {
        for &metric in METRICS {
            match metric.key().strip_suffix("_at_k") {
                None if metric.key() == text => return Ok(Spec::new(metric)),
                Some(stem) => {
                    let depth = text.strip_prefix(stem).and_then(|rest| rest.strip_prefix("_at_"));
                    if let Some(k) = depth.and_then(|k| k.parse().ok()).filter(|&k| k > 0) {
                        return Ok(Spec { metric, k });
                    }
                }
                None => {}
            }
        }
        Err(())
    }
}
