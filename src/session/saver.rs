//! Opening and saving: whole or not at all, by one process at a time.

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

/// Maximum length of a session's file name in bytes: file systems take 255, and its lock needs some.
const LONGEST_NAME: usize = 243;

/// A session that was opened.
#[derive(Debug)]
pub struct Opened {
    /// What the file holds; an empty session where there is none yet.
    pub session: Session,
    /// Whether it may be saved.
    pub lock: Lock,
    /// Whether it is saved though nothing was decided: its file is there, or somebody named it.
    pub is_in_use: bool,
    /// What in the file was doubtful, a line each.
    pub notes: Vec<String>,
}

/// Who may save a session.
#[derive(Debug)]
pub enum Lock {
    /// This process, by this saver, as long as it is not dropped.
    Held(Saver),
    /// Another process; here it is only looked at.
    Other {
        /// Which, in words.
        who: String,
    },
}

impl Lock {
    /// The saver, if this process has it.
    ///
    /// # Errors
    /// A session that is open elsewhere.
    pub fn held(self, path: &Path) -> Result<Saver> {
        let who = match self {
            Lock::Held(saver) => return Ok(saver),
            Lock::Other { who } => who,
        };
        let found = format!("the session is open elsewhere ({who})");
        Err(Error::new(path.display(), found).mend("close it there, or name another file"))
    }
}

/// Saves one session; may be used from any thread.
#[derive(Debug)]
pub struct Saver {
    path: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` until a folder can be written.
    lock: Option<LockFile>,
    /// The content that was last read or saved, and what was tried to save since: that may be there though an error came
    /// after it.
    known: Vec<u64>,
}

impl Session {
    /// Reads a session and takes its lock. A file that does not exist is an empty session, which
    /// appears when it is saved.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or was written by a newer version; it is left as it
    /// is.
    pub fn open(path: &Path) -> Result<Opened> {
        check_no_link(path)?;
        require_short_name(path)?;
        // A folder that cannot be written hinders nobody from looking: saving will tell.
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

    /// Reads a session only to look at it: nothing is locked.
    ///
    /// # Errors
    /// As [`Session::open`]; a file that does not exist.
    pub fn read(path: &Path) -> Result<(Session, Vec<String>)> {
        in_use::reads(path)?;
        match read(path)? {
            Some(bytes) => file::read(path, &bytes),
            None => Err(Error::io(path, &io::ErrorKind::NotFound.into())),
        }
    }
}

impl Saver {
    /// The file, as it was named.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Saves the session: afterwards the file holds all of it, also if the machine stops, or all
    /// that it held before.
    ///
    /// # Errors
    /// When the file is read-only, or its folder cannot be written; when another program has changed
    /// the file since it was read or saved, whose work would be lost.
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
        // A file that is gone holds nothing that could be lost.
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
            put(&self.path, text.as_bytes()).map_err(fail)?;
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

/// Checks that the name of a session leaves room for that of its lock.
fn require_short_name(path: &Path) -> Result<()> {
    let length = path.file_name().unwrap_or_default().len();
    if length <= LONGEST_NAME {
        return Ok(());
    }
    Err(Error::new(path.display(), format!("a name of {length} bytes"))
        .expected(format!("a session's name has at most {LONGEST_NAME}"))
        .mend("a shorter name after --session or --annotator"))
}

/// The content of a regular file; `None` where there is none.
fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::metadata(path) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A pipe would be waited for, a device never ends.
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

/// Puts these bytes in the place of a file, also if the machine stops.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace(path, |mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    })?;
    File::open(folder_of(path))?.sync_all()
}

#[cfg(test)]
mod tests;
