//! What an expression looks up: ranks, texts, ids, first items.

use super::facts::{Facts, Missing, Needs, RanksOf};
use super::program::Words;
use super::user_marks::UserMarks;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::metric::hit;
use crate::phrase::Lacking;
use crate::rank::QueryRanks;
use crate::rank::edited::Edited;
use crate::study::View;

/// What is looked up for the queries of a direction.
#[derive(Clone)]
pub(super) struct Source<'a> {
    pub facts: &'a dyn Facts,
    pub direction: Direction,
    /// The truth looked at: verdicts are laid over this one, all others are as loaded.
    in_force: TruthIx,
    /// The ranks of each view needed, and its truth.
    ranks: Vec<(&'a Edited, TruthIx)>,
}

impl<'a> Source<'a> {
    /// Finds all that is needed; the first thing that is missing is the error.
    pub fn new(facts: &'a dyn Facts, view: View, needs: &Needs) -> Result<Self, Missing> {
        let find = |&view: &View| {
            let ranks = facts.ranks(view).ok_or(Missing::Ranks(view))?;
            Ok((ranks, view.truth))
        };
        let ranks = needs.views.iter().map(find).collect::<Result<_, _>>()?;
        let lacks = |model: &&ModelIx| facts.top_k(**model).is_none();
        if let Some(&model) = needs.top_k.iter().find(lacks) {
            return Err(Missing::TopK(model));
        }
        if needs.texts && facts.texts().is_none() {
            return Err(Missing::Texts);
        }
        Ok(Source { facts, direction: view.direction, in_force: view.truth, ranks })
    }

    /// A query's ranks in a view; `None` where they do not cover it.
    pub fn query(&self, of: RanksOf, query: usize) -> Option<QueryRanks<'a>> {
        let (ranks, truth) = self.ranks[of.view];
        let place = self.place(of.view, query)?;
        Some(if truth == self.in_force && !of.as_loaded {
            ranks.query(place)
        } else {
            ranks.loaded(place)
        })
    }

    /// The place of a query among the ranks of a view.
    fn place(&self, view: usize, query: usize) -> Option<usize> {
        let (ranks, truth) = self.ranks[view];
        let relevance = self.facts.truth(truth).relevance[self.direction].as_ref()?;
        let place = relevance.place(query)?;
        let queries = ranks.queries();
        if queries.get(place) == Some(&(query as u32)) {
            return Some(place);
        }
        // The ranks of a part of the gallery have some of the queries, in the same order.
        let by_place = |&other: &u32| relevance.place(other as usize).cmp(&Some(place));
        queries.binary_search_by(by_place).ok()
    }

    /// Whether top-1 is correct for a query, step by step; `None` where that is unknown of any.
    pub fn correct(&self, steps: &[RanksOf], query: usize) -> Option<Vec<bool>> {
        let is_correct = |&of: &RanksOf| hit::is_correct(self.query(of, query)?);
        steps.iter().map(is_correct).collect()
    }

    /// A query's text: of an image its first caption.
    pub fn text(&self, query: usize) -> Option<&'a str> {
        let study = self.facts.study();
        let caption = match self.direction {
            Direction::T2i => query,
            Direction::I2t => study.own(Direction::I2t, query).first()? as usize,
        };
        Some(study.gallery.texts.get(caption)?.shown())
    }

    /// The id of a query, or of a model's first item.
    pub fn id(&self, of: &Words, query: usize) -> Option<&'a Id> {
        let gallery = &self.facts.study().gallery;
        match of {
            Words::FirstItem(model) => {
                let first = self.first_item(*model, query)?;
                Some(&gallery.items(self.direction)[first as usize])
            }
            _ => Some(&gallery.queries(self.direction)[query]),
        }
    }

    /// A model's first item.
    pub fn first_item(&self, model: ModelIx, query: usize) -> Option<u32> {
        self.facts.top_k(model)?.retrieved.first(query as u32)
    }

    /// The phrases without counterpart in the pair of a query and a model's first item; unknown where one of both
    /// is not annotated.
    pub fn lacking(&self, model: ModelIx, query: usize) -> Option<Vec<Lacking>> {
        let first = self.first_item(model, query)? as usize;
        let (caption, image) = match self.direction {
            Direction::I2t => (first, query),
            Direction::T2i => (query, first),
        };
        let phrases = self.facts.study().phrases.as_ref()?;
        phrases.lacking(caption, image)
    }

    /// Whether a caption, or any caption of an image, is listed as unrelated; unknown where it is not annotated.
    pub fn is_unrelated(&self, query: usize) -> Option<bool> {
        let phrases = self.facts.study().phrases.as_ref()?;
        match self.direction {
            Direction::T2i => Some(phrases.caption(query)?.sentence.is_unrelated),
            Direction::I2t => {
                let mut sentences = phrases.image(query)?.sentences.iter().flatten();
                Some(sentences.any(|sentence| sentence.is_unrelated))
            }
        }
    }

    /// Whether a model has a first item for a query that a truth judges, and there are texts.
    pub fn is_compared(&self, (model, truth): (ModelIx, TruthIx), query: usize) -> bool {
        let relevance = self.facts.truth(truth).relevance[self.direction].as_ref();
        relevance.is_some_and(|relevance| relevance.place(query).is_some())
            && self.first_item(model, query).is_some()
            && self.facts.texts().is_some()
    }

    /// Whether the words of a model's first item are those of any right caption
    /// ([`UserMarks::right_captions`]): of a caption themselves, of an image those of one of its captions.
    /// Unknown where the truth does not judge the query.
    pub fn near_duplicate(&self, (model, truth): (ModelIx, TruthIx), query: usize) -> Option<bool> {
        let first = self.first_item(model, query)?;
        let relevance = self.facts.truth(truth).relevance[self.direction].as_ref()?;
        let place = relevance.place(query)?;
        let texts = self.facts.texts()?;
        let nothing = UserMarks::default();
        let made = self.facts.user_marks().filter(|_| truth == self.in_force);
        let made = made.unwrap_or(&nothing);
        let study = self.facts.study();
        let right = made.right_captions(study, self.direction, relevance, place);
        let is_right = |one| right.iter().any(|&right| texts.is_same(one, right));
        Some(match self.direction {
            Direction::I2t => is_right(first),
            Direction::T2i => {
                let own = study.own(Direction::I2t, first as usize);
                own.iter().any(is_right)
            }
        })
    }
}
