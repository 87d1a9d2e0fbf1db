//! What rescaled scores would give.

use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};
use crate::analysis::rescale::{self, WhatIf, what_if};
use crate::data::index::{ModelIx, TruthIx};
use crate::error::Error;
use crate::study::Study;
use crate::truth::verdict::Verdicts;
use crate::tui::app::App;

/// The ways that are tried: CSLS with the neighbours of its paper, and an inverted softmax at a
/// temperature that suits cosines.
pub const WAYS: [rescale::Rescaling; 2] =
    [rescale::Rescaling::Csls(10), rescale::Rescaling::InvertedSoftmax(0.05)];

/// A model under a truth, with verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RescaleKey {
    /// Index of the model.
    pub model: ModelIx,
    /// Index of the truth.
    pub truth: TruthIx,
    /// The state of all ranks.
    pub ranks: Stamp,
}

/// Rescales the scores of a model.
#[derive(Default)]
pub struct RescaleScores;

impl Job for RescaleScores {
    const NAME: &'static str = "rescaling";
    type Key = RescaleKey;
    type Part = ();
    type Input = (Arc<Study>, Verdicts);
    /// What they would give, or why they cannot be rescaled.
    type Output = Result<Arc<[WhatIf]>, Error>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (study, verdicts) = run.input;
        let of = (run.key.model, run.key.truth);
        let found = what_if(study, of, verdicts, &WAYS, run.token);
        if !run.token.is_cancelled() {
            run.send(found.map(Arc::from));
        }
    }
}

impl Asks for RescaleScores {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let input = || (model.study.clone(), model.judgements.verdicts.clone());
        Some(Wanted::one(model.wanted_rescaling()?, input))
    }

    fn take(app: &mut App, key: RescaleKey, found: Self::Output) {
        app.model.known.error_analysis.what_if.insert(key, found);
    }

    fn report(app: &mut App, progress: f64) {
        app.model.known.error_analysis.progress = progress;
    }
}
