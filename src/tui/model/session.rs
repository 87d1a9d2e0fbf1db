//! The session: what a person made, and whether it is saved.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::error::Error;
use crate::session::{Lock, Note, Pick, Session, Timestamp};
use crate::truth::response::counted;

/// A session, and whether it is saved.
#[derive(Debug, Default)]
pub struct SessionState {
    content: Session,
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
    revision: u64,
    saved: u64,
    /// Whether its file is new, where nobody named it: where that lies is said when it appears.
    pub(crate) is_new: bool,
    /// Whether it is saved though nothing was decided.
    pub(in crate::tui::model) is_in_use: bool,
    /// Whether something that a person made is in no file yet; a view alone is nothing to ask about.
    is_unsaved: bool,
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
    /// A session as its file has it, or with changes that are to be saved.
    pub(in crate::tui::model) fn of(content: Session, is_changed: bool) -> Self {
        SessionState { content, revision: u64::from(is_changed), ..SessionState::default() }
    }

    /// What a person made.
    pub fn content(&self) -> &Session {
        &self.content
    }

    /// The same, to be changed: it is saved then.
    pub(in crate::tui::model) fn change(&mut self) -> &mut Session {
        self.revision += 1;
        self.is_unsaved = true;
        &mut self.content
    }

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
    pub(crate) fn retry(&mut self) {
        self.revision += u64::from(self.failure.is_some());
    }

    /// Who gives verdicts and writes notes.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// When my answers were given.
    pub(in crate::tui::model) fn times(&self) -> impl Iterator<Item = Timestamp> {
        let verdicts = self.content.judgements().iter();
        let others = self.content.cant_tell().iter();
        let all = verdicts.map(|one| (&one.by, one.at));
        let all = all.chain(others.map(|one| (&one.by, one.at)));
        all.filter(|(by, _)| **by == self.by).map(|(_, at)| at)
    }

    /// The notes on queries, of all annotators.
    pub fn remarks(&self) -> &[Note] {
        &self.content.notes
    }

    /// The picks, in the order of the file.
    pub fn picks(&self) -> &[Pick] {
        &self.content.picks
    }

    /// The file of the session; `None` where it has none, or somebody else has it open.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn is_empty(&self) -> bool {
        let session = &self.content;
        let is_judged = !session.has_no_answer();
        !is_judged && session.picks.is_empty() && session.notes.is_empty()
    }

    /// Keeps the view from now on.
    pub(in crate::tui) fn set_view(&mut self, view: Map<String, Value>) {
        let kept = &self.content.view;
        if view.iter().any(|(key, value)| kept.get(key) != Some(value)) {
            self.content.view.extend(view);
            self.revision += 1;
        }
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
        saver.save(&self.content)?;
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
        let session = &self.content;
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
    pub(crate) fn take_saved(&mut self, revision: u64, outcome: Result<(), Error>) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;
    use crate::truth::verdict::Verdict;

    /// Whether anything is drawn or not.
    #[test]
    fn what_a_person_changes_is_to_be_saved_at_once() {
        let mut state = SessionState::of(Session::default(), false);
        state.path = Some("s.itm.json".into());
        assert_eq!((state.wanted_save(), state.kept()), (None, Kept::Saved));
        let [image, caption] = [Id::Number(1), Id::Number(2)];
        let yes = Some(Verdict::Yes);
        state.change().set_verdict(&image, &caption, yes, Timestamp::now(), "mk");
        assert_eq!((state.wanted_save(), state.kept()), (Some(1), Kept::Saving));
        state.take_saved(1, Ok(()));
        assert_eq!((state.wanted_save(), state.kept()), (None, Kept::Saved));
    }
}
