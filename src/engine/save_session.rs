//! Saves a session: the newest state is what is written.

use super::job::{Job, Run};
use crate::error::Error;
use crate::session::{Saver, Session};

/// Saves the session to its file.
pub struct SaveSession(pub Saver);

impl Job for SaveSession {
    const NAME: &'static str = "saving";
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
    /// What is saved is saved.
    type Key = ();
    /// The number of changes that led to a state.
    type Part = u64;
    /// That state.
    type Input = Session;
    /// The number of changes that are saved, or why they are not.
    type Output = (u64, Result<(), Error>);

    fn run(&mut self, &revision: &u64, run: &Run<'_, Self>) {
        run.send((revision, self.0.save(run.input)));
    }
}
