//! Ranks of every query by each model, and their metrics.

use std::sync::Arc;

use super::{Job, ModelScores, Run, Stamp, ViewMetrics, Wanted};
use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::error::Result;
use crate::rank::counter::Counter;
use crate::study::Study;
use crate::tui::app::App;
use crate::tui::state::changes::Dirty;

/// Computes ranks model by model; keeps the `Counter` of the study.
#[derive(Default)]
pub struct CountRanks(Option<(Stamp, Counter)>);

impl Job for CountRanks {
    const IS_LONG: bool = true;
    /// The study.
    type Key = Stamp;
    /// Index of a model.
    type Part = ModelIx;
    type Input = Arc<Study>;
    /// Scores of a model, or why there are none.
    type Output = (ModelIx, Result<Arc<ModelScores>>);

    fn run(&mut self, &model: &ModelIx, run: &Run<'_, Self>) {
        let (study, token) = (run.input, run.token);
        let known = self.0.take().filter(|(of, _)| of == run.key);
        let new = || (*run.key, Counter::new(&study.truths, &study.gallery, study.mask.as_ref()));
        let (_, counter) = self.0.insert(known.unwrap_or_else(new));
        let scores = ModelScores::compute(study, &study.models[model], counter, token);
        if let Some(scores) = scores.transpose() {
            run.send((model, scores));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let input = || model.study.clone();
        Some(Wanted::with_parts(model.known.study_stamp, model.models_to_rank(), input))
    }

    fn apply(app: &mut App, _: Stamp, (model, scores): Self::Output) {
        match scores {
            Ok(scores) => app.model.store_scores(model, scores),
            Err(error) => app.model.set_model_failed(model, error),
        }
    }

    fn report_progress(app: &mut App, progress: f64) {
        let model = &mut app.model;
        model.known.progress = (!model.models_to_rank().is_empty()).then_some(progress);
    }
}

/// A ranked model whose metrics are not computed yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmeasured {
    /// Index of the model.
    pub model: ModelIx,
    /// Its ranks under ground truths and directions, to compute the metrics of.
    pub metrics: Vec<Arc<ViewMetrics>>,
}

/// Computes every metric of ranked models.
pub struct ComputeMetrics;

impl Job for ComputeMetrics {
    const IS_LONG: bool = true;
    const READS_SCORES: bool = false;
    /// Metrics of known ranks stay valid.
    type Key = ();
    type Part = Unmeasured;
    type Input = ();
    /// Model whose metrics are complete.
    type Output = ModelIx;

    fn run(&mut self, part: &Unmeasured, run: &Run<'_, Self>) {
        let compute = |at: usize| part.metrics[at].compute_values(run.token);
        if parallel::all(part.metrics.len(), compute) {
            run.send(part.model);
        }
    }

    /// All models are ranked before any gets every metric.
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let wanted = app.model.wanted_measures();
        let is_due = !wanted.is_empty() || app.model.models_to_rank().is_empty();
        is_due.then(|| Wanted::with_parts((), wanted, || ()))
    }

    fn apply(app: &mut App, (): (), model: ModelIx) {
        if model == app.model.view.model {
            app.model.dirty |= Dirty::POPUP;
        }
    }
}
