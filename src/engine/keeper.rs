//! Saves a session in the background: the newest state is what is written.

use super::worker::{Job, Worker};
use super::{Event, Notify};
use crate::session::{Saver, Session};

/// The thread that saves.
pub struct Keeper(Worker<(u64, Session)>);

impl Keeper {
    /// Starts the thread.
    pub fn new(saver: Saver, notify: &Notify) -> Self {
        let of_worker = notify.clone();
        let save = move |(revision, session): (u64, Session), _: &Job<(u64, Session)>| {
            of_worker(Event::Saved(revision, saver.save(&session)));
        };
        Keeper(Worker::start("saving", notify.clone(), save))
    }

    /// Asks for this state to be saved, by the number of changes that led to it.
    pub fn save(&self, revision: u64, session: Session) {
        self.0.request((revision, session));
    }

    /// Ends the thread once nothing is under way: what saves is gone then.
    pub fn end(self) {
        self.0.end();
    }

    /// Waits until all that was asked for is saved, or failed to be.
    pub fn wait_idle(&self) {
        self.0.wait_idle();
    }
}
