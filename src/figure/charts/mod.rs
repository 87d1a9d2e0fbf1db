//! Charts of a study: their content, drawn alike on paper and in a terminal. A chart is one file and one line in
//! [`CHARTS`].

pub mod bump;
pub mod models;
pub mod over_alpha;
pub mod ratings;
mod request;
pub mod semantic_recall;
pub mod slices;
pub mod steps;

pub use request::{ChartRequest, Counts};

use super::chart::Chart;
use crate::error::Result;
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// A chart that a study may have.
#[derive(Debug)]
pub struct StudyChart {
    /// Its key on the command line and in file names.
    pub key: &'static str,
    /// Title in one line.
    pub title: &'static str,
    /// Its options.
    pub takes: Takes,
    /// Checks that a study has its inputs; else names what is missing.
    pub check: fn(&Study) -> Result<()>,
    /// Computes it; `None` if cancelled.
    pub make: fn(&ChartRequest<'_>, &CancelToken) -> Result<Option<Chart>>,
}

/// Options of a chart: maximum number of each, 0 if it has none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Takes {
    /// Models; with 0, the chart is of all.
    pub models: usize,
    /// Ground truths.
    pub truths: usize,
    /// Metrics.
    pub metrics: usize,
    /// Directions: 1 if both have a chart each.
    pub directions: usize,
    /// Candidate pools.
    pub pools: usize,
    /// Depths.
    pub depths: usize,
    /// Scalings of the scores of two models.
    pub scalings: usize,
}

/// Any number.
const ANY: usize = usize::MAX;

impl Takes {
    /// Nothing.
    const NONE: Takes =
        Takes { models: 0, truths: 0, metrics: 0, directions: 0, pools: 0, depths: 0, scalings: 0 };
}

/// Every chart of a study, in the order of the explorer's key.
pub const CHARTS: &[StudyChart] = &[
    models::CHART,
    over_alpha::CHART,
    steps::CHART,
    semantic_recall::CHART,
    ratings::CHART,
    bump::CHART,
    slices::CHART,
];

impl StudyChart {
    /// The chart of this key.
    pub fn named(key: &str) -> Option<&'static StudyChart> {
        CHARTS.iter().find(|chart| chart.key == key)
    }
}

/// Suffix of a metric's name at an axis.
fn percent(unit: Unit) -> &'static str {
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
    use crate::figure::chart::chart;
    use crate::study::demo;

    #[test]
    fn every_chart_that_the_demo_can_have_is_made_and_drawn() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let mut keys = BTreeSet::new();
        let mut drawn = Vec::new();
        for one in CHARTS {
            assert!(keys.insert(one.key), "{} stands twice", one.key);
            if (one.check)(&study).is_err() {
                continue;
            }
            let found = (one.make)(&ChartRequest::all(&counts), &CancelToken::default());
            let found = found.unwrap().unwrap();
            assert!(found.lines.iter().any(|line| !line.points.is_empty()), "{}", one.key);
            chart(&found, &Options::default()).unwrap();
            drawn.push(one.key);
        }
        let lacking: Vec<_> = keys.into_iter().filter(|key| !drawn.contains(key)).collect();
        assert_eq!(lacking, ["over-steps", "ratings", "semantic-recall"]);
    }

    #[test]
    fn a_chart_that_is_cancelled_is_none() {
        let study = demo::open().unwrap();
        let counts = Counts::new(&study);
        let token = CancelToken::default();
        token.cancel();
        let possible = CHARTS.iter().filter(|one| (one.check)(&study).is_ok());
        for one in possible {
            let found = (one.make)(&ChartRequest::all(&counts), &token);
            assert_eq!(found.unwrap(), None, "{}", one.key);
        }
    }
}
