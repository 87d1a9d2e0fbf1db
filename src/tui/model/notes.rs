//! Notes on queries.

use serde_json::Map;

use super::Model;
use super::picks::Sighted;
use crate::data::Direction;
use crate::data::text::shown;
use crate::session::{Note, Pick, Timestamp};

impl Model {
    /// A query in sight, and my note on it as it is typed; `None` where none can be written, which is then said.
    pub(in crate::tui) fn noted(
        &mut self,
        sighted: Option<&Sighted>,
    ) -> Option<((Direction, usize), String)> {
        if self.is_read_only() {
            return None;
        }
        let Some(&Sighted { query, view, .. }) = sighted else {
            self.message = Some("no query is selected".into());
            return None;
        };
        let direction = view.direction;
        let mine = self.my_note(direction, query);
        let text = mine.map_or(String::new(), |note| shown(&note.text));
        Some(((direction, query), text))
    }

    /// Keeps what was typed as the note on a query; nothing but blanks is none.
    pub(in crate::tui) fn keep_note(&mut self, (direction, query): (Direction, usize), text: &str) {
        let text = text.trim();
        let before = self.my_note(direction, query).cloned();
        // An invisible character that the line did not show is no reason for a step.
        let same = before.as_ref().map_or(String::new(), |note| shown(&note.text));
        if text == same.trim() {
            return;
        }
        let after = match (&before, text) {
            (_, "") => None,
            (Some(there), text) => {
                Some(Note { text: text.to_owned(), at: Timestamp::now(), ..there.clone() })
            }
            (None, text) => Some(Note {
                query: self.study.gallery.queries(direction)[query].clone(),
                direction,
                text: text.to_owned(),
                at: Timestamp::now(),
                by: self.session.by().to_owned(),
                other: Map::new(),
            }),
        };
        let is_kept = after.is_some() && self.pick_place(direction, query).is_some();
        let mut notes = self.session.remarks().to_vec();
        match (notes.iter().position(|note| Some(note) == before.as_ref()), after) {
            (Some(place), Some(note)) => notes[place] = note,
            (Some(place), None) => drop(notes.remove(place)),
            (None, note) => notes.extend(note),
        }
        self.change(|facts| facts.notes = notes.into());
        if is_kept {
            let words = "kept with the query; a note for the figure is written among the picks";
            self.message = Some(words.into());
        }
    }

    /// The note on a query: mine, or else the first of somebody else.
    pub fn note(&self, direction: Direction, query: usize) -> Option<&Note> {
        let mine = self.my_note(direction, query);
        mine.or_else(|| self.notes_on(direction, query).next())
    }

    /// The note on a query as one line that is safe to show, with the name of its writer where that
    /// is somebody else.
    pub fn note_words(&self, direction: Direction, query: usize) -> Option<String> {
        let note = self.note(direction, query)?;
        let text = shown(&note.text);
        let is_mine = note.by == self.session.by();
        Some(if is_mine { text } else { format!("{}: {text}", shown(&note.by)) })
    }

    /// The note on the query of a pick, in one line as [`Model::note_words`]: not that of the pick, which stands in the
    /// figure.
    pub(in crate::tui) fn note_on_pick(&self, pick: &Pick) -> Option<String> {
        let query = self.study.gallery.queries(pick.direction).find(&pick.query)?;
        self.note_words(pick.direction, query as usize)
    }

    fn my_note(&self, direction: Direction, query: usize) -> Option<&Note> {
        let mut notes = self.notes_on(direction, query);
        notes.find(|note| note.by == self.session.by())
    }

    fn notes_on(&self, direction: Direction, query: usize) -> impl Iterator<Item = &Note> {
        let queries = self.study.gallery.queries(direction);
        let is_on = move |note: &&Note| {
            note.direction == direction && queries.find(&note.query) == Some(query as u32)
        };
        self.session.remarks().iter().filter(is_on)
    }
}
