//! A study's numbers: which metrics, under which keys, for every model.
//!
//! Keys are those of `eccv_caption`: `coco_5k_*` and `coco_1k_*` are the original truth on the COCO
//! test gallery, `original_*` on any other; other truths give `<truth>_<metric>`, a pool
//! `<truth>@<pool>_<metric>`, and Plausible Match in the truth `pm` also `pmrp`.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use super::{METRICS, NO_DEPTH, Spec, Summary, Unit, mean, rsum};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::rank::pass::{self, Watch};
use crate::rank::targets::{self, Targets};
use crate::rank::{Counted, Folds, Pool, Ranks};
use crate::study::Study;
use crate::truth::Kind;

/// Which metrics are wanted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Choice {
    /// What `eccv_caption` reports, and R@1, 5, 10, mAP@R and R-Precision of every truth.
    #[default]
    Usual,
    /// Everything defined.
    All,
    /// Metrics (`map_at_r`, `recall_at_k`, `ndcg_at_20`) or full keys (`eccv_r1`).
    Named(Vec<String>),
}

/// What to evaluate.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// The metrics.
    pub metrics: Choice,
    /// Depths of metrics that take one.
    pub depths: Vec<u32>,
    /// Names of truths; all if empty.
    pub truths: Vec<String>,
    /// Pools; the whole gallery if empty.
    pub pools: Vec<Pool>,
    /// Cap of R in `pmrp`.
    pub pmrp_cap: Option<u32>,
}

/// One line of the result: a key and how its value comes about.
#[derive(Debug, Clone)]
pub struct Line {
    /// Such as `eccv_map_at_r`.
    pub key: String,
    /// Index of the truth.
    pub truth: usize,
    /// How it is computed.
    pub rule: Rule,
}

/// How a line is computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rule {
    /// A metric over the queries of a pool.
    Metric(Spec, Pool),
    /// A metric in each fold, then the mean over folds.
    FoldMean(Spec),
    /// RSUM over a pool.
    Rsum(Pool),
    /// RSUM of fold means.
    FoldRsum,
}

/// The value of a line for one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// One for each direction that the truth has.
    Each(PerDirection<Option<Summary>>),
    /// One over both directions.
    Both(Option<f64>),
}

/// Everything that was computed.
#[derive(Debug, Clone)]
pub struct Evaluation {
    /// Images of the gallery.
    pub images: usize,
    /// Captions of the gallery.
    pub captions: usize,
    /// The lines, in order.
    pub lines: Vec<Line>,
    /// Each truth's name and covered queries.
    pub judged: Vec<(String, PerDirection<Option<usize>>)>,
    /// Each model's name, file and values, in the order of `lines`.
    pub models: Vec<(String, String, Vec<Value>)>,
    /// What a perfect model would get.
    pub ceiling: Vec<Value>,
}

impl Line {
    /// What its numbers are.
    pub fn unit(&self) -> Unit {
        match self.rule {
            Rule::Metric(spec, _) | Rule::FoldMean(spec) => spec.metric.unit(),
            Rule::Rsum(_) | Rule::FoldRsum => Unit::Share,
        }
    }
}

/// The lines that a request means on a study.
///
/// # Errors
/// Names that match no truth or no metric: all of them are listed.
pub fn plan(study: &Study, request: &Request) -> Result<Vec<Line>> {
    let unknown: Vec<&str> = request
        .truths
        .iter()
        .map(String::as_str)
        .filter(|name| study.truth(name).is_none())
        .collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = study
            .truths
            .iter()
            .map(|truth| truth.name.as_str())
            .collect();
        return Err(
            Error::new("--truth", format!("no truth named {}", unknown.join(", ")))
                .expected(format!("one of: {}", known.join(", "))),
        );
    }
    let lines = Planner {
        study,
        request,
        depths: depths(request),
    }
    .lines();
    match &request.metrics {
        Choice::Usual | Choice::All => Ok(lines),
        Choice::Named(names) => named(lines, names),
    }
}

/// The depths asked for, those in metric names included.
fn depths(request: &Request) -> BTreeSet<u32> {
    let mut depths: BTreeSet<u32> = request.depths.iter().copied().collect();
    if let Choice::Named(names) = &request.metrics {
        depths.extend(
            names
                .iter()
                .filter_map(|name| name.rsplit_once("_at_")?.1.parse::<u32>().ok()),
        );
    }
    depths.remove(&0);
    depths
}

fn named(lines: Vec<Line>, names: &[String]) -> Result<Vec<Line>> {
    let matches = |line: &Line, name: &str| {
        let metric = match line.rule {
            Rule::Metric(spec, _) | Rule::FoldMean(spec) => {
                spec.to_string() == name || spec.metric.key() == name
            }
            Rule::Rsum(_) | Rule::FoldRsum => name == rsum::KEY,
        };
        metric || line.key == name
    };
    let unknown: Vec<&str> = names
        .iter()
        .map(String::as_str)
        .filter(|name| !lines.iter().any(|line| matches(line, name)))
        .collect();
    if !unknown.is_empty() {
        let known: Vec<&str> = METRICS.iter().map(|metric| metric.key()).collect();
        return Err(Error::new(
            "--metrics",
            format!("nothing is named {}", unknown.join(", ")),
        )
        .expected(format!(
            "a key such as eccv_map_at_r, or: {}, {}",
            known.join(", "),
            rsum::KEY
        )));
    }
    Ok(lines
        .into_iter()
        .filter(|line| names.iter().any(|name| matches(line, name)))
        .collect())
}

struct Planner<'a> {
    study: &'a Study,
    request: &'a Request,
    depths: BTreeSet<u32>,
}

impl Planner<'_> {
    fn lines(&self) -> Vec<Line> {
        let whole = [Pool::All];
        let pools = if self.request.pools.is_empty() {
            &whole[..]
        } else {
            &self.request.pools
        };
        let mut lines = Vec::new();
        for (at, truth) in self.study.truths.iter().enumerate() {
            if !self.request.truths.is_empty() && !self.request.truths.contains(&truth.name) {
                continue;
            }
            for &pool in pools {
                if pool == Pool::All
                    && truth.kind == Kind::Original
                    && self.study.gallery.is_coco_test()
                {
                    self.push_fold_means(&mut lines, at);
                }
                self.push_metrics(&mut lines, at, pool);
            }
        }
        lines
    }

    fn push_metrics(&self, lines: &mut Vec<Line>, truth: usize, pool: Pool) {
        let prefix = self.prefix(truth, pool);
        for spec in self.specs() {
            let key = match spec.metric.key() {
                "pmrp" if self.study.truths[truth].name != "pm" => continue,
                "pmrp" if pool == Pool::All => "pmrp".to_owned(),
                _ => format!("{prefix}_{spec}"),
            };
            lines.push(Line {
                key,
                truth,
                rule: Rule::Metric(spec, pool),
            });
        }
        if self.request.metrics != Choice::Usual {
            lines.push(Line {
                key: format!("{prefix}_{}", rsum::KEY),
                truth,
                rule: Rule::Rsum(pool),
            });
        }
    }

    /// The COCO 1K protocol, which knows R@K only.
    fn push_fold_means(&self, lines: &mut Vec<Line>, truth: usize) {
        for &metric in &METRICS[..3] {
            let spec = Spec::new(metric);
            lines.push(Line {
                key: format!("coco_1k_{spec}"),
                truth,
                rule: Rule::FoldMean(spec),
            });
        }
        if self.request.metrics != Choice::Usual {
            lines.push(Line {
                key: format!("coco_1k_{}", rsum::KEY),
                truth,
                rule: Rule::FoldRsum,
            });
        }
    }

    fn specs(&self) -> Vec<Spec> {
        let usual = ["r1", "r5", "r10", "map_at_r", "rprecision", "pmrp"];
        let mut specs = Vec::new();
        for &metric in METRICS {
            let key = metric.key();
            if self.request.metrics == Choice::Usual && !usual.contains(&key) {
                continue;
            }
            match key {
                "pmrp" => specs.push(Spec {
                    metric,
                    k: self.request.pmrp_cap.unwrap_or(NO_DEPTH),
                }),
                _ if key.ends_with("_at_k") => {
                    specs.extend(self.depths.iter().map(|&k| Spec { metric, k }));
                }
                _ => specs.push(Spec::new(metric)),
            }
        }
        specs
    }

    fn prefix(&self, truth: usize, pool: Pool) -> String {
        let truth = &self.study.truths[truth];
        match (pool, truth.kind) {
            (Pool::All, Kind::Original) if self.study.gallery.is_coco_test() => "coco_5k".into(),
            (Pool::All, Kind::Original) => "original".into(),
            (Pool::All, _) => truth.name.clone(),
            (pool, _) => format!("{}@{pool}", truth.name),
        }
    }
}

/// The ranks of one model under every truth and pool that lines ask for, made when first needed.
pub struct RankSets<'a> {
    study: &'a Study,
    targets: &'a Targets,
    counted: &'a PerDirection<Counted>,
    folds: Option<Folds>,
    made: BTreeMap<(usize, Direction, Option<usize>), Option<Ranks>>,
    ideal: bool,
}

impl<'a> RankSets<'a> {
    /// Ranks from counted targets; with `ideal`, those of a perfect model instead.
    pub fn new(
        study: &'a Study,
        targets: &'a Targets,
        counted: &'a PerDirection<Counted>,
        ideal: bool,
    ) -> Self {
        let folds = Folds::of(&study.gallery);
        RankSets {
            study,
            targets,
            counted,
            folds,
            made: BTreeMap::new(),
            ideal,
        }
    }

    /// The ranks of one truth; `None` where it lacks the direction.
    pub fn get(&mut self, truth: usize, direction: Direction, pool: Pool) -> Option<&Ranks> {
        let fold = match pool {
            Pool::All => None,
            Pool::Fold(fold) => Some(fold),
        };
        let make = || {
            let relevance = self.study.truths[truth].relevance[direction].as_ref()?;
            let (targets, counted) = (&self.targets[direction], &self.counted[direction]);
            let ranks = Ranks::of(relevance, targets, counted, pool, self.folds);
            Some(if self.ideal { ranks.ideal() } else { ranks })
        };
        self.made
            .entry((truth, direction, fold))
            .or_insert_with(make)
            .as_ref()
    }

    /// The value of a line.
    pub fn value(&mut self, line: &Line) -> Value {
        let truth = line.truth;
        match line.rule {
            Rule::Metric(spec, pool) => Value::Each(PerDirection::from_fn(|direction| {
                self.get(truth, direction, pool)
                    .map(|ranks| spec.summary(ranks))
            })),
            Rule::FoldMean(spec) => Value::Each(PerDirection::from_fn(|direction| {
                self.fold_mean(truth, direction, spec)
            })),
            Rule::Rsum(pool) => Value::Both(self.rsum(|sets, direction, spec| {
                sets.get(truth, direction, pool)
                    .map(|ranks| spec.summary(ranks))
            })),
            Rule::FoldRsum => Value::Both(
                self.rsum(|sets, direction, spec| sets.fold_mean(truth, direction, spec)),
            ),
        }
    }

    fn fold_mean(&mut self, truth: usize, direction: Direction, spec: Spec) -> Option<Summary> {
        let count = self.folds?.count;
        let mut means = Vec::with_capacity(count);
        let mut judged = 0;
        for fold in 0..count {
            let summary = spec.summary(self.get(truth, direction, Pool::Fold(fold))?);
            means.push(summary.value?);
            judged += summary.judged;
        }
        Some(Summary {
            value: Some(mean::pairwise(&means)),
            judged,
        })
    }

    fn rsum(
        &mut self,
        mut of: impl FnMut(&mut Self, Direction, Spec) -> Option<Summary>,
    ) -> Option<f64> {
        let recalls = PerDirection::from_fn(|direction| {
            [0, 1, 2].map(|at| of(self, direction, Spec::new(METRICS[at]))?.value)
        });
        rsum::rsum(&recalls)
    }
}

/// Computes all lines for all models; `watch` is told which model is being read.
///
/// # Errors
/// As [`plan`] and [`pass::count`].
pub fn evaluate(study: &Study, request: &Request, watch: &Watch) -> Result<Evaluation> {
    let lines = plan(study, request)?;
    let targets = targets::targets(&study.truths, &study.gallery);
    let mut models = Vec::new();
    let mut ceiling = Vec::new();
    for model in &study.models {
        let counted = pass::count(&model.scores, &targets, Folds::of(&study.gallery), watch)?;
        let Some(counted) = counted else { break };
        let values = |ideal| {
            let mut sets = RankSets::new(study, &targets, &counted, ideal);
            lines
                .iter()
                .map(|line| sets.value(line))
                .collect::<Vec<Value>>()
        };
        if ceiling.is_empty() {
            ceiling = values(true);
        }
        models.push((
            model.name.clone(),
            model.scores.npy().source().display(),
            values(false),
        ));
    }
    let judged = study.truths.iter().map(|truth| {
        let covered = |direction| truth.relevance[direction].as_ref().map(|r| r.len());
        (truth.name.clone(), PerDirection::from_fn(covered))
    });
    Ok(Evaluation {
        images: study.gallery.images.len(),
        captions: study.gallery.captions.len(),
        judged: judged.collect(),
        lines,
        models,
        ceiling,
    })
}
