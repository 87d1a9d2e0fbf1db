//! Charts of a study: their content, which figures and the explorer draw. A chart is one file and one line in
//! [`CHARTS`].

pub mod bump;
pub mod models;
pub mod over_alpha;
pub mod ratings;
mod request;
pub mod semantic_recall;
pub mod slices;
pub mod steps;

pub use request::{ChartRequest, RankCache};

use super::chart::Chart;
use crate::error::Result;
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// A kind of chart, computed from a study.
#[derive(Debug)]
pub struct StudyChart {
    /// Its key on the command line and in file names.
    pub key: &'static str,
    /// Title in one line.
    pub title: &'static str,
    /// Options that it accepts.
    pub limits: Limits,
    /// Checks that a study has the inputs of the chart. The error names what is missing.
    pub check: fn(&Study) -> Result<()>,
    /// Computes the chart; `None` if cancelled.
    pub compute_chart: fn(&ChartRequest<'_>, &CancelToken) -> Result<Option<Chart>>,
}

/// Maximum number of values of each option of a chart; 0 if the chart lacks the option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Models; with 0, the chart shows all.
    pub models: usize,
    /// Ground truths.
    pub truths: usize,
    /// Metrics.
    pub metrics: usize,
    /// Directions; 1 if a chart shows one of them.
    pub directions: usize,
    /// Candidate pools.
    pub pools: usize,
    /// Depths.
    pub depths: usize,
    /// Scalings of the scores of two models.
    pub scalings: usize,
}

/// Limit of an option without a maximum.
const ANY: usize = usize::MAX;

impl Limits {
    /// No options.
    const NONE: Self =
        Self { models: 0, truths: 0, metrics: 0, directions: 0, pools: 0, depths: 0, scalings: 0 };
}

/// Every kind of chart, in the order in which the explorer cycles through them.
pub const CHARTS: &[StudyChart] = &[
    models::CHART,
    over_alpha::CHART,
    steps::CHART,
    semantic_recall::CHART,
    ratings::CHART,
    bump::CHART,
    slices::CHART,
];

/// Suffix that names the unit after a metric in the title of an axis.
fn axis_suffix(unit: Unit) -> &'static str {
    match unit {
        Unit::Share | Unit::Residual => " in percent",
        Unit::Sum | Unit::Rank => "",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::figure::Options;
    use crate::figure::chart::draw_chart;
    use crate::study::demo;

    #[test]
    fn every_chart_that_the_demo_can_have_is_made_and_drawn() {
        let study = demo::open().unwrap();
        let cache = RankCache::new(&study);
        let mut keys = BTreeSet::new();
        let mut drawn = Vec::new();
        for one in CHARTS {
            assert!(keys.insert(one.key), "{} stands twice", one.key);
            if (one.check)(&study).is_err() {
                continue;
            }
            let found = (one.compute_chart)(&ChartRequest::all(&cache), &CancelToken::default());
            let found = found.unwrap().unwrap();
            assert!(found.lines.iter().any(|line| !line.points.is_empty()), "{}", one.key);
            draw_chart(&found, &Options::default()).unwrap();
            drawn.push(one.key);
        }
        let lacking: Vec<_> = keys.into_iter().filter(|key| !drawn.contains(key)).collect();
        assert_eq!(lacking, ["over-steps", "ratings", "semantic-recall"]);
    }

    #[test]
    fn a_chart_that_is_cancelled_is_none() {
        let study = demo::open().unwrap();
        let cache = RankCache::new(&study);
        let token = CancelToken::default();
        token.cancel();
        let possible = CHARTS.iter().filter(|one| (one.check)(&study).is_ok());
        for one in possible {
            let found = (one.compute_chart)(&ChartRequest::all(&cache), &token);
            assert_eq!(found.unwrap(), None, "{}", one.key);
        }
    }
}
