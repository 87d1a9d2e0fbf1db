//! Saves the session to its file, or to another one if that cannot be written.

use std::path::{Path, PathBuf};

use super::{Job, Run, Wanted};
use crate::error::Result;
use crate::session::{ENDING, Lock, Saver, Session};
use crate::tui::app::App;
use crate::tui::state::export::one_line;

/// Saves the session to its file: only the newest state is written.
pub struct SaveSession(pub Saver);

impl Job for SaveSession {
    const READS_SCORES: bool = false;
    /// Saves never go stale.
    type Key = ();
    /// Revision of the session: the number of changes up to it.
    type Part = u64;
    /// The session at this revision.
    type Input = Session;
    /// The revision, and why saving it failed, if so.
    type Output = (u64, Result<()>);

    fn run(&mut self, &revision: &u64, run: &Run<'_, Self>) {
        run.send((revision, self.0.save(run.input)));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let session = &app.model.session;
        let revision = Vec::from_iter(session.wanted_save());
        Some(Wanted::with_parts((), revision, || session.content().clone()))
    }

    fn apply(app: &mut App, (): (), (revision, outcome): Self::Output) {
        let model = &mut app.model;
        let is_saved = outcome.is_ok();
        model.session.record_save(revision, outcome);
        if let Some(failure) = &model.session.failure {
            model.message = Some(one_line(failure));
        }
        if is_saved && std::mem::take(&mut model.session.is_new) {
            model.append_session_path();
        }
    }
}

/// Saves a session to a new file in the home or temporary folder, because `file` cannot be written. The new file has
/// the name of `file`, with a number if it is taken. Returns the new path; `None` if neither folder can be written.
pub fn save_elsewhere(session: &Session, file: &Path) -> Option<PathBuf> {
    let name = file.file_name().map_or("study.itm.json".into(), |name| name.to_string_lossy());
    let home = std::env::var_os("HOME").map(PathBuf::from).filter(|path| path.is_dir());
    let mut folders = home.into_iter().chain([std::env::temp_dir()]);
    folders.find_map(|folder| {
        let path = free_path(&folder.join(&*name));
        let Lock::Held(saver) = Session::open(&path).ok()?.lock else { return None };
        saver.save(session).ok()?;
        Some(path)
    })
}

/// The path, or its first numbered variant, that does not exist; the path if all exist.
fn free_path(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem = name.strip_suffix(ENDING).or_else(|| Some(name.rsplit_once('.')?.0));
    let (stem, ending) = name.split_at(stem.map_or(name.len(), str::len));
    let numbered = (2..1_000).map(|n| path.with_file_name(format!("{stem}-{n}{ending}")));
    let mut paths = std::iter::once(path.to_owned()).chain(numbered);
    // A dangling link occupies a name, too.
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
