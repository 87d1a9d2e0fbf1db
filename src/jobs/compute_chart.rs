//! Computes charts of a study.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::scores::Scaling;
use crate::error::Result;
use crate::figure::chart::Chart;
use crate::figure::charts::{CHARTS, ChartRequest, RankCache};
use crate::study::{Study, StudySettings};
use crate::tui::app::App;

/// Cache key of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct ChartKey {
    /// Stamp of the opening of the study.
    pub opening: Stamp,
    /// Thresholds and mixture; without the mixture if the chart is over all mixtures.
    pub settings: StudySettings,
    /// Index into [`CHARTS`].
    pub at: usize,
    /// Models in the chart.
    pub models: Vec<ModelIx>,
    /// Ground truth, if the chart has one.
    pub truth: Option<TruthIx>,
    /// Direction, if the chart has one.
    pub direction: Option<Direction>,
    /// Scaling of the scores that are mixed, if the chart is over mixtures.
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
        let cache = RankCache::new(run.input);
        let models = run.key.models.clone();
        let mut request = ChartRequest { models, ..ChartRequest::all(&cache) };
        request.truths.extend(run.key.truth);
        if let Some(direction) = run.key.direction {
            request.directions = vec![direction];
        }
        request.scaling = run.key.scaling.unwrap_or_default();
        let chart = (CHARTS[run.key.at].compute_chart)(&request, run.token);
        if let Some(chart) = chart.transpose() {
            run.send(chart);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let at = model.wanted_chart()?;
        // Waits until the ground truths of similarities are computed, or cannot be.
        let is_ready = model.study.has_phi_truths() || model.known.phi_failure.is_some();
        is_ready.then(|| Wanted::new(model.chart_key(at), || model.study.clone()))
    }

    fn apply(app: &mut App, key: ChartKey, found: Self::Output) {
        app.model.known.charts.push((key, found));
    }
}
