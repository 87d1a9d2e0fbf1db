//! Kinds of failure, with the queries of each.
//!
//! Kinds are not exclusive: a far miss may be a hub's and a coarse query too, and of the queries whose
//! first item a truth calls wrong some are of no kind. Only *near miss* and *far miss* have nothing in
//! common, and both are failures. *Missing label*, *PM only* and *same-image sibling* are about one truth
//! beside another, and so may say the same under several truths.
//!
//! Where the filter language can say what a kind is, its condition is the ready one of the explorer
//! ([`crate::filter::ready`]): both find the same queries.

use super::hubs::Hubness;
use super::retrieved::Retrieved;
use super::texts::{Contrast, Texts};
use crate::data::Direction;
use crate::error::Result;
use crate::filter::{Counts, Facts, Filter, View, ready};
use crate::rank::edited::Edited;
use crate::rank::pass::Watch;
use crate::study::Study;
use crate::truth::relevance::Relevance;

/// A kind of failure.
#[derive(Debug)]
pub struct Kind {
    /// The word on the command line and in JSON.
    pub key: &'static str,
    /// What it is called.
    pub name: &'static str,
    /// What it is, in one line.
    pub meaning: &'static str,
    how: How,
}

#[derive(Debug)]
enum How {
    /// This condition.
    Condition(&'static str),
    /// The ready condition of this name.
    Ready(&'static str),
    /// By the words of captions.
    NearDuplicate,
    /// By what the first item is first for.
    Hub,
}

const fn kind(key: &'static str, name: &'static str, meaning: &'static str, how: How) -> Kind {
    Kind {
        key,
        name,
        meaning,
        how,
    }
}

/// Every kind, in the order of every table; the first is every failure.
pub const KINDS: &[Kind] = &[
    kind(
        "failure",
        "failure",
        "the first item is wrong",
        How::Condition("r1 == 0"),
    ),
    kind(
        "missing-label",
        "missing label",
        "the first item is right, though the original annotation does not say so",
        How::Ready("missing label"),
    ),
    kind(
        "near-miss",
        "near miss",
        "the first item is wrong, one of the first five is right",
        How::Ready("near miss"),
    ),
    kind(
        "far-miss",
        "far miss",
        "none of the first hundred items is right",
        How::Ready("far miss"),
    ),
    kind(
        "pm-only",
        "PM only",
        "the first item is right by a rule only: the same objects, not a match",
        How::Ready("plausible only"),
    ),
    kind(
        "coarse-query",
        "coarse query",
        "the first item of no model is right: the query may be too coarse",
        How::Ready("coarse query"),
    ),
    kind(
        "same-image-sibling",
        "same-image sibling",
        "the first item goes with the query by the original annotation, yet a richer truth says wrong",
        How::Ready("same-image sibling"),
    ),
    kind(
        "near-duplicate",
        "near-duplicate caption",
        "the first item is wrong, yet its caption and a right one are the same but for case, \
         punctuation and articles",
        How::NearDuplicate,
    ),
    kind(
        "hub",
        "hub",
        "the first item is wrong, and first for many queries: more than the mean item by two \
         standard deviations",
        How::Hub,
    ),
];

impl Kind {
    /// The kind of this key.
    pub fn named(key: &str) -> Option<&'static Kind> {
        KINDS.iter().find(|kind| kind.key == key)
    }

    /// The condition that it is, in a view; `None` where none says it, or where the study lacks what it
    /// is about.
    pub fn expression(&self, study: &Study, view: View) -> Option<String> {
        match self.how {
            How::Condition(condition) => Some(condition.to_owned()),
            How::Ready(name) => {
                let mut ready = ready(study, view).into_iter();
                ready.find(|one| one.name == name).map(|one| one.expression)
            }
            How::NearDuplicate | How::Hub => None,
        }
    }
}

/// What kinds are told from: ranks, first items, and words.
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
        let mut needs = Vec::new();
        for &model in models {
            for &truth in truths {
                let view = View {
                    model,
                    truth,
                    direction,
                };
                for need in needed(study, view) {
                    if !needs.contains(&need) {
                        needs.push(need);
                    }
                }
            }
        }
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
                self.texts.contrast(item, positives.into_iter())
            }
            Direction::T2i => {
                let captions = self.study.own(Direction::I2t, item as usize).iter();
                self.texts.contrast(captions, std::iter::once(query))
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

/// The ranks that the kinds of a view are told from, its own included.
fn needed(study: &Study, view: View) -> Vec<View> {
    let mut needs = vec![view];
    for kind in KINDS {
        let condition = kind.expression(study, view);
        let filter = condition.and_then(|text| Filter::parse(&text, study, view).ok());
        needs.extend(filter.iter().flat_map(Filter::needs));
    }
    needs
}
