//! Looks up the ids of a session in a gallery. Without a gallery, makes a ground truth of the judgments by id.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use indexmap::IndexMap;

use super::{JudgmentEntry, Session, StudyFacts, Tag, image_key};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::text::count;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::pairs::Pairs;
use crate::truth::relevance::list_examples;

/// Maximum number of ids named in a message.
const EXAMPLES: usize = 3;

impl Session {
    /// An annotator's judgments on pairs of a gallery. Also returns warnings: a line for each kind of entry with ids
    /// that the gallery lacks, by any annotator.
    pub fn judgments_in(&self, gallery: &Gallery, annotator: &str) -> (Judgments, Vec<String>) {
        let mut judgments = Judgments::default();
        // If two ids are one image, the later judgment counts.
        let mine =
            self.judgments.iter().filter(|one| one.by == annotator && one.judgment.is_some());
        let mut found: Vec<&JudgmentEntry> = mine.collect();
        found.sort_by_key(|one| one.at);
        for one in found {
            if let Some(pair) = Pair::find(gallery, &one.image, &one.caption) {
                judgments.set(pair, one.judgment);
            }
        }
        let counts = self.count_entries(gallery);
        (judgments, counts.iter().filter_map(EntryCount::warning).collect())
    }

    /// Pairs of a gallery that an annotator could not judge.
    pub fn cant_tell(&self, gallery: &Gallery, annotator: &str) -> BTreeSet<Pair> {
        let mine =
            self.judgments.iter().filter(|one| one.by == annotator && one.judgment.is_none());
        mine.filter_map(|one| Pair::find(gallery, &one.image, &one.caption)).collect()
    }

    /// Tags of all annotators on pairs of a gallery, without duplicates.
    pub fn tags(&self, gallery: &Gallery) -> BTreeSet<(Pair, String)> {
        let pair_tag =
            |one: &Tag| Some((Pair::find(gallery, &one.image, &one.caption)?, one.tag.clone()));
        self.tags.iter().filter_map(pair_tag).collect()
    }

    /// Counts the entries of each kind, in all and with ids that the gallery lacks.
    fn count_entries(&self, gallery: &Gallery) -> [EntryCount; 4] {
        let missing_pair = |(image, caption): (&Id, &Id)| {
            let found = Pair::find(gallery, image, caption);
            found.is_none().then(|| format!("image {image} with caption {caption}"))
        };
        let missing_query = |direction: Direction, id: &Id| {
            let found = gallery.queries(direction).find(id);
            found.is_none().then(|| format!("{direction} query {id}"))
        };
        let (tags, picks, notes) = (self.tags.iter(), self.picks.iter(), self.notes.iter());
        [
            EntryCount::new(
                "judgment",
                self.judgments.iter().map(|one| missing_pair((&one.image, &one.caption))),
            ),
            EntryCount::new("tag", tags.map(|one| missing_pair((&one.image, &one.caption)))),
            EntryCount::new("pick", picks.map(|one| missing_query(one.direction, &one.query))),
            EntryCount::new("note", notes.map(|one| missing_query(one.direction, &one.query))),
        ]
    }

    /// Checks that a non-empty session, stored at `path`, belongs to a gallery.
    ///
    /// # Errors
    /// A session of another gallery.
    pub fn require_gallery(&self, path: &Path, gallery: &Gallery) -> Result<()> {
        let counts = self.count_entries(gallery);
        let total: usize = counts.iter().map(|kind| kind.total).sum();
        let missing: usize = counts.iter().map(|kind| kind.missing.len()).sum();
        // Indices may match by chance.
        let has_other_ids = |study: &StudyFacts| gallery.is_indexed() && !study.matches(gallery);
        let is_other = missing == total || self.study.as_ref().is_some_and(has_other_ids);
        let Some(kind) = counts.iter().find(|kind| kind.total > 0 && is_other) else {
            return Ok(());
        };
        let entries = count(kind.total, kind.kind);
        let example = kind.missing.first().map(|one| format!(" (for instance {one})"));
        let example = example.unwrap_or_default();
        let found = format!("none of its {entries} is of this gallery{example}");
        Err(Error::new(path.display(), found)
            .expected("the session of a study with these ids")
            .fix("leave it out, or open the files of ids or captions that it was made with"))
    }

    /// Picked queries of a direction, as gallery indices; those missing from the gallery are skipped.
    pub fn picked_queries(&self, gallery: &Gallery, direction: Direction) -> Vec<u32> {
        let queries = gallery.queries(direction);
        let picks = self.picks.iter().filter(|pick| pick.direction == direction);
        picks.filter_map(|pick| queries.find(&pick.query)).collect()
    }

    /// The pairs of a ground truth of an annotator's judgments alone. It covers the queries with a judgment; yes and
    /// partial are positives, mostly-no and no are judged not relevant.
    pub fn judgments_as_truth(&self, annotator: &str) -> PerDirection<Pairs> {
        PerDirection::from_fn(|direction| {
            let mut lists: IndexMap<Id, (Id, Vec<(Id, i64)>)> = IndexMap::new();
            for one in self.judgments.iter().filter(|one| one.by == annotator) {
                let Some(judgment) = one.judgment else { continue };
                let (key, query, item) = match direction {
                    Direction::I2t => (image_key(&one.image), &one.image, &one.caption),
                    Direction::T2i => (Cow::Borrowed(&one.caption), &one.caption, &one.image),
                };
                let list = lists.entry(key.into_owned());
                let (_, grades) = list.or_insert_with(|| (query.clone(), Vec::default()));
                grades.push((item.clone(), judgment.is_positive().into()));
            }
            Pairs::with_grades(lists.into_values(), 1)
        })
    }
}

/// The entries of one kind: how many there are, and which ones have ids that a gallery lacks.
struct EntryCount {
    kind: &'static str,
    total: usize,
    /// Description of each entry that the gallery lacks.
    missing: Vec<String>,
}

impl EntryCount {
    /// Counts the entries of one kind, each given as its description if the gallery lacks it, else `None`.
    fn new(kind: &'static str, entries: impl ExactSizeIterator<Item = Option<String>>) -> Self {
        EntryCount { kind, total: entries.len(), missing: entries.flatten().collect() }
    }

    /// A warning, if the gallery lacks any.
    fn warning(&self) -> Option<String> {
        let missing = self.missing.len();
        (missing > 0).then(|| {
            format!(
                "{} {} of ids that the gallery lacks ({}); nothing of it is lost",
                count(missing, self.kind),
                if missing == 1 { "is" } else { "are" },
                list_examples(missing, &self.missing[..missing.min(EXAMPLES)])
            )
        })
    }
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
            let at = Timestamp::from_seconds(0);
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
            at: Timestamp::from_seconds(0),
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
        session.study = Some(StudyFacts::new(vec!["a.npy".into()], &gallery));
        assert!(session.study.as_ref().unwrap().matches(&gallery));
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
        assert!(session.picked_queries(&gallery, Direction::T2i).is_empty());
        session.picks[0].query = Id::Number(7);
        assert_eq!(session.picked_queries(&gallery, Direction::T2i), [1]);
        assert!(session.picked_queries(&gallery, Direction::I2t).is_empty());
    }

    #[test]
    fn judgments_alone_judge_every_query_that_has_any() {
        let pairs = session().judgments_as_truth("mk");
        let text = |direction: Direction| serde_json::to_string(&pairs[direction]).unwrap();
        assert_eq!(text(Direction::I2t), r#"{"42":[7,9],"COCO_val2014_000000000043.jpg":[]}"#);
        assert_eq!(text(Direction::T2i), r#"{"7":[42],"8":[],"9":[42]}"#);
        let no = serde_json::to_string(&pairs.t2i.filter_grade(NOT_RELEVANT).unwrap()).unwrap();
        assert_eq!(no, r#"{"7":["COCO_val2014_000000000043.jpg"],"8":[42]}"#);
        assert_eq!(pairs.i2t.filter_grade(NOT_RELEVANT).unwrap().len(), 2);
    }
}
