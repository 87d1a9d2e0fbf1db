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
    inputs: HashSet<PathBuf>,
    /// Files that are going to be written.
    outputs: HashSet<PathBuf>,
    /// Whether an output may be written more than once.
    may_rewrite: bool,
}

/// One per process: every reader notes its file, and every writer checks.
static RUN: Mutex<Option<InUse>> = Mutex::new(None);

fn lock_run() -> MutexGuard<'static, Option<InUse>> {
    RUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A run of the program, until it is dropped. Without one, nothing is noted or refused.
#[derive(Debug)]
pub struct Run(());

impl Run {
    /// Starts a run. With `may_rewrite`, for the explorer, a file may be written more than once.
    pub fn start(may_rewrite: bool) -> Self {
        *lock_run() = Some(InUse { may_rewrite, ..InUse::default() });
        Run(())
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        *lock_run() = None;
    }
}

/// Notes an input: a file that is read, or a folder that is searched.
///
/// # Errors
/// A file that is going to be written.
pub fn note_input(path: &Path) -> Result<()> {
    with_run(path, |run, place| {
        if run.outputs.contains(&place) {
            return Err(overwrite_error(path));
        }
        run.inputs.insert(place);
        Ok(())
    })
}

/// Notes an output: a file that is going to be written.
///
/// # Errors
/// An input, or an existing file in a folder that was searched for inputs; a file that is an output already.
pub(super) fn note_output(out: &Path) -> Result<()> {
    with_run(out, |run, place| {
        let folder = place.parent().filter(|_| place.exists());
        if run.inputs.contains(&place) || folder.is_some_and(|folder| run.inputs.contains(folder)) {
            return Err(overwrite_error(out));
        }
        if !run.may_rewrite && !run.outputs.insert(place) {
            let name = shown(&out.display().to_string());
            return Err(
                Error::new(name, "two outputs would have this name").expected("a name for each")
            );
        }
        Ok(())
    })
}

/// Notes that a file is written now, whether or not it was noted as an output. From then on it may be read.
///
/// # Errors
/// An input.
pub fn note_write(out: &Path) -> Result<()> {
    with_run(out, |run, place| {
        run.outputs.remove(&place);
        if run.inputs.contains(&place) { Err(overwrite_error(out)) } else { Ok(()) }
    })
}

/// Calls `check` with the current run and the canonical path; without a run, or of a pipe, returns `Ok`.
fn with_run(path: &Path, check: impl FnOnce(&mut InUse, PathBuf) -> Result<()>) -> Result<()> {
    match (canonical_path(path), &mut *lock_run()) {
        (Some(place), Some(run)) => check(run, place),
        _ => Ok(()),
    }
}

/// The error for an input that would be overwritten.
pub fn overwrite_error(out: &Path) -> Error {
    let name = shown(&out.display().to_string());
    Error::new(name, "is read and would be written over")
        .expected("another name, or another folder")
}

/// Canonical path of a file, existing or not; `None` of a pipe or a device, which may be input and output.
fn canonical_path(path: &Path) -> Option<PathBuf> {
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
        note_input(&file("read")).unwrap();
        for name in ["read", "link", "here/read", "here/link"] {
            for done in [note_output, note_write].map(|check| check(&file(name))) {
                assert!(error_text(done).contains("is read and would be written over"), "{name}");
            }
        }
        note_output(&file("old")).unwrap();
        assert!(error_text(note_input(&file("here/old"))).contains("is read"));
        assert!(error_text(note_output(&file("here/old"))).contains("two outputs"));
        note_write(&file("old")).unwrap();
        note_output(&file("none/new")).unwrap();
        assert!(error_text(note_output(&file("none/new"))).contains("two outputs"));
        // A written file may be read, and is no longer written.
        note_input(&file("old")).unwrap();
        assert!(error_text(note_write(&file("old"))).contains("is read"));
        note_input(folder.path()).unwrap();
        note_output(&file("new")).unwrap();
        fs::write(file("there"), "").unwrap();
        assert!(error_text(note_output(&file("there"))).contains("is read"));
        for _ in 0..2 {
            note_input(Path::new("/dev/null")).unwrap();
            note_write(Path::new("/dev/null")).unwrap();
        }
        drop(run);

        let run = Run::start(true);
        for _ in 0..2 {
            note_output(&file("old")).unwrap();
            note_write(&file("old")).unwrap();
        }
        drop(run);
        note_input(&file("old")).unwrap();
        assert_eq!(note_write(&file("old")), Ok(()));
    }
}
