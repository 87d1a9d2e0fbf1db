//! Crisscrossed Captions: ratings of image-caption pairs, and the truth at a rating threshold.
//!
//! Source: Parekh et al. 2021, arXiv:2004.15020. Pairs rated 3 or better are their positives:
//! 35,585 of the 44,833 rated pairs of the test split.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::foreign;
use super::judgment::Pair;
use super::pairs::NOT_RELEVANT;
use super::relevance::{Builder, QueryJudgments, Relevance, Unresolved};
use super::rule::{Basis, Derived, Rule, RuleContext, RuleInput, RuleSetting, Threshold};
use super::{Kind, Truth};
use crate::data::gallery::Gallery;
use crate::data::id::IdList;
use crate::data::index::{CaptionIx, ImageIx};
use crate::data::ratings::{self, MAX_RATING, PairRating};
use crate::data::text::grouped;
use crate::data::{Direction, PerDirection, parallel};
use crate::error::{Error, Result};

/// The published threshold.
pub const THRESHOLD: f64 = 3.0;
/// The truth's name.
pub const NAME: &str = "cxc";

/// Positives are pairs rated high enough.
pub static RULE: Rule = Rule {
    name: NAME,
    kind: Kind::Rich,
    content: "ratings",
    made_from: "sits_*.csv",
    number: Threshold {
        flag: "cxc-threshold",
        value_name: "RATING",
        doc: "Lowest rating of a positive in Crisscrossed Captions [default: 3]",
        what: "a rating",
        is_whole: false,
        range: [0.0, MAX_RATING],
        default: THRESHOLD,
        step: 0.25,
        explorer_max: MAX_RATING,
    },
    switch: None,
    suffix: |least| format!("≥ {least:.2}"),
    published: Some(THRESHOLD),
    can_rebuild: true,
    is_late: true,
    needs_file: true,
    accepts: |source, shape| shape.is_none() && ratings::are_ratings(source),
    read: |source| Ok(Box::new(ratings::read(source)?)),
    note: |_| None,
};

impl RuleInput for Vec<PairRating> {
    /// Resolves the ratings; builds the truth unless a file lists its pairs.
    fn make(&self, file: &str, context: RuleContext<'_>, setting: RuleSetting) -> Result<Derived> {
        let (ratings, unresolved) = Ratings::resolve(self, context.gallery)
            .map_err(|pair| rated_twice(file, pair, context.gallery))?;
        let (known, all) = (ratings.len(), ratings.len() + unresolved.items);
        let is_foreign = |ids: &&IdList| known == 0 || foreign::is_foreign(&[], (known, all), ids);
        let sides = [&context.gallery.images, &context.gallery.captions];
        if let Some(ids) = sides.into_iter().find(is_foreign) {
            let found = format!(
                "{} of its {} pairs are in the gallery (others are of {})",
                grouped(known),
                grouped(all),
                unresolved.item_examples.join(", ")
            );
            return Err(foreign::error(file, found, &[], ids));
        }
        let is_listed = context.has_truth(NAME);
        let truth = (!is_listed).then(|| ratings.truth(setting.number, context.gallery));
        let (pairs, least) = (grouped(ratings.len()), setting.number);
        let mut notes = vec![if is_listed {
            format!(
                "{file}: ratings of {pairs} pairs: an item rated below {least} is shown as judged not relevant; metrics of \
                 cxc are by its lists, in other files (--cxc-threshold {least} takes them from the ratings)",
            )
        } else {
            format!("{file}: ratings of {pairs} pairs, ground truth cxc from {least} up")
        }];
        if unresolved.items > 0 {
            notes.push(format!(
                "{file}: {} pairs are not in the gallery and excluded (for instance {})",
                grouped(unresolved.items),
                unresolved.item_examples[0]
            ));
        }
        Ok(Derived { basis: Arc::new(ratings), truth, notes })
    }
}

/// Error for a pair with two different ratings.
fn rated_twice(file: &str, pair: Pair, gallery: &Gallery) -> Error {
    let image = &gallery.images[pair.image.get()];
    let caption = &gallery.captions[pair.caption.get()];
    let found = format!("two ratings of image {image} with caption {caption}");
    Error::new(file, found).expected("every pair rated once")
}

impl Basis for Ratings {
    fn truth(&self, context: RuleContext<'_>, setting: RuleSetting) -> Option<Truth> {
        Some(self.truth(setting.number, context.gallery))
    }

    fn ratings(&self) -> Option<&Ratings> {
        Some(self)
    }
}

/// The `CxC` ratings of pairs of a gallery, by image and caption.
#[derive(Debug, Clone, Default)]
pub struct Ratings {
    /// Image, caption (gallery indices) and rating of each pair, in file order.
    pairs: Vec<(u32, u32, f64)>,
    /// Places in `pairs`, by caption and image.
    order: Vec<u32>,
}

impl Ratings {
    /// Looks up ids. Pairs with ids outside the gallery are excluded and counted.
    ///
    /// # Errors
    /// A pair with two different ratings.
    pub fn resolve(
        rated: &[PairRating],
        gallery: &Gallery,
    ) -> std::result::Result<(Self, Unresolved), Pair> {
        let mut unresolved = Unresolved::default();
        let find = |one: &PairRating| {
            (gallery.images.find(&one.image), gallery.captions.find(&one.caption))
        };
        let found = parallel::map(rated, find);
        let mut pairs = Vec::with_capacity(rated.len());
        for (one, found) in rated.iter().zip(found) {
            match found {
                (Some(image), Some(caption)) => pairs.push((image, caption, one.score)),
                (None, _) => unresolved.add_item(&one.image),
                (_, None) => unresolved.add_item(&one.caption),
            }
        }
        let key = |place: u32| {
            let (image, caption, _) = pairs[place as usize];
            (caption, image)
        };
        let mut keyed: Vec<((u32, u32), u32)> =
            (0..pairs.len() as u32).map(|place| (key(place), place)).collect();
        parallel::sort_unstable_by_key(&mut keyed, |one| *one);
        let mut order: Vec<u32> = keyed.into_iter().map(|(_, place)| place).collect();
        for two in order.windows(2) {
            let [one, other] = [two[0], two[1]].map(|place| pairs[place as usize]);
            if (one.0, one.1) == (other.0, other.1) && one.2.total_cmp(&other.2).is_ne() {
                return Err(Pair { image: one.0.into(), caption: one.1.into() });
            }
        }
        order.dedup_by_key(|place| key(*place));
        Ok((Ratings { pairs, order }, unresolved))
    }

    /// Image, caption (gallery indices) and rating of every rated pair, each pair once.
    pub fn pairs(&self) -> Vec<(u32, u32, f64)> {
        self.order.iter().map(|&place| self.pairs[place as usize]).collect()
    }

    /// Number of rated pairs in the gallery.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no pair is rated.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Rating of a pair, 0 to 5; `None` if unrated.
    pub fn get(&self, image: ImageIx, caption: CaptionIx) -> Option<f64> {
        let wanted = (caption.raw(), image.raw());
        let place = self.order.binary_search_by_key(&wanted, |&place| {
            let (image, caption, _) = self.pairs[place as usize];
            (caption, image)
        });
        let place = self.order[place.ok()?];
        Some(self.pairs[place as usize].2)
    }

    /// The truth with pairs rated `threshold` or higher as positives, and other rated pairs as judged not relevant. As
    /// published, queries without positives are not covered. Queries are in the order of the file.
    pub fn truth(&self, threshold: f64, gallery: &Gallery) -> Truth {
        let relevance = PerDirection::from_fn(|direction| {
            let queries = gallery.queries(direction).len();
            Some(self.relevance(threshold, direction, queries))
        });
        Truth { relevance, ..Truth::new(NAME) }
    }

    /// One direction of [`Ratings::truth`]; `queries`: number of queries in the gallery.
    fn relevance(&self, threshold: f64, direction: Direction, queries: usize) -> Relevance {
        let mut lists: Vec<Vec<u32>> = vec![Vec::new(); queries];
        let mut below = vec![QueryJudgments::default(); queries];
        for &place in &self.order {
            let (image, caption, score) = self.pairs[place as usize];
            let (query, item) = direction.query_and_item(image, caption);
            if score >= threshold {
                lists[query as usize].push(item);
            } else {
                below[query as usize].items.push((item, NOT_RELEVANT));
            }
        }
        let mut builder = Builder::new(queries);
        let mut seen = FxHashSet::default();
        for &(image, caption, _) in &self.pairs {
            let (query, _) = direction.query_and_item(image, caption);
            let list = &mut lists[query as usize];
            if seen.insert(query) && !list.is_empty() {
                list.sort_unstable();
                builder.push(query, list, list.len() as u32);
                builder.set_judgments(std::mem::take(&mut below[query as usize]));
            }
        }
        builder.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::{Id, IdList};
    use crate::data::index::{ItemIx, QueryIx};

    fn ratings(pairs: &[(i64, i64, f64)]) -> (Ratings, Unresolved, Gallery) {
        let gallery = Gallery {
            images: IdList::for_len(3),
            captions: IdList::for_len(4),
            ..Gallery::default()
        };
        let rated = |&(image, caption, score): &(i64, i64, f64)| PairRating {
            image: Id::Number(image),
            caption: Id::Number(caption),
            score,
        };
        let rated: Vec<PairRating> = pairs.iter().map(rated).collect();
        let (ratings, unresolved) = Ratings::resolve(&rated, &gallery).unwrap();
        assert_eq!(
            Ratings::resolve(&[&rated[..], &[contrary(&rated[0])]].concat(), &gallery).unwrap_err(),
            Pair { image: ImageIx::new(2), caption: CaptionIx::new(3) }
        );
        (ratings, unresolved, gallery)
    }

    fn contrary(rated: &PairRating) -> PairRating {
        PairRating { score: MAX_RATING - rated.score, ..rated.clone() }
    }

    #[test]
    fn the_threshold_makes_the_truth() {
        let pairs = [(2, 3, 3.0), (0, 1, 2.99), (2, 0, 5.0), (1, 0, 0.5), (9, 0, 4.0), (2, 3, 3.0)];
        let (ratings, unresolved, gallery) = ratings(&pairs);
        assert_eq!((ratings.len(), unresolved.items), (4, 1));
        let of = |image: u32, caption: u32| ratings.get(image.into(), caption.into());
        assert_eq!(of(0, 1), Some(2.99));
        assert_eq!(of(2, 3), Some(3.0), "twice alike");
        assert_eq!(of(0, 0), None);
        let truth = ratings.truth(THRESHOLD, &gallery);
        let i2t = truth.relevance.i2t.as_ref().unwrap();
        assert_eq!(i2t.queries(), [2]);
        assert!(i2t.positives(0).iter().eq([0, 3]));
        let t2i = truth.relevance.t2i.as_ref().unwrap();
        assert_eq!(t2i.queries(), [3, 0]);
        assert_eq!(t2i.contains(QueryIx::new(1), ItemIx::new(0)), None, "no positive, not judged");
        let strict = ratings.truth(4.0, &gallery);
        let i2t = strict.relevance.i2t.as_ref().unwrap();
        let below = |item| i2t.is_nonrelevant(QueryIx::new(2), ItemIx::new(item));
        assert_eq!([0, 3, 1].map(below), [false, true, false]);
        let t2i = strict.relevance.t2i.as_ref().unwrap();
        assert!(t2i.is_nonrelevant(QueryIx::new(0), ItemIx::new(1)));
        let is_below = t2i.is_nonrelevant(QueryIx::new(3), ItemIx::new(2));
        assert!(!is_below, "no positive, not judged");
        let loose = ratings.truth(0.0, &gallery);
        assert_eq!(loose.relevance.t2i.unwrap().pair_count(), 4);
        let none = ratings.truth(5.1, &gallery);
        assert!(none.relevance.i2t.unwrap().is_empty());
    }
}
