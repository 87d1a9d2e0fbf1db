//! The data that values are computed from: ranks, texts, top-1 items, annotations.

use super::inputs::{FilterInputs, Needs, RanksOf};
use super::user_marks::UserMarks;
use super::values::Value;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::metric::hit;
use crate::phrase::{PhraseType, Sentence};
use crate::rank::QueryRanks;
use crate::rank::edits::EditedRanks;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;

/// The data that values are computed from, for the queries of one direction.
pub(super) struct Source<'a> {
    pub study: &'a Study,
    pub inputs: &'a FilterInputs,
    pub direction: Direction,
    /// The truth of the view: judgments change this one, all others are as loaded.
    current_truth: TruthIx,
    /// The ranks of each view in [`Needs::views`], and its truth.
    ranks: Vec<(&'a EditedRanks, TruthIx)>,
}

impl<'a> Source<'a> {
    /// Finds all needs in `inputs`; `None` if some are missing.
    pub fn new(
        study: &'a Study,
        inputs: &'a FilterInputs,
        view: View,
        needs: &Needs,
    ) -> Option<Source<'a>> {
        let ranks = needs.views.iter().map(|&view| Some((inputs.ranks(view)?, view.truth)));
        let ranks = ranks.collect::<Option<_>>()?;
        let is_complete = needs.top_k.iter().all(|&model| inputs.top_k(model).is_some())
            && (inputs.texts.is_some() || !needs.texts);
        let View { truth: current_truth, direction, .. } = view;
        is_complete.then_some(Source { study, inputs, direction, current_truth, ranks })
    }

    /// The lists of a truth; `None` if it has none in this direction.
    pub fn relevance(&self, truth: TruthIx) -> Option<&'a Relevance> {
        self.study.truths[truth].relevance[self.direction].as_ref()
    }

    /// A query's ranks in a view; `None` if the truth does not cover the query.
    pub fn query_ranks(&self, ranks_of: RanksOf, query: usize) -> Option<QueryRanks<'a>> {
        let (ranks, truth) = self.ranks[ranks_of.view];
        let relevance = self.relevance(truth)?;
        let index = relevance.place(query)?;
        let queries = ranks.queries();
        let index = if queries.get(index) == Some(&(query as u32)) {
            index
        } else {
            // Ranks of a part of the gallery cover some of the queries, in the same order.
            let by_index = |&other: &u32| relevance.place(other as usize).cmp(&Some(index));
            queries.binary_search_by(by_index).ok()?
        };
        let is_edited = truth == self.current_truth && !ranks_of.as_loaded;
        Some(if is_edited { ranks.query(index) } else { ranks.unedited_query(index) })
    }

    /// For each training step, whether the query's top-1 is correct; `None` if unknown for any step.
    pub fn correct_by_step(&self, steps: &[RanksOf], query: usize) -> Option<Vec<bool>> {
        steps.iter().map(|&step| hit::is_correct(self.query_ranks(step, query)?)).collect()
    }

    /// The text of a caption, or of an image's first caption; `None` if unknown.
    pub fn text(&self, query: usize) -> Option<&'a str> {
        let caption = match self.direction {
            Direction::T2i => query,
            Direction::I2t => self.study.original_items(Direction::I2t, query).first()? as usize,
        };
        Some(self.study.gallery.texts.get(caption)?.shown())
    }

    /// Gallery index of a model's top-1 item for the query; `None` if it ranks none.
    pub fn top_1(&self, model: ModelIx, query: usize) -> Option<u32> {
        self.inputs.top_k(model)?.top_items.first(query as u32)
    }

    /// 1 if `holds` is true for any text argument of the value, else 0; `holds` gets the text's index in `Row::names`.
    /// `None` if it is true for none and unknown for one.
    pub fn has_any(value: &Value, holds: impl Fn(usize) -> Option<bool>) -> Option<f64> {
        let mut result = Some(0.0);
        for (_, index) in &value.texts {
            match holds(*index) {
                Some(true) => return Some(1.0),
                Some(false) => {}
                None => result = None,
            }
        }
        result
    }

    /// Whether an image, or the image of a caption, has an object of the category with this index; `None` if its
    /// categories are unknown.
    pub fn has_category(&self, query: usize, category: usize) -> Option<bool> {
        let image = match self.direction {
            Direction::I2t => query,
            Direction::T2i => self.study.original_items(Direction::T2i, query).first()? as usize,
        };
        self.study.has_category(image, category)
    }

    /// Whether a caption, or any caption of an image, has a phrase of the type with this index in
    /// [`PhraseType::VISUAL`]; `None` if its phrases are not annotated.
    pub fn has_phrase_type(&self, query: usize, index: usize) -> Option<bool> {
        self.any_sentence(query, |sentence| {
            sentence.phrases.iter().any(|phrase| phrase.types.contains(PhraseType::VISUAL[index]))
        })
    }

    /// Whether `holds` is true for a caption, or for any caption of an image; `None` if its phrases are not annotated.
    pub fn any_sentence(&self, query: usize, holds: impl Fn(&Sentence) -> bool) -> Option<bool> {
        let phrases = self.study.phrases.as_ref()?;
        match self.direction {
            Direction::T2i => Some(holds(phrases.caption(query)?.sentence)),
            Direction::I2t => Some(phrases.image(query)?.sentences.iter().flatten().any(holds)),
        }
    }

    /// Whether top-1 of the value's model, or a caption of that image, has the same words as a correct caption of the
    /// query ([`UserMarks::correct_captions`]). `None` if there is no top-1, or if the value's truth does not cover the
    /// query.
    pub fn is_near_duplicate(&self, value: &Value, query: usize) -> Option<bool> {
        let first = self.top_1(value.model, query)?;
        let relevance = self.relevance(value.truth)?;
        let index = relevance.place(query)?;
        let texts = self.inputs.texts.as_ref()?;
        let no_marks = UserMarks::default();
        let marks = if value.truth == self.current_truth { &self.inputs.marks } else { &no_marks };
        let correct = marks.correct_captions(self.study, self.direction, relevance, index);
        let is_like_correct = |one| correct.iter().any(|&other| texts.is_same(one, other));
        Some(match self.direction {
            Direction::I2t => is_like_correct(first),
            Direction::T2i => {
                let captions = self.study.original_items(Direction::I2t, first as usize);
                captions.iter().any(is_like_correct)
            }
        })
    }
}

/// Number of positives of any rich truth in the top k that the original truth does not list; items are identified by
/// rank. `None` if the original truth does not cover the query, if no rich truth does, or if ranks up to k are unknown.
pub(super) fn non_gt_positives(value: &Value, source: &Source<'_>, query: usize) -> Option<f64> {
    let (&original, rich) = value.ranks.split_first()?;
    let original = source.query_ranks(original, query)?.ranks;
    let rich_ranks = || rich.iter().filter_map(|&ranks| source.query_ranks(ranks, query));
    let mut count = None;
    for (index, ranks) in rich_ranks().enumerate() {
        if !ranks.is_known_up_to(value.k) {
            return None;
        }
        let is_new = |rank: &u32| {
            let mut earlier = rich_ranks().take(index);
            !original.contains(*rank) && !earlier.any(|other| other.ranks.contains(*rank))
        };
        let top = ranks.ranks.iter().take_while(|&rank| rank <= value.k);
        *count.get_or_insert(0) += top.filter(is_new).count();
    }
    count.map(|count| count as f64)
}
