//! A person's session: whether and where it is saved.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::changes::Dirty;
use super::view::header_specs;
use super::{Model, Refusal};
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::text::{count, shell_word, shown};
use crate::error::Error;
use crate::jobs::save_elsewhere;
use crate::session::place::is_own;
use crate::session::{Facts, Lock, Note, Opened, Pick, Saver, Session, TimedResponse, Timestamp};
use crate::truth::judgment::Pair;
use crate::truth::response::counted;

/// A session, and whether it is saved.
#[derive(Debug, Default)]
pub struct SessionState {
    content: Session,
    /// The annotator.
    pub(super) by: String,
    /// The inputs as typed.
    pub(super) files: Vec<String>,
    /// When it was opened.
    pub(super) since: Option<Timestamp>,
    /// Its file, if it has one of its own.
    pub(super) path: Option<PathBuf>,
    /// Who else has it open: then it is read-only.
    pub other: Option<String>,
    /// Items missing in the gallery, and doubts about its file.
    pub notes: Vec<String>,
    /// Number of changes made, and of those saved.
    revision: u64,
    saved: u64,
    /// Whether its file is new and unnamed: its path is shown when it appears.
    pub(crate) is_new: bool,
    /// Whether to save even if nothing was decided.
    pub(super) is_in_use: bool,
    /// Whether user changes are in no file yet; a view alone does not count.
    is_unsaved: bool,
    /// Why the last save failed.
    pub failure: Option<Error>,
}

/// Shown saving state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveState {
    /// Every change is in the file.
    Saved,
    /// The last changes are being saved.
    Saving,
    /// The last changes are not in the file.
    Failed,
    /// Somebody else has it open.
    ReadOnly,
    /// There is no file.
    Nowhere,
}

impl SessionState {
    /// The content.
    pub fn content(&self) -> &Session {
        &self.content
    }

    /// Mutable content; marks it unsaved.
    pub(super) fn change(&mut self) -> &mut Session {
        self.revision += 1;
        self.is_unsaved = true;
        &mut self.content
    }

    /// State of saving.
    pub fn save_state(&self) -> SaveState {
        match (&self.other, &self.failure) {
            (Some(_), _) => SaveState::ReadOnly,
            (_, Some(_)) => SaveState::Failed,
            _ if self.path.is_none() => SaveState::Nowhere,
            _ if self.saved < self.revision => SaveState::Saving,
            _ => SaveState::Saved,
        }
    }

    /// Revision to save; `None` if nothing changed, or nothing was decided yet: a view alone creates no file, and is
    /// only saved to one in use.
    pub fn wanted_save(&self) -> Option<u64> {
        let decided = self.saved > 0 || self.is_in_use || !self.is_empty();
        let changed = self.path.is_some() && self.other.is_none() && self.saved < self.revision;
        (changed && decided).then_some(self.revision)
    }

    /// Retries a failed save: the obstacle may be gone.
    pub(crate) fn retry(&mut self) {
        self.revision += u64::from(self.failure.is_some());
    }

    /// The annotator.
    pub fn by(&self) -> &str {
        &self.by
    }

    /// Times of my judgments.
    pub(super) fn times(&self) -> impl Iterator<Item = Timestamp> {
        let mine = self.content.judgments().iter().filter(|one| one.by == self.by);
        mine.map(|one| one.at)
    }

    /// The notes on queries, of all annotators.
    pub fn remarks(&self) -> &[Note] {
        &self.content.notes
    }

    /// The picks, in the order of the file.
    pub fn picks(&self) -> &[Pick] {
        &self.content.picks
    }

    /// File of the session; `None` if it has none, or somebody else has it open.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn is_empty(&self) -> bool {
        let session = &self.content;
        let lists = [session.picks.len(), session.notes.len(), session.tags.len()];
        session.judgments().is_empty() && lists == [0; 3]
    }

    /// Stores the view.
    pub(in crate::tui) fn set_view(&mut self, view: Map<String, Value>) {
        let kept = &self.content.view;
        if view.iter().any(|(key, value)| kept.get(key) != Some(value)) {
            self.content.view.extend(view);
            self.revision += 1;
        }
    }

    /// Handles a save's outcome.
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

impl Model {
    /// Opens a session: sets its judgments, picks and view. Returns the saver, if this process saves it.
    pub(in crate::tui) fn take_session(
        &mut self,
        opened: Opened,
        by: &str,
        files: Vec<String>,
    ) -> Option<Saver> {
        let Opened { mut session, lock, is_in_use, mut notes } = opened;
        let (judgments, lacking) = session.judgments_in(&self.study.gallery, by);
        notes.extend(lacking);
        let fits = |facts: &Facts| facts.fit(&self.study.gallery);
        if !session.study.as_ref().is_some_and(fits) {
            session.study = Some(Facts::new(files.clone(), &self.study.gallery));
        }
        let (saver, other) = match lock {
            Lock::Held(saver) => (Some(saver), None),
            Lock::Other { who } => (None, Some(who)),
        };
        let view = session.view.clone();
        self.judgments.decided = judgments;
        self.judgments.cant_tell = session.cant_tell(&self.study.gallery, by);
        self.session = SessionState { content: session, ..SessionState::default() };
        let state = &mut self.session;
        state.path = saver.as_ref().map(|saver| saver.path().to_owned());
        state.is_new = !is_in_use && saver.as_ref().is_some_and(|saver| is_own(saver.path()));
        (state.by, state.files, state.since) = (by.to_owned(), files, Some(Timestamp::now()));
        (state.other, state.notes, state.is_in_use) = (other, notes, is_in_use);
        let mut said: Vec<String> = state.other.iter().map(|who| read_only(who)).collect();
        let left_out = self.left_out();
        self.session.notes.extend(left_out.clone());
        said.extend(left_out);
        self.message = None;
        self.restore_view(view);
        self.amend_present_step();
        self.dirty |= Dirty::VIEW | Dirty::RANKS;
        self.recompute();
        said.extend(self.message.take());
        self.message = (!said.is_empty()).then(|| said.join("; "));
        saver
    }

    /// Other annotators whose judgments are not counted, with counts; `None` if none.
    pub fn left_out(&self) -> Option<String> {
        let session = &self.session;
        let of_others = session.content().counts_of_others(session.by());
        let each = of_others.iter().map(|(name, [judgments, cant_tell])| {
            format!("{} of {}", counted(*judgments, *cant_tell), shown(name))
        });
        let each = each.collect::<Vec<_>>().join(", ");
        (!each.is_empty()).then(|| format!("not counted: {each} (see --annotator)"))
    }

    /// Refuses changes of a session that is open elsewhere.
    pub(in crate::tui) fn check_writable(&self) -> Result<(), Refusal> {
        self.session.other.as_deref().map_or(Ok(()), |who| Err(read_only(who)))
    }

    /// Records the judgment of a pair, with its time, or removes it.
    pub(in crate::tui) fn write_response(&mut self, pair: Pair, said: Option<TimedResponse>) {
        let [image, caption] = self.ids_of(pair);
        let book = &mut self.session;
        let at = said.map_or_else(Timestamp::now, |said| said.at);
        let response = said.map(|said| said.response);
        let by = book.by.clone();
        book.change().set_response(&image, &caption, response, at, &by);
    }

    /// My judgment, with its time.
    pub(in crate::tui) fn timed_response(&self, pair: Pair) -> Option<TimedResponse> {
        let [image, caption] = self.ids_of(pair);
        let book = &self.session;
        book.content().response(&image, &caption, &book.by)
    }

    pub(super) fn ids_of(&self, pair: Pair) -> [Id; 2] {
        let gallery = &self.base.gallery;
        let image = &gallery.images[pair.image.get()];
        [image.clone(), gallery.captions[pair.caption.get()].clone()]
    }

    /// Picked queries of a direction.
    pub(in crate::tui) fn picked(&self, direction: Direction) -> Vec<u32> {
        self.session.content().picked(&self.study.gallery, direction)
    }
}

fn read_only(who: &str) -> String {
    format!(
        "read-only: this session was open elsewhere ({who}): close it there and start again, or use --session \
         OTHER.itm.json"
    )
}

impl Model {
    /// Saves what could not be saved to another file; returns the final error of the explorer.
    ///
    /// # Errors
    /// When the last changes are in no file, with a fix.
    pub(in crate::tui) fn rescue(&self, failure: Error) -> Result<Error, Error> {
        if self.session.save_state() != SaveState::Failed {
            return Ok(failure);
        }
        let own = self.session.path().unwrap_or(Path::new(""));
        match save_elsewhere(self.session.content(), own) {
            Some(path) => Ok(failure.mend(format!(
                "judgments, picks and notes are in {}: name it with --session",
                path.display()
            ))),
            None => Err(failure.mend("no folder could be written: make room, then leave")),
        }
    }

    /// Shows the path of the session, after the last message.
    pub(crate) fn say_where_saved(&mut self) {
        let path = self.session.path().unwrap_or(Path::new(""));
        self.append_message(&format!("saved in {}", shown(&path.to_string_lossy())));
    }

    /// Where the judgments of this run are saved, and the command that counts them; `None` without any.
    pub(in crate::tui) fn farewell(&self) -> Option<String> {
        let session = &self.session;
        let is_new = session.times().any(|at| Some(at) >= session.since);
        let path = session.path().filter(|_| is_new && session.save_state() == SaveState::Saved)?;
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
        let metrics = header_specs().map(|spec| spec.title());
        Some(format!(
            "{judgments} in {path}. Metrics with them: itm-explore eval {} --session {path}{} --truth {} --metrics {}",
            self.files_as_given(),
            annotator.unwrap_or_default(),
            shell_word(&self.truth().name),
            shell_word(&metrics.join(","))
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;
    use crate::truth::judgment::Judgment;

    /// With or without drawing.
    #[test]
    fn what_a_person_changes_is_to_be_saved_at_once() {
        let path = Some("s.itm.json".into());
        let mut state = SessionState { path, ..SessionState::default() };
        assert_eq!((state.wanted_save(), state.save_state()), (None, SaveState::Saved));
        let [image, caption] = [Id::Number(1), Id::Number(2)];
        let yes = Some(Judgment::Yes);
        state.change().set_response(&image, &caption, yes, Timestamp::now(), "mk");
        assert_eq!((state.wanted_save(), state.save_state()), (Some(1), SaveState::Saving));
        state.take_saved(1, Ok(()));
        assert_eq!((state.wanted_save(), state.save_state()), (None, SaveState::Saved));
    }
}
