//! The lock of a session: a file next to it, locked while its process runs.
//!
//! The operating system releases the lock however the process ends. The file is removed when the session is closed; one
//! left by a killed process locks nothing.

use std::fs::{self, File, Metadata, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

use crate::data::text::shown;

/// Maximum bytes read of a lock file.
const MAX_LOCK_BYTES: u64 = 200;
/// Maximum number of tries: another process may remove the file between open and lock.
const MAX_TRIES: usize = 100;

/// The lock on a session, held until it is dropped.
#[derive(Debug)]
pub(super) struct LockFile {
    path: PathBuf,
    file: File,
}

impl LockFile {
    /// Acquires the lock on the session at this path; the inner error is the process that holds the lock, as text.
    ///
    /// # Errors
    /// The lock file cannot be created.
    pub(super) fn acquire(session: &Path) -> io::Result<Result<LockFile, String>> {
        let path = Self::path_for(session);
        for _ in 0..MAX_TRIES {
            let mut file = open_lock_file(&path)?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) => return Ok(Err(read_owner(&mut file))),
                // A file system without locks: saving still checks for changes.
                Err(TryLockError::Error(e)) if e.kind() != io::ErrorKind::Unsupported => {
                    return Err(e);
                }
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            let ours = LockFile { path: path.clone(), file };
            if ours.still_exists() {
                write_owner(&ours.file)?;
                return Ok(Ok(ours));
            }
        }
        Err(io::Error::other("its lock file changes all the time"))
    }

    /// Path of the lock file for the session at this path.
    pub(super) fn path_for(session: &Path) -> PathBuf {
        let mut path = session.as_os_str().to_owned();
        path.push(".lock");
        PathBuf::from(path)
    }

    /// Whether the path still leads to the locked file, which may have been deleted meanwhile.
    fn still_exists(&self) -> bool {
        let id = |metadata: Metadata| (metadata.dev(), metadata.ino());
        let found = fs::symlink_metadata(&self.path).map(id);
        matches!((found, self.file.metadata().map(id)), (Ok(found), Ok(ours)) if found == ours)
    }
}

impl Drop for LockFile {
    fn drop(&mut self) {
        if self.still_exists() {
            // A leftover file locks nothing once closed.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a lock file, or creates it.
fn open_lock_file(path: &Path) -> io::Result<File> {
    let file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        // A symbolic link would redirect writes.
        .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK)
        .open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("its lock file is no regular file"));
    }
    Ok(file)
}

/// Writes this process into its lock file.
fn write_owner(mut file: &File) -> io::Result<()> {
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "process {}", std::process::id())
}

/// The process named in a lock file.
fn read_owner(file: &mut File) -> String {
    let mut text = String::new();
    let read = file.take(MAX_LOCK_BYTES).read_to_string(&mut text);
    match text.trim() {
        owner if read.is_ok() && !owner.is_empty() => shown(owner),
        _ => "another process".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_holds_it_and_the_next_is_told_who() {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("s.itm.json");
        let side = folder.path().join("s.itm.json.lock");
        // Left by a killed process.
        fs::write(&side, "process 1 on moon, and a long story").unwrap();
        let Ok(held) = LockFile::acquire(&session).unwrap() else { panic!() };
        let signed = format!("process {}\n", std::process::id());
        assert_eq!(fs::read_to_string(&side).unwrap(), signed);
        let Err(who) = LockFile::acquire(&session).unwrap() else { panic!() };
        assert_eq!(who, signed.trim());
        drop(held);
        assert!(!side.exists());
        assert!(LockFile::acquire(&session).unwrap().is_ok());
    }

    #[test]
    fn a_lock_on_a_file_that_is_gone_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("s.itm.json");
        let side = folder.path().join("s.itm.json.lock");
        let Ok(first) = LockFile::acquire(&session).unwrap() else { panic!() };
        fs::remove_file(&side).unwrap();
        let Ok(second) = LockFile::acquire(&session).unwrap() else { panic!() };
        drop(first);
        assert!(side.exists(), "the second one's");
        drop(second);
        std::os::unix::fs::symlink(folder.path().join("precious"), &side).unwrap();
        assert!(LockFile::acquire(&session).is_err());
        assert!(!folder.path().join("precious").exists());
    }
}
