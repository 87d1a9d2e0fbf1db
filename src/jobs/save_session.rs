//! Saves the session to its file or to another one.

use std::path::{Path, PathBuf};

use super::{Job, Run, Wanted};
use crate::error::{Error, Result};
use crate::session::{ENDING, Lock, Saver, Session};
use crate::tui::app::App;
use crate::tui::state::changes::Dirty;
use crate::tui::state::export::one_line;

/// Saves the session to its file: the newest state is what is written.
pub struct SaveSession(pub Saver);

impl Job for SaveSession {
    const READS_SCORES: bool = false;
    /// What is saved is saved.
    type Key = ();
    /// The number of changes that led to a state.
    type Part = u64;
    /// That state.
    type Input = Session;
    /// The number of changes that are saved, or why they are not, and a file that may be writable instead.
    type Output = (u64, std::result::Result<(), (Error, PathBuf)>);

    fn run(&mut self, &revision: &u64, run: &Run<'_, Self>) {
        let saved = self.0.save(run.input);
        let other = || other_places(self.0.path()).swap_remove(0);
        run.send((revision, saved.map_err(|error| (error, other()))));
    }

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
        if let Some(failure) = &model.session.failure {
            model.message = Some(one_line(failure));
        }
        if is_saved && std::mem::take(&mut model.session.is_new) {
            model.say_where_saved();
        }
    }
}

/// A file to which the session is to be saved.
#[derive(Debug)]
pub struct SaveAs {
    /// As it was typed.
    pub path: PathBuf,
    /// With what the program is about to end.
    pub reason: Option<Error>,
}

/// Saves the session to another file, where its own cannot be written; then the explorer ends.
pub struct SaveSessionAs;

impl Job for SaveSessionAs {
    const READS_SCORES: bool = false;
    type Key = ();
    type Part = ();
    type Input = (Session, PathBuf);
    /// The file that has it.
    type Output = Result<PathBuf>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (session, path) = run.input;
        run.send(save_as(session, path));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let SaveAs { path, .. } = app.model.saving_as.as_ref()?;
        Some(Wanted::one((), || (app.model.session.content().clone(), path.clone())))
    }

    fn take(app: &mut App, (): (), saved: Self::Output) {
        let model = &mut app.model;
        let reason = model.saving_as.take().and_then(|asked| asked.reason);
        match saved {
            Ok(path) => {
                model.session.saved_as(&path);
                model.saved_to = Some(path);
                model.leaves = Some(reason);
            }
            Err(error) => {
                model.session.failure = Some(error);
                model.dirty |= Dirty::POPUP;
            }
        }
    }

    fn fail(app: &mut App) {
        app.model.saving_as = None;
    }
}

/// Saves a session to a new file, and gives that file's path.
///
/// # Errors
/// When the file exists, or it cannot be written.
pub fn save_as(session: &Session, path: &Path) -> Result<PathBuf> {
    // As the shell takes it.
    let path = match (home(), path.strip_prefix("~")) {
        (Some(home), Ok(below)) => home.join(below),
        _ => path.to_owned(),
    };
    if path.exists() {
        let error = Error::new(path.display(), "file exists");
        return Err(error.expected("a name that no file has"));
    }
    let Lock::Held(saver) = Session::open(&path)?.lock else {
        return Err(Error::new(path.display(), "it is open elsewhere"));
    };
    saver.save(session)?;
    Ok(path)
}

fn home() -> Option<PathBuf> {
    std::env::var_os("HOME").map(PathBuf::from)
}

/// Files that may be writable where that of a session is not: in the home folder, and in the one for temporary files.
pub fn other_places(own: &Path) -> Vec<PathBuf> {
    let name = own.file_name().map_or("study.itm.json".into(), |name| name.to_string_lossy());
    let folders = home().filter(|path| path.is_dir()).into_iter().chain([std::env::temp_dir()]);
    folders.map(|folder| free_path(&folder.join(&*name))).collect()
}

/// The path, or the first with a number in its name that no file has.
pub(super) fn free_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(ENDING).or_else(|| Some(name.rsplit_once('.')?.0));
    let (stem, ending) = name.split_at(stem.map_or(name.len(), str::len));
    let numbered = (2..1_000).map(|n| path.with_file_name(format!("{stem}-{n}{ending}")));
    let mut paths = std::iter::once(path.to_owned()).chain(numbered);
    // A link that leads nowhere takes a name, too.
    paths.find(|path| path.symlink_metadata().is_err()).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_a_file_has_gets_a_number() {
        let folder = tempfile::tempdir().unwrap();
        for (name, other) in [
            ("lsa-picks.pdf", "lsa-picks-2.pdf"),
            ("study.itm.json", "study-2.itm.json"),
            ("v1.5.json", "v1.5-2.json"),
        ] {
            let path = folder.path().join(name);
            assert_eq!(free_path(&path), path);
            std::fs::write(&path, "").unwrap();
            assert_eq!(free_path(&path), folder.path().join(other));
        }
    }
}
