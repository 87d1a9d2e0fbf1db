//! Two metrics of a mixture over alpha, point by point.

use std::sync::Arc;

use super::{Asks, Job, Run, Wanted};
use crate::data::index::{ModelIx, TruthIx};
use crate::data::scores::{ModelPair, Scaling};
use crate::error::Result;
use crate::evaluate::curve::{self, Curve, Point};
use crate::metric::Spec;
use crate::study::{Dials, Study};
use crate::tui::app::App;

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
    const NAME: &'static str = "curve";
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

impl Asks for TraceCurve {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        Some(Wanted::one(app.model.wanted_curve()?, || app.model.study.clone()))
    }

    fn take(app: &mut App, key: CurveKey, point: Self::Output) {
        app.model.known.curve.take(key, point);
    }
}
