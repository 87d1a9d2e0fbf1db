//! A person's work on a study: judgments, picks, notes and the view state.
//!
//! A [`Session`] is one file, `NAME.itm.json`, that refers to images and captions by id, so that it fits any files with
//! the same ids. [`place`] finds the file of a gallery, [`Session::open`] reads and locks it; [`Saver::save`] replaces
//! it atomically.
//!
//! A session may hold judgments of several annotators, also on the same pair. *Mine* are those of one annotator:
//! [`Annotator::in_session`], called once when a session is opened.

pub mod agreement;
mod annotator;
mod file;
mod id_lookup;
mod lock;
mod merge;
mod pick;
pub mod place;
mod saver;
mod timestamp;

use std::borrow::Cow;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::truth::judgment::Judgment;
use crate::truth::response::Response;

pub use annotator::Annotator;
pub use merge::{Conflict, merge};
pub use pick::{Pick, QuerySample, groups};
pub use saver::{Lock, OpenSession, Saver};
pub use timestamp::Timestamp;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore-session/1";
pub use crate::study::SESSION as ENDING;

/// Content of a session file. Fields that this version does not know are kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// The study it was made with.
    pub study: Option<StudyFacts>,
    /// Judgments and can't-tell responses of all annotators.
    judgments: Vec<JudgmentEntry>,
    /// Bookmarked queries, in the order of picking.
    pub picks: Vec<Pick>,
    /// Notes on queries, in the order of writing.
    pub notes: Vec<Note>,
    /// Tags on pairs, in the order given.
    pub tags: Vec<Tag>,
    /// View state of the explorer: model, truth, direction, sort, filter.
    pub view: Map<String, Value>,
    /// Unknown fields.
    other: Map<String, Value>,
}

/// Sizes and fingerprints that identify a study.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyFacts {
    /// Names of the files it was opened from.
    #[serde(default)]
    pub files: Vec<String>,
    /// Number of images.
    pub images: usize,
    /// Number of captions.
    pub captions: usize,
    /// Fingerprint of the sorted image ids, as 16 hexadecimal digits.
    pub image_ids: String,
    /// Fingerprint of the sorted caption ids, likewise.
    pub caption_ids: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// An annotator's response to a pair, and its time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JudgmentEntry {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The judgment; `None` for can't tell. Files list those entries separately, so that programs that read only
    /// judgments skip them.
    #[serde(rename = "verdict", default, skip_serializing_if = "Option::is_none")]
    pub judgment: Option<Judgment>,
    /// When it was given.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A response and its time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimedResponse {
    /// The response.
    pub response: Response,
    /// When it was given.
    pub at: Timestamp,
}

/// A note on a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Id of the query.
    pub query: Id,
    /// Its direction.
    pub direction: Direction,
    /// The note.
    pub text: String,
    /// When it was given.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// An annotator's tag on a pair, such as its error type.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tag {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The tag.
    pub tag: String,
    /// When it was given.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// Unknown fields.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Tag {
    /// Whether it is a tag on this pair.
    pub fn is_on(&self, image: &Id, caption: &Id) -> bool {
        self.caption == *caption && image_key(&self.image) == image_key(image)
    }
}

impl StudyFacts {
    /// Facts of a study with this gallery, opened from these files.
    pub fn new(files: Vec<String>, gallery: &Gallery) -> Self {
        StudyFacts {
            files,
            images: gallery.images.len(),
            captions: gallery.captions.len(),
            image_ids: hex(gallery.images.sorted_fingerprint()),
            caption_ids: hex(gallery.captions.sorted_fingerprint()),
            other: Map::new(),
        }
    }

    /// Whether the ids are those of a gallery, in any order.
    pub fn matches(&self, gallery: &Gallery) -> bool {
        self.image_ids == hex(gallery.images.sorted_fingerprint())
            && self.caption_ids == hex(gallery.captions.sorted_fingerprint())
    }
}

/// 16 hexadecimal digits.
fn hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

impl JudgmentEntry {
    /// The response of an annotator to a pair; `judgment` is `None` for can't tell.
    pub fn new(
        image: Id,
        caption: Id,
        judgment: Option<Judgment>,
        at: Timestamp,
        annotator: &str,
    ) -> Self {
        JudgmentEntry { image, caption, judgment, at, by: annotator.to_owned(), other: Map::new() }
    }

    /// The judgment, or can't tell.
    pub fn response(&self) -> Response {
        self.judgment.map_or(Response::CantTell, Response::Judgment)
    }
}

impl Session {
    /// Judgments and can't-tell responses of all annotators, in the order first given; after reading, judgments first.
    pub fn judgments(&self) -> &[JudgmentEntry] {
        &self.judgments
    }

    /// Annotators with a judgment, in the order of their first one.
    pub fn annotators(&self) -> Vec<&str> {
        let judgments = self.judgments.iter().filter(|one| one.judgment.is_some());
        judgments.map(|one| one.by.as_str()).collect::<IndexSet<_>>().into_iter().collect()
    }

    /// Numbers of an annotator's judgments and can't-tell responses, also on pairs that a gallery lacks.
    pub fn response_counts(&self, annotator: &str) -> [usize; 2] {
        let mine = self.judgments.iter().filter(|one| one.by == annotator);
        let (judgments, cant_tell): (Vec<_>, Vec<_>) = mine.partition(|one| one.judgment.is_some());
        [judgments.len(), cant_tell.len()]
    }

    /// All other annotators, each with [`Session::response_counts`].
    pub fn response_counts_of_others(&self, annotator: &str) -> Vec<(String, [usize; 2])> {
        let names: IndexSet<&str> = self.judgments.iter().map(|one| one.by.as_str()).collect();
        let others = names.into_iter().filter(|name| *name != annotator);
        others.map(|name| (name.to_owned(), self.response_counts(name))).collect()
    }

    /// An annotator's response to a pair, and its time; `None` if there is none.
    pub fn response(&self, image: &Id, caption: &Id, annotator: &str) -> Option<TimedResponse> {
        let one = &self.judgments[self.entry_index(image, caption, annotator)?];
        Some(TimedResponse { response: one.response(), at: one.at })
    }

    /// Index in `judgments` of an annotator's entry on a pair; `None` if there is none.
    fn entry_index(&self, image: &Id, caption: &Id, annotator: &str) -> Option<usize> {
        let image = image_key(image);
        self.judgments.iter().position(|one| {
            one.caption == *caption && one.by == annotator && image_key(&one.image) == image
        })
    }

    /// Sets an annotator's response to a pair, or removes it if `response` is `None`; returns the previous one. Other
    /// annotators' responses stay.
    pub fn set_response(
        &mut self,
        image: &Id,
        caption: &Id,
        response: Option<impl Into<Response>>,
        at: Timestamp,
        annotator: &str,
    ) -> Option<Response> {
        let judgment = response.map(|response| response.into().judgment());
        let index = self.entry_index(image, caption, annotator);
        let before = index.map(|index| self.judgments[index].response());
        match (index, judgment) {
            (Some(index), Some(judgment)) => {
                let entry = &mut self.judgments[index];
                (entry.judgment, entry.at) = (judgment, at);
            }
            (Some(index), None) => drop(self.judgments.remove(index)),
            (None, Some(judgment)) => {
                let (image, caption) = (image.clone(), caption.clone());
                self.judgments.push(JudgmentEntry::new(image, caption, judgment, at, annotator));
            }
            (None, None) => {}
        }
        before
    }
}

/// Id by which an image is compared: the number for a file name or a padded number, else the id as it is.
fn image_key(id: &Id) -> Cow<'_, Id> {
    let other = match id {
        Id::Number(_) => None,
        Id::Text(text) => Id::other_spelling(text),
    };
    other.map_or(Cow::Borrowed(id), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;

    #[test]
    fn a_judgment_keeps_its_place_and_its_annotator() {
        let mut session = Session::default();
        let mut set = |image: &str, judgment, at, by: &str| {
            let at = Timestamp::from_seconds(at);
            session.set_response(&Id::parse(image), &Id::Number(7), judgment, at, by)
        };
        assert_eq!(set("1", Some(Judgment::Yes), 1, "mk"), None);
        assert_eq!(set("2", Some(Judgment::No), 2, "mk"), None);
        assert_eq!(set("1", Some(Judgment::No), 3, "anna"), None);
        let name = "COCO_val2014_000000000001.jpg";
        assert_eq!(set(name, Some(Judgment::Partial), 4, "mk"), Some(Judgment::Yes.into()));
        assert_eq!(set("2", None, 5, "mk"), Some(Judgment::No.into()));
        assert_eq!(set("2", None, 6, "mk"), None);
        let left = session.judgments().iter();
        let left = left.map(|one| (one.image.raw(), one.response(), one.by.as_str()));
        let partial = ("1".into(), Judgment::Partial.into(), "mk");
        assert_eq!(left.collect::<Vec<_>>(), [partial, ("1".into(), Judgment::No.into(), "anna")]);
        assert_eq!(session.annotators(), ["mk", "anna"]);
    }

    #[test]
    fn of_a_pair_there_is_a_judgment_or_that_it_cannot_be_told() {
        let mut session = Session::default();
        let (caption, at) = (Id::Number(7), Timestamp::from_seconds(0));
        let mut say = |image: &str, response| {
            session.set_response(&Id::parse(image), &caption, response, at, "mk");
            session.response_counts("mk")
        };
        assert_eq!(say("1", Some(Response::CantTell)), [0, 1]);
        assert_eq!(say("2", Some(Response::Judgment(Judgment::No))), [1, 1]);
        assert_eq!(say("2", Some(Response::CantTell)), [0, 2]);
        let name = "COCO_val2014_000000000001.jpg";
        assert_eq!(say(name, Some(Response::Judgment(Judgment::Yes))), [1, 1]);
        assert_eq!(say("2", None), [1, 0]);
    }

    #[test]
    fn what_was_said_is_known_with_its_time() {
        let mut session = Session::default();
        let (image, caption) = (Id::Number(1), Id::Number(7));
        assert_eq!(session.response(&image, &caption, "mk"), None);
        for (second, response) in [
            (1, Response::CantTell),
            (2, Response::Judgment(Judgment::Yes)),
            (3, Response::CantTell),
        ] {
            let at = Timestamp::from_seconds(second);
            session.set_response(&image, &caption, Some(response), at, "mk");
            let said = session.response(&image, &caption, "mk");
            assert_eq!(said, Some(TimedResponse { response, at }));
        }
        assert_eq!(session.response(&image, &caption, "anna"), None);
    }

    #[test]
    fn nothing_of_it_is_a_judgment() {
        let mut session = Session::default();
        let (image, caption) = (Id::Number(1), Id::Number(7));
        let at = Timestamp::from_seconds(0);
        session.set_response(&image, &caption, Some(Response::CantTell), at, "mk");
        assert!(session.annotators().is_empty());
        assert!(session.judgments_as_truth("mk")[Direction::T2i].is_empty());
    }
}
