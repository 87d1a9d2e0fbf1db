//! Saves a session: the newest state is what is written.

use std::path::PathBuf;

use super::{Asks, Job, Run, Wanted, other_places};
use crate::error::Error;
use crate::session::{Saver, Session};
use crate::tui::app::App;

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
    /// The number of changes that are saved, or why they are not, and a file that may be writable instead.
    type Output = (u64, Result<(), (Error, PathBuf)>);

    fn run(&mut self, &revision: &u64, run: &Run<'_, Self>) {
        let saved = self.0.save(run.input).map_err(|error| {
            let [place, _] = other_places(self.0.path());
            (error, place)
        });
        run.send((revision, saved));
    }
}

impl Asks for SaveSession {
    const MUST_FINISH: bool = true;

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let session = &app.model.session;
        let revision = Vec::from_iter(session.wanted_save());
        Some(Wanted::parts((), revision, || session.content().clone()))
    }

    fn take(app: &mut App, (): (), (revision, outcome): Self::Output) {
        let model = &mut app.model;
        let is_saved = outcome.is_ok();
        let outcome = outcome.map_err(|(error, place)| {
            model.session.other_place = place;
            error
        });
        model.session.take_saved(revision, outcome);
        if is_saved && std::mem::take(&mut model.session.is_new) {
            model.say_where_saved();
        }
    }
}
