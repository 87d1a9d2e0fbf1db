//! Charts of a study.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::scores::Scaling;
use crate::error::Result;
use crate::figure::chart::Chart;
use crate::figure::charts::{CHARTS, ChartRequest, Counts};
use crate::study::{Dials, Study};
use crate::tui::app::App;

/// What a chart of a study depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartKey {
    /// The opening of the study.
    pub opening: Stamp,
    /// How its dials stand; without a mixture where the chart is of mixtures.
    pub dials: Dials,
    /// The place of the chart among [`CHARTS`].
    pub at: usize,
    /// The models.
    pub models: Vec<ModelIx>,
    /// The truth, where the chart is of one.
    pub truth: Option<TruthIx>,
    /// The direction, where the chart is of one.
    pub direction: Option<Direction>,
    /// The scaling, where the chart is of mixtures.
    pub scaling: Option<Scaling>,
}

/// Computes the chart that is shown.
pub struct ComputeChart;

impl Job for ComputeChart {
    const IS_LONG: bool = true;
    type Key = ChartKey;
    type Part = ();
    type Input = Arc<Study>;
    /// The chart, or why there is none.
    type Output = Result<Chart>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let counts = Counts::new(run.input);
        let models = run.key.models.clone();
        let mut request = ChartRequest { models, ..ChartRequest::all(&counts) };
        request.truths.extend(run.key.truth);
        if let Some(direction) = run.key.direction {
            request.directions = vec![direction];
        }
        request.scaling = run.key.scaling.unwrap_or_default();
        let made = (CHARTS[run.key.at].make)(&request, run.token);
        if let Some(made) = made.transpose() {
            run.send(made);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let at = model.wanted_chart()?;
        // Similarities are charted once they have made their truths, or cannot.
        let is_ready = model.study.has_phi_truths() || model.known.phi_failure.is_some();
        is_ready.then(|| Wanted::one(model.chart_key(at), || model.study.clone()))
    }

    fn take(app: &mut App, key: ChartKey, found: Self::Output) {
        app.model.known.charts.push((key, found));
    }
}
