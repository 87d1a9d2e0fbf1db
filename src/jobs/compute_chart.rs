//! Charts of a study that take a pass over its scores.

use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};

use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::error::Result;
use crate::figure::chart::Chart;
use crate::figure::charts::{Asked, CHARTS, Counts};
use crate::study::Study;
use crate::tui::app::App;

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

/// Computes the charts that need a pass over the scores.
#[derive(Debug, Default)]
pub struct ComputeChart;

impl Job for ComputeChart {
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

impl Asks for ComputeChart {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let at = model.demand.chart?;
        // Similarities are charted once they have made their truths, or cannot.
        let is_ready = model.study.has_phi_truths() || model.known.similarities.failure.is_some();
        let is_wanted = is_ready && model.chart(at).is_none();
        is_wanted.then(|| Wanted::one(model.chart_key(at), || model.study.clone()))
    }

    fn take(app: &mut App, key: ChartKey, found: Self::Output) {
        let known = &mut app.model.known;
        known.charts.retain(|(key, _)| key.study == known.study_stamp);
        known.charts.push((key, found));
    }
}
