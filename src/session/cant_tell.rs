//! Pairs of which an annotator could not tell. They stand apart from the verdicts, so that nothing that counts or
//! writes verdicts sees them; a version that does not know them keeps them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::{Session, Timestamp, image_key};
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::truth::response::Response;
use crate::truth::verdict::Pair;

/// A pair of which an annotator could not tell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CantTell {
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// When.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl CantTell {
    fn is_of(&self, image: &Id, caption: &Id, by: &str) -> bool {
        self.caption == *caption && self.by == by && image_key(&self.image) == image_key(image)
    }
}

/// What somebody said of a pair, and when.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Said {
    /// What was said.
    pub response: Response,
    /// When.
    pub at: Timestamp,
}

impl Session {
    /// What an annotator said of a pair, and when.
    pub fn said(&self, image: &Id, caption: &Id, by: &str) -> Option<Said> {
        let mut verdicts = self.verdicts.iter();
        let verdict = verdicts.find(|one| one.is_of(image, caption, by));
        let verdict =
            verdict.map(|one| Said { response: Response::Verdict(one.verdict), at: one.at });
        let cant_tell = || {
            let mut others = self.cant_tell.iter();
            let one = others.find(|one| one.is_of(image, caption, by))?;
            Some(Said { response: Response::CantTell, at: one.at })
        };
        verdict.or_else(cant_tell)
    }

    /// The pairs of which annotators could not tell.
    pub fn cant_tell(&self) -> &[CantTell] {
        &self.cant_tell
    }

    /// Whether nobody answered anything.
    pub fn has_no_answer(&self) -> bool {
        self.verdicts.is_empty() && self.cant_tell.is_empty()
    }

    /// How many pairs an annotator could not tell of, whatever gallery they are of.
    pub fn count_of_cant_tell(&self, by: &str) -> usize {
        self.cant_tell.iter().filter(|one| one.by == by).count()
    }

    /// Puts what an annotator says of a pair in the place of what was said before, or removes it.
    pub fn set_response(
        &mut self,
        image: &Id,
        caption: &Id,
        response: Option<Response>,
        at: Timestamp,
        by: &str,
    ) {
        self.cant_tell.retain(|one| !one.is_of(image, caption, by));
        let verdict = response.and_then(Response::verdict);
        self.set_verdict(image, caption, verdict, at, by);
        if response == Some(Response::CantTell) {
            self.cant_tell.push(CantTell {
                image: image.clone(),
                caption: caption.clone(),
                at,
                by: by.to_owned(),
                other: Map::new(),
            });
        }
    }

    /// The pairs of a gallery of which an annotator could not tell.
    pub fn cant_tell_over(&self, gallery: &Gallery, by: &str) -> BTreeSet<Pair> {
        let mine = self.cant_tell.iter().filter(|one| one.by == by);
        mine.filter_map(|one| Pair::find(gallery, &one.image, &one.caption)).collect()
    }

    /// Where somebody gave a verdict, too (lines of two files were put together), that one stands; each pair stands once.
    pub(super) fn drop_told(&mut self) {
        for one in std::mem::take(&mut self.cant_tell) {
            if self.said(&one.image, &one.caption, &one.by).is_none() {
                self.cant_tell.push(one);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::truth::verdict::Verdict;

    #[test]
    fn of_a_pair_there_is_a_verdict_or_that_it_cannot_be_told() {
        let mut session = Session::default();
        let (caption, at) = (Id::Number(7), Timestamp::of_seconds(0));
        let mut say = |image: &str, response| {
            session.set_response(&Id::parse(image), &caption, response, at, "mk");
            (session.judgements().len(), session.cant_tell().len())
        };
        assert_eq!(say("1", Some(Response::CantTell)), (0, 1));
        assert_eq!(say("2", Some(Response::Verdict(Verdict::No))), (1, 1));
        assert_eq!(say("2", Some(Response::CantTell)), (0, 2));
        let name = "COCO_val2014_000000000001.jpg";
        assert_eq!(say(name, Some(Response::Verdict(Verdict::Yes))), (1, 1));
        assert_eq!(say("2", None), (1, 0));
    }

    #[test]
    fn what_was_said_is_known_with_its_time() {
        let mut session = Session::default();
        let (image, caption) = (Id::Number(1), Id::Number(7));
        assert_eq!(session.said(&image, &caption, "mk"), None);
        for (second, response) in
            [(1, Response::CantTell), (2, Response::Verdict(Verdict::Yes)), (3, Response::CantTell)]
        {
            let at = Timestamp::of_seconds(second);
            session.set_response(&image, &caption, Some(response), at, "mk");
            let said = session.said(&image, &caption, "mk");
            assert_eq!(said, Some(Said { response, at }));
        }
        assert_eq!(session.said(&image, &caption, "anna"), None);
    }

    #[test]
    fn nothing_of_it_is_a_verdict() {
        let mut session = Session::default();
        let (image, caption) = (Id::Number(1), Id::Number(7));
        let at = Timestamp::of_seconds(0);
        session.set_response(&image, &caption, Some(Response::CantTell), at, "mk");
        assert!(session.annotators().is_empty());
        assert!(session.alone("mk")[Direction::T2i].is_empty());
    }
}
