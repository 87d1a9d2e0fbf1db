//! Adds to the file of what the explorer remembers.

use super::{Asks, Job, Run, Wanted};
use crate::session::{Entry, StateFile};
use crate::tui::app::App;

/// Adds what happened to the file of what is remembered.
pub struct SaveState {
    file: StateFile,
    /// The number of entries that are in it.
    saved: usize,
}

impl SaveState {
    /// Nothing was added yet.
    pub fn new(file: StateFile) -> Self {
        SaveState { file, saved: 0 }
    }
}

impl Job for SaveState {
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

impl Asks for SaveState {
    const MUST_FINISH: bool = true;

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let memory = &app.model.memory;
        let count = memory.entries.len();
        let parts = Vec::from_iter((memory.handed < count).then_some(count));
        Some(Wanted::parts((), parts, || memory.entries.clone()))
    }

    fn take(app: &mut App, (): (), count: usize) {
        let memory = &mut app.model.memory;
        memory.handed = memory.handed.max(count);
    }
}
