//! Studies with turned dials, made in the background.

use std::sync::Arc;

use super::worker::Worker;
use super::{Event, Notify};
use crate::study::{Dials, Study};

/// Makes studies with turned dials in the background; the newest wish wins.
pub struct Deriver(Worker<(Arc<Study>, Dials)>);

impl Deriver {
    /// Starts the thread.
    pub fn new(notify: &Notify) -> Self {
        let of_worker = notify.clone();
        let derive = move |(base, dials): (Arc<Study>, Dials), _: &dyn Fn() -> bool| {
            let study = Arc::new(base.with_dials(dials));
            of_worker(Event::Derived(dials, study));
        };
        Deriver(Worker::start("dials", notify.clone(), derive))
    }

    /// Asks for `base` with the dials turned.
    pub fn derive(&self, base: Arc<Study>, dials: Dials) {
        self.0.request((base, dials));
    }

    /// Waits until all that was asked for is done.
    pub fn wait_idle(&self) {
        self.0.wait_idle();
    }
}
