//! What a person made while looking at a study: verdicts, picks, notes and the state of the view.
//!
//! A [`Session`] is one file, `NAME.itm.json`, which names images and captions by id, so that it
//! fits any files with the same ids. [`Place`] says where that of a gallery lies, [`Session::open`] reads it and
//! takes its lock; [`Saver::save`] puts it back whole or not at all.
//!
//! A session may hold verdicts of several annotators, on the same pair too. *Mine* are those of one
//! annotator alone: [`Annotator::in_session`] says whose, once, when a session is opened.

pub mod agreement;
mod annotator;
mod cant_tell;
mod file;
mod groups;
mod lock;
mod matched;
pub mod place;
mod query_sample;
mod recent;
mod remembered;
mod saver;
mod state_file;
mod timestamp;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::truth::verdict::Verdict;

pub use annotator::Annotator;
pub use cant_tell::{CantTell, Said};
pub use groups::groups;
pub use matched::{Matched, of_another_gallery};
pub use place::Place;
pub use query_sample::QuerySample;
pub use recent::RecentStudy;
pub use remembered::{Entry, Prompt, Remembered};
pub use saver::{Lock, Opened, Saver};
pub use state_file::StateFile;
pub use timestamp::Timestamp;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore-session/1";
pub use crate::study::SESSION as ENDING;

/// Everything a person made. Fields of the file that this version does not know are kept.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Session {
    /// The study it was made with.
    pub study: Option<Facts>,
    verdicts: Vec<Judgement>,
    cant_tell: Vec<CantTell>,
    /// Bookmarked queries, in the order in which they were picked.
    pub picks: Vec<Pick>,
    /// Remarks about queries, in the order in which they were written.
    pub notes: Vec<Note>,
    /// Model, truth, direction, sort, filter: whatever the explorer wants to find again.
    pub view: Map<String, Value>,
    /// Sessions of earlier versions whose contents were added, by their full paths.
    taken_over: Vec<String>,
    other: Map<String, Value>,
}

/// The sizes and fingerprints by which a session knows its study again.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// Names of the files it was opened from.
    #[serde(default)]
    pub files: Vec<String>,
    /// Number of images.
    pub images: usize,
    /// Number of captions.
    pub captions: usize,
    /// Fingerprint of the sorted image ids, as 16 hexadecimal digits; earlier versions took them in matrix order.
    pub image_ids: String,
    /// Fingerprint of the caption ids.
    pub caption_ids: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A verdict: on which pair, when, by whom.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Judgement {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// What was decided.
    pub verdict: Verdict,
    /// When.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A bookmarked query, with what was on screen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    /// Id of the query.
    pub query: Id,
    /// Its direction.
    pub direction: Direction,
    /// Names of the models.
    pub models: Vec<String>,
    /// Name of the truth.
    pub truth: String,
    /// How many items of the ranking.
    pub depth: u32,
    /// A remark, or nothing.
    #[serde(default)]
    pub note: String,
    /// Name of the candidate pool; `None` where it was the whole gallery, or is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// When.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// How it was drawn, where a person did not pick it by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(alias = "drawn")]
    pub sampled: Option<QuerySample>,
    /// The heading that a person put it under, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A remark about a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// Id of the query.
    pub query: Id,
    /// Its direction.
    pub direction: Direction,
    /// The remark.
    pub text: String,
    /// When.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl Facts {
    /// The facts of a study opened from files of these names.
    pub fn of(files: Vec<String>, gallery: &Gallery) -> Self {
        Facts {
            files,
            images: gallery.images.len(),
            captions: gallery.captions.len(),
            image_ids: hex(gallery.images.sorted_fingerprint()),
            caption_ids: hex(gallery.captions.sorted_fingerprint()),
            other: Map::new(),
        }
    }

    /// Whether the ids are those of the gallery, in any order.
    pub fn fit(&self, gallery: &Gallery) -> bool {
        let is_of = |known: &str, ids: &IdList| {
            known == hex(ids.fingerprint()) || known == hex(ids.sorted_fingerprint())
        };
        is_of(&self.image_ids, &gallery.images) && is_of(&self.caption_ids, &gallery.captions)
    }
}

fn hex(fingerprint: u64) -> String {
    format!("{fingerprint:016x}")
}

impl Judgement {
    fn is_of(&self, image: &Id, caption: &Id, by: &str) -> bool {
        self.caption == *caption && self.by == by && image_key(&self.image) == image_key(image)
    }
}

impl Session {
    /// All verdicts, in the order in which they were first given.
    pub fn judgements(&self) -> &[Judgement] {
        &self.verdicts
    }

    /// The annotators with a verdict, in the order of their first one.
    pub fn annotators(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for judgement in &self.verdicts {
            if !names.contains(&judgement.by.as_str()) {
                names.push(&judgement.by);
            }
        }
        names
    }

    /// The annotators other than this one with an answer; how many verdicts each gave, and of how many pairs they
    /// could not tell.
    pub fn counts_of_others(&self, by: &str) -> Vec<(String, [usize; 2])> {
        let mut names = self.annotators();
        for one in &self.cant_tell {
            if !names.contains(&one.by.as_str()) {
                names.push(&one.by);
            }
        }
        let verdicts = |name: &str| self.verdicts.iter().filter(|one| one.by == name).count();
        let counts = |name: &str| [verdicts(name), self.count_of_cant_tell(name)];
        let others = names.into_iter().filter(|name| *name != by);
        others.map(|name| (name.to_owned(), counts(name))).collect()
    }

    /// Adds what another session holds: of a pair the latest verdict of an annotator counts.
    fn add(&mut self, other: Session) {
        self.verdicts.extend(other.verdicts);
        file::keep_latest(&mut self.verdicts);
        self.cant_tell.extend(other.cant_tell);
        self.drop_told();
        let (picks, notes) = (other.picks.into_iter(), other.notes.into_iter());
        let picks = picks.filter(|pick| !self.picks.contains(pick));
        self.picks.extend(picks.collect::<Vec<Pick>>());
        let notes = notes.filter(|note| !self.notes.contains(note));
        self.notes.extend(notes.collect::<Vec<Note>>());
        if self.view.is_empty() {
            self.view = other.view;
        }
        for (key, value) in other.other {
            self.other.entry(key).or_insert(value);
        }
    }

    /// Puts an annotator's verdict on a pair in the place of the one before, or removes it; gives
    /// the one before. Verdicts of other annotators stay.
    pub fn set_verdict(
        &mut self,
        image: &Id,
        caption: &Id,
        verdict: Option<Verdict>,
        at: Timestamp,
        by: &str,
    ) -> Option<Verdict> {
        let place = self.verdicts.iter().position(|one| one.is_of(image, caption, by));
        let before = place.map(|place| self.verdicts[place].verdict);
        match (place, verdict) {
            (Some(place), Some(verdict)) => {
                let there = &mut self.verdicts[place];
                (there.verdict, there.at) = (verdict, at);
            }
            (Some(place), None) => {
                self.verdicts.remove(place);
            }
            (None, Some(verdict)) => self.verdicts.push(Judgement {
                image: image.clone(),
                caption: caption.clone(),
                verdict,
                at,
                by: by.to_owned(),
                other: Map::new(),
            }),
            (None, None) => {}
        }
        before
    }
}

/// An image's id where it may be written as the name of a file.
fn image_key(id: &Id) -> Cow<'_, Id> {
    let of_name = match id {
        Id::Number(_) => None,
        Id::Text(text) => Id::other_spelling(text),
    };
    of_name.map_or(Cow::Borrowed(id), Cow::Owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verdict_keeps_its_place_and_its_annotator() {
        let mut session = Session::default();
        let mut set = |image: &str, verdict, at, by: &str| {
            let at = Timestamp::of_seconds(at);
            session.set_verdict(&Id::parse(image), &Id::Number(7), verdict, at, by)
        };
        assert_eq!(set("1", Some(Verdict::Yes), 1, "mk"), None);
        assert_eq!(set("2", Some(Verdict::No), 2, "mk"), None);
        assert_eq!(set("1", Some(Verdict::No), 3, "anna"), None);
        let name = "COCO_val2014_000000000001.jpg";
        assert_eq!(set(name, Some(Verdict::Partial), 4, "mk"), Some(Verdict::Yes));
        assert_eq!(set("2", None, 5, "mk"), Some(Verdict::No));
        assert_eq!(set("2", None, 6, "mk"), None);
        let left: Vec<_> = session
            .judgements()
            .iter()
            .map(|one| (one.image.raw(), one.verdict, one.by.as_str()))
            .collect();
        assert_eq!(left, [("1".into(), Verdict::Partial, "mk"), ("1".into(), Verdict::No, "anna")]);
        assert_eq!(session.annotators(), ["mk", "anna"]);
    }
}
