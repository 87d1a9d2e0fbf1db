//! The session of the person: its content, and whether and where it is saved.

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
use crate::session::place::is_default_location;
use crate::session::{
    Lock, Note, OpenSession, Pick, Saver, Session, StudyFacts, TimedResponse, Timestamp,
};
use crate::truth::judgment::Pair;
use crate::truth::response::describe_responses;

/// A session, and whether it is saved.
#[derive(Debug, Default)]
pub struct SessionState {
    content: Session,
    /// Name of the annotator.
    pub(super) by: String,
    /// The inputs as typed.
    pub(super) files: Vec<String>,
    /// When the session was opened.
    pub(super) opened_at: Option<Timestamp>,
    /// The file that the session is saved to; `None` if it has none, or another process has it open.
    pub(super) path: Option<PathBuf>,
    /// The process that has the session open; if there is one, it is read-only here.
    pub other: Option<String>,
    /// Notes on items that the gallery lacks, on the session file, and on judgments that do not count.
    pub notes: Vec<String>,
    /// Number of changes made.
    revision: u64,
    /// Number of changes saved: the last revision in the file.
    saved: u64,
    /// Whether the program chose a new file for the session, whose path is shown once it is saved.
    pub(crate) is_new: bool,
    /// Whether a changed view alone is saved: the file existed, or the user named it.
    pub(super) saves_view_alone: bool,
    /// Whether changes are unsaved, not counting those of the view.
    is_unsaved: bool,
    /// Why the last save failed.
    pub failure: Option<Error>,
}

/// Whether the session is saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaveState {
    /// Every change is in the file.
    Saved,
    /// The last changes are being saved.
    Saving,
    /// The last changes are not in the file.
    Failed,
    /// Another process has the session open.
    ReadOnly,
    /// There is no file.
    Nowhere,
}

/// Message that `who` has the session open.
fn read_only_message(who: &str) -> String {
    format!(
        "read-only: this session was open elsewhere ({who}): close it there and start again, or use --session \
         OTHER.itm.json"
    )
}

impl SessionState {
    /// Judgments, picks, notes, tags and view.
    pub fn content(&self) -> &Session {
        &self.content
    }

    /// Mutable access to the content; marks it as changed.
    pub(super) fn change(&mut self) -> &mut Session {
        self.revision += 1;
        self.is_unsaved = true;
        &mut self.content
    }

    /// Whether the session is saved.
    pub fn save_state(&self) -> SaveState {
        match (&self.other, &self.failure) {
            (Some(_), _) => SaveState::ReadOnly,
            (_, Some(_)) => SaveState::Failed,
            _ if self.path.is_none() => SaveState::Nowhere,
            _ if self.saved < self.revision => SaveState::Saving,
            _ => SaveState::Saved,
        }
    }

    /// The revision to save. `None` if nothing changed, if the session has no path or is read-only, or if only the view
    /// changed and the file does not exist yet.
    pub fn wanted_save(&self) -> Option<u64> {
        let has_content = self.saved > 0 || self.saves_view_alone || !self.is_empty();
        let is_changed = self.path.is_some() && self.other.is_none() && self.saved < self.revision;
        (is_changed && has_content).then_some(self.revision)
    }

    /// Requests another save if the last one failed.
    pub(crate) fn retry_save(&mut self) {
        self.revision += u64::from(self.failure.is_some());
    }

    /// Name of the annotator.
    pub fn annotator(&self) -> &str {
        &self.by
    }

    /// Times of the annotator's judgments.
    pub(super) fn judgment_times(&self) -> impl Iterator<Item = Timestamp> {
        let mine = self.content.judgments().iter().filter(|one| one.by == self.by);
        mine.map(|one| one.at)
    }

    /// The notes of all annotators on queries.
    pub fn query_notes(&self) -> &[Note] {
        &self.content.notes
    }

    /// The picks, in the order of the file.
    pub fn picks(&self) -> &[Pick] {
        &self.content.picks
    }

    /// File that the session is saved to; `None` if it has none, or another process has it open.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    fn is_empty(&self) -> bool {
        let session = &self.content;
        let lists = [session.picks.len(), session.notes.len(), session.tags.len()];
        session.judgments().is_empty() && lists == [0; 3]
    }

    /// Stores the view in the content, which changes the revision if any part differs.
    pub(in crate::tui) fn set_view(&mut self, view: Map<String, Value>) {
        let stored = &self.content.view;
        if view.iter().any(|(key, value)| stored.get(key) != Some(value)) {
            self.content.view.extend(view);
            self.revision += 1;
        }
    }

    /// Stores the outcome of saving a revision. A failure is ignored if only the view changed.
    pub(crate) fn record_save(&mut self, revision: u64, outcome: Result<(), Error>) {
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
    /// Sets the session of annotator `by`: its judgments, picks and view. `files` are the inputs as typed. Returns the
    /// saver; `None` if another process has the session open.
    pub(in crate::tui) fn set_session(
        &mut self,
        opened: OpenSession,
        by: &str,
        files: Vec<String>,
    ) -> Option<Saver> {
        let OpenSession { mut session, lock, saves_view_alone, mut notes } = opened;
        let (judgments, missing) = session.judgments_in(&self.study.gallery, by);
        notes.extend(missing);
        let fits = |facts: &StudyFacts| facts.matches(&self.study.gallery);
        if !session.study.as_ref().is_some_and(fits) {
            session.study = Some(StudyFacts::new(files.clone(), &self.study.gallery));
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
        state.is_new = !saves_view_alone
            && saver.as_ref().is_some_and(|saver| is_default_location(saver.path()));
        (state.by, state.files, state.opened_at) = (by.to_owned(), files, Some(Timestamp::now()));
        (state.other, state.notes, state.saves_view_alone) = (other, notes, saves_view_alone);
        let mut lines: Vec<String> = state.other.iter().map(|who| read_only_message(who)).collect();
        let uncounted = self.uncounted_annotators();
        self.session.notes.extend(uncounted.clone());
        lines.extend(uncounted);
        self.message = None;
        self.restore_view(view);
        self.amend_present_step();
        self.dirty |= Dirty::VIEW | Dirty::RANKS;
        self.recompute();
        lines.extend(self.message.take());
        self.message = (!lines.is_empty()).then(|| lines.join("; "));
        saver
    }

    /// Note on the other annotators in the session, whose judgments do not count; `None` if there are none.
    pub fn uncounted_annotators(&self) -> Option<String> {
        let session = &self.session;
        let of_others = session.content().response_counts_of_others(session.annotator());
        let counts = of_others.iter().map(|(name, [judgments, cant_tell])| {
            format!("{} of {}", describe_responses(*judgments, *cant_tell), shown(name))
        });
        let counts = counts.collect::<Vec<_>>().join(", ");
        (!counts.is_empty()).then(|| format!("not counted: {counts} (see --annotator)"))
    }

    /// Refuses changes of a session that another process has open.
    pub(in crate::tui) fn check_writable(&self) -> Result<(), Refusal> {
        self.session.other.as_deref().map_or(Ok(()), |who| Err(read_only_message(who)))
    }

    /// Stores the annotator's response to a pair in the session, with its time, or removes it.
    pub(in crate::tui) fn write_response(&mut self, pair: Pair, timed: Option<TimedResponse>) {
        let [image, caption] = self.pair_ids(pair);
        let session = &mut self.session;
        let at = timed.map_or_else(Timestamp::now, |timed| timed.at);
        let response = timed.map(|timed| timed.response);
        let by = session.by.clone();
        session.change().set_response(&image, &caption, response, at, &by);
    }

    /// The annotator's response to a pair, with its time.
    pub(in crate::tui) fn timed_response(&self, pair: Pair) -> Option<TimedResponse> {
        let [image, caption] = self.pair_ids(pair);
        let session = &self.session;
        session.content().response(&image, &caption, &session.by)
    }

    /// Ids of the image and the caption of a pair.
    pub(super) fn pair_ids(&self, pair: Pair) -> [Id; 2] {
        let gallery = &self.base.gallery;
        let image = &gallery.images[pair.image.get()];
        [image.clone(), gallery.captions[pair.caption.get()].clone()]
    }

    /// Gallery indices of the picked queries of a direction.
    pub(in crate::tui) fn picked_queries(&self, direction: Direction) -> Vec<u32> {
        self.session.content().picked_queries(&self.study.gallery, direction)
    }

    /// Saves the session to another file if it could not be saved. Returns `failure`, the error that ends the explorer,
    /// with a hint to that file.
    ///
    /// # Errors
    /// The last changes are in no file.
    pub(in crate::tui) fn rescue_session(&self, failure: Error) -> Result<Error, Error> {
        if self.session.save_state() != SaveState::Failed {
            return Ok(failure);
        }
        let own = self.session.path().unwrap_or(Path::new(""));
        match save_elsewhere(self.session.content(), own) {
            Some(path) => Ok(failure.fix(format!(
                "judgments, picks and notes are in {}: name it with --session",
                path.display()
            ))),
            None => Err(failure.fix("no folder could be written: make room, then leave")),
        }
    }

    /// Appends the path of the session to the status message.
    pub(crate) fn append_session_path(&mut self) {
        let path = self.session.path().unwrap_or(Path::new(""));
        self.append_message(&format!("saved in {}", shown(&path.to_string_lossy())));
    }

    /// Message at exit: number of judgments, their file, and a command to use them; `None` if none were made in this
    /// run, or if they are not saved.
    pub(in crate::tui) fn exit_message(&self) -> Option<String> {
        let session = &self.session;
        let is_new = session.judgment_times().any(|at| Some(at) >= session.opened_at);
        let path = session.path().filter(|_| is_new && session.save_state() == SaveState::Saved)?;
        let path = shell_word(&path.to_string_lossy());
        let judgments = count(session.judgment_times().count(), "judgment");
        if let Some(pool) = self.pool_file() {
            let pool = shell_word(&pool.to_string_lossy());
            return Some(format!(
                "{judgments} in {path}. Make them a ground truth: itm-explore annotate import {path} --pool {pool} -o DIR/"
            ));
        }
        let several = session.content().annotators().len() > 1;
        let option = several.then(|| format!(" --annotator {}", shell_word(session.annotator())));
        let metrics = header_specs().map(|spec| spec.title());
        Some(format!(
            "{judgments} in {path}. Metrics with them: itm-explore eval {} --session {path}{} --truth {} --metrics {}",
            self.files_as_given(),
            option.unwrap_or_default(),
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
    fn every_change_requests_a_save() {
        let path = Some("s.itm.json".into());
        let mut state = SessionState { path, ..SessionState::default() };
        assert_eq!((state.wanted_save(), state.save_state()), (None, SaveState::Saved));
        let [image, caption] = [Id::Number(1), Id::Number(2)];
        let yes = Some(Judgment::Yes);
        state.change().set_response(&image, &caption, yes, Timestamp::now(), "mk");
        assert_eq!((state.wanted_save(), state.save_state()), (Some(1), SaveState::Saving));
        state.record_save(1, Ok(()));
        assert_eq!((state.wanted_save(), state.save_state()), (None, SaveState::Saved));
    }
}
