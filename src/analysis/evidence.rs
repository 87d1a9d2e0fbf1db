//! What error types are told from, and the queries of each.

use std::sync::Arc;

use indexmap::IndexSet;

use super::kinds::{Count, KINDS, Kind, OfKind};
use crate::data::Direction;
use crate::data::index::{ItemIx, ModelIx, QueryIx, TruthIx};
use crate::data::words::{Contrast, Texts};
use crate::error::Result;
use crate::filter::{self, Counts, Expression, Marks, Needs, UserMarks};
use crate::rank::edited::Edited;
use crate::rank::hubs::OfModel;
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::relevance::Relevance;
use crate::truth::verdict::Verdicts;

/// Ranks, first items, words and verdicts.
pub struct Evidence<'a> {
    /// The study.
    pub study: &'a Study,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The captions.
    pub texts: Arc<Texts>,
    /// The models looked at, with what they retrieve.
    pub models: Vec<Arc<OfModel>>,
    /// A person's verdicts.
    pub verdicts: &'a Verdicts,
    counts: Counts,
    /// The same without the verdicts; `None` without any.
    loaded: Option<Counts>,
}

impl<'a> Evidence<'a> {
    /// Gathers what is needed for these models under these truths as a person's verdicts have them,
    /// reading each model twice; hubness is counted at `depths`. `None` when it was cancelled.
    ///
    /// # Errors
    /// As counting ranks.
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
        let counts = Counts::of(study, direction, &needs, token)?;
        let counts = counts.with(study, direction, marks);
        let mut of_models = Vec::new();
        for &model in models {
            let Some(found) = filter::of_model(study, model, direction, depths, token)? else {
                return Ok(None);
            };
            of_models.push(Arc::new(found));
        }
        let texts = Arc::new(Texts::of(&study.gallery));
        let verdicts = &marks.verdicts;
        let known = (of_models, texts);
        Ok(Some(Self::new(study, direction, known, (counts, verdicts))))
    }

    /// What somebody gathered; ranks have the verdicts in them.
    pub fn new(
        study: &'a Study,
        direction: Direction,
        (models, texts): (Vec<Arc<OfModel>>, Arc<Texts>),
        (counts, verdicts): (Counts, &'a Verdicts),
    ) -> Self {
        let counts = Counts { top_k: models.clone(), texts: Some(texts.clone()), ..counts };
        let loaded = || counts.clone().as_loaded();
        Evidence {
            study,
            direction,
            loaded: (!verdicts.is_empty()).then(loaded),
            counts,
            texts,
            models,
            verdicts,
        }
    }

    /// What one of the models retrieves.
    ///
    /// # Panics
    /// If it is not among those that were asked for.
    pub fn of_model(&self, model: ModelIx) -> &OfModel {
        let found = self.models.iter().find(|of| of.model == model);
        found.expect("evidence was gathered for this model")
    }

    /// The name of a truth as it is counted here: with the verdicts laid over it where they change it.
    pub fn truth_name(&self, truth: TruthIx) -> String {
        let truth = &self.study.truths[truth];
        self.study.name_under(truth, self.verdicts)
    }

    /// The queries of a kind that a truth judges; `None` where the study lacks what the kind is about: an
    /// original truth, a second model, texts.
    pub fn of_kind(&self, kind: &Kind, view: View) -> Option<OfKind> {
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
        Some(OfKind { loaded: loaded.unwrap_or(Count { met, of }), queries, of })
    }

    /// The queries that meet a condition of a view, ascending; `None` where ranks are missing.
    pub(super) fn listed(&self, condition: &str, view: View) -> Option<Vec<u32>> {
        let filter = Expression::condition(condition, self.study, view).ok()?;
        Some(filter.answer(self.study, &self.counts, &|| false)?.queries)
    }

    /// What the first item's caption and the right one beside it lack of each other, as [`contrast`].
    pub fn contrast(&self, view: View, query: u32) -> Option<Contrast> {
        let first = self.of_model(view.model).retrieved.first(query)?;
        contrast(self.study, &self.texts, &self.counts.marks, view, (query.into(), first.into()))
    }

    /// The captions that are a query's text: its own.
    pub fn captions(&self, query: u32) -> Vec<u32> {
        match self.direction {
            Direction::I2t => self.study.own(Direction::I2t, query as usize).iter().collect(),
            Direction::T2i => vec![query],
        }
    }

    /// The lists of a view's truth.
    pub fn relevance(&self, view: View) -> Option<&Relevance> {
        self.study.truths[view.truth].relevance[view.direction].as_ref()
    }

    /// The ranks of a view, in the order of its truth.
    pub fn ranks(&self, view: View) -> Option<&Edited> {
        self.counts.ranks(view)
    }
}

/// What the caption of a query's first item and a right one lack of each other; of an image its captions
/// stand for it. Of an image that asks the right one is the nearest; of a caption that asks it is itself,
/// unless a caption of a right image says the same as one of the first item. A first item that is right is beside the
/// query, of an image beside its own captions: beside itself it would tell nothing. `None` without texts.
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
            let own = study.own(Direction::I2t, query.get());
            let own: Vec<u32> = own.iter().filter(is_other).collect();
            let is_right = right.contains(&first.raw()) && !own.is_empty();
            let right = if is_right { own } else { right };
            texts.contrast(std::iter::once(first.raw()), &right)
        }
        Direction::T2i => {
            let own = study.own(Direction::I2t, first.get());
            let is_right = own.iter().any(|own| right.contains(&own));
            let says_same = |right: &&u32| own.iter().any(|own| texts.is_same(own, **right));
            let same = right.iter().find(says_same).filter(|_| !is_right);
            let wanted = same.copied().unwrap_or(query.raw());
            texts.contrast(own.iter(), &[wanted])
        }
    }
}

/// The views whose ranks the kinds of some views are told from, each once.
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
