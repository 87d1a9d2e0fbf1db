//! Data for error types, and the queries of each.

use std::sync::Arc;

use indexmap::IndexSet;

use super::kinds::{Count, KINDS, Kind, KindQueries};
use crate::data::Direction;
use crate::data::index::{ItemIx, ModelIx, QueryIx, TruthIx};
use crate::data::words::{Contrast, Texts};
use crate::error::Result;
use crate::filter::{self, Expression, FilterInputs, Marks, Needs, UserMarks};
use crate::rank::edits::EditedRanks;
use crate::rank::hubs::ModelTopItems;
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::judgment::Judgments;
use crate::truth::relevance::Relevance;

/// Ranks, top items, captions and judgments in one direction: all that error types are computed from.
pub struct Evidence<'a> {
    /// The study.
    pub study: &'a Study,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The captions.
    pub texts: Arc<Texts>,
    /// Top items of each requested model.
    pub models: Vec<Arc<ModelTopItems>>,
    /// Judgments applied to the ranks.
    pub judgments: &'a Judgments,
    /// Ranks with the judgments.
    counts: FilterInputs,
    /// Ranks without the judgments; `None` if there are none.
    loaded: Option<FilterInputs>,
}

impl<'a> Evidence<'a> {
    /// Collects data for these models and truths, with the judgments in `marks`, reading each model twice; hubness is
    /// computed at `depths`. `None` if cancelled.
    ///
    /// # Errors
    /// Scores that cannot be read.
    pub fn gather(
        study: &'a Study,
        (models, truths): (&[ModelIx], &[TruthIx]),
        (direction, marks): (Direction, &'a Marks),
        depths: &[usize],
        token: &CancelToken,
    ) -> Result<Option<Self>> {
        let view = |&model: &ModelIx, &truth: &TruthIx| View { model, truth, direction };
        let views_of = |model| truths.iter().map(move |truth| view(model, truth));
        let views = needed_views(study, models.iter().flat_map(views_of));
        let needs = Needs { views, ..Needs::default() };
        let counts = FilterInputs::compute(study, direction, &needs, token)?;
        let counts = counts.with_marks(study, direction, marks);
        let mut top_items = Vec::new();
        for &model in models {
            let Some(found) = filter::find_top_items(study, model, direction, depths, token)?
            else {
                return Ok(None);
            };
            top_items.push(Arc::new(found));
        }
        let texts = Arc::new(Texts::from_gallery(&study.gallery));
        let judgments = &marks.judgments;
        Ok(Some(Self::new(study, direction, (top_items, texts), (counts, judgments))))
    }

    /// From top items of the models, captions, ranks with judgments applied, and these judgments.
    pub fn new(
        study: &'a Study,
        direction: Direction,
        (models, texts): (Vec<Arc<ModelTopItems>>, Arc<Texts>),
        (counts, judgments): (FilterInputs, &'a Judgments),
    ) -> Self {
        let counts = FilterInputs { top_k: models.clone(), texts: Some(texts.clone()), ..counts };
        let loaded = || counts.clone().without_marks();
        Evidence {
            study,
            direction,
            loaded: (!judgments.is_empty()).then(loaded),
            counts,
            texts,
            models,
            judgments,
        }
    }

    /// Top items of a model.
    ///
    /// # Panics
    /// If the model was not requested.
    pub fn top_items(&self, model: ModelIx) -> &ModelTopItems {
        let found = self.models.iter().find(|of| of.model == model);
        found.expect("evidence was gathered for this model")
    }

    /// Name of a truth; with a suffix if the judgments change it.
    pub fn truth_name(&self, truth: TruthIx) -> String {
        let truth = &self.study.truths[truth];
        self.study.name_after_judgments(truth, self.judgments)
    }

    /// Queries of an error type, and how many it applies to; `None` if the study lacks its data: an original truth, a
    /// second model, texts.
    pub fn kind_queries(&self, kind: &Kind, view: View) -> Option<KindQueries> {
        let condition = kind.expression(self.study, view)?;
        let filter = Expression::condition(&condition, self.study, view).ok()?;
        let evaluate = |counts: &FilterInputs| {
            let queries = filter.answer(self.study, counts, &|| false)?.queries;
            Some((queries, filter.count_known(self.study, counts)?))
        };
        let (queries, of) = evaluate(&self.counts)?;
        let count = |(queries, of): (Vec<u32>, usize)| Count { met: queries.len(), of };
        let loaded = self.loaded.as_ref().and_then(evaluate).map(count);
        let met = queries.len();
        Some(KindQueries { loaded: loaded.unwrap_or(Count { met, of }), queries, of })
    }

    /// Queries that match a condition in a view, ascending; `None` if it does not parse or its ranks were not computed.
    pub fn matching_queries(&self, condition: &str, view: View) -> Option<Vec<u32>> {
        let filter = Expression::condition(condition, self.study, view).ok()?;
        Some(filter.answer(self.study, &self.counts, &|| false)?.queries)
    }

    /// Word diff of a query's top-1, by [`contrast`]; also `None` without top-1. `query` is a gallery index.
    pub fn contrast(&self, view: View, query: u32) -> Option<Contrast> {
        let first = self.top_items(view.model).top_items.first(query)?;
        contrast(self.study, &self.texts, &self.counts.marks, view, (query.into(), first.into()))
    }

    /// A caption query itself, or the original captions of an image query.
    pub fn captions(&self, query: u32) -> Vec<u32> {
        match self.direction {
            Direction::I2t => {
                self.study.original_items(Direction::I2t, query as usize).iter().collect()
            }
            Direction::T2i => vec![query],
        }
    }

    /// Positives of a view's truth in its direction; `None` if the truth lacks the direction.
    pub fn relevance(&self, view: View) -> Option<&Relevance> {
        self.study.truths[view.truth].relevance[view.direction].as_ref()
    }

    /// Ranks of a view, by query in its truth's order; `None` if not computed.
    pub fn ranks(&self, view: View) -> Option<&EditedRanks> {
        self.counts.ranks(view)
    }
}

/// Word diff of a query's top-1 and a positive; `None` without captions to compare.
///
/// For an image query, the top-1 caption is compared with the nearest positive caption; a top-1 that is a positive,
/// with the nearest other caption of the image, if it has one. For a caption query, the captions of the top-1 image are
/// compared with the query, or with a positive caption equal to one of them if top-1 is no positive.
pub fn contrast(
    study: &Study,
    texts: &Texts,
    marks: &UserMarks,
    view: View,
    (query, first): (QueryIx, ItemIx),
) -> Option<Contrast> {
    if texts.is_empty() {
        return None;
    }
    let relevance = study.truths[view.truth].relevance[view.direction].as_ref();
    let place = relevance.and_then(|relevance| relevance.place(query.get()));
    let positive = relevance.zip(place).map_or_else(Vec::new, |(relevance, place)| {
        marks.correct_captions(study, view.direction, relevance, place)
    });
    match view.direction {
        Direction::I2t => {
            let is_other = |caption: &u32| *caption != first.raw();
            let own = study.original_items(Direction::I2t, query.get());
            let own: Vec<u32> = own.iter().filter(is_other).collect();
            let is_positive = positive.contains(&first.raw()) && !own.is_empty();
            let positive = if is_positive { own } else { positive };
            texts.contrast(std::iter::once(first.raw()), &positive)
        }
        Direction::T2i => {
            let own = study.original_items(Direction::I2t, first.get());
            let is_positive = own.iter().any(|own| positive.contains(&own));
            let says_same = |caption: &&u32| own.iter().any(|own| texts.is_same(own, **caption));
            let same = positive.iter().find(says_same).filter(|_| !is_positive);
            let compared = same.copied().unwrap_or(query.raw());
            texts.contrast(own.iter(), &[compared])
        }
    }
}

/// Views whose ranks the error types need, without duplicates.
fn needed_views(study: &Study, views: impl Iterator<Item = View>) -> Vec<View> {
    let mut needs = IndexSet::new();
    for view in views {
        let conditions = KINDS.iter().filter_map(|kind| kind.expression(study, view));
        let filters = conditions.filter_map(|text| Expression::condition(&text, study, view).ok());
        let filter_views = filters.flat_map(|filter| filter.needs().views.clone());
        needs.extend(std::iter::once(view).chain(filter_views));
    }
    needs.into_iter().collect()
}
