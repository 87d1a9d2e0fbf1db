//! Where the session is saved, where its own file cannot be written.

use std::path::Path;

use super::Model;
use super::session::Kept;
use crate::data::text::{count, shell_word, shown};
use crate::error::Error;
use crate::jobs::{other_places, save_as};

impl Model {
    /// Saves what could not be saved to a place that every system has, where nobody can be asked; gives
    /// the error that tells of it.
    pub(in crate::tui) fn rescue(&self, failure: Error) -> Error {
        if self.session.kept() != Kept::Failed {
            return failure;
        }
        let places = other_places(self.session.path().unwrap_or(Path::new("")));
        let saved = places.iter().find_map(|path| save_as(self.session.content(), path).ok());
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
}
