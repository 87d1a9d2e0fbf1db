//! Options of charts, and a cache of the ranks that several charts of one study share.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::data::index::{ModelIx, TruthIx};
use crate::data::near::nearest;
use crate::data::scores::Scaling;
use crate::data::text::count;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::evaluate::parts::QueryParts;
use crate::metric::ncs::NCS_AT_K;
use crate::metric::spelling;
use crate::metric::{Depth, METRICS, NO_DEPTH, Spec, Summary, map_at_r};
use crate::rank::Ranks;
use crate::rank::counter::Counter;
use crate::rank::pass::CancelToken;
use crate::study::{Study, View};
use crate::truth::Truth;

/// Default depth of metrics.
const DEFAULT_DEPTH: u32 = 10;

/// The ranks of one model under one truth; `None` in a direction that the truth lacks.
type BothRanks = PerDirection<Option<Arc<Ranks>>>;

/// The ranks of models under truths of one study, each computed once for all charts.
#[derive(Debug)]
pub struct RankCache<'a> {
    study: &'a Study,
    ranks: RefCell<BTreeMap<(ModelIx, TruthIx), BothRanks>>,
}

impl<'a> RankCache<'a> {
    /// An empty cache, for a study in its current pool.
    pub fn new(study: &'a Study) -> Self {
        RankCache { study, ranks: RefCell::default() }
    }

    /// Computes the ranks of models under truths that are not in the cache yet; `None` if cancelled.
    ///
    /// # Errors
    /// As [`Counter::ranks`].
    fn compute(
        &self,
        models: &[ModelIx],
        truths: &[TruthIx],
        token: &CancelToken,
    ) -> Result<Option<()>> {
        for &model in models {
            let mut known = self.ranks.borrow_mut();
            let is_new = |truth: &TruthIx| !known.contains_key(&(model, *truth));
            let new: BTreeSet<TruthIx> = truths.iter().copied().filter(is_new).collect();
            if new.is_empty() {
                continue;
            }
            let truths: Vec<_> = new.iter().map(|at| self.study.truths[*at].clone()).collect();
            let (gallery, mask) = (&self.study.gallery, self.study.mask.as_ref());
            let counter = Counter::new(&truths, gallery, mask);
            let Some(ranks) = counter.ranks(&self.study.models[model], token)? else {
                return Ok(None);
            };
            known.extend(new.into_iter().map(|truth| (model, truth)).zip(ranks));
        }
        Ok((!token.is_cancelled()).then_some(()))
    }
}

/// The options of a chart. A chart ignores the options that its [`Limits`](super::Limits) exclude.
#[derive(Debug, Clone)]
pub struct ChartRequest<'a> {
    /// The study, and the ranks shared with other charts.
    pub cache: &'a RankCache<'a>,
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
    /// A request for all models in both directions, with the defaults of the chart for other options.
    pub fn all(cache: &'a RankCache<'a>) -> Self {
        ChartRequest {
            cache,
            models: ModelIx::all(&cache.study.models).collect(),
            truths: Vec::new(),
            directions: Direction::BOTH.to_vec(),
            metrics: Vec::new(),
            k: None,
            scaling: Scaling::default(),
        }
    }

    /// The study, in its current pool.
    pub fn study(&self) -> &'a Study {
        self.cache.study
    }

    /// The name of a model.
    pub fn name(&self, model: ModelIx) -> &'a str {
        &self.study().models[model].name
    }

    /// The requested models with their names.
    pub fn named_models(&self) -> impl Iterator<Item = (ModelIx, &'a str)> {
        self.models.iter().map(|&model| (model, self.name(model)))
    }

    /// The first two requested models.
    ///
    /// # Errors
    /// Fewer than two models.
    pub fn two_models(&self) -> Result<[ModelIx; 2]> {
        first_two(&self.models)
    }

    /// The first requested truth, else the richest one that lists positives in [`ChartRequest::direction`].
    ///
    /// # Errors
    /// A requested truth that lacks the direction; no truth that has it.
    pub fn truth(&self) -> Result<TruthIx> {
        Ok(self.default_view()?.truth)
    }

    /// The truth and one direction: [`ChartRequest::direction`], or if that is `None`, text-to-image if the truth has
    /// it, else image-to-text.
    ///
    /// # Errors
    /// As [`ChartRequest::truth`]; a model that ranks nothing in this direction.
    pub fn view(&self) -> Result<View> {
        let view = self.default_view()?;
        let Some(model) = self.first_model_without(view.direction) else {
            return Ok(view);
        };
        let found = format!("model {} ranks nothing there", self.name(model));
        Err(Error::new(format!("--direction {}", view.direction), found)
            .expected("a direction in which every model has rankings")
            .fix(format!("--direction {}, or other models with --model", view.direction.flipped())))
    }

    /// The view of [`ChartRequest::view`], without checking that every model ranks something in its direction.
    fn default_view(&self) -> Result<View> {
        let truth = self.truths.first().map(|at| &*self.study().truths[*at].name);
        View::choose(self.study(), None, truth, self.direction())
    }

    /// The requested direction. If both are requested, the only one in which all models rank anything, else `None`.
    pub fn direction(&self) -> Option<Direction> {
        let all_rank = |direction: &Direction| self.first_model_without(*direction).is_none();
        match self.directions.iter().filter(|one| all_rank(one)).collect::<Vec<_>>()[..] {
            _ if self.directions.len() == 1 => self.directions.first().copied(),
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The first requested model that ranks nothing in a direction; `None` if all rank something.
    fn first_model_without(&self, direction: Direction) -> Option<ModelIx> {
        let ranks_any = |model: &ModelIx| self.study().models[*model].scores.ranks_any(direction);
        self.models.iter().copied().find(|model| !ranks_any(model))
    }

    /// The requested directions that a truth has, in order.
    pub fn directions_of(&self, truth: TruthIx) -> Vec<Direction> {
        let relevance = &self.study().truths[truth].relevance;
        let has = |direction: &Direction| relevance[*direction].is_some();
        self.directions.iter().copied().filter(has).collect()
    }

    /// The requested metrics, with `defaults` in the place of missing ones. A metric named without its depth gets the
    /// requested or default depth.
    ///
    /// # Errors
    /// An unknown name; a metric that is defined only under a ground truth that is not requested.
    pub fn specs<const N: usize>(&self, defaults: [&str; N]) -> Result<[Spec; N]> {
        let mut specs = [Spec::new(METRICS[0]); N];
        for (at, spec) in specs.iter_mut().enumerate() {
            let name = self.metrics.get(at).map_or(defaults[at], String::as_str);
            *spec = parse_metric(name)?;
            if spec.metric.depth() == Depth::AtK && spec.k == NO_DEPTH {
                spec.k = self.k.unwrap_or(DEFAULT_DEPTH);
            }
            let is_requested =
                |name: &&str| self.truths.iter().any(|&at| self.study().truths[at].name == **name);
            if let Some(name) = spec.metric.only_under().filter(|name| !is_requested(name)) {
                return Err(Error::new("--metrics", format!("{spec} without --truth {name}"))
                    .expected("the ground truth that it is defined under alone"));
            }
        }
        Ok(specs)
    }

    /// The two requested metrics, else R@1 and the default one of a truth: NCS if the truth is derived from a
    /// similarity, else mAP@R.
    ///
    /// # Errors
    /// As [`ChartRequest::specs`].
    pub fn two_specs(&self, truth: TruthIx) -> Result<[Spec; 2]> {
        self.specs(["r1", &default_metric(&self.study().truths[truth]).to_string()])
    }

    /// The mean of a metric over directions; `None` if it is undefined in one of them, or if there are none.
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
    pub fn compute_ranks(&self, truths: &[TruthIx], token: &CancelToken) -> Result<Option<()>> {
        self.cache.compute(&self.models, truths, token)
    }

    /// Ranks that [`ChartRequest::compute_ranks`] computed; `None` before, or if the truth lacks the direction.
    pub fn ranks(
        &self,
        model: ModelIx,
        truth: TruthIx,
        direction: Direction,
    ) -> Option<Arc<Ranks>> {
        let ranks = self.cache.ranks.borrow();
        ranks.get(&(model, truth))?[direction].clone()
    }

    /// The mean of a metric over the queries of [`ChartRequest::ranks`]; `None` if there are no ranks.
    pub fn summary(
        &self,
        spec: Spec,
        (model, truth, direction): (ModelIx, TruthIx, Direction),
    ) -> Option<Summary> {
        let ranks = self.ranks(model, truth, direction)?;
        let parts = QueryParts::for_truth(self.study(), truth, direction);
        Some(spec.summary_in(parts.as_ref(), ranks.iter().enumerate()))
    }

    /// Directions, truth and pool of a chart: `t2i, eccv`.
    pub fn context(&self, truth: TruthIx, directions: &[Direction]) -> String {
        let study = self.study();
        let mut words: Vec<String> = directions.iter().map(ToString::to_string).collect();
        words.push(study.name_with_rule(&study.truths[truth]));
        words.extend(study.pool_label());
        words.join(", ")
    }
}

/// The default metric under a truth: NCS if the truth is derived from a similarity, else mAP@R.
pub(super) fn default_metric(truth: &Truth) -> Spec {
    if truth.is_by_similarity() {
        return Spec { metric: &NCS_AT_K, k: DEFAULT_DEPTH };
    }
    Spec::new(&map_at_r::MapAtR)
}

/// Checks that a study has two models and a truth.
///
/// # Errors
/// Names what is missing.
pub(super) fn require_two_models(study: &Study) -> Result<()> {
    study.require_models_and_truths()?;
    first_two(&ModelIx::all(&study.models).collect::<Vec<_>>()).map(|_| ())
}

/// The first two of some models.
///
/// # Errors
/// Fewer than two models.
fn first_two(models: &[ModelIx]) -> Result<[ModelIx; 2]> {
    models.first_chunk().copied().ok_or_else(|| {
        Error::new("models", count(models.len(), "model"))
            .expected("two, such as a.npy b.npy; the chart is of the first two, or of --model A,B")
    })
}

/// The metric with this name or key.
///
/// # Errors
/// Lists the known names, and a similar one.
fn parse_metric(name: &str) -> Result<Spec> {
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
