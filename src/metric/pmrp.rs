//! R-Precision on Plausible Match.

use super::rprecision::precision_at;
use super::{Depth, Label, Metric, Reads};
use crate::rank::QueryRanks;
use crate::truth::pm;

/// R-Precision over Plausible Match, with R capped at `k`.
pub struct Pmrp;

impl Metric for Pmrp {
    fn label(&self) -> Label {
        Label {
            key: "pmrp",
            title: "PMRP",
            doc: "R-Precision under Plausible Match: an item is a positive if its object categories are those of \
         the query (up to zeta differences). --pmrp-cap N uses min(R, N). Source: Chun et al. 2021 \
         (PCME), arXiv:2101.05068.",
        }
    }

    fn depth(&self) -> Depth {
        Depth::Cap
    }

    fn only_under(&self) -> Option<&'static str> {
        Some(pm::NAME)
    }

    fn is_default(&self) -> bool {
        true
    }

    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64> {
        precision_at(query, query.listed.min(k))
    }

    fn reads(&self, query: QueryRanks<'_>, k: u32) -> Reads {
        Reads::Top(query.listed.min(k))
    }
}

#[cfg(test)]
mod tests {
    use super::super::NO_DEPTH;
    use super::*;

    #[test]
    fn the_cap_bounds_r() {
        let of = |cap| Pmrp.per_query(QueryRanks::complete(&[1, 2, 7], 8), cap);
        assert_eq!(of(4), Some(2.0 / 4.0));
        assert_eq!(of(NO_DEPTH), Some(1.0 - 5.0 / 8.0));
    }
}
