//! Metrics: pure functions of [`Ranks`](crate::rank::Ranks), each in a file of its own, all in [`METRICS`].
//!
//! A metric sees one query's ranks and R. If undefined it is `None`: that query is excluded from the mean, and the
//! number of included queries is shown beside it. A covered query without a positive (R = 0) has no value under any
//! metric, or 0 under all that are shares, as given by [`Conventions`](crate::truth::conventions::Conventions): one
//! rule, applied in [`Spec::value`]. The reference is the public Python package `eccv_caption`, to the last digit:
//! means are summed pairwise as by `NumPy` ([`mean::pairwise`]), in the order of the truth's file.
//!
//! An item with any grade, or judged `partial`, is a full positive; only the graded metric ([`ndcg`]) distinguishes
//! grades: there they are gains.

pub mod average_precision;
pub mod best;
pub mod bpref;
pub mod condensed_lists;
pub mod depth;
pub mod hit;
pub mod infap;
pub mod judged_at_k;
pub mod map_at_r;
pub mod mean;
pub mod mean_rank;
pub mod median_rank;
pub mod mrr;
pub mod ncs;
pub mod ndcg;
pub mod pmrp;
pub mod rbp;
pub mod recall;
pub mod rprecision;
pub mod rsum;
mod spec;
pub mod spelling;
pub mod sr;

use crate::data::text::UNDEFINED;
use crate::rank::QueryRanks;
use crate::truth::Truth;
pub use depth::{Reads, Shortage};
pub use spec::{NO_DEPTH, Spec, Summary};

/// Two values that differ by less count as equal: the difference is rounding. AP@R of the same hits at R = 12 differs
/// in the last bit if it is summed in another order.
pub const CLOSE: f64 = 1e-9;

/// Unit of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// 0 to 1, higher is better; shown in percent.
    Share,
    /// Sum of six shares in percent, 0 to 600; higher is better.
    Sum,
    /// A rank from 1 on, lower is better.
    Rank,
    /// 0 to 1, unknown part of a share: lower is better; shown in percent.
    Residual,
}

impl Unit {
    /// Whether the lower of two values is the better one.
    pub fn is_lower_better(self) -> bool {
        matches!(self, Unit::Rank | Unit::Residual)
    }

    /// Returns a value or difference, negated if lower is better: the greater result is always the better one.
    pub fn orient(self, value: f64) -> f64 {
        match self {
            Unit::Share | Unit::Sum => value,
            Unit::Rank | Unit::Residual => -value,
        }
    }

    /// The lowest and the highest possible value.
    pub fn range(self) -> [f64; 2] {
        match self {
            Unit::Share | Unit::Residual => [0.0, 1.0],
            Unit::Sum => [0.0, 600.0],
            Unit::Rank => [1.0, f64::INFINITY],
        }
    }

    /// The lowest and the highest difference of two values.
    pub fn range_of_differences(self) -> [f64; 2] {
        let [lowest, highest] = self.range();
        [lowest - highest, highest - lowest]
    }

    /// A value or difference as displayed: shares in percent or points.
    pub fn to_display(self, number: f64) -> f64 {
        match self {
            Unit::Share | Unit::Residual => number * 100.0,
            Unit::Sum | Unit::Rank => number,
        }
    }

    /// Formats a value: a share in percent with two decimals, a rank with one if it is fractional; [`UNDEFINED`] if
    /// `None`.
    pub fn format(self, value: Option<f64>) -> String {
        match (self, value) {
            (_, None) => UNDEFINED.into(),
            (Unit::Share | Unit::Residual, Some(share)) => format!("{:.2}", share * 100.0),
            (Unit::Sum, Some(sum)) => format!("{sum:.2}"),
            (Unit::Rank, Some(rank)) if rank.fract() == 0.0 => format!("{rank:.0}"),
            (Unit::Rank, Some(rank)) => format!("{rank:.1}"),
        }
    }
}

/// The note on units below a table: ranks if all `units` are ranks, else shares in percent.
pub fn describe_units(units: impl IntoIterator<Item = Unit>) -> &'static str {
    let are_ranks = units.into_iter().all(|unit| unit == Unit::Rank);
    if are_ranks { "ranks, from 1 on" } else { "shares in percent" }
}

/// Kind of depth that a metric has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// No depth: [`NO_DEPTH`] in its place.
    None,
    /// Any depth from 1 on; replaces `k` in the key.
    AtK,
    /// An upper bound of R, not part of the key; [`NO_DEPTH`] for no bound.
    Cap,
}

/// The texts of a metric.
#[derive(Debug, Clone, Copy)]
pub struct Label {
    /// Name in keys and on the command line; ends in `_at_k` if it has a depth.
    pub key: &'static str,
    /// Name in headings, such as `R@1`.
    pub title: &'static str,
    /// Definition with formula and source.
    pub doc: &'static str,
}

/// A metric: a pure function of the ranks of one query's positives, with a summary of values.
pub trait Metric: Sync {
    /// Its names and definition.
    fn label(&self) -> Label;
    /// [`Label::key`]
    fn key(&self) -> &'static str {
        self.label().key
    }
    /// [`Label::title`]
    fn title(&self) -> &'static str {
        self.label().title
    }
    /// [`Label::doc`]
    fn doc(&self) -> &'static str {
        self.label().doc
    }
    /// Unit of its values.
    fn unit(&self) -> Unit {
        Unit::Share
    }
    /// Whether it has a depth, and of what kind.
    fn depth(&self) -> Depth {
        Depth::None
    }
    /// The highest depth at which it is defined; `u32::MAX` if there is no limit.
    fn deepest(&self) -> u32 {
        u32::MAX
    }
    /// Name of the only truth under which it is defined; `None` if it may be defined under any.
    fn only_under(&self) -> Option<&'static str> {
        None
    }
    /// Whether it is defined only under a truth by similarity.
    fn needs_phi(&self) -> bool {
        false
    }

    /// Whether it is defined only in the whole gallery, not in candidate pools.
    fn is_of_whole_gallery(&self) -> bool {
        false
    }
    /// Whether it is defined only under a truth with pairs judged not relevant.
    fn needs_judgments(&self) -> bool {
        false
    }
    /// Whether better values mean a better model; false for metrics of how much was judged.
    fn is_merit(&self) -> bool {
        true
    }
    /// Note printed below its numbers, on what they mean; `None` if the name is clear.
    fn remark(&self) -> Option<&'static str> {
        None
    }
    /// Whether it is reported if no metrics are requested.
    fn is_default(&self) -> bool {
        false
    }
    /// Whether a query's value is always 0 or 1, so that it can be a condition of a filter.
    fn is_flag(&self) -> bool {
        false
    }
    /// The value of one query with R > 0, `None` if undefined; `k` is the depth, if the metric has one. Called only if
    /// the query's ranking goes as far as [`Metric::reads`] needs, or if unranked items count as missed:
    /// [`Spec::value`] ensures that.
    fn per_query(&self, query: QueryRanks<'_>, k: u32) -> Option<f64>;
    /// Whether the query has a relevant item: a positive, or for graded metrics an item with a gain.
    fn has_relevant(&self, query: QueryRanks<'_>) -> bool {
        query.listed > 0
    }
    /// The part of the query's ranking that determines its value at depth `k`.
    fn reads(&self, query: QueryRanks<'_>, k: u32) -> Reads;
    /// Whether the value over all queries is the mean of the per-query values.
    fn is_mean(&self) -> bool {
        true
    }
    /// One value from the defined values of all queries (never empty), in the truth's order.
    fn summarise(&self, values: &mut [f64]) -> f64 {
        mean::pairwise(values)
    }
    /// The value over all queries; `None` if it depends on the `_unknown` queries, which have no value because their
    /// rankings are too short. The shortest of these ranks `_depth` items. `_known` has the values of all other
    /// queries, and may be changed.
    fn summarise_known(&self, _known: &mut Vec<f64>, _unknown: usize, _depth: u32) -> Option<f64> {
        None
    }
}

/// Every metric, in the order of every table.
pub const METRICS: &[&dyn Metric] = &[
    &hit::R1,
    &hit::R5,
    &hit::R10,
    &map_at_r::MapAtR,
    &rprecision::RPrecision,
    &pmrp::Pmrp,
    &recall::RecallAtK,
    &mrr::Mrr,
    &average_precision::Map,
    &ndcg::NdcgAtK,
    &median_rank::MedianRank,
    &mean_rank::MeanRank,
    &sr::SrAtK,
    &ncs::NCS_AT_K,
    &ncs::NCS_OTHERS_AT_K,
    &bpref::Bpref,
    &infap::InfAp,
    &condensed_lists::R1,
    &condensed_lists::MAP_AT_R,
    &condensed_lists::R_PRECISION,
    &condensed_lists::MAP,
    &rbp::RbpAtK,
    &rbp::RbpResidualAtK,
    &judged_at_k::JudgedAtK,
];

/// Whether a metric has values under a truth: it may need a similarity, or items judged not relevant.
pub fn is_defined_under(metric: &dyn Metric, truth: &Truth) -> bool {
    let has_phi = !metric.needs_phi() || truth.is_by_similarity();
    has_phi && (!metric.needs_judgments() || truth.has_nonrelevant())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::conventions::{Conventions, NoPositives, ShortLists};

    fn under(ranks: &[u32], listed: u32, conventions: Conventions) -> QueryRanks<'_> {
        QueryRanks { conventions, ..QueryRanks::complete(ranks, listed) }
    }

    /// Metrics defined under any truth, at 5.
    fn without_phi() -> impl Iterator<Item = Spec> {
        let is_plain = |metric: &&&dyn Metric| !metric.needs_phi() && !metric.needs_judgments();
        let metrics = METRICS.iter().filter(is_plain);
        metrics.map(|&metric| Spec { metric, k: 5 })
    }

    /// Judged, R = 0: one rule for all metrics.
    #[test]
    fn a_query_without_positives_is_excluded_or_scores_zero_in_every_share() {
        let zero = Conventions { no_positives: NoPositives::Zero, ..Conventions::default() };
        for spec in without_phi() {
            assert_eq!(spec.value(QueryRanks::complete(&[], 0)), Ok(None), "{spec}");
            let expected = (spec.metric.unit() == Unit::Share).then_some(0.0);
            assert_eq!(spec.value(under(&[], 0, zero)), Ok(expected), "{spec}");
            let both = [under(&[1], 1, zero), under(&[], 0, zero)];
            let entered = spec.summary_over(both.into_iter());
            assert_eq!(entered.judged, if expected.is_some() { 2 } else { 1 }, "{spec}");
        }
    }

    /// A list of three without one of two positives, but complete for its source.
    #[test]
    fn missing_items_of_a_short_list_can_count_as_missed() {
        let listed = |short_lists| QueryRanks {
            depth: Some(3),
            unranked: 1,
            ..under(&[2], 2, Conventions { short_lists, ..Conventions::default() })
        };
        for spec in without_phi() {
            let miss = spec.value(listed(ShortLists::Miss));
            // The rank of the first positive is known; the other one gets no rank.
            let lost = QueryRanks::complete(&[2], 2);
            assert_eq!(miss, Ok(spec.per_query(lost)), "{spec}");
            let nowhere =
                QueryRanks { ranks: [].as_slice().into(), unranked: 2, ..listed(ShortLists::Miss) };
            match spec.metric.unit() {
                Unit::Rank => assert!(spec.value(nowhere).is_err(), "{spec}"),
                _ => assert_eq!(spec.value(nowhere), Ok(Some(0.0)), "{spec}"),
            }
        }
        let recall: Spec = "ir_recall_at_5".parse().unwrap();
        assert!(recall.value(listed(ShortLists::Unknown)).is_err());
    }

    #[test]
    fn keys_are_unique_documented_and_read_back() {
        let mut keys = std::collections::BTreeSet::new();
        for &metric in METRICS {
            assert!(keys.insert(metric.key()), "{} stands twice", metric.key());
            assert!(metric.doc().len() > 40, "{} needs a definition", metric.key());
            let at_k = metric.depth() == Depth::AtK;
            assert_eq!(metric.key().ends_with("_at_k"), at_k, "{}", metric.key());
            let k = if at_k { 7 } else { NO_DEPTH };
            let spec = Spec { metric, k };
            assert_eq!(spec.to_string().parse(), Ok(spec));
        }
        assert!("ir_recall_at_0".parse::<Spec>().is_err());
        assert!("ir_recall_at_k".parse::<Spec>().is_err());
    }

    /// Shares stay in 0..=1, ranks are at least 1, and the ideal ranks are never worse.
    #[test]
    fn every_metric_is_in_its_range_and_below_its_ceiling() {
        for ranks in [&[1, 2, 7][..], &[30], &[5, 6], &[]] {
            for listed in [3, 4, 9] {
                let ideal: Vec<u32> = (1..=ranks.len() as u32).collect();
                for spec in METRICS.iter().map(|&metric| Spec { metric, k: 5 }) {
                    let of =
                        |ranks| spec.metric.per_query(QueryRanks::complete(ranks, listed), spec.k);
                    let (Some(value), Some(ceiling)) = (of(ranks), of(&ideal)) else {
                        continue;
                    };
                    match spec.metric.unit() {
                        Unit::Share | Unit::Sum => {
                            assert!((0.0..=ceiling).contains(&value), "{spec}");
                        }
                        Unit::Rank => assert!(value >= ceiling && ceiling >= 1.0, "{spec}"),
                        Unit::Residual => assert!(value >= ceiling, "{spec}"),
                    }
                }
            }
        }
    }
}
