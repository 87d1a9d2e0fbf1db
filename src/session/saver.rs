//! Opens sessions, and saves them atomically, by one process at a time.

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

/// Maximum length of a session's file name in bytes: file systems allow 255, and the name of its lock is longer.
const MAX_NAME_BYTES: usize = 243;

/// An open session.
#[derive(Debug)]
pub struct OpenSession {
    /// The file's content; empty if there is no file yet.
    pub session: Session,
    /// Whether it may be saved.
    pub lock: Lock,
    /// Whether to save it even if nothing changes: the file exists, or was named.
    pub saves_view_alone: bool,
    /// Warnings about the file, one per line.
    pub notes: Vec<String>,
}

/// Who holds the lock on an open session.
#[derive(Debug)]
pub enum Lock {
    /// This process, until the saver is dropped.
    Held(Saver),
    /// Another process: the session is read-only here.
    Other {
        /// Description of the process.
        who: String,
    },
}

impl Lock {
    /// The saver, if this process holds the lock on the session at `path`.
    ///
    /// # Errors
    /// A session that is open elsewhere.
    pub fn into_saver(self, path: &Path) -> Result<Saver> {
        let who = match self {
            Lock::Held(saver) => return Ok(saver),
            Lock::Other { who } => who,
        };
        let found = format!("the session is open elsewhere ({who})");
        Err(Error::new(path.display(), found).fix("close it there, or name another file"))
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
    /// `None` if it could not be acquired, as in a read-only folder.
    lock: Option<LockFile>,
    /// Hashes of the content last read or saved, and of attempted saves: these may have been written despite an error.
    known_hashes: Vec<u64>,
}

impl Session {
    /// Reads and locks a session. A missing file is an empty session, created on first save.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or from a newer version; it is not changed.
    pub fn open(path: &Path) -> Result<OpenSession> {
        check_no_link(path)?;
        require_short_name(path)?;
        // A read-only folder does not prevent viewing: saving will fail.
        let acquired = LockFile::acquire(path).ok();
        let bytes = read_file(path)?;
        let (session, notes) = match &bytes {
            Some(bytes) => file::parse(path, bytes)?,
            None => (Session::default(), Vec::new()),
        };
        let known_hashes = bytes.as_deref().map(hash).into_iter().collect();
        let hold = |lock| {
            let state = Mutex::new(State { lock, known_hashes });
            Lock::Held(Saver { path: path.to_owned(), state })
        };
        let lock = match acquired {
            Some(Err(who)) => Lock::Other { who },
            Some(Ok(lock)) => hold(Some(lock)),
            None => hold(None),
        };
        Ok(OpenSession { session, lock, saves_view_alone: bytes.is_some(), notes })
    }

    /// Reads a session without locking it; also returns warnings about the file, one per line.
    ///
    /// # Errors
    /// As [`Session::open`]; a missing file.
    pub fn read(path: &Path) -> Result<(Session, Vec<String>)> {
        in_use::note_input(path)?;
        match read_file(path)? {
            Some(bytes) => file::parse(path, &bytes),
            None => Err(Error::io(path, &io::ErrorKind::NotFound.into())),
        }
    }
}

impl Saver {
    /// Path of the session, as given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the session atomically: afterwards the file has the new or the old content, even after a crash.
    ///
    /// # Errors
    /// The file or its folder is read-only; another program has changed the file since it was read or saved, and its
    /// work would be lost.
    pub fn save(&self, session: &Session) -> Result<()> {
        let io_error = |e: io::Error| match e.kind() {
            io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                self.unwritable_error("it or its folder cannot be written")
            }
            _ => self.unwritable_error(e),
        };
        let text = file::text(session).map_err(|e| io_error(e.into()))?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        fs::create_dir_all(folder_of(&self.path)).map_err(io_error)?;
        if state.lock.is_none() {
            state.lock = Some(self.take_lock()?);
        }
        let on_disk =
            read_file(&self.path).map_err(|error| self.unwritable_error(error.found()))?;
        // A deleted file has nothing to lose.
        if on_disk.as_deref().is_some_and(|bytes| !state.known_hashes.contains(&hash(bytes))) {
            let error = self.save_error("another program has changed the file since it was read");
            return Err(error.fix("save to another file with --session FILE, and merge the two with `itm-explore annotate merge`"));
        }
        if fs::metadata(&self.path).is_ok_and(|metadata| is_read_only(&metadata)) {
            let error = self.save_error("it is read-only");
            return Err(error.fix("chmod u+w it, or name another file with --session FILE"));
        }
        state.known_hashes.push(hash(text.as_bytes()));
        if on_disk.as_deref() != Some(text.as_bytes()) {
            write_synced(&self.path, text.as_bytes()).map_err(io_error)?;
        }
        state.known_hashes = vec![hash(text.as_bytes())];
        Ok(())
    }

    /// Acquires the lock, which could not be acquired when the session was opened.
    fn take_lock(&self) -> Result<LockFile> {
        match LockFile::acquire(&self.path) {
            Ok(Ok(lock)) => Ok(lock),
            Ok(Err(who)) => {
                let error = self.save_error(format!("the session is open elsewhere ({who})"));
                Err(error.fix("close it there, or name another file with --session FILE"))
            }
            Err(e) => {
                let path = LockFile::path_for(&self.path);
                Err(self.unwritable_error(format!("its lock {}: {e}", path.display())))
            }
        }
    }

    /// Error: not saved, for this reason.
    fn save_error(&self, reason: impl Display) -> Error {
        Error::new(self.path.display(), format!("not saved: {reason}"))
    }

    /// [`Saver::save_error`] with the fix to use a file that can be written.
    fn unwritable_error(&self, reason: impl Display) -> Error {
        self.save_error(reason).fix("name a file that can be written with --session FILE")
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
        .fix("a shorter name after --session or --annotator"))
}

/// The content of a regular file; `None` if there is no file.
fn read_file(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        // Reading a pipe blocks, a device never ends.
        Ok(metadata) if !metadata.is_file() => {
            return Err(Error::new(path.display(), "no regular file")
                .expected("the file of a session, or a name that is free"));
        }
        _ => {}
    }
    fs::read(path).map(Some).map_err(|e| Error::io(path, &e))
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// Replaces a file by one with these bytes; after a crash it is the old or the new one.
fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    })?;
    File::open(folder_of(path))?.sync_all()
}

#[cfg(test)]
mod tests;
