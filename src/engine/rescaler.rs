//! What rescaled scores would give, in the background.

use std::sync::Arc;

use super::pool::Pool;
use super::worker::{Job, Worker};
use super::{Engine, Event, Notify};
use crate::analysis::rescale::{Rescaling, what_if};
use crate::study::Study;
use crate::truth::verdict::Verdicts;

/// The ways that are tried: CSLS with the neighbours of its paper, and an inverted softmax at a
/// temperature that suits cosines.
pub const WAYS: [Rescaling; 2] = [Rescaling::Csls(10), Rescaling::InvertedSoftmax(0.05)];

/// A model under a truth, with verdicts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RescaleKey {
    /// Index of the model.
    pub model: usize,
    /// Index of the truth.
    pub truth: usize,
    /// Number of the change of ranks that it comes after.
    pub revision: u64,
}

type Wish = (RescaleKey, Verdicts);

static POOL: Pool = Pool::new();

/// Rescales; the newest wish wins.
pub(super) fn worker(study: Arc<Study>, notify: &Notify) -> Worker<Wish> {
    let of_worker = notify.clone();
    let rescale = move |(key, verdicts): Wish, job: &Job<Wish>| {
        let of = (key.model, key.truth);
        let found = POOL.run(|| what_if(&study, of, &verdicts, &WAYS, &job.watch));
        if !job.is_over() {
            of_worker(Event::Rescaled(key, found.map(Arc::from)));
        }
    };
    Worker::start("rescaling", notify.clone(), rescale)
}

impl Engine {
    /// Asks what rescaled scores would give.
    pub fn rescale(&self, key: RescaleKey, verdicts: Verdicts) {
        self.rescaling.request((key, verdicts));
    }

    /// Gives up rescaling.
    pub fn stop_rescaling(&self) {
        self.rescaling.cancel();
    }

    /// Share of the pass over rescaled scores that is done, 0 to 1.
    pub fn rescaled(&self) -> f64 {
        self.rescaling.progress()
    }
}
