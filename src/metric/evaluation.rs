//! A study's numbers: every line of a [`plan`], for every model.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::depth::Undefined;
use super::plan::{Line, Request, Rule, plan};
use super::{METRICS, Shortage, Spec, Summary, mean, rsum};
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::pass::Watch;
use crate::rank::targets::{self, Targets};
use crate::rank::{self, Counted, Folds, Pool, Ranks};
use crate::study::Study;
use crate::truth::relevance::Relevance;

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
    /// What a perfect model would get, where it was asked for.
    pub ceiling: Option<Vec<Value>>,
    /// For each model and direction whose rankings end too early for some lines: which, and why.
    pub undefined: Vec<String>,
}

/// The ranks of one model under every truth and pool that lines ask for, made when first needed.
pub struct RankSets<'a> {
    study: &'a Study,
    targets: &'a Targets,
    counted: &'a PerDirection<Counted>,
    folds: Option<Folds>,
    made: BTreeMap<(usize, Direction, Option<usize>), Option<Arc<Ranks>>>,
    ideal: bool,
    /// What the rankings were too short for since this was last taken.
    shortage: PerDirection<Option<Shortage>>,
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
            shortage: PerDirection::default(),
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
            Some(if self.ideal {
                Arc::new(ranks.ideal())
            } else {
                ranks
            })
        };
        self.made
            .entry((truth, direction, fold))
            .or_insert_with(make)
            .as_deref()
    }

    /// The value of a line.
    pub fn value(&mut self, line: &Line) -> Value {
        let truth = line.truth;
        match line.rule {
            Rule::Metric(spec, pool) => Value::Each(PerDirection::from_fn(|direction| {
                self.summary(truth, direction, pool, spec)
            })),
            Rule::FoldMean(spec) => Value::Each(PerDirection::from_fn(|direction| {
                self.fold_mean(truth, direction, spec)
            })),
            Rule::Rsum(pool) => Value::Both(
                self.rsum(|sets, direction, spec| sets.summary(truth, direction, pool, spec)),
            ),
            Rule::FoldRsum => Value::Both(
                self.rsum(|sets, direction, spec| sets.fold_mean(truth, direction, spec)),
            ),
        }
    }

    fn summary(
        &mut self,
        truth: usize,
        direction: Direction,
        pool: Pool,
        spec: Spec,
    ) -> Option<Summary> {
        let summary = spec.summary(self.get(truth, direction, pool)?);
        self.shortage[direction] = joined(self.shortage[direction], summary.shortage);
        Some(summary)
    }

    fn fold_mean(&mut self, truth: usize, direction: Direction, spec: Spec) -> Option<Summary> {
        let count = self.folds?.count;
        let mut means = Vec::with_capacity(count);
        let mut whole = Summary::default();
        for fold in 0..count {
            let summary = self.summary(truth, direction, Pool::Fold(fold), spec)?;
            means.extend(summary.value);
            whole.judged += summary.judged;
            whole.shortage = joined(whole.shortage, summary.shortage);
        }
        whole.value = (means.len() == count).then(|| mean::pairwise(&means));
        Some(whole)
    }

    /// What the rankings of each direction were too short for since this was last asked.
    pub fn take_shortage(&mut self) -> PerDirection<Option<Shortage>> {
        std::mem::take(&mut self.shortage)
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

fn joined(one: Option<Shortage>, other: Option<Shortage>) -> Option<Shortage> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.and(other)),
        (one, other) => one.or(other),
    }
}

/// The values of all lines, and what is undefined because the model's rankings end too early.
fn values(sets: &mut RankSets<'_>, lines: &[Line]) -> (Vec<Value>, PerDirection<Undefined>) {
    let mut undefined: PerDirection<Undefined> = PerDirection::default();
    let mut value = |line: &Line| {
        let value = sets.value(line);
        let shortage = sets.take_shortage();
        for direction in Direction::BOTH {
            if let Some(shortage) = shortage[direction] {
                undefined[direction].add(&line.key, shortage);
            }
        }
        value
    };
    (lines.iter().map(&mut value).collect(), undefined)
}

/// What is undefined for a model in a direction because its rankings end too early.
fn too_early(
    model: &str,
    direction: Direction,
    counted: &PerDirection<Counted>,
    undefined: &PerDirection<Undefined>,
) -> Option<String> {
    let (counted, undefined) = (&counted[direction], &undefined[direction]);
    if undefined.is_empty() {
        return None;
    }
    let mut depths = counted.depths.iter().flat_map(|depths| &depths.all);
    Some(if depths.all(|&depth| depth == 0) {
        format!("{model} {direction} undefined: nothing is ranked")
    } else {
        format!("{model} {direction} undefined: {undefined}")
    })
}

/// Computes all lines for all models; `watch` is told which model is being read.
///
/// # Errors
/// As [`plan`] and [`rank::count`].
pub fn evaluate(study: &Study, request: &Request, watch: &Watch) -> Result<Evaluation> {
    let lines = plan(study, request)?;
    let targets = targets::targets(&study.truths, &study.gallery);
    let mut models = Vec::new();
    let mut ceiling = None;
    let mut undefined = Vec::new();
    for model in &study.models {
        let counted = rank::count(model, &targets, Folds::of(&study.gallery), watch)?;
        let Some(counted) = counted else { break };
        let values = |ideal| {
            let mut sets = RankSets::new(study, &targets, &counted, ideal);
            values(&mut sets, &lines)
        };
        // The ceiling is as much work as a model's own values.
        let ((of_model, too_deep), perfect) = rayon::join(
            || values(false),
            || (request.ceiling && ceiling.is_none()).then(|| values(true).0),
        );
        ceiling = ceiling.or(perfect);
        let told = |direction| too_early(&model.name, direction, &counted, &too_deep);
        undefined.extend(Direction::BOTH.into_iter().filter_map(told));
        models.push((model.name.clone(), model.source.clone(), of_model));
    }
    let judged = study.truths.iter().map(|truth| {
        let covered = |direction| truth.relevance[direction].as_ref().map(Relevance::len);
        (truth.name.clone(), PerDirection::from_fn(covered))
    });
    Ok(Evaluation {
        images: study.gallery.images.len(),
        captions: study.gallery.captions.len(),
        judged: judged.collect(),
        lines,
        models,
        ceiling,
        undefined,
    })
}
