//! All ranks of models, one after the other.

use std::sync::Arc;

use super::job::{Job, Run};
use super::{ModelScores, Stamp};
use crate::data::index::ModelIx;
use crate::error::Error;
use crate::rank::counter::Counter;
use crate::study::Study;

/// Counts models; keeps what that needs once per study.
#[derive(Default)]
pub struct Counting(Option<(Stamp, Counter)>);

impl Job for Counting {
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
        let scores = match counter.ranks(&study.models[model], token) {
            Ok(ranks) => ranks.and_then(|ranks| ModelScores::new(study, &ranks, token)).map(Ok),
            Err(error) => Some(Err(error)),
        };
        if let Some(scores) = scores {
            run.send((model, scores.map(Arc::new)));
        }
    }
}
