//! Opening and saving: whole or not at all, by one process at a time.

use std::fs::{self, File, Permissions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::lock::{LockFile, Taken};
use super::{Session, file};
use crate::data::in_use;
use crate::data::output::is_read_only;
use crate::error::{Error, Result};

/// How the name of a file ends that is not yet the session.
const UNFINISHED: &str = ".tmp";
/// Bytes of the longest name of a session: file systems take 255, and an unfinished file has 12 more.
const LONGEST_NAME: usize = 243;
/// Links that are followed to a file, as the system does.
const LINKS: usize = 40;

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
    /// From where contents were added to it, in words; they are saved then.
    pub taken_over: Option<String>,
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

/// Saves one session; may be used from any thread.
#[derive(Debug)]
pub struct Saver {
    /// The file as it was named.
    path: PathBuf,
    /// The file itself, behind all links.
    target: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// `None` until a folder can be written.
    lock: Option<LockFile>,
    /// The content that was last read or saved.
    seen: Option<u64>,
    /// The content that was last tried to save: it may be there though an error came after it.
    tried: Option<u64>,
}

impl Session {
    /// Reads a session and takes its lock. A file that does not exist is an empty session, which
    /// appears when it is saved.
    ///
    /// # Errors
    /// A file that cannot be read, is damaged, or was written by a newer version; it is left as it
    /// is.
    pub fn open(path: &Path) -> Result<Opened> {
        let fail = |e: io::Error| Error::io(path, &e);
        let target = behind_links(path).map_err(fail)?;
        require_short_name(path, &target)?;
        // A folder that cannot be written hinders nobody from looking: saving will tell.
        let taken = LockFile::take(&target).ok();
        if let Some(Taken::Ours(_)) = taken {
            remove_unfinished(&target);
        }
        let bytes = read(path, &target)?;
        let (session, notes) = match &bytes {
            Some(bytes) => file::read(path, bytes)?,
            None => (Session::default(), Vec::new()),
        };
        let held = |lock| {
            Lock::Held(Saver {
                path: path.to_owned(),
                target: target.clone(),
                state: Mutex::new(State { lock, seen: bytes.as_deref().map(hash), tried: None }),
            })
        };
        let lock = match taken {
            Some(Taken::Theirs(who)) => Lock::Other { who },
            Some(Taken::Ours(lock)) => held(Some(lock)),
            None => held(None),
        };
        Ok(Opened { session, lock, is_in_use: bytes.is_some(), notes, taken_over: None })
    }

    /// Reads a session only to look at it: nothing is locked.
    ///
    /// # Errors
    /// As [`Session::open`]; a file that does not exist.
    pub fn read(path: &Path) -> Result<(Session, Vec<String>)> {
        in_use::reads(path)?;
        match read(path, path)? {
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
        let fail = |e: io::Error| cannot_save(&self.path, &e);
        let text = file::text(session).map_err(|e| fail(e.into()))?;
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(folder) = folder(&self.target) {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        if state.lock.is_none() {
            state.lock = Some(self.take_lock()?);
        }
        let there = read(&self.path, &self.target).map_err(|e| unsaved(&e))?;
        // A file that is gone holds nothing that could be lost.
        let found = there.as_deref().map(hash);
        if found.is_some() && found != state.seen && found != state.tried {
            return Err(Error::new(
                self.path.display(),
                "not saved: another program has changed the file since it was read",
            )
            .mend("save to another file with --session FILE, and put the two together with `itm-explore truth merge`"));
        }
        if fs::metadata(&self.target).is_ok_and(|there| is_read_only(&there)) {
            let error = Error::new(self.path.display(), "not saved: it is read-only");
            return Err(error.mend("chmod u+w it, or name another file with --session FILE"));
        }
        state.tried = Some(hash(text.as_bytes()));
        if there.as_deref() != Some(text.as_bytes()) {
            replace(&self.target, text.as_bytes()).map_err(fail)?;
        }
        state.seen = state.tried;
        Ok(())
    }

    fn take_lock(&self) -> Result<LockFile> {
        match LockFile::take(&self.target) {
            Ok(Taken::Ours(lock)) => Ok(lock),
            Ok(Taken::Theirs(who)) => Err(Error::new(
                self.path.display(),
                format!("not saved: the session is open elsewhere ({who})"),
            )
            .mend("close it there, or name another file with --session FILE")),
            Err(e) => Err(blocked(&self.target).unwrap_or_else(|| cannot_save(&self.path, &e))),
        }
    }
}

/// Checks that the name of a session leaves room for what an unfinished file has besides.
fn require_short_name(path: &Path, target: &Path) -> Result<()> {
    let length = target.file_name().unwrap_or_default().len();
    if length <= LONGEST_NAME {
        return Ok(());
    }
    Err(Error::new(path.display(), format!("a name of {length} bytes"))
        .expected(format!("a session's name has at most {LONGEST_NAME}"))
        .mend("a shorter name after --session or --annotator"))
}

/// What is in the way of a lock: something else than a file, of that name.
fn blocked(target: &Path) -> Option<Error> {
    let path = LockFile::path_for(target);
    let kind = fs::symlink_metadata(&path).ok()?.file_type();
    let (what, mend) = match kind {
        _ if kind.is_file() => return None,
        _ if kind.is_dir() => ("a directory", "rmdir"),
        _ if kind.is_symlink() => ("a link", "rm"),
        _ => ("a pipe or a device", "rm"),
    };
    let path = path.display().to_string();
    let error =
        Error::new(&path, format!("not saved: {what} stands where the session's lock should"));
    Some(
        error
            .expected("no such name, or the file that keeps two programs from saving one session")
            .mend(format!("{mend} {path}, or name another session with --session FILE")),
    )
}

/// An error of reading, for somebody who saves.
fn unsaved(error: &Error) -> Error {
    Error::new(error.subject(), format!("not saved: {}", error.found()))
        .expected("the file of a session, or a name that is free")
        .mend("name another file with --session FILE")
}

fn cannot_save(path: &Path, error: &io::Error) -> Error {
    let why = match error.kind() {
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            "it or its folder cannot be written".to_owned()
        }
        _ => error.to_string(),
    };
    Error::new(path.display(), format!("not saved: {why}"))
        .mend("name a file that can be written with --session FILE")
}

/// The content of a regular file; `None` where there is none.
fn read(path: &Path, target: &Path) -> Result<Option<Vec<u8>>> {
    match fs::metadata(target) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        // A pipe would be waited for, a device never ends.
        Ok(facts) if !facts.is_file() => {
            return Err(Error::new(path.display(), "no regular file")
                .expected("the file of a session, or a name that is free"));
        }
        _ => {}
    }
    match fs::read(target) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(e) => Err(Error::io(path, &e)),
    }
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    bytes.hash(&mut hasher);
    hasher.finish()
}

/// The folder of a file, where its name has one.
fn folder(target: &Path) -> Option<&Path> {
    target.parent().filter(|folder| !folder.as_os_str().is_empty())
}

/// The file that a name stands for, whether it exists or not.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut target = path.to_owned();
    for _ in 0..LINKS {
        match fs::read_link(&target) {
            Ok(next) => target = folder(&target).map_or(next.clone(), |from| from.join(&next)),
            Err(_) => return Ok(target),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Puts a file with these bytes in the place of `target`, with its permissions.
pub(super) fn replace(target: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = folder(target).unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(&prefix(target))
        .suffix(UNFINISHED)
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(folder)?;
    if let Ok(there) = fs::metadata(target) {
        // A rename asks for no right to write the file: this does.
        File::options().write(true).open(target)?;
        file.as_file().set_permissions(there.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(target)?;
    File::open(folder)?.sync_all()
}

/// How the names of unfinished files of a session begin: hidden, and its own.
fn prefix(target: &Path) -> String {
    let name = target.file_name().unwrap_or_default();
    format!(".{}.", name.to_string_lossy())
}

/// Removes what a process left that was killed while it saved. Only the holder of the lock may.
fn remove_unfinished(target: &Path) {
    let prefix = prefix(target);
    let Ok(entries) = fs::read_dir(folder(target).unwrap_or(Path::new("."))) else {
        return;
    };
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let middle = name.strip_prefix(&prefix);
        let middle = middle.and_then(|rest| rest.strip_suffix(UNFINISHED));
        let is_left =
            middle.is_some_and(|random| random.bytes().all(|b| b.is_ascii_alphanumeric()));
        if is_left && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            // One that stays is in nobody's way.
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests;
