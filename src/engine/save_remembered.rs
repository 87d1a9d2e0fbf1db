//! Adds to the file of what the explorer remembers.

use super::job::{Job, Run};
use crate::session::{Entry, StateFile};

/// Adds what happened to the file of what is remembered.
pub struct SaveRemembered {
    file: StateFile,
    /// The number of entries that are in it.
    saved: usize,
}

impl SaveRemembered {
    /// Nothing was added yet.
    pub fn new(file: StateFile) -> Self {
        SaveRemembered { file, saved: 0 }
    }
}

impl Job for SaveRemembered {
    const NAME: &'static str = "remembering";
    const IS_LONG: bool = false;
    /// What is remembered is remembered.
    type Key = ();
    /// The number of entries of this run.
    type Part = usize;
    /// The entries.
    type Input = Vec<Entry>;
    /// The number of entries that were taken, whether they could be written or not.
    type Output = usize;

    /// Where the file cannot be written, what is new is tried again with what comes later; nobody is told: it
    /// is a convenience, and no work of anybody's.
    fn run(&mut self, &count: &usize, run: &Run<'_, Self>) {
        if self.file.add(&run.input[self.saved..]).is_ok() {
            self.saved = run.input.len();
        }
        run.send(count);
    }
}
