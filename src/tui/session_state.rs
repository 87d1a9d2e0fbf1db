//! The session as the explorer has it: what a person made, and whether it is saved.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::app::App;
use super::backend::AppJob;
use crate::data::Direction;
use crate::engine::{SaveSession, Wanted};
use crate::error::Error;
use crate::session::{Facts, Lock, Note, Opened, Pick, Saver, Session, Timestamp};
use crate::truth::verdict::{Pair, Verdict};

/// A session, and whether it is saved.
#[derive(Debug, Default)]
pub struct SessionState {
    session: Session,
    /// Who gives verdicts.
    by: String,
    /// Its file, where it has one that is ours.
    path: Option<PathBuf>,
    /// Who else has it open: then it is only looked at.
    pub other: Option<String>,
    /// What of it the gallery lacks, and what in its file was doubtful.
    pub notes: Vec<String>,
    /// The number of changes made, and of those that are saved.
    revision: u64,
    saved: u64,
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
    /// nothing was decided yet: a look alone makes no file.
    pub fn wanted_save(&self) -> Option<u64> {
        let decided = self.saved > 0 || !self.is_empty();
        let changed = self.path.is_some() && self.other.is_none() && self.saved < self.revision;
        (changed && decided).then_some(self.revision)
    }

    /// Has a state saved once more that could not be: what was in the way may be over.
    pub(super) fn retry(&mut self) {
        self.revision += u64::from(self.failure.is_some());
    }

    /// Who gives verdicts and writes notes.
    pub fn by(&self) -> &str {
        &self.by
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
        session.judgements().is_empty() && session.picks.is_empty() && session.notes.is_empty()
    }

    /// Keeps the view from now on.
    pub(super) fn set_view(&mut self, view: Map<String, Value>) {
        self.session.view.extend(view);
        self.revision += 1;
    }

    /// Saves to another file, and to that one from now on.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn save_to(&mut self, path: &Path) -> Result<(), Error> {
        let opened = Session::open(path)?;
        let Lock::Held(saver) = opened.lock else {
            return Err(Error::new(path.display(), "it is open elsewhere"));
        };
        saver.save(&self.session)?;
        self.path = Some(path.to_owned());
        self.saved = self.revision;
        self.failure = None;
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
            count(session.judgements().len(), "verdict"),
            count(session.picks.len(), "pick"),
            count(session.notes.len(), "note"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!(
            "{} of this session: the last changes are in no file.",
            parts.join(", ")
        )
    }

    /// Takes the outcome of a save.
    fn take_saved(&mut self, revision: u64, outcome: Result<(), Error>) {
        match outcome {
            Ok(()) => {
                self.saved = self.saved.max(revision);
                self.failure = None;
            }
            Err(error) => self.failure = Some(error),
        }
    }
}

impl AppJob for SaveSession {
    const MUST_FINISH: bool = true;

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let revision = Vec::from_iter(app.session.wanted_save());
        Some(Wanted::parts((), revision, || app.session.session.clone()))
    }

    fn take(app: &mut App, (): (), (revision, outcome): Self::Output) {
        app.session.take_saved(revision, outcome);
    }
}

impl App {
    /// Opens a session: its verdicts, picks and view are those of the explorer from now on. Gives
    /// what saves it, where that is this process.
    pub fn open_session(&mut self, opened: Opened, by: &str, files: Vec<String>) -> Option<Saver> {
        let Opened {
            mut session,
            lock,
            mut notes,
        } = opened;
        let matched = session.verdicts(&self.study.gallery, by);
        notes.extend(matched.notes);
        let fits = |facts: &Facts| facts.fit(&self.study.gallery);
        if !session.study.as_ref().is_some_and(fits) {
            session.study = Some(Facts::of(files, &self.study.gallery));
        }
        let (saver, other) = match lock {
            Lock::Held(saver) => (Some(saver), None),
            Lock::Other { who } => (None, Some(who)),
        };
        self.message = match (&other, matched.verdicts.len()) {
            (Some(who), _) => Some(read_only(who)),
            (None, 0) => None,
            (None, 1) => Some("1 verdict of an earlier session".into()),
            (None, count) => Some(format!("{count} verdicts of an earlier session")),
        };
        self.judgements.verdicts = matched.verdicts;
        self.forget_error_analysis();
        self.restore_view(&session.view);
        self.session = SessionState {
            path: saver.as_ref().map(|saver| saver.path().to_owned()),
            session,
            by: by.to_owned(),
            other,
            notes,
            ..SessionState::default()
        };
        self.refresh_judged();
        self.browse_refresh();
        saver
    }

    /// Whether the session is only looked at, which is then said.
    pub(super) fn is_read_only(&mut self) -> bool {
        let message = self.session.other.as_deref().map(read_only);
        let is_so = message.is_some();
        self.message = message.or(self.message.take());
        is_so
    }

    /// Writes a verdict down.
    pub(super) fn write_verdict(&mut self, pair: Pair, verdict: Option<Verdict>) {
        let gallery = &self.base.gallery;
        let image = &gallery.images[pair.image.get()];
        let caption = &gallery.captions[pair.caption.get()];
        let book = &mut self.session;
        let now = Timestamp::now();
        book.session
            .set_verdict(image, caption, verdict, now, &book.by);
    }

    /// Writes all picks down.
    pub(super) fn write_picks(&mut self, picks: &[Pick]) {
        picks.clone_into(&mut self.session.session.picks);
    }

    /// Writes a note in the place of the one before, or strikes that out.
    #[expect(clippy::ref_option, reason = "a change holds it so")]
    pub(super) fn write_note(&mut self, before: &Option<Box<Note>>, after: &Option<Box<Note>>) {
        let notes = &mut self.session.session.notes;
        let is_it = |known: &Note| before.as_deref() == Some(known);
        match (notes.iter().position(is_it), after.as_deref().cloned()) {
            (Some(place), Some(note)) => notes[place] = note,
            (Some(place), None) => drop(notes.remove(place)),
            (None, note) => notes.extend(note),
        }
    }

    /// The queries of a direction that are picked.
    pub(super) fn picked(&self, direction: Direction) -> Vec<u32> {
        self.session.session.picked(&self.study.gallery, direction)
    }
}

fn read_only(who: &str) -> String {
    format!("read-only: this session is open elsewhere ({who})")
}
