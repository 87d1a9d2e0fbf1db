//! The files that a run reads and writes: none is both, and no two outputs have one name.
//!
//! Every file opened for reading is noted here, and [`super::output`] checks before it writes. So a subcommand need not
//! know which of its options name inputs. A session saves itself, and is not checked.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::output::folder_of;
use super::text::shown;
use crate::error::{Error, Result};

/// Files of a run, by canonical path.
#[derive(Default)]
struct InUse {
    /// Files that are read, and folders that are searched.
    read: HashSet<PathBuf>,
    /// Files that are going to be written.
    promised: HashSet<PathBuf>,
    /// Whether a file may be written more than once.
    may_rewrite: bool,
}

/// One per process: every reader notes its file, and every writer checks.
static RUN: Mutex<Option<InUse>> = Mutex::new(None);

fn run() -> MutexGuard<'static, Option<InUse>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run, until it is dropped. Without one, nothing is noted or refused.
#[derive(Debug)]
pub struct Run(());

impl Run {
    /// Starts a run. Unless `may_rewrite`, as in the explorer, no file is written twice.
    pub fn start(may_rewrite: bool) -> Self {
        *run() = Some(InUse { may_rewrite, ..InUse::default() });
        Run(())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        *run() = None;
    }
}

/// Notes a file that is read, or a folder that is searched.
///
/// # Errors
/// A file that is going to be written.
pub fn reads(path: &Path) -> Result<()> {
    with_place(path, |run, place| {
        if run.promised.contains(&place) {
            return Err(is_read(path));
        }
        run.read.insert(place);
        Ok(())
    })
}

/// Notes a file that is going to be written.
///
/// # Errors
/// A file that is read, or exists in a folder that is; a file that is already going to be written.
pub(super) fn promises(out: &Path) -> Result<()> {
    with_place(out, |run, place| {
        let folder = place.parent().filter(|_| place.exists());
        if run.read.contains(&place) || folder.is_some_and(|folder| run.read.contains(folder)) {
            return Err(is_read(out));
        }
        if !run.may_rewrite && !run.promised.insert(place) {
            let name = shown(&out.display().to_string());
            return Err(
                Error::new(name, "two outputs would have this name").expected("a name for each")
            );
        }
        Ok(())
    })
}

/// Notes that a file is written now, promised or not: from then on it may be read.
///
/// # Errors
/// A file that is read.
pub fn writes(out: &Path) -> Result<()> {
    with_place(out, |run, place| {
        run.promised.remove(&place);
        if run.read.contains(&place) { Err(is_read(out)) } else { Ok(()) }
    })
}

fn with_place(path: &Path, check: impl FnOnce(&mut InUse, PathBuf) -> Result<()>) -> Result<()> {
    match (place(path), &mut *run()) {
        (Some(place), Some(run)) => check(run, place),
        _ => Ok(()),
    }
}

/// The error for a file that is read and would be overwritten.
pub fn is_read(out: &Path) -> Error {
    let name = shown(&out.display().to_string());
    Error::new(name, "is read and would be written over")
        .expected("another name, or another folder")
}

/// Canonical path of a file, existing or not; `None` of a pipe or a device, which may be both.
fn place(path: &Path) -> Option<PathBuf> {
    match fs::metadata(path) {
        Ok(facts) if !facts.is_file() && !facts.is_dir() => None,
        Ok(_) => path.canonicalize().ok(),
        Err(_) => match folder_of(path).canonicalize() {
            Ok(folder) => Some(folder.join(path.file_name()?)),
            Err(_) => std::path::absolute(path).ok(),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_file_is_read_and_written_and_none_is_written_twice() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        for name in ["read", "old"] {
            fs::write(file(name), "").unwrap();
        }
        std::os::unix::fs::symlink(file("read"), file("link")).unwrap();
        std::os::unix::fs::symlink(folder.path(), file("here")).unwrap();
        let error_text = |done: Result<()>| done.unwrap_err().to_string();

        let run = Run::start(false);
        reads(&file("read")).unwrap();
        for name in ["read", "link", "here/read", "here/link"] {
            for done in [promises, writes].map(|check| check(&file(name))) {
                assert!(error_text(done).contains("is read and would be written over"), "{name}");
            }
        }
        promises(&file("old")).unwrap();
        assert!(error_text(reads(&file("here/old"))).contains("is read"));
        assert!(error_text(promises(&file("here/old"))).contains("two outputs"));
        writes(&file("old")).unwrap();
        promises(&file("none/new")).unwrap();
        assert!(error_text(promises(&file("none/new"))).contains("two outputs"));
        // A written file may be read, and is no longer written.
        reads(&file("old")).unwrap();
        assert!(error_text(writes(&file("old"))).contains("is read"));
        reads(folder.path()).unwrap();
        promises(&file("new")).unwrap();
        fs::write(file("there"), "").unwrap();
        assert!(error_text(promises(&file("there"))).contains("is read"));
        for _ in 0..2 {
            reads(Path::new("/dev/null")).unwrap();
            writes(Path::new("/dev/null")).unwrap();
        }
        drop(run);

        let run = Run::start(true);
        for _ in 0..2 {
            promises(&file("old")).unwrap();
            writes(&file("old")).unwrap();
        }
        drop(run);
        reads(&file("old")).unwrap();
        assert_eq!(writes(&file("old")), Ok(()));
    }
}
