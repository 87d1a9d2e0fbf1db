//! What kinds of failure are told from, and the queries of each.

use super::hubs::Hubness;
use super::kinds::{How, KINDS, Kind};
use super::retrieved::Retrieved;
use super::texts::{Contrast, Texts};
use crate::data::Direction;
use crate::error::Result;
use crate::filter::{Counts, Facts, Filter, View};
use crate::rank::edited::Edited;
use crate::rank::pass::Watch;
use crate::study::Study;
use crate::truth::relevance::Relevance;

/// Ranks, first items, and words.
pub struct Evidence<'a> {
    /// The study.
    pub study: &'a Study,
    /// Who asks whom.
    pub direction: Direction,
    /// The captions.
    pub texts: Texts,
    /// The models looked at, with what they retrieve.
    pub models: Vec<OfModel>,
    counts: Counts<&'a Study>,
}

/// What a model retrieves.
#[derive(Debug, Clone)]
pub struct OfModel {
    /// Its index.
    pub model: usize,
    /// The first items of all queries.
    pub retrieved: Retrieved,
    /// How these spread.
    pub hubness: Hubness,
}

impl<'a> Evidence<'a> {
    /// Gathers what is needed for these models under these truths, reading each model twice; hubness is
    /// counted at `depths`. `None` when it was cancelled.
    ///
    /// # Errors
    /// As counting ranks.
    pub fn gather(
        study: &'a Study,
        (models, truths): (&[usize], &[usize]),
        direction: Direction,
        depths: &[usize],
        watch: &Watch,
    ) -> Result<Option<Self>> {
        let view = |&model: &usize, &truth: &usize| View {
            model,
            truth,
            direction,
        };
        let of_model = |model| truths.iter().map(move |truth| view(model, truth));
        let needs = needed(study, models.iter().flat_map(of_model));
        let counts = Counts::of(study, direction, &needs, watch)?;
        let depth = depths.iter().copied().max().unwrap_or(1);
        let items = study.gallery.items(direction).len();
        let mut of_models = Vec::new();
        for &model in models {
            let scores = &study.models[model];
            let Some(retrieved) = Retrieved::of(study, scores, direction, depth, watch)? else {
                return Ok(None);
            };
            of_models.push(OfModel {
                model,
                hubness: Hubness::of(&retrieved, items, depths),
                retrieved,
            });
        }
        Ok(Some(Evidence {
            study,
            direction,
            texts: Texts::of(&study.gallery),
            models: of_models,
            counts,
        }))
    }

    /// What one of the models retrieves.
    ///
    /// # Panics
    /// If it is not among those that were asked for.
    pub fn of_model(&self, model: usize) -> &OfModel {
        let found = self.models.iter().find(|of| of.model == model);
        found.expect("evidence was gathered for this model")
    }

    /// The queries of a kind that a truth judges, ascending; `None` where the study lacks what the
    /// kind is about: an original truth, a second model, texts.
    pub fn queries(&self, kind: &Kind, view: View) -> Option<Vec<u32>> {
        match kind.how {
            How::Condition(_) | How::Ready(_) => {
                let condition = kind.expression(self.study, view)?;
                let filter = Filter::parse(&condition, self.study, view).ok()?;
                filter.met(&self.counts, view.truth, &|| false)
            }
            How::NearDuplicate => (!self.texts.is_empty()).then(|| {
                self.where_first_is_wrong(view, |query, item| {
                    self.is_near_duplicate(view, query, item)
                })
            }),
            How::Hub => {
                let hubness = &self.of_model(view.model).hubness;
                Some(self.where_first_is_wrong(view, |_, item| hubness.is_hub(item)))
            }
        }
    }

    /// The judged queries whose first item is wrong and meets a condition.
    fn where_first_is_wrong(&self, view: View, is_so: impl Fn(u32, u32) -> bool) -> Vec<u32> {
        let retrieved = &self.of_model(view.model).retrieved;
        let relevance = self.relevance(view);
        let judged = relevance
            .map_or(&[][..], Relevance::queries)
            .iter()
            .copied();
        let of_kind = judged.filter(|&query| {
            retrieved.first(query).is_some_and(|item| {
                let right = relevance.and_then(|of| of.contains(query as usize, item as usize));
                right == Some(false) && is_so(query, item)
            })
        });
        let mut queries: Vec<u32> = of_kind.collect();
        queries.sort_unstable();
        queries
    }

    fn is_near_duplicate(&self, view: View, query: u32, item: u32) -> bool {
        let same = |one, other| self.texts.is_same(one, other);
        match self.direction {
            Direction::I2t => self
                .positives(view, query)
                .any(|positive| same(item, positive)),
            Direction::T2i => {
                let captions = self.study.own(Direction::I2t, item as usize);
                captions.iter().any(|caption| same(caption, query))
            }
        }
    }

    /// What the first item's caption and the nearest right one lack of each other: of an image its
    /// captions stand for it, of a caption it is the text itself. `None` without texts.
    pub fn contrast(&self, view: View, query: u32) -> Option<Contrast> {
        let item = self.of_model(view.model).retrieved.first(query)?;
        if self.texts.is_empty() {
            return None;
        }
        match self.direction {
            Direction::I2t => {
                let positives: Vec<u32> = self.positives(view, query).collect();
                let item = std::iter::once(item);
                self.texts.contrast(item, &positives)
            }
            Direction::T2i => {
                let captions = self.study.own(Direction::I2t, item as usize).iter();
                self.texts.contrast(captions, &[query])
            }
        }
    }

    /// The captions that are a query's text: its own.
    pub fn captions(&self, query: u32) -> Vec<u32> {
        match self.direction {
            Direction::I2t => self
                .study
                .own(Direction::I2t, query as usize)
                .iter()
                .collect(),
            Direction::T2i => vec![query],
        }
    }

    /// The lists of a view's truth.
    pub fn relevance(&self, view: View) -> Option<&Relevance> {
        self.study.truths[view.truth].relevance[view.direction].as_ref()
    }

    fn positives(&self, view: View, query: u32) -> impl Iterator<Item = u32> {
        let of_query = self.relevance(view);
        let of_query = of_query.and_then(|of| Some(of.positives(of.place(query as usize)?)));
        of_query.into_iter().flatten()
    }

    /// The ranks of a view, in the order of its truth.
    pub fn ranks(&self, view: View) -> Option<&Edited> {
        self.counts.ranks(view)
    }
}

/// The views whose ranks the kinds of some views are told from, each once.
fn needed(study: &Study, views: impl Iterator<Item = View>) -> Vec<View> {
    let mut needs = Vec::new();
    for view in views {
        let conditions = KINDS.iter().filter_map(|kind| kind.expression(study, view));
        let filters = conditions.filter_map(|text| Filter::parse(&text, study, view).ok());
        let of_view = filters.flat_map(|filter| filter.needs().to_vec());
        for need in std::iter::once(view).chain(of_view) {
            if !needs.contains(&need) {
                needs.push(need);
            }
        }
    }
    needs
}
