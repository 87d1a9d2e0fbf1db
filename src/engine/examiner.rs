//! The doctor's examination of a study as its files have it, in the background.

use std::sync::Arc;

use super::pool::Pool;
use super::worker::Worker;
use super::{Event, Notify};
use crate::doctor;
use crate::study::Study;

static POOL: Pool = Pool::new();

/// Examines a study when it is asked to.
pub struct Examiner(Worker<()>);

impl Examiner {
    /// Starts the thread.
    pub fn new(study: Arc<Study>, notify: &Notify) -> Self {
        let of_worker = notify.clone();
        Examiner(Worker::start("checking", notify.clone(), move |(), _| {
            let findings = POOL.run(|| doctor::examine(&study));
            of_worker(Event::Checked(findings.into()));
        }))
    }

    /// Asks for what is wrong with the study.
    pub fn check(&self) {
        self.0.request(());
    }

    /// Waits until it is told.
    pub fn wait_idle(&self) {
        self.0.wait_idle();
    }
}
