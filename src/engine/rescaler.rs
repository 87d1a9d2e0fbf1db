//! What rescaled scores would give, in the background.

use std::sync::{Arc, Mutex};

use super::worker::Worker;
use super::{Engine, Event, Notify, in_pool, locked, low_pool};
use crate::analysis::rescale::{Rescaling, what_if};
use crate::rank::pass::Watch;
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

type Wish = (RescaleKey, Verdicts, Arc<Watch>);

/// Rescales; the newest wish wins, dropping it cancels.
pub(super) struct Rescaler {
    worker: Worker<Wish>,
    watch: Mutex<Arc<Watch>>,
}

impl Rescaler {
    pub(super) fn new(study: Arc<Study>, notify: &Notify) -> Self {
        let of_worker = notify.clone();
        let rescale = move |(key, verdicts, watch): Wish, newer: &dyn Fn() -> bool| {
            let of = (key.model, key.truth);
            let find = || what_if(&study, of, &verdicts, &WAYS, &watch);
            let found = in_pool(low_pool().as_ref(), find);
            if !newer() {
                of_worker(Event::Rescaled(key, found.map(Arc::from)));
            }
        };
        Rescaler {
            worker: Worker::start("rescaling", notify.clone(), rescale),
            watch: Mutex::default(),
        }
    }

    /// Asks for a model, and gives up the one under way.
    pub(super) fn ask(&self, key: RescaleKey, verdicts: Verdicts) {
        let mut watch = locked(&self.watch);
        watch.cancel();
        *watch = Arc::default();
        self.worker.request((key, verdicts, watch.clone()));
    }

    /// Gives up what is under way.
    pub(super) fn cancel(&self) {
        locked(&self.watch).cancel();
    }

    /// Share of the pass under way that is done, 0 to 1.
    pub(super) fn progress(&self) -> f64 {
        locked(&self.watch).progress()
    }

    pub(super) fn wait_idle(&self) {
        self.worker.wait_idle();
    }
}

impl Engine {
    /// Asks what rescaled scores would give.
    pub fn rescale(&self, key: RescaleKey, verdicts: Verdicts) {
        self.rescaler.ask(key, verdicts);
    }

    /// Gives up rescaling.
    pub fn stop_rescaling(&self) {
        self.rescaler.cancel();
    }

    /// Share of the pass over rescaled scores that is done, 0 to 1.
    pub fn rescaled(&self) -> f64 {
        self.rescaler.progress()
    }
}

impl Drop for Rescaler {
    fn drop(&mut self) {
        self.cancel();
    }
}
