//! Session ids looked up in a gallery, and truths without one.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use indexmap::IndexMap;

use super::{Facts, JudgmentEntry, Session, Tag, image_key};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::text::count;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::pairs::Pairs;
use crate::truth::relevance::in_words;

/// Maximum ids named in a message.
const EXAMPLES: usize = 3;

impl Session {
    /// An annotator's judgments on pairs of a gallery, and a line for each kind of entry, by anyone, that the gallery
    /// lacks.
    pub fn judgments_in(&self, gallery: &Gallery, by: &str) -> (Judgments, Vec<String>) {
        let mut judgments = Judgments::default();
        // If two ids are one image, the later judgment counts.
        let mine = self.judgments.iter().filter(|one| one.by == by && one.judgment.is_some());
        let mut found: Vec<&JudgmentEntry> = mine.collect();
        found.sort_by_key(|one| one.at);
        for one in found {
            if let Some(pair) = Pair::find(gallery, &one.image, &one.caption) {
                judgments.set(pair, one.judgment);
            }
        }
        let parts = self.parts(gallery);
        let notes = parts.iter().filter_map(Part::line).collect();
        (judgments, notes)
    }

    /// Pairs of a gallery that an annotator could not judge.
    pub fn cant_tell(&self, gallery: &Gallery, by: &str) -> BTreeSet<Pair> {
        let mine = self.judgments.iter().filter(|one| one.by == by && one.judgment.is_none());
        mine.filter_map(|one| Pair::find(gallery, &one.image, &one.caption)).collect()
    }

    /// Tags of all annotators on pairs of a gallery, without duplicates.
    pub fn tags(&self, gallery: &Gallery) -> BTreeSet<(Pair, String)> {
        let found =
            |one: &Tag| Some((Pair::find(gallery, &one.image, &one.caption)?, one.tag.clone()));
        self.tags.iter().filter_map(found).collect()
    }

    /// Entries of each kind missing from the gallery.
    fn parts(&self, gallery: &Gallery) -> [Part; 4] {
        let pair = |(image, caption): (&Id, &Id)| {
            let found = Pair::find(gallery, image, caption);
            found.is_none().then(|| format!("image {image} with caption {caption}"))
        };
        let query = |direction: Direction, id: &Id| {
            let found = gallery.queries(direction).find(id);
            found.is_none().then(|| format!("{direction} query {id}"))
        };
        let (picks, notes) = (self.picks.iter(), self.notes.iter());
        [
            Part::new(
                "judgment",
                self.judgments.iter().map(|one| pair((&one.image, &one.caption))),
            ),
            Part::new("tag", self.tags.iter().map(|one| pair((&one.image, &one.caption)))),
            Part::new("pick", picks.map(|one| query(one.direction, &one.query))),
            Part::new("note", notes.map(|one| query(one.direction, &one.query))),
        ]
    }

    /// Checks that a non-empty session, stored at `path`, belongs to a gallery.
    ///
    /// # Errors
    /// A session of another gallery.
    pub fn require_of(&self, path: &Path, gallery: &Gallery) -> Result<()> {
        let parts = self.parts(gallery);
        let held: usize = parts.iter().map(|part| part.held).sum();
        let missing: usize = parts.iter().map(|part| part.missing.len()).sum();
        // Indices may match by chance.
        let is_other = |study: &Facts| gallery.is_indexed() && !study.fit(gallery);
        let is_other = missing == held || self.study.as_ref().is_some_and(is_other);
        let Some(part) = parts.iter().find(|part| part.held > 0 && is_other) else {
            return Ok(());
        };
        let all = count(part.held, part.what);
        let example = part.missing.first().map(|one| format!(" (for instance {one})"));
        let example = example.unwrap_or_default();
        let found = format!("none of its {all} is of this gallery{example}");
        Err(of_another_gallery(path, found))
    }

    /// Picked queries of a direction, as gallery indices; those missing from the gallery are skipped.
    pub fn picked(&self, gallery: &Gallery, direction: Direction) -> Vec<u32> {
        let queries = gallery.queries(direction);
        let picks = self.picks.iter().filter(|pick| pick.direction == direction);
        picks.filter_map(|pick| queries.find(&pick.query)).collect()
    }

    /// An annotator's judgments as a truth: covered are queries with any judgment, positives those with yes or partial; a
    /// no is judged not relevant.
    pub fn alone(&self, by: &str) -> PerDirection<Pairs> {
        PerDirection::from_fn(|direction| {
            let mut lists: IndexMap<Id, (Id, Vec<(Id, i64)>)> = IndexMap::new();
            for one in self.judgments.iter().filter(|one| one.by == by) {
                let Some(judgment) = one.judgment else { continue };
                let (key, query, item) = match direction {
                    Direction::I2t => (image_key(&one.image), &one.image, &one.caption),
                    Direction::T2i => (Cow::Borrowed(&one.caption), &one.caption, &one.image),
                };
                let list = lists.entry(key.into_owned());
                let (_, said) = list.or_insert_with(|| (query.clone(), Vec::default()));
                said.push((item.clone(), judgment.is_positive().into()));
            }
            Pairs::with_grades(lists.into_values(), 1)
        })
    }
}

/// Number of entries of one kind, and those a gallery lacks.
struct Part {
    what: &'static str,
    held: usize,
    missing: Vec<String>,
}

impl Part {
    fn new(what: &'static str, lacking: impl ExactSizeIterator<Item = Option<String>>) -> Self {
        Part { what, held: lacking.len(), missing: lacking.flatten().collect() }
    }

    fn line(&self) -> Option<String> {
        let missing = self.missing.len();
        (missing > 0).then(|| {
            format!(
                "{} {} of ids that the gallery lacks ({}); nothing of it is lost",
                count(missing, self.what),
                if missing == 1 { "is" } else { "are" },
                in_words(missing, &self.missing[..missing.min(EXAMPLES)])
            )
        })
    }
}

/// Error: a session of another gallery.
pub fn of_another_gallery(path: &Path, found: String) -> Error {
    Error::new(path.display(), found)
        .expected("the session of a study with these ids")
        .mend("leave it out, or open the files of ids or captions that it was made with")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::session::{Pick, Timestamp};
    use crate::truth::judgment::Judgment;
    use crate::truth::pairs::NOT_RELEVANT;

    fn session() -> Session {
        let mut session = Session::default();
        for (image, caption, judgment, by) in [
            ("42", 7, Judgment::Yes, "mk"),
            ("COCO_val2014_000000000043.jpg", 7, Judgment::No, "mk"),
            ("42", 8, Judgment::MostlyNo, "mk"),
            ("42", 9, Judgment::Partial, "mk"),
            ("42", 7, Judgment::No, "anna"),
            ("99", 7, Judgment::No, "anna"),
        ] {
            let at = Timestamp::of_seconds(0);
            session.set_response(&Id::parse(image), &Id::Number(caption), Some(judgment), at, by);
        }
        session.picks.push(Pick {
            query: Id::Number(42),
            direction: Direction::T2i,
            models: Vec::new(),
            truth: "eccv".into(),
            depth: 5,
            note: String::new(),
            pool: None,
            at: Timestamp::of_seconds(0),
            by: "mk".into(),
            sampled: None,
            group: None,
            other: serde_json::Map::new(),
        });
        session
    }

    #[test]
    fn another_gallery_is_matched_by_ids() {
        let ids = |ids: &[i64]| {
            let ids: Vec<Id> = ids.iter().copied().map(Id::Number).collect();
            IdList::new(ids).unwrap()
        };
        let gallery =
            Gallery { images: ids(&[43, 42]), captions: ids(&[8, 7]), ..Gallery::default() };
        let mut session = session();
        session.study = Some(Facts::new(vec!["a.npy".into()], &gallery));
        assert!(session.study.as_ref().unwrap().fit(&gallery));
        let (judgments, notes) = session.judgments_in(&gallery, "mk");
        let found: Vec<_> =
            judgments.iter().map(|(pair, v)| (pair.image.raw(), pair.caption.raw(), v)).collect();
        assert_eq!(
            found,
            [(0, 1, Judgment::No), (1, 0, Judgment::MostlyNo), (1, 1, Judgment::Yes)]
        );
        assert_eq!(
            notes,
            [
                "2 judgments are of ids that the gallery lacks (image 42 with caption 9, image 99 with caption 7); nothing of it is lost",
                "1 pick is of ids that the gallery lacks (t2i query 42); nothing of it is lost",
            ]
        );
        assert!(session.picked(&gallery, Direction::T2i).is_empty());
        session.picks[0].query = Id::Number(7);
        assert_eq!(session.picked(&gallery, Direction::T2i), [1]);
        assert!(session.picked(&gallery, Direction::I2t).is_empty());
    }

    #[test]
    fn judgments_alone_judge_every_query_that_has_any() {
        let pairs = session().alone("mk");
        let text = |direction: Direction| serde_json::to_string(&pairs[direction]).unwrap();
        assert_eq!(text(Direction::I2t), r#"{"42":[7,9],"COCO_val2014_000000000043.jpg":[]}"#);
        assert_eq!(text(Direction::T2i), r#"{"7":[42],"8":[],"9":[42]}"#);
        let no = serde_json::to_string(&pairs.t2i.of_grade(NOT_RELEVANT).unwrap()).unwrap();
        assert_eq!(no, r#"{"7":["COCO_val2014_000000000043.jpg"],"8":[42]}"#);
        assert_eq!(pairs.i2t.of_grade(NOT_RELEVANT).unwrap().len(), 2);
    }
}
