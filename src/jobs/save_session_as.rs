//! Saves the session to another file, where its own cannot be written; then the explorer ends.

use std::path::{Path, PathBuf};

use super::{Asks, Job, Run, Wanted};
use crate::error::{Error, Result};
use crate::session::{Lock, Session};
use crate::tui::app::App;
use crate::tui::model::dirty::Dirty;

/// A file to which the session is to be saved.
#[derive(Debug)]
pub struct SaveAs {
    /// As it was typed.
    pub path: PathBuf,
    /// With what the program is about to end.
    pub reason: Option<Error>,
}

/// Saves the session to another file.
#[derive(Default)]
pub struct SaveSessionAs;

impl Job for SaveSessionAs {
    const NAME: &'static str = "saving-as";
    const READS_SCORES: bool = false;
    const IS_LONG: bool = false;
    /// What is saved is saved.
    type Key = ();
    type Part = ();
    type Input = (Session, PathBuf);
    /// The file that has it.
    type Output = Result<PathBuf>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (session, path) = run.input;
        run.send(save_as(session, path));
    }
}

impl Asks for SaveSessionAs {
    const MUST_FINISH: bool = true;

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
    if path.as_os_str().is_empty() {
        return Err(Error::new("save to", "no name of a file"));
    }
    let path = at_home(path);
    if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
        let error = Error::new(path.display(), "its folder does not exist");
        return Err(error.expected("a file in a folder that is there"));
    }
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

/// Files that may be writable where that of a session is not: in the home folder, and in the one for temporary files.
pub fn other_places(own: &Path) -> [PathBuf; 2] {
    let temporary = std::env::temp_dir();
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_dir());
    [home.unwrap_or_else(|| temporary.clone()), temporary].map(|folder| free_name(own, &folder))
}

/// The name of a file in a folder, with a number where that exists.
fn free_name(own: &Path, folder: &Path) -> PathBuf {
    let name = own.file_name().map_or("study.itm.json".into(), |name| name.to_string_lossy());
    let first = folder.join(name.as_ref());
    let numbered = (2..1_000).map(|n| folder.join(format!("{n}-{name}")));
    let mut names = std::iter::once(first.clone()).chain(numbered);
    // A link that leads nowhere takes a name, too.
    names.find(|path| path.symlink_metadata().is_err()).unwrap_or(first)
}

/// A path as the shell takes it: `~/` is the home folder.
fn at_home(path: &Path) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    match (home, path.strip_prefix("~")) {
        (Some(home), Ok(below)) => home.join(below),
        _ => path.to_owned(),
    }
}
