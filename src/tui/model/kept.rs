//! The session as the explorer has it: what a person made, and whether it is saved.

use super::Model;
use super::job::ModelJob;
use super::session::SessionState;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::text::shown;
use crate::engine::{SaveSession, Wanted};
use crate::session::place::is_own;
use crate::session::{Facts, Lock, Note, Opened, Pick, Said, Saver, Session, Timestamp};
use crate::truth::response::counted;
use crate::truth::verdict::Pair;

impl ModelJob for SaveSession {
    const MUST_FINISH: bool = true;

    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let revision = Vec::from_iter(model.session.wanted_save());
        Some(Wanted::parts((), revision, || model.session.content().clone()))
    }

    fn take(model: &mut Model, (): (), (revision, outcome): Self::Output) {
        let is_saved = outcome.is_ok();
        model.session.take_saved(revision, outcome);
        if is_saved && std::mem::take(&mut model.session.is_new) {
            model.say_where_saved();
        }
    }
}

impl Model {
    /// Takes a session: its verdicts, picks and view are those of the model from now on. Gives
    /// what saves it, where that is this process.
    pub(in crate::tui) fn take_session(
        &mut self,
        opened: Opened,
        by: &str,
        files: Vec<String>,
    ) -> Option<Saver> {
        let Opened { mut session, lock, is_in_use, mut notes, taken_over } = opened;
        let matched = session.verdicts(&self.study.gallery, by);
        notes.extend(matched.notes);
        let fits = |facts: &Facts| facts.fit(&self.study.gallery);
        if !session.study.as_ref().is_some_and(fits) {
            session.study = Some(Facts::of(files.clone(), &self.study.gallery));
        }
        let (saver, other) = match lock {
            Lock::Held(saver) => (Some(saver), None),
            Lock::Other { who } => (None, Some(who)),
        };
        let of_others = session.counts_of_others(by);
        let apart = kept_apart(&of_others);
        notes.extend(apart.clone());
        let mine = of_earlier(&session, matched.verdicts.len(), by);
        let found = mine.into_iter().chain(apart).collect();
        let opening = other.as_deref().map_or(found, |who| vec![read_only(who)]);
        let view = session.view.clone();
        self.judgements.verdicts = matched.verdicts;
        self.judgements.cant_tell = session.cant_tell_over(&self.study.gallery, by);
        self.forget_error_analysis();
        self.session = SessionState::of(session, taken_over.is_some());
        let state = &mut self.session;
        state.path = saver.as_ref().map(|saver| saver.path().to_owned());
        state.is_new = !is_in_use && saver.as_ref().is_some_and(|saver| is_own(saver.path()));
        (state.by, state.files, state.since) = (by.to_owned(), files, Some(Timestamp::now()));
        (state.other, state.notes, state.is_in_use) = (other, notes, is_in_use);
        self.message = None;
        self.restore_view(&view);
        self.refresh_judged();
        self.refresh_list();
        let lines = opening.into_iter().chain(taken_over);
        let lines: Vec<String> = lines.chain(self.message.take()).collect();
        self.message = (!lines.is_empty()).then(|| lines.join("; "));
        saver
    }

    /// Whose answers in the session are neither shown nor counted, how many they are, and where they are seen, in ever fewer
    /// words; `None` where there are none.
    pub fn left_out(&self) -> Option<[String; 3]> {
        let session = &self.session;
        let of_others = session.content().counts_of_others(session.by());
        let each = of_others.iter().map(|(name, [verdicts, cant_tell])| {
            let answers = counted(*verdicts, *cant_tell);
            format!("{answers} of {}", shown(name))
        });
        let each: Vec<String> = each.collect();
        let of_each = each.join(", ");
        let advised = |advice: &str| format!("not listed: {of_each}{advice}");
        let ways = [": see --annotator, annotate import", ": see --annotator", ""];
        (!each.is_empty()).then(|| ways.map(advised))
    }

    /// Whether the session is only looked at, which is then said.
    pub(in crate::tui) fn is_read_only(&mut self) -> bool {
        let message = self.session.other.as_deref().map(read_only);
        let is_so = message.is_some();
        self.message = message.or(self.message.take());
        is_so
    }

    /// Writes down what is said of a pair, with its time, or strikes it out.
    pub(in crate::tui) fn write_said(&mut self, pair: Pair, said: Option<Said>) {
        let [image, caption] = self.ids_of(pair);
        let book = &mut self.session;
        let at = said.map_or_else(Timestamp::now, |said| said.at);
        let response = said.map(|said| said.response);
        let by = book.by.clone();
        book.change().set_response(&image, &caption, response, at, &by);
    }

    /// What I said of a pair, and when.
    pub(in crate::tui) fn said(&self, pair: Pair) -> Option<Said> {
        let [image, caption] = self.ids_of(pair);
        let book = &self.session;
        book.content().said(&image, &caption, &book.by)
    }

    /// The ids of an image and a caption.
    fn ids_of(&self, pair: Pair) -> [Id; 2] {
        let gallery = &self.base.gallery;
        let image = &gallery.images[pair.image.get()];
        [image.clone(), gallery.captions[pair.caption.get()].clone()]
    }

    /// Writes all picks down.
    pub(in crate::tui) fn write_picks(&mut self, picks: &[Pick]) {
        picks.clone_into(&mut self.session.change().picks);
        self.pick = self.selected_place();
    }

    /// Writes a note in the place of the one before, or strikes that out.
    #[expect(clippy::ref_option, reason = "a change holds it so")]
    pub(in crate::tui) fn write_note(
        &mut self,
        before: &Option<Box<Note>>,
        after: &Option<Box<Note>>,
    ) {
        let notes = &mut self.session.change().notes;
        let is_it = |known: &Note| before.as_deref() == Some(known);
        match (notes.iter().position(is_it), after.as_deref().cloned()) {
            (Some(place), Some(note)) => notes[place] = note,
            (Some(place), None) => drop(notes.remove(place)),
            (None, note) => notes.extend(note),
        }
    }

    /// The queries of a direction that are picked.
    pub(in crate::tui) fn picked(&self, direction: Direction) -> Vec<u32> {
        self.session.content().picked(&self.study.gallery, direction)
    }
}

/// How much an annotator answered before, if anything.
fn of_earlier(session: &Session, verdicts: usize, by: &str) -> Option<String> {
    let cant_tell = session.count_of_cant_tell(by);
    (verdicts + cant_tell > 0).then(|| {
        let answers = counted(verdicts, cant_tell);
        format!("{answers} of an earlier session by {}", shown(by))
    })
}

/// How much others answered, if anything, and what becomes of it.
fn kept_apart(of_others: &[(String, [usize; 2])]) -> Option<String> {
    let count = |of: usize| of_others.iter().map(|(_, counts)| counts[of]).sum();
    let names: Vec<String> = of_others.iter().map(|(name, _)| shown(name)).collect();
    let (answers, names) = (counted(count(0), count(1)), names.join(", "));
    let line = format!("{answers} of {names} in this file, neither shown nor counted");
    (!of_others.is_empty()).then_some(line)
}

fn read_only(who: &str) -> String {
    format!(
        "read-only: this session was open elsewhere ({who}): close it there and start again, or use --session \
         OTHER.itm.json"
    )
}
