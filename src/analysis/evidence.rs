//! Data for error types, and the queries of each.

use std::sync::Arc;

use indexmap::IndexSet;

use super::kinds::{Count, KINDS, Kind, KindQueries};
use crate::data::Direction;
use crate::data::index::{ItemIx, ModelIx, QueryIx, TruthIx};
use crate::data::words::{Contrast, Texts};
use crate::error::Result;
use crate::filter::{self, Counts, Expression, Marks, Needs, UserMarks};
use crate::rank::edits::Edited;
use crate::rank::hubs::ModelTopItems;
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::judgment::Judgments;
use crate::truth::relevance::Relevance;

/// Ranks, top items, words and judgments.
pub struct Evidence<'a> {
    /// The study.
    pub study: &'a Study,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The captions.
    pub texts: Arc<Texts>,
    /// The models, with their retrieved items.
    pub models: Vec<Arc<ModelTopItems>>,
    /// Judgments applied to the ranks.
    pub judgments: &'a Judgments,
    counts: Counts,
    /// Without the judgments; `None` if there are none.
    loaded: Option<Counts>,
}

impl<'a> Evidence<'a> {
    /// Collects data for these models and truths, with a person's judgments, reading each model twice; hubness is
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
        let of_model = |model| truths.iter().map(move |truth| view(model, truth));
        let views = needed(study, models.iter().flat_map(of_model));
        let needs = Needs { views, ..Needs::default() };
        let counts = Counts::compute(study, direction, &needs, token)?;
        let counts = counts.with_marks(study, direction, marks);
        let mut of_models = Vec::new();
        for &model in models {
            let Some(found) = filter::find_top_items(study, model, direction, depths, token)?
            else {
                return Ok(None);
            };
            of_models.push(Arc::new(found));
        }
        let texts = Arc::new(Texts::from_gallery(&study.gallery));
        let judgments = &marks.judgments;
        let known = (of_models, texts);
        Ok(Some(Self::new(study, direction, known, (counts, judgments))))
    }

    /// From collected data; ranks include the judgments.
    pub fn new(
        study: &'a Study,
        direction: Direction,
        (models, texts): (Vec<Arc<ModelTopItems>>, Arc<Texts>),
        (counts, judgments): (Counts, &'a Judgments),
    ) -> Self {
        let counts = Counts { top_k: models.clone(), texts: Some(texts.clone()), ..counts };
        let loaded = || counts.clone().as_loaded();
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

    /// Retrieved items of a model.
    ///
    /// # Panics
    /// If the model was not requested.
    pub fn of_model(&self, model: ModelIx) -> &ModelTopItems {
        let found = self.models.iter().find(|of| of.model == model);
        found.expect("evidence was gathered for this model")
    }

    /// Name of a truth here: with judgments if they change it.
    pub fn truth_name(&self, truth: TruthIx) -> String {
        let truth = &self.study.truths[truth];
        self.study.name_under(truth, self.judgments)
    }

    /// Covered queries of an error type; `None` if the study lacks its data: an original truth, a second model, texts.
    pub fn of_kind(&self, kind: &Kind, view: View) -> Option<KindQueries> {
        let condition = kind.expression(self.study, view)?;
        let filter = Expression::condition(&condition, self.study, view).ok()?;
        let found = |counts: &Counts| {
            let queries = filter.answer(self.study, counts, &|| false)?.queries;
            Some((queries, filter.told_of(self.study, counts)?))
        };
        let (queries, of) = found(&self.counts)?;
        let count = |(queries, of): (Vec<u32>, usize)| Count { met: queries.len(), of };
        let loaded = self.loaded.as_ref().and_then(found).map(count);
        let met = queries.len();
        Some(KindQueries { loaded: loaded.unwrap_or(Count { met, of }), queries, of })
    }

    /// Queries that match a condition in a view, ascending; `None` without ranks.
    pub fn listed(&self, condition: &str, view: View) -> Option<Vec<u32>> {
        let filter = Expression::condition(condition, self.study, view).ok()?;
        Some(filter.answer(self.study, &self.counts, &|| false)?.queries)
    }

    /// Word diff of top-1's caption and a positive one, as [`contrast`].
    pub fn contrast(&self, view: View, query: u32) -> Option<Contrast> {
        let first = self.of_model(view.model).retrieved.first(query)?;
        contrast(self.study, &self.texts, &self.counts.marks, view, (query.into(), first.into()))
    }

    /// A query's own captions.
    pub fn captions(&self, query: u32) -> Vec<u32> {
        match self.direction {
            Direction::I2t => {
                self.study.original_items(Direction::I2t, query as usize).iter().collect()
            }
            Direction::T2i => vec![query],
        }
    }

    /// Positives of a view's truth.
    pub fn relevance(&self, view: View) -> Option<&Relevance> {
        self.study.truths[view.truth].relevance[view.direction].as_ref()
    }

    /// Ranks of a view, in its truth's order.
    pub fn ranks(&self, view: View) -> Option<&Edited> {
        self.counts.ranks(view)
    }
}

/// Word diff of the captions of a query's top-1 and a positive; an image is represented by its captions. For image
/// queries the positive is the nearest; for caption queries the query itself, unless a caption of a positive image
/// equals one of top-1. A top-1 that is a positive is compared with the query, an image's own captions: not with
/// itself. `None` without texts.
pub fn contrast(
    study: &Study,
    texts: &Texts,
    made: &UserMarks,
    view: View,
    (query, first): (QueryIx, ItemIx),
) -> Option<Contrast> {
    if texts.is_empty() {
        return None;
    }
    let relevance = study.truths[view.truth].relevance[view.direction].as_ref();
    let place = relevance.and_then(|relevance| relevance.place(query.get()));
    let right = relevance.zip(place).map_or_else(Vec::new, |(relevance, place)| {
        made.right_captions(study, view.direction, relevance, place)
    });
    match view.direction {
        Direction::I2t => {
            let is_other = |caption: &u32| *caption != first.raw();
            let own = study.original_items(Direction::I2t, query.get());
            let own: Vec<u32> = own.iter().filter(is_other).collect();
            let is_right = right.contains(&first.raw()) && !own.is_empty();
            let right = if is_right { own } else { right };
            texts.contrast(std::iter::once(first.raw()), &right)
        }
        Direction::T2i => {
            let own = study.original_items(Direction::I2t, first.get());
            let is_right = own.iter().any(|own| right.contains(&own));
            let says_same = |right: &&u32| own.iter().any(|own| texts.is_same(own, **right));
            let same = right.iter().find(says_same).filter(|_| !is_right);
            let wanted = same.copied().unwrap_or(query.raw());
            texts.contrast(own.iter(), &[wanted])
        }
    }
}

/// Views whose ranks the error types need, without duplicates.
fn needed(study: &Study, views: impl Iterator<Item = View>) -> Vec<View> {
    let mut needs = IndexSet::new();
    for view in views {
        let conditions = KINDS.iter().filter_map(|kind| kind.expression(study, view));
        let filters = conditions.filter_map(|text| Expression::condition(&text, study, view).ok());
        let of_view = filters.flat_map(|filter| filter.needs().views.clone());
        needs.extend(std::iter::once(view).chain(of_view));
    }
    needs.into_iter().collect()
}
