//! The options of a chart, and the ranks that several charts of one study share.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::data::scores::Scaling;
use crate::data::text::count;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::evaluate::parts::Parts;
use crate::metric::ncs::NCS_AT_K;
use crate::metric::spelling;
use crate::metric::{Depth, METRICS, NO_DEPTH, Spec, Summary, map_at_r};
use crate::rank::Ranks;
use crate::rank::counter::Counter;
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::Truth;

/// Default depth of metrics and of hubs.
pub(super) const K: u32 = 10;

/// The ranks of a model under a truth; `None` where the truth lacks the direction.
type BothRanks = PerDirection<Option<Arc<Ranks>>>;

/// The ranks of a study's models under its truths, as needed by charts: each is computed once.
#[derive(Debug)]
pub struct Counts<'a> {
    study: &'a Study,
    known: RefCell<BTreeMap<(ModelIx, TruthIx), BothRanks>>,
}

impl<'a> Counts<'a> {
    /// Without ranks yet, for a study in its current pool.
    pub fn new(study: &'a Study) -> Self {
        Counts { study, known: RefCell::default() }
    }

    /// Computes the ranks of models under truths; `None` if cancelled.
    ///
    /// # Errors
    /// As [`Counter::ranks`].
    pub(super) fn count(
        &self,
        models: &[ModelIx],
        truths: &[TruthIx],
        token: &CancelToken,
    ) -> Result<Option<()>> {
        for &model in models {
            let mut known = self.known.borrow_mut();
            let is_new = |truth: &TruthIx| !known.contains_key(&(model, *truth));
            let new: BTreeSet<TruthIx> = truths.iter().copied().filter(is_new).collect();
            if new.is_empty() {
                continue;
            }
            let lists: Vec<_> = new.iter().map(|at| self.study.truths[*at].clone()).collect();
            let (gallery, mask) = (&self.study.gallery, self.study.mask.as_ref());
            let counter = Counter::new(&lists, gallery, mask);
            let Some(ranks) = counter.ranks(&self.study.models[model], token)? else {
                return Ok(None);
            };
            known.extend(new.into_iter().map(|truth| (model, truth)).zip(ranks));
        }
        Ok((!token.is_cancelled()).then_some(()))
    }
}

/// The options of a chart; it ignores those it does not use.
#[derive(Debug, Clone)]
pub struct ChartRequest<'a> {
    /// The ranks shared with other charts, and the study.
    pub counts: &'a Counts<'a>,
    /// The models, in order.
    pub models: Vec<ModelIx>,
    /// The truths; if empty, the chart chooses.
    pub truths: Vec<TruthIx>,
    /// The directions, one or both.
    pub directions: Vec<Direction>,
    /// The metrics, as `eval` names them; if empty, the chart chooses.
    pub metrics: Vec<String>,
    /// The depth; if `None`, the chart chooses.
    pub k: Option<u32>,
    /// Scaling of the scores of two models.
    pub scaling: Scaling,
}

impl<'a> ChartRequest<'a> {
    /// All models and both directions, and defaults for all else.
    pub fn all(counts: &'a Counts<'a>) -> Self {
        ChartRequest {
            counts,
            models: ModelIx::all(&counts.study.models).collect(),
            truths: Vec::new(),
            directions: Direction::BOTH.to_vec(),
            metrics: Vec::new(),
            k: None,
            scaling: Scaling::default(),
        }
    }

    /// The study, in its current pool.
    pub fn study(&self) -> &'a Study {
        self.counts.study
    }

    /// The name of a model.
    pub fn name(&self, model: ModelIx) -> &'a str {
        &self.study().models[model].name
    }

    /// The names of all requested models.
    pub fn names(&self) -> impl Iterator<Item = (ModelIx, &'a str)> {
        self.models.iter().map(|&model| (model, self.name(model)))
    }

    /// The first two models.
    ///
    /// # Errors
    /// A single one.
    pub fn two_models(&self) -> Result<[ModelIx; 2]> {
        two(&self.models)
    }

    /// The first requested truth, else the richest with lists.
    ///
    /// # Errors
    /// A truth without lists in the only direction.
    pub fn truth(&self) -> Result<TruthIx> {
        Ok(self.chosen()?.truth)
    }

    /// The truth and one direction: the requested one, or text-to-image for both if the truth and all models have it.
    ///
    /// # Errors
    /// As [`ChartRequest::truth`]; a model that ranks nothing in this direction.
    pub fn view(&self) -> Result<View> {
        let view = self.chosen()?;
        let Some(model) = self.first_unranked(view.direction) else {
            return Ok(view);
        };
        let found = format!("model {} ranks nothing there", self.name(model));
        Err(Error::new(format!("--direction {}", view.direction), found)
            .expected("a direction in which every model has rankings")
            .mend(format!(
                "--direction {}, or other models with --model",
                view.direction.flipped()
            )))
    }

    fn chosen(&self) -> Result<View> {
        let truth = self.truths.first().map(|at| &*self.study().truths[*at].name);
        View::choose(self.study(), None, truth, self.direction())
    }

    /// The only requested direction; of both the only one in which all models rank anything.
    pub fn direction(&self) -> Option<Direction> {
        let all_rank = |direction: &Direction| self.first_unranked(*direction).is_none();
        match self.directions.iter().filter(|one| all_rank(one)).collect::<Vec<_>>()[..] {
            _ if self.directions.len() == 1 => self.directions.first().copied(),
            [one] => Some(*one),
            _ => None,
        }
    }

    fn first_unranked(&self, direction: Direction) -> Option<ModelIx> {
        let ranks = |model: &ModelIx| self.study().models[*model].scores.ranks_any(direction);
        self.models.iter().copied().find(|model| !ranks(model))
    }

    /// The requested directions that a truth has, in order.
    pub fn directions_of(&self, truth: TruthIx) -> Vec<Direction> {
        let relevance = &self.study().truths[truth].relevance;
        let has = |direction: &Direction| relevance[*direction].is_some();
        self.directions.iter().copied().filter(has).collect()
    }

    /// The metrics, and `usual` ones in the place of missing names; at the requested depth if one has a depth and its
    /// name has none.
    ///
    /// # Errors
    /// An unknown name; a metric that is defined only under a ground truth that is not requested.
    pub fn specs<const N: usize>(&self, usual: [&str; N]) -> Result<[Spec; N]> {
        let mut specs = [Spec::new(METRICS[0]); N];
        for (at, spec) in specs.iter_mut().enumerate() {
            let name = self.metrics.get(at).map_or(usual[at], String::as_str);
            *spec = metric_named(name)?;
            if spec.metric.depth() == Depth::AtK && spec.k == NO_DEPTH {
                spec.k = self.k.unwrap_or(K);
            }
            let is_named =
                |name: &&str| self.truths.iter().any(|&at| self.study().truths[at].name == **name);
            if let Some(name) = spec.metric.only_under().filter(|name| !is_named(name)) {
                return Err(Error::new("--metrics", format!("{spec} without --truth {name}"))
                    .expected("the ground truth that it is defined under alone"));
            }
        }
        Ok(specs)
    }

    /// The two requested metrics, else R@1 and the usual one of a truth.
    ///
    /// # Errors
    /// As [`ChartRequest::specs`].
    pub fn two_specs(&self, truth: TruthIx) -> Result<[Spec; 2]> {
        self.specs(["r1", &usual(&self.study().truths[truth]).to_string()])
    }

    /// The mean of a metric over directions; `None` unless it is defined in all of them.
    pub fn mean(
        &self,
        spec: Spec,
        (model, truth): (ModelIx, TruthIx),
        directions: &[Direction],
    ) -> Option<f64> {
        let value = |&direction: &Direction| self.summary(spec, (model, truth, direction))?.value;
        let values: Vec<f64> = directions.iter().map(value).collect::<Option<_>>()?;
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    /// Computes the ranks of all requested models under some truths; `None` if cancelled.
    ///
    /// # Errors
    /// As [`Counter::ranks`].
    pub fn count(&self, truths: &[TruthIx], token: &CancelToken) -> Result<Option<()>> {
        self.counts.count(&self.models, truths, token)
    }

    /// Computed ranks; `None` if the truth lacks the direction.
    pub fn ranks(
        &self,
        model: ModelIx,
        truth: TruthIx,
        direction: Direction,
    ) -> Option<Arc<Ranks>> {
        let known = self.counts.known.borrow();
        known.get(&(model, truth))?[direction].clone()
    }

    /// A metric over computed ranks.
    pub fn summary(
        &self,
        spec: Spec,
        (model, truth, direction): (ModelIx, TruthIx, Direction),
    ) -> Option<Summary> {
        let ranks = self.ranks(model, truth, direction)?;
        let parts = Parts::for_truth(self.study(), truth, direction);
        Some(spec.summary_in(parts.as_ref(), ranks.iter().enumerate()))
    }

    /// Directions, truth and pool of a chart: `t2i, eccv`.
    pub fn context(&self, truth: TruthIx, directions: &[Direction]) -> String {
        let study = self.study();
        let mut words: Vec<String> = directions.iter().map(ToString::to_string).collect();
        words.push(study.name_with_rule(&study.truths[truth]));
        words.extend(study.pool_words());
        words.join(", ")
    }
}

/// The second metric of a model under a truth: NCS under that of a similarity, else mAP@R.
pub(super) fn usual(truth: &Truth) -> Spec {
    if truth.is_by_similarity() {
        return Spec { metric: &NCS_AT_K, k: K };
    }
    Spec::new(&map_at_r::MapAtR)
}

/// Checks that a study has a second model for comparison.
///
/// # Errors
/// It has none, or no truth.
pub(super) fn require_two_models(study: &Study) -> Result<()> {
    study.require_models_and_truths()?;
    two(&ModelIx::all(&study.models).collect::<Vec<_>>()).map(|_| ())
}

/// The first two models.
fn two(models: &[ModelIx]) -> Result<[ModelIx; 2]> {
    let first = models.first_chunk().copied();
    first.ok_or_else(|| {
        Error::new("models", count(models.len(), "model"))
            .expected("two, such as a.npy b.npy; the chart is of the first two, or of --model A,B")
    })
}

/// The metric of a name.
///
/// # Errors
/// Lists the known names, and a similar one.
fn metric_named(name: &str) -> Result<Spec> {
    let key = spelling::key(name).unwrap_or_else(|| name.to_owned());
    if let Some(metric) = METRICS.iter().copied().find(|metric| metric.key() == key) {
        return Ok(Spec::new(metric));
    }
    key.parse().map_err(|()| {
        let known: Vec<&str> = METRICS.iter().map(|metric| metric.key()).collect();
        Error::new("--metrics", format!("no metric is named {name}"))
            .expected(format!("one of {}", known.join(", ")))
            .did_you_mean(nearest(name, known))
    })
}
