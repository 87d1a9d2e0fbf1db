//! The ranks of every query by each model.

use std::sync::Arc;

use super::{Asks, Job, ModelScores, Run, Stamp, Wanted};
use crate::data::index::ModelIx;
use crate::error::Error;
use crate::rank::counter::Counter;
use crate::study::Study;
use crate::tui::app::App;

/// Counts the ranks of models, one after the other; keeps what that needs once per study.
#[derive(Default)]
pub struct CountRanks(Option<(Stamp, Counter)>);

impl Job for CountRanks {
    const NAME: &'static str = "counting";
    /// The study.
    type Key = Stamp;
    /// Index of a model.
    type Part = ModelIx;
    type Input = Arc<Study>;
    /// All numbers of a model, or why there are none.
    type Output = (ModelIx, Result<Arc<ModelScores>, Error>);

    fn run(&mut self, &model: &ModelIx, run: &Run<'_, Self>) {
        let (study, token) = (run.input, run.token);
        let known = self.0.take().filter(|(of, _)| of == run.key);
        let new = || Counter::new(&study.truths, &study.gallery, study.mask.as_ref());
        let (_, counter) = self.0.insert(known.unwrap_or_else(|| (*run.key, new())));
        let scores = ModelScores::counted(study, &study.models[model], counter, token);
        if let Some(scores) = scores.transpose() {
            run.send((model, scores));
        }
    }
}

impl Asks for CountRanks {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let input = || model.study.clone();
        Some(Wanted::parts(model.known.study_stamp, model.wanted_counts(), input))
    }

    fn take(app: &mut App, _: Stamp, (of, scores): Self::Output) {
        match scores {
            Ok(scores) => app.model.take_scores(of, scores),
            Err(error) => app.model.lose_model(of, error),
        }
    }

    fn report(app: &mut App, progress: f64) {
        let model = &mut app.model;
        model.known.progress = (!model.wanted_counts().is_empty()).then_some(progress);
    }
}
