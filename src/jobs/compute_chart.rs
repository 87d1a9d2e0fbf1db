//! Charts of a study that take a pass over its scores, and two metrics of a mixture over alpha, point by point.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::scores::{ModelPair, Scaling};
use crate::error::Result;
use crate::evaluate::curve::{self, Curve, Point};
use crate::figure::chart::Chart;
use crate::figure::charts::{Asked, CHARTS, Counts};
use crate::metric::Spec;
use crate::study::{Dials, Study};
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
pub struct ComputeChart;

impl Job for ComputeChart {
    const IS_LONG: bool = true;
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

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let at = model.demand.chart?;
        // Similarities are charted once they have made their truths, or cannot.
        let is_ready = model.study.has_phi_truths() || model.known.similarities.failure.is_some();
        (is_ready && model.chart(at).is_none())
            .then(|| Wanted::one(model.chart_key(at), || model.study.clone()))
    }

    fn take(app: &mut App, key: ChartKey, found: Self::Output) {
        let known = &mut app.model.known;
        known.charts.retain(|(key, _)| key.study == known.study_stamp);
        known.charts.push((key, found));
    }
}

/// What a curve depends on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CurveKey {
    /// Indices of the two models.
    pub models: [ModelIx; 2],
    /// What makes their scores comparable.
    pub scaling: Scaling,
    /// Index of the truth.
    pub truth: TruthIx,
    /// How the dials of truths stand; without a mixture.
    pub dials: Dials,
    /// The metrics.
    pub specs: [Spec; 2],
}

/// Computes curves; keeps the pair mixed last, whose files are measured once.
#[derive(Default)]
pub struct TraceCurve(Option<([ModelIx; 2], ModelPair)>);

impl Job for TraceCurve {
    const IS_LONG: bool = true;
    type Key = CurveKey;
    type Part = ();
    /// A study with these dials.
    type Input = Arc<Study>;
    /// The next point, or why there is none.
    type Output = Result<Point>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        if let Err(error) = self.trace(run) {
            run.send(Err(error));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        Some(Wanted::one(app.model.wanted_curve()?, || app.model.study.clone()))
    }

    fn take(app: &mut App, key: CurveKey, point: Self::Output) {
        app.model.known.curve.take(key, point);
    }
}

impl TraceCurve {
    fn trace(&mut self, run: &Run<'_, Self>) -> Result<()> {
        let (key, study) = (run.key, run.input);
        let alphas = curve::alphas(curve::STEP)?;
        let pair = match self.0.take() {
            Some((models, pair)) if models == key.models => pair,
            _ => ModelPair::of(&study.models[key.models[0]], &study.models[key.models[1]])?,
        };
        let (_, pair) = self.0.insert((key.models, pair));
        let curve = Curve { study, pair, scaling: key.scaling, truth: key.truth, specs: key.specs };
        // Ended early, it has sent what it had.
        let each = |point| run.send(Ok(point));
        curve.run(&alphas, run.token, each).map(|_| ())
    }
}
