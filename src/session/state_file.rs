//! The file of what is remembered: read once, added to by as many explorers as are open.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use super::saver::put;
use super::{Entry, Remembered};
use crate::data::json_text;
use crate::data::own_files::state_folder;
use crate::error::{Error, Result};

/// The file in which the explorer remembers.
#[derive(Debug, Clone)]
pub struct StateFile {
    path: PathBuf,
}

impl StateFile {
    /// The user's: `history.json` in the folder for the state of programs; `None` where nothing tells which
    /// that is.
    pub fn of_user() -> Option<Self> {
        let path = state_folder()?.join("history.json");
        Some(StateFile { path })
    }

    /// What it holds; nothing where there is no such file.
    ///
    /// # Errors
    /// A file that cannot be read, or is damaged. It is left as it is, and so nothing is added to it.
    pub fn read(&self) -> Result<Remembered> {
        let text = match fs::read(&self.path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Remembered::default()),
            text => text.map_err(|e| Error::io(&self.path, &e))?,
        };
        serde_json::from_slice(&text).map_err(|e| {
            Error::new(self.path.display(), format!("not what the explorer remembers: {e}"))
                .expected("the file as the explorer wrote it")
                .mend("remove it: the explorer begins a new one")
        })
    }

    /// Adds entries to what the file holds by then, whole or not at all.
    ///
    /// # Errors
    /// A folder or a file that cannot be written, or a file that cannot be read.
    pub fn add(&self, entries: &[Entry]) -> Result<()> {
        let fail = |e: io::Error| Error::io(&self.path, &e);
        if let Some(folder) = self.path.parent() {
            fs::create_dir_all(folder).map_err(fail)?;
        }
        let lock = self.lock().map_err(fail)?;
        let mut remembered = self.read()?;
        entries.iter().cloned().for_each(|entry| remembered.add(entry));
        let text = json_text::pretty(&remembered).map_err(fail)?;
        put(&self.path, text.as_bytes()).map_err(fail)?;
        drop(lock);
        Ok(())
    }

    /// Waits for other explorers that write at the same moment, where the file system has locks.
    fn lock(&self) -> io::Result<File> {
        let file = File::create(self.path.with_extension("lock"))?;
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok(file),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::session::Prompt;

    fn file(folder: &Path) -> StateFile {
        StateFile { path: folder.join("below/history.json") }
    }

    fn typed(text: &str) -> Entry {
        Entry::Typed(Prompt::Search, text.into())
    }

    #[test]
    fn explorers_that_write_at_once_lose_nothing_of_each_other() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        assert_eq!(file.read().unwrap(), Remembered::default());
        std::thread::scope(|scope| {
            for at in 0..8 {
                let file = &file;
                scope.spawn(move || file.add(&[typed(&at.to_string())]).unwrap());
            }
        });
        let mut texts = file.read().unwrap().typed(Prompt::Search).to_vec();
        texts.sort();
        assert_eq!(texts, ["0", "1", "2", "3", "4", "5", "6", "7"]);
        let left = fs::read_dir(folder.path().join("below")).unwrap().count();
        assert_eq!(left, 2, "no unfinished file stays beside it and its lock");
    }

    #[test]
    fn a_damaged_file_is_told_and_left_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(&file.path, "{\"typed\": 3}").unwrap();
        let error = file.read().unwrap_err().to_string();
        assert!(error.contains("history.json") && error.contains("remove it"), "{error}");
        assert!(file.add(&[typed("dog")]).is_err());
        assert_eq!(fs::read_to_string(&file.path).unwrap(), "{\"typed\": 3}");
    }

    #[test]
    fn what_a_later_version_adds_stays() {
        let folder = tempfile::tempdir().unwrap();
        let file = file(folder.path());
        fs::create_dir(folder.path().join("below")).unwrap();
        fs::write(&file.path, "{\"colour\": 3, \"typed\": {\"new\": [\"a\"]}}").unwrap();
        file.add(&[typed("dog")]).unwrap();
        file.add(&[typed("\u{9b}2J\u{202e}")]).unwrap();
        let text = fs::read_to_string(&file.path).unwrap();
        assert!(text.contains("\\u009b2J\\u202e"), "{text}");
        assert!(text.contains("colour") && text.contains("new"), "{text}");
    }
}
