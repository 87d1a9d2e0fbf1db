//! Ids of a session looked up in a gallery, and lists of them without one.

use std::borrow::Cow;
use std::collections::HashMap;

use super::{Facts, Judgement, Session, image_key};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection};
use crate::truth::pairs::Pairs;
use crate::truth::relevance::in_words;
use crate::truth::verdict::{Pair, Verdicts};

/// Ids that are named where many are missing.
const EXAMPLES: usize = 3;

/// What of a session concerns a gallery.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Matched {
    /// The verdicts of one annotator on pairs of the gallery.
    pub verdicts: Verdicts,
    /// What the gallery lacks, by whomever, a line each. It stays in the session.
    pub notes: Vec<String>,
}

impl Session {
    /// The verdicts of an annotator over a gallery, and what the gallery lacks of the session.
    pub fn verdicts(&self, gallery: &Gallery, by: &str) -> Matched {
        let mut verdicts = Verdicts::default();
        let mut missing = Vec::new();
        // Where two ids find one image, the later verdict counts.
        let mut found: Vec<(&Judgement, Pair)> = Vec::new();
        for one in self.judgements() {
            match Pair::find(gallery, &one.image, &one.caption) {
                Some(pair) if one.by == by => found.push((one, pair)),
                Some(_) => {}
                None => missing.push(format!("image {} with caption {}", one.image, one.caption)),
            }
        }
        found.sort_by_key(|(one, _)| one.at);
        for (one, pair) in found {
            verdicts.set(pair, Some(one.verdict));
        }
        let mut notes = Vec::new();
        notes.extend(
            self.study
                .as_ref()
                .and_then(|study| other_study(study, gallery)),
        );
        notes.extend(line("verdict", &missing));
        let query = |(direction, id): (Direction, &Id)| {
            let known = gallery.queries(direction).find(id).is_some();
            (!known).then(|| format!("{direction} query {id}"))
        };
        let picks = self.picks.iter().map(|pick| (pick.direction, &pick.query));
        notes.extend(line("pick", &picks.filter_map(query).collect::<Vec<_>>()));
        let remarks = self.notes.iter().map(|note| (note.direction, &note.query));
        notes.extend(line("note", &remarks.filter_map(query).collect::<Vec<_>>()));
        Matched { verdicts, notes }
    }

    /// The queries of a direction that are picked, by gallery index; those that the gallery lacks are
    /// left out.
    pub fn picked(&self, gallery: &Gallery, direction: Direction) -> Vec<u32> {
        let queries = gallery.queries(direction);
        let picks = self.picks.iter().filter(|pick| pick.direction == direction);
        picks.filter_map(|pick| queries.find(&pick.query)).collect()
    }

    /// An annotator's verdicts as a truth: every query with any verdict is judged, its positives are
    /// those that are right, at least in part, and what has a no is judged not relevant.
    pub fn alone(&self, by: &str) -> PerDirection<Pairs> {
        PerDirection::from_fn(|direction| {
            let mut places: HashMap<Id, usize> = HashMap::new();
            let mut yes: Vec<(Id, Vec<Id>)> = Vec::new();
            let mut no: Vec<(Id, Vec<Id>)> = Vec::new();
            for one in self.judgements().iter().filter(|one| one.by == by) {
                let (key, query, item) = match direction {
                    Direction::I2t => (image_key(&one.image), &one.image, &one.caption),
                    Direction::T2i => (Cow::Borrowed(&one.caption), &one.caption, &one.image),
                };
                let place = *places.entry(key.into_owned()).or_insert(yes.len());
                if place == yes.len() {
                    yes.push((query.clone(), Vec::new()));
                    no.push((query.clone(), Vec::new()));
                }
                let said = if one.verdict.is_positive() {
                    &mut yes
                } else {
                    &mut no
                };
                said[place].1.push(item.clone());
            }
            no.retain(|(_, items)| !items.is_empty());
            let yes: Pairs = yes.into_iter().collect();
            yes.beside(no.into_iter().collect())
        })
    }
}

fn other_study(study: &Facts, gallery: &Gallery) -> Option<String> {
    let sizes = [gallery.images.len(), gallery.captions.len()];
    let other = if [study.images, study.captions] == sizes {
        "other ids".to_owned()
    } else {
        let [images, captions] = [study.images, study.captions].map(grouped);
        format!("{images} images, {captions} captions")
    };
    (!study.fit(gallery)).then(|| {
        format!("the session was made with another gallery ({other}): it is matched by ids")
    })
}

fn line(what: &str, missing: &[String]) -> Option<String> {
    let count = missing.len();
    let plural = if count == 1 { " is" } else { "s are" };
    (count > 0).then(|| {
        format!(
            "{} {what}{plural} of ids that the gallery lacks ({}); nothing of it is lost",
            grouped(count),
            in_words(count, &missing[..count.min(EXAMPLES)])
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::session::{Pick, Timestamp};
    use crate::truth::verdict::Verdict;

    fn session() -> Session {
        let mut session = Session::default();
        for (image, caption, verdict, by) in [
            ("42", 7, Verdict::Yes, "mk"),
            ("COCO_val2014_000000000043.jpg", 7, Verdict::No, "mk"),
            ("42", 8, Verdict::MostlyNo, "mk"),
            ("42", 9, Verdict::Partial, "mk"),
            ("42", 7, Verdict::No, "anna"),
            ("99", 7, Verdict::No, "anna"),
        ] {
            let at = Timestamp::of_seconds(0);
            session.set_verdict(
                &Id::parse(image),
                &Id::Number(caption),
                Some(verdict),
                at,
                by,
            );
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
        let gallery = Gallery {
            images: ids(&[43, 42]),
            captions: ids(&[8, 7]),
            ..Gallery::default()
        };
        let mut session = session();
        session.study = Some(Facts::of(vec!["a.npy".into()], &gallery));
        assert!(session.study.as_ref().unwrap().fit(&gallery));
        let matched = session.verdicts(&gallery, "mk");
        let found: Vec<_> = matched
            .verdicts
            .iter()
            .map(|(pair, v)| (pair.image.raw(), pair.caption.raw(), v))
            .collect();
        assert_eq!(
            found,
            [
                (0, 1, Verdict::No),
                (1, 0, Verdict::MostlyNo),
                (1, 1, Verdict::Yes)
            ]
        );
        assert_eq!(
            matched.notes,
            [
                "2 verdicts are of ids that the gallery lacks (image 42 with caption 9, image 99 with caption 7); nothing of it is lost",
                "1 pick is of ids that the gallery lacks (t2i query 42); nothing of it is lost",
            ]
        );
        assert!(session.picked(&gallery, Direction::T2i).is_empty());
        session.picks[0].query = Id::Number(7);
        assert_eq!(session.picked(&gallery, Direction::T2i), [1]);
        assert!(session.picked(&gallery, Direction::I2t).is_empty());
        session.study.as_mut().unwrap().image_ids.clear();
        let notes = session.verdicts(&gallery, "bo").notes;
        assert!(
            notes[0].contains("another gallery (other ids)"),
            "{notes:?}"
        );
    }

    #[test]
    fn verdicts_alone_judge_every_query_that_has_any() {
        let pairs = session().alone("mk");
        let text = |direction: Direction| serde_json::to_string(&pairs[direction]).unwrap();
        assert_eq!(
            text(Direction::I2t),
            r#"{"42":[7,9],"COCO_val2014_000000000043.jpg":[]}"#
        );
        assert_eq!(text(Direction::T2i), r#"{"7":[42],"8":[],"9":[42]}"#);
        let no = serde_json::to_string(pairs.t2i.nonrelevant().unwrap()).unwrap();
        assert_eq!(no, r#"{"7":["COCO_val2014_000000000043.jpg"],"8":[42]}"#);
        assert_eq!(pairs.i2t.nonrelevant().unwrap().len(), 2);
    }
}
