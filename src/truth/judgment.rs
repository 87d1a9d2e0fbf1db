//! A person's judgments of pairs, and the truth that results.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Truth;
use super::relevance::{Builder, Relevance, WHOLE};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::index::{CaptionIx, ImageIx, ItemIx, QueryIx};

/// A person's judgment of one image and one caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgment {
    /// Relevant.
    Yes,
    /// Partly relevant.
    Partial,
    /// Mostly not relevant.
    MostlyNo,
    /// Not relevant.
    No,
}

impl Judgment {
    /// All judgments, from yes to no.
    pub const ALL: [Judgment; 4] =
        [Judgment::Yes, Judgment::Partial, Judgment::MostlyNo, Judgment::No];

    /// Its key in files and on screen.
    pub fn key(self) -> &'static str {
        match self {
            Judgment::Yes => "yes",
            Judgment::Partial => "partial",
            Judgment::MostlyNo => "mostly-no",
            Judgment::No => "no",
        }
    }

    /// Gain in graded metrics such as nDCG, from 0 to 1; 1 is the gain of the highest grade.
    pub fn weight(self) -> f64 {
        match self {
            Judgment::Yes => 1.0,
            Judgment::Partial => 0.5,
            Judgment::MostlyNo | Judgment::No => 0.0,
        }
    }

    /// Whether the item is a positive under binary metrics.
    pub fn is_positive(self) -> bool {
        self.weight() > 0.0
    }
}

/// Name of a truth that only has judgments.
pub const MINE: &str = "mine";

/// Name of a truth with a person's judgments applied.
pub fn name_with_mine(truth: &str) -> String {
    format!("{truth}+{MINE}")
}

/// Whether this is the name of a truth that a person made or changed.
pub fn is_mine(truth: &str) -> bool {
    truth == MINE || truth.strip_suffix(MINE).is_some_and(|name| name.ends_with('+'))
}

impl fmt::Display for Judgment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

impl FromStr for Judgment {
    type Err = ();

    fn from_str(key: &str) -> Result<Self, ()> {
        let mut all = Judgment::ALL.into_iter();
        all.find(|judgment| judgment.key() == key).ok_or(())
    }
}

/// An image and a caption, by gallery index. Judgments hold in both directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The image.
    pub image: ImageIx,
    /// The caption.
    pub caption: CaptionIx,
}

impl Pair {
    /// The pair of a query and an item.
    pub fn from_query(direction: Direction, query: QueryIx, item: ItemIx) -> Self {
        let (image, caption) = direction.query_and_item(query.raw(), item.raw());
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
    pub fn query_and_item(self, direction: Direction) -> (QueryIx, ItemIx) {
        let (query, item) = direction.query_and_item(self.image.raw(), self.caption.raw());
        (query.into(), item.into())
    }
}

/// A person's judgments by pair; clones share memory until one is changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Judgments(Arc<BTreeMap<Pair, Judgment>>);

impl Judgments {
    /// Judgment of a pair.
    pub fn get(&self, pair: Pair) -> Option<Judgment> {
        self.0.get(&pair).copied()
    }

    /// Sets or removes a judgment; returns the previous one.
    pub fn set(&mut self, pair: Pair, judgment: Option<Judgment>) -> Option<Judgment> {
        let all = Arc::make_mut(&mut self.0);
        match judgment {
            Some(judgment) => all.insert(pair, judgment),
            None => all.remove(&pair),
        }
    }

    /// Number of pairs with a judgment.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no pair has a judgment.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All pairs with their judgments, by image and caption.
    pub fn iter(&self) -> impl Iterator<Item = (Pair, Judgment)> + '_ {
        self.0.iter().map(|(&pair, &judgment)| (pair, judgment))
    }
}

impl Truth {
    /// This truth after a person's judgments: a yes adds a positive, a no removes one, in both directions, for covered
    /// queries; pairs with a no are judged not relevant from then on, listed before or not. A partial is a positive
    /// with half the gain in graded metrics; files, which have no half grades, round it up.
    #[must_use]
    pub fn with_judgments(&self, judgments: &Judgments) -> Truth {
        self.map(|relevance, direction| relevance.with_judgments(judgments, direction))
    }

    /// This truth, with [`Relevance::has_nonrelevant`] true in each direction in which a judgment says no for a covered
    /// query. Its lists stay the same.
    #[must_use]
    pub fn flag_nonrelevant(self, judgments: &Judgments) -> Truth {
        self.map(|relevance, direction| {
            let is_no = |(pair, judgment): (Pair, Judgment)| {
                let (query, _) = pair.query_and_item(direction);
                !judgment.is_positive() && relevance.place(query.get()).is_some()
            };
            let mut marked = relevance.clone();
            marked.may_have_nonrelevant |= judgments.iter().any(is_no);
            marked
        })
    }
}

impl Relevance {
    /// The positives of one direction after judgments.
    fn with_judgments(&self, judgments: &Judgments, direction: Direction) -> Relevance {
        let mut judged: BTreeMap<u32, Vec<(u32, Judgment)>> = BTreeMap::new();
        for (pair, judgment) in judgments.iter() {
            let (query, item) = pair.query_and_item(direction);
            judged.entry(query.raw()).or_default().push((item.raw(), judgment));
        }
        let mut builder = Builder::with_settings(self, self.query_count());
        for (place, &query) in self.queries().iter().enumerate() {
            let before = self.positives(place);
            let outside = self.total_positives(place) - before.len() as u32;
            let changes = judged.get(&query).map_or(&[][..], Vec::as_slice);
            let is_kept = |item: u32| changes.iter().all(|(changed, _)| *changed != item);
            let mut positives: Vec<u32> = before.iter().filter(|&item| is_kept(item)).collect();
            let added = changes.iter().filter(|(_, judgment)| judgment.is_positive());
            positives.extend(added.map(|(item, _)| item));
            let mut of_query = self.judgments(place).cloned().unwrap_or_default();
            of_query.items.retain(|(item, _)| is_kept(*item));
            let gain = |&(item, judgment)| (item, self.gain_after(judgment, place, item).into());
            of_query.items.extend(changes.iter().map(gain));
            builder.push_unsorted(query, &mut positives, outside);
            builder.set_judgments(of_query);
        }
        builder.finish()
    }

    /// Gain of an item for the query at `place` after a judgment, in halves of a grade; 0 for a no.
    pub fn gain_after(&self, judgment: Judgment, place: usize, item: u32) -> u32 {
        let highest = self.grading().map_or(1, |grading| grading.highest);
        match judgment {
            Judgment::Yes if self.positives(place).contains(item) => self.gain(place, item),
            _ => (judgment.weight() * f64::from(WHOLE * highest)) as u32,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::truth::{Kind, Listed};

    #[test]
    fn words_read_back() {
        for judgment in Judgment::ALL {
            assert_eq!(judgment.key().parse(), Ok(judgment));
        }
        assert_eq!("maybe".parse::<Judgment>(), Err(()));
    }

    #[test]
    fn whatever_a_person_changed_is_rich() {
        for name in ["pm", "original", "loose_1"] {
            assert_ne!(Kind::from_name(name), Kind::Rich);
            assert_eq!(Kind::from_name(&name_with_mine(name)), Kind::Rich);
        }
        assert!(is_mine(MINE) && !is_mine("undermine") && !is_mine("eccv"));
    }

    #[test]
    fn judgments_change_what_is_judged_and_nothing_else() {
        let gallery = Gallery {
            images: IdList::for_len(3),
            captions: IdList::for_len(4),
            ..Gallery::default()
        };
        // Caption 3 is not covered; one positive of caption 0 is outside the gallery.
        let lists: [(i64, &[i64]); 3] = [(0, &[0, 77]), (1, &[1]), (2, &[2])];
        let ids = |ids: &[i64]| ids.iter().copied().map(Id::Number).collect::<Vec<_>>();
        let mut truth = Truth::new("mine");
        let listed = Listed {
            name: "mine".into(),
            direction: Some(Direction::T2i),
            pairs: lists.iter().map(|(query, items)| (Id::Number(*query), ids(items))).collect(),
            file: "t".into(),
        };
        truth.add_direction(&listed, &gallery).unwrap();
        let mut judgments = Judgments::default();
        let pair = |caption: u32, image: u32| {
            Pair::from_query(Direction::T2i, caption.into(), image.into())
        };
        for (pair, judgment) in [
            (pair(0, 2), Judgment::Partial),
            (pair(0, 1), Judgment::MostlyNo),
            (pair(1, 1), Judgment::No),
            (pair(3, 0), Judgment::Yes),
        ] {
            assert_eq!(judgments.set(pair, Some(judgment)), None);
        }
        let changed = truth.with_judgments(&judgments);
        assert!(changed.relevance[Direction::I2t].is_none());
        let relevance = changed.relevance[Direction::T2i].as_ref().unwrap();
        assert_eq!(relevance.queries(), [0, 1, 2]);
        let positives = |place| relevance.positives(place).iter().collect::<Vec<u32>>();
        assert_eq!((positives(0), relevance.total_positives(0)), (vec![0, 2], 3));
        assert_eq!((positives(1), relevance.total_positives(1)), (vec![], 0));
        assert_eq!((positives(2), relevance.total_positives(2)), (vec![2], 1));
        // A no is a judgment, also of unlisted pairs; without effect for queries not covered.
        assert_eq!([0, 1].map(|place| relevance.grades(place).get(&1).copied()), [Some(0); 2]);
        assert_eq!(judgments.set(pair(0, 2), None), Some(Judgment::Partial));
        assert_eq!(judgments.get(pair(0, 2)), None);
    }
}
