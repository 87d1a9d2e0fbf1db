//! A study's numbers: every line of a [`plan`], for every model.

use std::collections::BTreeMap;

use super::plan::{Line, Request, Rule, plan};
use super::{METRICS, Spec, Summary, mean, rsum};
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
    /// What a perfect model would get.
    pub ceiling: Vec<Value>,
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
/// As [`plan`] and [`rank::count`].
pub fn evaluate(study: &Study, request: &Request, watch: &Watch) -> Result<Evaluation> {
    let lines = plan(study, request)?;
    let targets = targets::targets(&study.truths, &study.gallery);
    let mut models = Vec::new();
    let mut ceiling = Vec::new();
    for model in &study.models {
        let counted = rank::count(model, &targets, Folds::of(&study.gallery), watch)?;
        let Some(counted) = counted else { break };
        let values = |ideal| {
            let mut sets = RankSets::new(study, &targets, &counted, ideal);
            lines
                .iter()
                .map(|line| sets.value(line))
                .collect::<Vec<Value>>()
        };
        // The ceiling is as much work as a model's own values.
        let (own, perfect) = rayon::join(
            || values(false),
            || ceiling.is_empty().then(|| values(true)),
        );
        if let Some(perfect) = perfect {
            ceiling = perfect;
        }
        models.push((
            model.name.clone(),
            model.scores.npy().source().display(),
            own,
        ));
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
    })
}
