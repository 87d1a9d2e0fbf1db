//! Charts of a study: what each is made of, drawn alike on paper and in a terminal. A chart is one file and one
//! line in [`CHARTS`].

pub mod ap_models;
pub mod ap_truths;
mod asked;
pub mod first_ranks;
pub mod hubness;
pub mod models;
pub mod over_alpha;
pub mod over_k;
pub mod ratings;
pub mod scatter;
pub mod semantic_recall;
pub mod steps;

pub use asked::{Asked, Counts};

use super::chart::Chart;
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// A chart that a study may have.
#[derive(Debug)]
pub struct StudyChart {
    /// Its word on the command line and in names of files.
    pub key: &'static str,
    /// What it is of, in a line.
    pub title: &'static str,
    /// What it heeds of what may be asked.
    pub takes: &'static [Takes],
    /// Whether the explorer draws it from numbers that it holds, so that it does not have it made.
    pub is_held: bool,
    /// Whether a study has what it is made of; what is missing, otherwise.
    pub check: fn(&Study) -> Result<()>,
    /// Makes it; `None` when it was cancelled.
    pub make: fn(&Asked<'_>, &CancelToken) -> Result<Option<Chart>>,
}

/// What may be asked of a chart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Which models.
    Models,
    /// Which model.
    OneModel,
    /// Which two models.
    TwoModels,
    /// Under which ground truth.
    Truth,
    /// Under which ground truths, one or more.
    Truths,
    /// Of which metrics.
    Metrics,
    /// At which depth.
    Depth,
    /// In which direction; both have a chart each.
    OneDirection,
    /// In which direction, or both in one chart.
    Directions,
    /// Models that are the steps of one training.
    Steps,
    /// In which candidate pool.
    Pool,
    /// How the scores of two models are made comparable.
    Scaling,
    /// Ratings, also where lists of the same ground truth stand beside them.
    Ratings,
}

/// Every chart of a study, in the order of the explorer's key and of a report.
pub const CHARTS: &[StudyChart] = &[
    models::CHART,
    ap_models::CHART,
    ap_truths::CHART,
    first_ranks::CHART,
    over_k::CHART,
    over_alpha::CHART,
    steps::CHART,
    hubness::CHART,
    semantic_recall::CHART,
    ratings::CHART,
];

impl StudyChart {
    /// The chart of this word.
    pub fn named(key: &str) -> Option<&'static StudyChart> {
        CHARTS.iter().find(|chart| chart.key == key)
    }

    /// Whether it heeds this.
    pub fn takes(&self, what: Takes) -> bool {
        self.takes.contains(&what)
    }

    /// How many models it may be told to be of; 0 where it is of all.
    pub fn most_models(&self) -> usize {
        let of = |(what, most)| self.takes(what).then_some(most);
        let counts = [(Takes::OneModel, 1), (Takes::TwoModels, 2), (Takes::Models, usize::MAX)];
        counts.into_iter().find_map(of).unwrap_or(0)
    }

    /// Whether it is of one direction or another.
    pub fn has_directions(&self) -> bool {
        self.takes(Takes::OneDirection) || self.takes(Takes::Directions)
    }

    /// Whether it is of a ground truth that may be chosen.
    pub fn has_truth(&self) -> bool {
        self.takes(Takes::Truth) || self.takes(Takes::Truths)
    }
}

/// Whether a study has models and truths.
fn has_models(study: &Study) -> Result<()> {
    study.require_models_and_truths()
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
            let found = (one.make)(&Asked::all(&counts), &CancelToken::default());
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
            let found = (one.make)(&Asked::all(&counts), &token);
            assert_eq!(found.unwrap(), None, "{}", one.key);
        }
    }
}
