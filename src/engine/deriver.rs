//! Studies with turned dials, made in the background.

use std::sync::Arc;

use super::worker::{Job, Worker};
use super::{Event, Notify};
use crate::study::{Dials, Study, Turner};

/// A study that is wanted.
pub struct Wish {
    /// The study as its files have it.
    pub base: Arc<Study>,
    /// How the dials are to stand.
    pub dials: Dials,
}

/// Makes studies with turned dials in the background; the newest wish wins.
pub struct Deriver(Worker<Wish>);

impl Deriver {
    /// Starts the thread.
    pub fn new(notify: &Notify) -> Self {
        let of_worker = notify.clone();
        let mut turner = Turner::default();
        let derive = move |wish: Wish, _: &Job<Wish>| {
            let study = turner.turned(&wish.base, wish.dials);
            of_worker(Event::Derived(wish.dials, study.map(Arc::new)));
        };
        Deriver(Worker::start("dials", notify.clone(), derive))
    }

    /// Asks for a study.
    pub fn derive(&self, wish: Wish) {
        self.0.request(wish);
    }

    /// Waits until all that was asked for is done.
    pub fn wait_idle(&self) {
        self.0.wait_idle();
    }
}
