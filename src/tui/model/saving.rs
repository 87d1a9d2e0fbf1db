//! Where the session is saved, where its own file cannot be written.

use std::path::{Path, PathBuf};

use super::Model;
use super::session::Kept;
use crate::data::text::{count, shell_word, shown};
use crate::error::{Error, Result};

/// A path as the shell takes it: `~/` is the home folder.
fn at_home(path: &Path) -> PathBuf {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let below = path.strip_prefix("~").ok();
    match (home, below) {
        (Some(home), Some(below)) => home.join(below),
        _ => path.to_owned(),
    }
}

impl Model {
    /// Saves the session to a new file, and to that one from now on.
    ///
    /// # Errors
    /// When the file exists, or it cannot be written.
    pub(in crate::tui) fn save_to(&mut self, path: &Path) -> Result<()> {
        if path.as_os_str().is_empty() {
            return Err(Error::new("save to", "no name of a file"));
        }
        let path = &at_home(path);
        if path.parent().is_some_and(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()) {
            let error = Error::new(path.display(), "its folder does not exist");
            return Err(error.expected("a file in a folder that is there"));
        }
        if path.exists() {
            let error = Error::new(path.display(), "file exists");
            return Err(error.expected("a name that no file has"));
        }
        self.session.save_to(path)?;
        self.saved_to = Some(path.clone());
        Ok(())
    }

    /// Saves what could not be saved to a place that every system has, where nobody can be asked; gives
    /// the error that tells of it.
    pub(in crate::tui) fn rescue(&mut self, failure: Error) -> Error {
        if self.session.kept() != Kept::Failed {
            return failure;
        }
        let places = [self.other_place(), self.free_name(&std::env::temp_dir())];
        let saved = places.iter().find(|path| self.save_to(path).is_ok());
        match saved {
            Some(path) => failure.mend(format!(
                "verdicts, picks and notes are in {}: name it with --session",
                path.display()
            )),
            None => failure.mend("the last changes are lost: no folder could be written"),
        }
    }

    /// Says where the session lies, after what was said last.
    pub(crate) fn say_where_saved(&mut self) {
        let path = self.session.path().unwrap_or(Path::new(""));
        let saved = format!("saved in {}", shown(&path.to_string_lossy()));
        let before = self.message.take().map(|before| before + "; ");
        self.message = Some(before.unwrap_or_default() + &saved);
    }

    /// Where the judgments of this run are saved, and the command that counts them; `None` without any.
    pub(in crate::tui) fn farewell(&self) -> Option<String> {
        let session = &self.session;
        let is_new = session.times().any(|at| Some(at) >= session.since);
        let path = session.path().filter(|_| is_new && session.kept() == Kept::Saved)?;
        let path = shell_word(&path.to_string_lossy());
        let judgments = count(session.times().count(), "judgment");
        if let Some(pool) = self.pool_file() {
            let pool = shell_word(&pool.to_string_lossy());
            return Some(format!(
                "{judgments} in {path}. Make them a ground truth: itm-explore annotate import {path} --pool {pool} -o DIR/"
            ));
        }
        let several = session.content().annotators().len() > 1;
        let annotator = several.then(|| format!(" --annotator {}", shell_word(session.by())));
        Some(format!(
            "{judgments} in {path}. Count them: itm-explore eval {} --session {path}{}",
            self.files_as_given(),
            annotator.unwrap_or_default()
        ))
    }

    /// A file that may be writable where that of the session is not.
    pub(in crate::tui) fn other_place(&self) -> PathBuf {
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let home = home.filter(|path| path.is_dir());
        self.free_name(&home.unwrap_or_else(std::env::temp_dir))
    }

    /// The name of the session's file in a folder, with a number where that file exists.
    fn free_name(&self, folder: &Path) -> PathBuf {
        let name = self.session.path().and_then(Path::file_name);
        let name = name.map_or("study.itm.json".into(), |name| name.to_string_lossy());
        let first = folder.join(name.as_ref());
        let numbered = (2..1_000).map(|n| folder.join(format!("{n}-{name}")));
        let mut names = std::iter::once(first.clone()).chain(numbered);
        // A link that leads nowhere takes a name, too.
        names.find(|path| path.symlink_metadata().is_err()).unwrap_or(first)
    }
}
