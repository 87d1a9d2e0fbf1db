//! Opening and atomic saving, by one process at a time.

use std::fmt::Display;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::lock::LockFile;
use super::{Session, file};
use crate::data::in_use;
use crate::data::output::{check_no_link, folder_of, is_read_only, replace};
use crate::error::{Error, Result};

/// Maximum length of a session's file name in bytes: file systems allow 255, and its lock is longer.
const MAX_NAME_BYTES: usize = 243;

/// An open session.
#[derive(Debug)]
pub struct Opened {
    /// The file's content; empty if there is no file yet.
    pub session: Session,
    /// Whether it may be saved.
    pub lock: Lock,
    /// Whether to save without changes: the file exists, or was named.
    pub is_in_use: bool,
    /// Warnings about the file, one per line.
    pub notes: Vec<String>,
}

/// Owner of the lock.
#[derive(Debug)]
pub enum Lock {
    /// This process, until the saver is dropped.
    Held(Saver),
    /// Another process; read-only here.
    Other {
        /// Its description.
        who: String,
    },
}

impl Lock {
    /// The saver, if this process has it.
    ///
    /// # Errors
    /// A session that is open elsewhere.
    pub fn into_saver(self, path: &Path) -> Result<Saver> {
        let who = match self {
            Lock::Held(saver) => return Ok(saver),
            Lock::Other { who } => who,
        };
        let found = format!("the session is open elsewhere ({who})");
        Err(Error::new(path.display(), found).mend("close it there, or name another file"))
    }
}

/// Saves one session; thread-safe.
#[derive(Debug)]
pub struct Saver {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` in a read-only folder.
    lock: Option<LockFile>,
    /// Hashes of the content last read or saved, and of attempted saves: these may have been written despite an error.
    known: Vec<u64>,
}

impl Session {
    /// Reads and locks a session. A missing file is an empty session, created on first save.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or from a newer version; it is not changed.
    pub fn open(path: &Path) -> Result<Opened> {
        check_no_link(path)?;
        require_short_name(path)?;
        // A read-only folder does not prevent viewing: saving will fail.
        let taken = LockFile::take(path).ok();
        let bytes = read(path)?;
        let (session, notes) = match &bytes {
            Some(bytes) => file::read(path, bytes)?,
            None => (Session::default(), Vec::new()),
        };
        let held = |lock| {
            Lock::Held(Saver {
                path: path.to_owned(),
                state: Mutex::new(State {
                    lock,
                    known: bytes.as_deref().map(hash).into_iter().collect(),
                }),
            })
        };
        let lock = match taken {
            Some(Err(who)) => Lock::Other { who },
            Some(Ok(lock)) => held(Some(lock)),
            None => held(None),
        };
        Ok(Opened { session, lock, is_in_use: bytes.is_some(), notes })
    }

    /// Reads a session without locking it.
    ///
    /// # Errors
    /// As [`Session::open`]; a missing file.
    pub fn read(path: &Path) -> Result<(Session, Vec<String>)> {
        in_use::reads(path)?;
        match read(path)? {
            Some(bytes) => file::read(path, &bytes),
            None => Err(Error::io(path, &io::ErrorKind::NotFound.into())),
        }
    }
}

impl Saver {
    /// The path, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the session atomically: afterwards the file has the new or the old content, even after a crash.
    ///
    /// # Errors
    /// The file or its folder is read-only; another program has changed the file since it was read or saved, and its
    /// work would be lost.
    pub fn save(&self, session: &Session) -> Result<()> {
        let fail = |e: io::Error| match e.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                self.cannot_save("it or its folder cannot be written")
            }
            _ => self.cannot_save(e),
        };
        let text = file::text(session).map_err(|e| fail(e.into()))?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        fs::create_dir_all(folder_of(&self.path)).map_err(fail)?;
        if state.lock.is_none() {
            state.lock = Some(self.take_lock()?);
        }
        let there = read(&self.path).map_err(|error| self.cannot_save(error.found()))?;
        // A deleted file has nothing to lose.
        if there.as_deref().is_some_and(|there| !state.known.contains(&hash(there))) {
            let error = self.not_saved("another program has changed the file since it was read");
            return Err(error.mend("save to another file with --session FILE, and merge the two with `itm-explore annotate merge`"));
        }
        if fs::metadata(&self.path).is_ok_and(|there| is_read_only(&there)) {
            let error = self.not_saved("it is read-only");
            return Err(error.mend("chmod u+w it, or name another file with --session FILE"));
        }
        state.known.push(hash(text.as_bytes()));
        if there.as_deref() != Some(text.as_bytes()) {
            write_synced(&self.path, text.as_bytes()).map_err(fail)?;
        }
        state.known = vec![hash(text.as_bytes())];
        Ok(())
    }

    fn take_lock(&self) -> Result<LockFile> {
        match LockFile::take(&self.path) {
            Ok(Ok(lock)) => Ok(lock),
            Ok(Err(who)) => {
                let error = self.not_saved(format!("the session is open elsewhere ({who})"));
                Err(error.mend("close it there, or name another file with --session FILE"))
            }
            Err(e) => {
                let path = LockFile::path_for(&self.path);
                Err(self.cannot_save(format!("its lock {}: {e}", path.display())))
            }
        }
    }

    fn not_saved(&self, why: impl Display) -> Error {
        Error::new(self.path.display(), format!("not saved: {why}"))
    }

    fn cannot_save(&self, why: impl Display) -> Error {
        self.not_saved(why).mend("name a file that can be written with --session FILE")
    }
}

/// Checks that the file name leaves room for the lock's suffix.
fn require_short_name(path: &Path) -> Result<()> {
    let length = path.file_name().unwrap_or_default().len();
    if length <= MAX_NAME_BYTES {
        return Ok(());
    }
    Err(Error::new(path.display(), format!("a name of {length} bytes"))
        .expected(format!("a session's name has at most {MAX_NAME_BYTES}"))
        .mend("a shorter name after --session or --annotator"))
}

/// The content of a regular file; `None` where there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        // Reading a pipe blocks, a device never ends.
        Ok(facts) if !facts.is_file() => {
            return Err(Error::new(path.display(), "no regular file")
                .expected("the file of a session, or a name that is free"));
        }
        _ => {}
    }
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) => Err(Error::io(path, &e)),
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Replaces a file with these bytes, crash-safe.
fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    })?;
    File::open(folder_of(path))?.sync_all()
}

#[cfg(test)]
mod tests;
