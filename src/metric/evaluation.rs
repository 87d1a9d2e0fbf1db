//! A study's numbers: every line of a [`plan`], for every model.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::depth::Undefined;
use super::parts::mean_of;
use super::plan::{Line, Request, Rule, plan};
use super::{METRICS, Shortage, Spec, Summary, rsum};
use crate::data::folds::{Fold, Folds};
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::counter::{Counter, TruthRanks};
use crate::rank::pass::Watch;
use crate::rank::targets::{self, Targets};
use crate::rank::{self, Counted, Ranks};
use crate::study::{Pool, Study};
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
    /// Those of pools that are counted by themselves.
    apart: &'a BTreeMap<Pool, TruthRanks>,
    made: BTreeMap<(usize, Direction, Pool), Option<Arc<Ranks>>>,
    ideal: bool,
    /// What the rankings were too short for since this was last taken.
    shortage: PerDirection<Option<Shortage>>,
}

impl<'a> RankSets<'a> {
    /// Ranks from counted targets, and those of pools counted by themselves; with `ideal`, those of a
    /// perfect model instead.
    pub fn new(
        study: &'a Study,
        targets: &'a Targets,
        counted: &'a PerDirection<Counted>,
        apart: &'a BTreeMap<Pool, TruthRanks>,
        ideal: bool,
    ) -> Self {
        let folds = Folds::of(&study.gallery);
        RankSets {
            study,
            targets,
            counted,
            folds,
            apart,
            made: BTreeMap::new(),
            ideal,
            shortage: PerDirection::default(),
        }
    }

    /// The ranks of one truth; `None` where it lacks the direction.
    pub fn get(&mut self, truth: usize, direction: Direction, pool: Pool) -> Option<&Ranks> {
        let make = || {
            let ranks = match self.apart.get(&pool) {
                Some(ranks) => ranks[truth][direction].clone()?,
                None => {
                    let relevance = self.study.truths[truth].relevance[direction].as_ref()?;
                    let fold = match pool {
                        Pool::Fold(at) => Some(Fold {
                            at,
                            of: self.folds?,
                        }),
                        _ => None,
                    };
                    let (targets, counted) = (&self.targets[direction], &self.counted[direction]);
                    Ranks::of(relevance, targets, counted, fold)
                }
            };
            Some(if self.ideal {
                Arc::new(ranks.ideal())
            } else {
                ranks
            })
        };
        self.made
            .entry((truth, direction, pool))
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
        let mut of_folds = Vec::new();
        for fold in (0..self.folds?.count).map(Pool::Fold) {
            if !self.get(truth, direction, fold)?.is_empty() {
                of_folds.push(self.summary(truth, direction, fold, spec)?);
            }
        }
        Some(mean_of(of_folds.into_iter()))
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

/// What counts the ranks that lines ask for.
struct Counters {
    targets: Targets,
    /// Whether any line asks for the whole gallery or its folds, which one pass counts together.
    is_whole: bool,
    /// Pools that are counted by themselves.
    apart: Vec<(Pool, Counter)>,
}

impl Counters {
    fn new(study: &Study, lines: &[Line]) -> Result<Self> {
        let pools: BTreeSet<Pool> = lines.iter().map(|line| line.rule.pool()).collect();
        let is_whole = |pool: &Pool| matches!(pool, Pool::All | Pool::Folds | Pool::Fold(_));
        let counter = |pool: Pool| {
            let study = study.in_pool(pool)?;
            let counter = Counter::new(&study.truths, &study.gallery, study.arena.as_ref());
            Ok((pool, counter))
        };
        let apart = pools.iter().copied().filter(|pool| !is_whole(pool));
        Ok(Counters {
            targets: targets::targets(&study.truths, &study.gallery),
            is_whole: pools.iter().any(is_whole),
            apart: apart.map(counter).collect::<Result<_>>()?,
        })
    }

    /// The counted targets of a model, and the ranks in pools counted by themselves; `None` when it
    /// was cancelled.
    fn count(
        &self,
        study: &Study,
        model: &Model,
        watch: &Watch,
    ) -> Result<Option<(PerDirection<Counted>, BTreeMap<Pool, TruthRanks>)>> {
        let counted = if self.is_whole {
            rank::count(model, &self.targets, Folds::of(&study.gallery), watch)?
        } else {
            Some(PerDirection::default())
        };
        let Some(counted) = counted else {
            return Ok(None);
        };
        let mut apart = BTreeMap::new();
        for (pool, counter) in &self.apart {
            let Some(ranks) = counter.ranks(model, watch)? else {
                return Ok(None);
            };
            apart.insert(*pool, ranks);
        }
        Ok(Some((counted, apart)))
    }
}

/// Computes all lines for all models; `watch` is told which model is being read.
///
/// # Errors
/// As [`plan`] and [`rank::count`].
pub fn evaluate(study: &Study, request: &Request, watch: &Watch) -> Result<Evaluation> {
    let lines = plan(study, request)?;
    let counters = Counters::new(study, &lines)?;
    let mut models = Vec::new();
    let mut ceiling = None;
    let mut undefined = Vec::new();
    for model in &study.models {
        let Some((counted, apart)) = counters.count(study, model, watch)? else {
            break;
        };
        let values = |ideal| {
            let mut sets = RankSets::new(study, &counters.targets, &counted, &apart, ideal);
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
