//! The session: what a person made, and whether it is saved.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::session::{Lock, Note, Pick, Session, Timestamp};
use crate::truth::response::counted;

/// A session, and whether it is saved.
#[derive(Debug, Default)]
pub struct SessionState {
    pub(in crate::tui::model) session: Session,
    /// Who gives verdicts.
    pub(in crate::tui::model) by: String,
    /// The inputs as they were typed.
    pub(in crate::tui::model) files: Vec<String>,
    /// When it was opened.
    pub(in crate::tui::model) since: Option<Timestamp>,
    /// Its file, where it has one that is ours.
    pub(in crate::tui::model) path: Option<PathBuf>,
    /// Who else has it open: then it is only looked at.
    pub other: Option<String>,
    /// What of it the gallery lacks, and what in its file was doubtful.
    pub notes: Vec<String>,
    /// The number of changes made, and of those that are saved.
    pub(in crate::tui::model) revision: u64,
    pub(in crate::tui::model) saved: u64,
    /// Whether its file is new, where nobody named it: where that lies is said when it appears.
    pub(in crate::tui::model) is_new: bool,
    /// Whether it is saved though nothing was decided.
    pub(in crate::tui::model) is_in_use: bool,
    /// Whether something that a person made is in no file yet; a view alone is nothing to ask about.
    pub(in crate::tui::model) is_unsaved: bool,
    /// Why the last save failed.
    pub failure: Option<Error>,
}

/// What the screen says of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Every change is in the file.
    Saved,
    /// The last changes are on their way.
    Saving,
    /// The last changes are not in the file.
    Failed,
    /// Somebody else has it open.
    ReadOnly,
    /// There is no file.
    Nowhere,
}

impl SessionState {
    /// Whether every change is saved.
    pub fn kept(&self) -> Kept {
        match (&self.other, &self.failure) {
            (Some(_), _) => Kept::ReadOnly,
            (_, Some(_)) => Kept::Failed,
            _ if self.path.is_none() => Kept::Nowhere,
            _ if self.saved < self.revision => Kept::Saving,
            _ => Kept::Saved,
        }
    }

    /// The number of the state that is to be saved; `None` where nothing has changed, or where
    /// nothing was decided yet: a look alone makes no file, and goes into one that is in use.
    pub fn wanted_save(&self) -> Option<u64> {
        let decided = self.saved > 0 || self.is_in_use || !self.is_empty();
        let changed = self.path.is_some() && self.other.is_none() && self.saved < self.revision;
        (changed && decided).then_some(self.revision)
    }

    /// Has a state saved once more that could not be: what was in the way may be over.
    pub(in crate::tui) fn retry(&mut self) {
        self.revision += u64::from(self.failure.is_some());
    }

    /// Who gives verdicts and writes notes.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// When my answers were given.
    pub(in crate::tui::model) fn times(&self) -> impl Iterator<Item = Timestamp> {
        let verdicts = self.session.judgements().iter();
        let others = self.session.cant_tell().iter();
        let all = verdicts.map(|one| (&one.by, one.at));
        let all = all.chain(others.map(|one| (&one.by, one.at)));
        all.filter(|(by, _)| **by == self.by).map(|(_, at)| at)
    }

    /// The notes on queries, of all annotators.
    pub fn remarks(&self) -> &[Note] {
        &self.session.notes
    }

    /// The picks, in the order of the file.
    pub fn picks(&self) -> &[Pick] {
        &self.session.picks
    }

    /// The file of the session; `None` where it has none, or somebody else has it open.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn is_empty(&self) -> bool {
        let session = &self.session;
        let is_judged = !session.has_no_answer();
        !is_judged && session.picks.is_empty() && session.notes.is_empty()
    }

    /// Whether a view is another one than that which is kept.
    pub(in crate::tui::model) fn has_other_view(&self, view: &Map<String, Value>) -> bool {
        let kept = &self.session.view;
        view.iter().any(|(key, value)| kept.get(key) != Some(value))
    }

    /// Keeps the view from now on.
    pub(in crate::tui) fn set_view(&mut self, view: Map<String, Value>) {
        self.session.view.extend(view);
        self.revision += 1;
    }

    /// Saves to another file, and to that one from now on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(in crate::tui) fn save_to(&mut self, path: &Path) -> Result<(), Error> {
        let opened = Session::open(path)?;
        let Lock::Held(saver) = opened.lock else {
            return Err(Error::new(path.display(), "it is open elsewhere"));
        };
        saver.save(&self.session)?;
        self.path = Some(path.to_owned());
        self.saved = self.revision;
        (self.failure, self.is_unsaved) = (None, false);
        Ok(())
    }

    /// What a person made, in words.
    pub fn summary(&self) -> String {
        let count = |count: usize, what: &str| match count {
            0 => None,
            1 => Some(format!("1 {what}")),
            _ => Some(format!("{count} {what}s")),
        };
        let session = &self.session;
        let parts = [
            (!session.has_no_answer())
                .then(|| counted(session.judgements().len(), session.cant_tell().len())),
            count(session.picks.len(), "pick"),
            count(session.notes.len(), "note"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("{} of this session: the last changes are in no file.", parts.join(", "))
    }

    /// Takes the outcome of a save.
    pub(in crate::tui::model) fn take_saved(&mut self, revision: u64, outcome: Result<(), Error>) {
        match outcome {
            Ok(()) => {
                self.is_unsaved &= revision != self.revision;
                self.saved = self.saved.max(revision);
                self.failure = None;
            }
            Err(_) if !self.is_unsaved => self.saved = self.saved.max(revision),
            Err(error) => self.failure = Some(error),
        }
    }
}
