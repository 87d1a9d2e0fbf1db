//! What a person decided about pairs, and how it changes a truth.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Truth;
use super::grades::{Grades, WHOLE};
use super::relevance::{Builder, Relevance};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::index::{CaptionIx, ImageIx, ItemIx, QueryIx};

/// A person's judgement of one image and one caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Right.
    Yes,
    /// Partly relevant.
    Partial,
    /// Mostly not relevant.
    MostlyNo,
    /// Not relevant.
    No,
}

impl Verdict {
    /// All of them, from right to wrong.
    pub const ALL: [Verdict; 4] = [Verdict::Yes, Verdict::Partial, Verdict::MostlyNo, Verdict::No];

    /// Its word in files and on screen.
    pub fn key(self) -> &'static str {
        match self {
            Verdict::Yes => "yes",
            Verdict::Partial => "partial",
            Verdict::MostlyNo => "mostly-no",
            Verdict::No => "no",
        }
    }

    /// The gain of such an item in graded metrics: nDCG, of those that there are.
    pub fn weight(self) -> f64 {
        match self {
            Verdict::Yes => 1.0,
            Verdict::Partial => 0.5,
            Verdict::MostlyNo | Verdict::No => 0.0,
        }
    }

    /// The gain of an item that had one and was a positive or not, in halves of a grade, by the greatest
    /// grade of its truth (1 where it has none): a yes leaves that of a positive and gives any other item
    /// the greatest, a partial gives half of the greatest, a no none.
    pub fn gain(self, was_positive: bool, before: u32, greatest: u32) -> u32 {
        match self {
            Verdict::Yes if was_positive => before,
            _ => (self.weight() * f64::from(WHOLE * greatest)) as u32,
        }
    }

    /// Whether such an item is a positive where an item either is one or is not.
    pub fn is_positive(self) -> bool {
        self.weight() > 0.0
    }
}

/// The name of a truth made of verdicts alone.
pub const MINE: &str = "mine";

/// The name of a truth as changed by verdicts.
pub fn with_mine(truth: &str) -> String {
    format!("{truth}+{MINE}")
}

/// Whether a name is that of a truth which a person made or changed.
pub fn is_mine(truth: &str) -> bool {
    truth == MINE || truth.strip_suffix(MINE).is_some_and(|name| name.ends_with('+'))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

impl FromStr for Verdict {
    type Err = ();

    fn from_str(key: &str) -> Result<Self, ()> {
        let mut all = Verdict::ALL.into_iter();
        all.find(|verdict| verdict.key() == key).ok_or(())
    }
}

/// An image and a caption, by gallery index. A verdict is about the pair, whoever asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The image.
    pub image: ImageIx,
    /// The caption.
    pub caption: CaptionIx,
}

impl Pair {
    /// The pair of a query and an item.
    pub fn of(direction: Direction, query: QueryIx, item: ItemIx) -> Self {
        let (image, caption) = match direction {
            Direction::I2t => (query.raw(), item.raw()),
            Direction::T2i => (item.raw(), query.raw()),
        };
        Pair { image: image.into(), caption: caption.into() }
    }

    /// The pair of two ids, if the gallery has both.
    pub fn find(gallery: &Gallery, image: &Id, caption: &Id) -> Option<Self> {
        Some(Pair {
            image: gallery.images.find(image)?.into(),
            caption: gallery.captions.find(caption)?.into(),
        })
    }

    /// Query and item of the pair.
    pub fn asked(self, direction: Direction) -> (QueryIx, ItemIx) {
        let (query, item) = match direction {
            Direction::I2t => (self.image.raw(), self.caption.raw()),
            Direction::T2i => (self.caption.raw(), self.image.raw()),
        };
        (query.into(), item.into())
    }
}

/// A person's verdicts, by pair of image and caption; a copy shares them until either changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Verdicts(Arc<BTreeMap<Pair, Verdict>>);

impl Verdicts {
    /// The verdict on a pair.
    pub fn get(&self, pair: Pair) -> Option<Verdict> {
        self.0.get(&pair).copied()
    }

    /// Puts a verdict in the place of the one before, or removes it; gives the one before.
    pub fn set(&mut self, pair: Pair, verdict: Option<Verdict>) -> Option<Verdict> {
        let all = Arc::make_mut(&mut self.0);
        match verdict {
            Some(verdict) => all.insert(pair, verdict),
            None => all.remove(&pair),
        }
    }

    /// Number of pairs with a verdict.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no pair has a verdict.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, by image and caption.
    pub fn iter(&self) -> impl Iterator<Item = (Pair, Verdict)> + '_ {
        self.0.iter().map(|(&pair, &verdict)| (pair, verdict))
    }
}

impl Truth {
    /// This truth as changed by a person: a yes adds a positive, a no takes one away, in both
    /// directions, for the queries that the truth judges; what has a no is judged not relevant from then
    /// on, listed before or not. A partial is a positive, and has half the gain in graded metrics; files, which have no
    /// place for half a grade, have it rounded up.
    #[must_use]
    pub fn with(&self, verdicts: &Verdicts) -> Truth {
        self.map(|relevance, direction| relevance.with(verdicts, direction))
    }

    /// This truth, of which verdicts that are laid over its ranks tell what is not relevant, where one says no of a
    /// query that it judges.
    #[must_use]
    pub fn judged_by(self, verdicts: &Verdicts) -> Truth {
        self.map(|relevance, direction| {
            let tells = no_of_judged(relevance, verdicts, direction).next().is_some();
            if tells { relevance.clone().with_judgements() } else { relevance.clone() }
        })
    }
}

impl Relevance {
    fn with(&self, verdicts: &Verdicts, direction: Direction) -> Relevance {
        let mut of_query: BTreeMap<u32, Vec<(u32, Verdict)>> = BTreeMap::new();
        for (pair, verdict) in verdicts.iter() {
            let (query, item) = pair.asked(direction);
            let changes = of_query.entry(query.raw()).or_default();
            changes.push((item.raw(), verdict));
        }
        let mut builder = Builder::new(self.query_count());
        let mut grades = self.grades().map(Grades::without_queries);
        for (place, &query) in self.queries().iter().enumerate() {
            let before = self.positives(place);
            let outside = self.listed(place) - before.len() as u32;
            let mut positives: Vec<u32> = before.iter().collect();
            let changes = of_query.get(&query).map_or(&[][..], Vec::as_slice);
            if let (Some(before), Some(grades)) = (self.grades(), &mut grades) {
                grades.push(&regraded(before, place, changes), before.outside(place));
            }
            for &(item, verdict) in changes {
                let positive = verdict.is_positive();
                match positives.binary_search(&item) {
                    Err(at) if positive => positives.insert(at, item),
                    Ok(at) if !positive => {
                        positives.remove(at);
                    }
                    _ => {}
                }
            }
            builder.push(query, &positives, positives.len() as u32 + outside);
            builder.regain(self.regains(place, changes).into_iter());
        }
        let changed = builder.finish_with(grades).under(self.conventions());
        changed.with_beyond_of(self, no_of_judged(self, verdicts, direction))
    }
}

impl Relevance {
    /// The gain of an item for the query at `place` by a verdict on it, in halves of a grade.
    pub fn gain_by(&self, verdict: Verdict, place: usize, item: u32) -> u32 {
        let is_positive = self.positives(place).contains(item);
        let greatest = self.grades().map_or(1, Grades::greatest);
        verdict.gain(is_positive, self.gain(place, item), greatest)
    }

    /// The gains of a query's items, ascending, that verdicts leave other than those of positives or grades.
    fn regains(&self, place: usize, changes: &[(u32, Verdict)]) -> BTreeMap<u32, u32> {
        let mut gains: BTreeMap<u32, u32> = self.regained(place).iter().copied().collect();
        let by = |&(item, verdict)| (item, self.gain_by(verdict, place, item));
        gains.extend(changes.iter().map(by));
        let is_whole = |gain| self.grades().is_none() && gain == WHOLE;
        gains.retain(|_, gain| *gain > 0 && !is_whole(*gain));
        gains
    }
}

/// Query and item of every no about a query that a truth judges.
fn no_of_judged(
    truth: &Relevance,
    verdicts: &Verdicts,
    direction: Direction,
) -> impl Iterator<Item = (u32, u32)> {
    let no = verdicts.iter().filter(|(_, said)| !said.is_positive());
    let asked = no.map(move |(pair, _)| pair.asked(direction));
    asked
        .filter(|(query, _)| truth.place(query.get()).is_some())
        .map(|(query, item)| (query.raw(), item.raw()))
}

/// The grades of a query as verdicts change them, in whole grades: a half is rounded up, and a positive
/// stays one.
fn regraded(before: &Grades, place: usize, changes: &[(u32, Verdict)]) -> Vec<(u32, u32)> {
    let mut grades: BTreeMap<u32, u32> = before.of_query(place).collect();
    for &(item, verdict) in changes {
        let own = before.of(place, item);
        let is_positive = own >= before.from();
        let gain = verdict.gain(is_positive, WHOLE * own, before.greatest());
        match gain.div_ceil(WHOLE) {
            0 => grades.remove(&item),
            grade => grades.insert(item, grade.max(before.from())),
        };
    }
    grades.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::truth::{Kind, Listed};

    #[test]
    fn words_read_back() {
        for verdict in Verdict::ALL {
            assert_eq!(verdict.key().parse(), Ok(verdict));
        }
        assert_eq!("maybe".parse::<Verdict>(), Err(()));
    }

    #[test]
    fn whatever_a_person_changed_is_rich() {
        for name in ["pm", "original", "loose_1"] {
            assert_ne!(Kind::of(name), Kind::Rich);
            assert_eq!(Kind::of(&with_mine(name)), Kind::Rich);
        }
        assert!(is_mine(MINE) && !is_mine("undermine") && !is_mine("eccv"));
    }

    #[test]
    fn verdicts_change_what_is_judged_and_nothing_else() {
        let gallery = Gallery {
            images: IdList::counted(3),
            captions: IdList::counted(4),
            ..Gallery::default()
        };
        // Caption 3 is not judged; of caption 0 one positive is outside of the gallery.
        let lists: [(i64, &[i64]); 3] = [(0, &[0, 77]), (1, &[1]), (2, &[2])];
        let ids = |ids: &[i64]| ids.iter().copied().map(Id::Number).collect::<Vec<_>>();
        let mut truth = Truth::new("mine");
        let listed = Listed {
            name: "mine".into(),
            direction: Some(Direction::T2i),
            pairs: lists.iter().map(|(query, items)| (Id::Number(*query), ids(items))).collect(),
            file: "t".into(),
        };
        truth.add(&listed, &gallery).unwrap();
        let mut verdicts = Verdicts::default();
        let pair =
            |caption: u32, image: u32| Pair::of(Direction::T2i, caption.into(), image.into());
        for (pair, verdict) in [
            (pair(0, 2), Verdict::Partial),
            (pair(0, 1), Verdict::MostlyNo),
            (pair(1, 1), Verdict::No),
            (pair(3, 0), Verdict::Yes),
        ] {
            assert_eq!(verdicts.set(pair, Some(verdict)), None);
        }
        let changed = truth.with(&verdicts);
        assert!(changed.relevance[Direction::I2t].is_none());
        let relevance = changed.relevance[Direction::T2i].as_ref().unwrap();
        assert_eq!(relevance.queries(), [0, 1, 2]);
        let positives = |place| relevance.positives(place).iter().collect::<Vec<u32>>();
        assert_eq!((positives(0), relevance.listed(0)), (vec![0, 2], 3));
        assert_eq!((positives(1), relevance.listed(1)), (vec![], 0));
        assert_eq!((positives(2), relevance.listed(2)), (vec![2], 1));
        // A no is a judgement, also of what was not listed; of a query that is not judged it is none.
        assert_eq!([0, 1].map(|place| relevance.judged(place).get(&1).copied()), [Some(0); 2]);
        assert_eq!(verdicts.set(pair(0, 2), None), Some(Verdict::Partial));
        assert_eq!(verdicts.get(pair(0, 2)), None);
    }
}
