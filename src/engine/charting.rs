//! Charts of a study that take a pass over its scores.

use std::sync::Arc;

use super::job::{Job, Run};
use super::stamp::Stamp;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::error::Result;
use crate::figure::chart::Chart;
use crate::figure::charts::{Asked, CHARTS, Counts};
use crate::study::Study;

/// What a chart of a study depends on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChartKey {
    /// The state of the study.
    pub study: Stamp,
    /// The place of the chart among [`CHARTS`].
    pub at: usize,
    /// The truth, where the chart is of one.
    pub truth: Option<TruthIx>,
    /// The direction, where the chart is of one.
    pub direction: Option<Direction>,
}

/// The job that makes them.
#[derive(Debug, Default)]
pub struct Charting;

impl Job for Charting {
    const NAME: &'static str = "charts";
    type Key = ChartKey;
    type Part = ();
    type Input = Arc<Study>;
    /// The chart, or why there is none.
    type Output = Result<Arc<Chart>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let counts = Counts::new(run.input);
        let mut asked = Asked::all(&counts);
        asked.truths.extend(run.key.truth);
        if let Some(direction) = run.key.direction {
            asked.directions = vec![direction];
        }
        let made = (CHARTS[run.key.at].make)(&asked, run.token);
        if let Some(made) = made.transpose() {
            run.send(made.map(Arc::new));
        }
    }
}
