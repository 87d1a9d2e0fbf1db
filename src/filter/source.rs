//! Data of an expression: ranks, texts, top-1 items.

use super::counts::{Counts, Needs, RanksOf};
use super::user_marks::UserMarks;
use super::values::Value;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::metric::hit;
use crate::phrase::{PhraseType, Sentence};
use crate::rank::QueryRanks;
use crate::rank::edits::Edited;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;

/// Data for the queries of a direction.
pub(super) struct Source<'a> {
    pub study: &'a Study,
    pub counts: &'a Counts,
    pub direction: Direction,
    /// The current truth: judgments apply to this one, all others are as loaded.
    in_force: TruthIx,
    /// The ranks of each needed view, and its truth.
    ranks: Vec<(&'a Edited, TruthIx)>,
}

impl<'a> Source<'a> {
    /// Collects all needs; `None` if some are missing.
    pub fn new(
        study: &'a Study,
        counts: &'a Counts,
        view: View,
        needs: &Needs,
    ) -> Option<Source<'a>> {
        let ranks = needs.views.iter().map(|&of| Some((counts.ranks(of)?, of.truth)));
        let ranks = ranks.collect::<Option<_>>()?;
        let is_known = needs.top_k.iter().all(|&model| counts.top_k(model).is_some())
            && (counts.texts.is_some() || !needs.texts);
        let View { truth: in_force, direction, .. } = view;
        is_known.then_some(Source { study, counts, direction, in_force, ranks })
    }

    /// The lists of a truth; `None` if it has none in this direction.
    pub fn relevance(&self, truth: TruthIx) -> Option<&'a Relevance> {
        self.study.truths[truth].relevance[self.direction].as_ref()
    }

    /// A query's ranks in a view; `None` if they do not cover it.
    pub fn query(&self, of: RanksOf, query: usize) -> Option<QueryRanks<'a>> {
        let (ranks, truth) = self.ranks[of.view];
        let relevance = self.relevance(truth)?;
        let place = relevance.place(query)?;
        let queries = ranks.queries();
        let place = if queries.get(place) == Some(&(query as u32)) {
            place
        } else {
            // Ranks of a part of the gallery cover some of the queries, in the same order.
            let by_place = |&other: &u32| relevance.place(other as usize).cmp(&Some(place));
            queries.binary_search_by(by_place).ok()?
        };
        let is_changed = truth == self.in_force && !of.as_loaded;
        Some(if is_changed { ranks.query(place) } else { ranks.loaded(place) })
    }

    /// Whether top-1 is correct for a query, by step; `None` if unknown for any.
    pub fn correct(&self, steps: &[RanksOf], query: usize) -> Option<Vec<bool>> {
        steps.iter().map(|&of| hit::is_correct(self.query(of, query)?)).collect()
    }

    /// A query's text: an image's first caption.
    pub fn text(&self, query: usize) -> Option<&'a str> {
        let caption = match self.direction {
            Direction::T2i => query,
            Direction::I2t => self.study.original_items(Direction::I2t, query).first()? as usize,
        };
        Some(self.study.gallery.texts.get(caption)?.shown())
    }

    /// A model's first item.
    pub fn first_item(&self, model: ModelIx, query: usize) -> Option<u32> {
        self.counts.top_k(model)?.retrieved.first(query as u32)
    }

    /// Whether any text of a value holds, by its index among the names; unknown if one is and none holds.
    pub fn has_any(value: &Value, holds: impl Fn(usize) -> Option<bool>) -> Option<f64> {
        let mut found = Some(0.0);
        for (_, place) in &value.texts {
            match holds(*place) {
                Some(true) => return Some(1.0),
                Some(false) => {}
                None => found = None,
            }
        }
        found
    }

    /// Whether an image, or that of a caption, has an object of the category at an index; unknown if its categories
    /// are.
    pub fn has_category(&self, query: usize, category: usize) -> Option<bool> {
        let image = match self.direction {
            Direction::I2t => query,
            Direction::T2i => self.study.original_items(Direction::T2i, query).first()? as usize,
        };
        self.study.has_category(image, category)
    }

    /// Whether a caption, or any caption of an image, has a phrase of a type, by its index; unknown if not annotated.
    pub fn has_phrase_type(&self, query: usize, place: usize) -> Option<bool> {
        self.any_sentence(query, |sentence| {
            sentence.phrases.iter().any(|phrase| phrase.types.contains(PhraseType::VISUAL[place]))
        })
    }

    /// Whether a caption, or any caption of an image, meets a condition; `None` if it has no annotated phrases.
    pub fn any_sentence(&self, query: usize, holds: impl Fn(&Sentence) -> bool) -> Option<bool> {
        let phrases = self.study.phrases.as_ref()?;
        match self.direction {
            Direction::T2i => Some(holds(phrases.caption(query)?.sentence)),
            Direction::I2t => Some(phrases.image(query)?.sentences.iter().flatten().any(holds)),
        }
    }

    /// Whether the words of a model's top-1 are those of a correct caption ([`UserMarks::right_captions`]): a caption's
    /// own words, or those of one of an image's captions. Unknown if the truth does not cover the query.
    pub fn near_duplicate(&self, model: ModelIx, truth: TruthIx, query: usize) -> Option<bool> {
        let first = self.first_item(model, query)?;
        let relevance = self.relevance(truth)?;
        let place = relevance.place(query)?;
        let texts = self.counts.texts.as_ref()?;
        let nothing = UserMarks::default();
        let marks = if truth == self.in_force { &self.counts.marks } else { &nothing };
        let right = marks.right_captions(self.study, self.direction, relevance, place);
        let is_right = |one| right.iter().any(|&right| texts.is_same(one, right));
        Some(match self.direction {
            Direction::I2t => is_right(first),
            Direction::T2i => {
                let own = self.study.original_items(Direction::I2t, first as usize);
                own.iter().any(is_right)
            }
        })
    }
}

/// Positives of any rich truth in the top k that the original truth does not list: items are identified by rank.
/// Unknown if no rich truth, or not the original, covers the query.
pub(super) fn extra(of: &Value, source: &Source<'_>, query: usize) -> Option<f64> {
    let (&original, rich) = of.ranks.split_first()?;
    let original = source.query(original, query)?.ranks;
    let of_truths = || rich.iter().filter_map(|&ranks| source.query(ranks, query));
    let mut count = None;
    for (at, ranks) in of_truths().enumerate() {
        if !ranks.is_known_to(of.k) {
            return None;
        }
        let is_new = |rank: &u32| {
            let mut before = of_truths().take(at);
            !original.contains(*rank) && !before.any(|other| other.ranks.contains(*rank))
        };
        let top = ranks.ranks.iter().take_while(|&rank| rank <= of.k);
        *count.get_or_insert(0) += top.filter(is_new).count();
    }
    count.map(|count| count as f64)
}
