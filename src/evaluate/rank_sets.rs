//! The ranks that the lines of an evaluation need.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Value;
use super::parts::mean_of;
use super::plan::{Line, Rule};
use crate::data::gallery::{Fold, Folds};
use crate::data::index::TruthIx;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::metric::rsum::{Sum, rsum};
use crate::metric::{Shortage, Spec, Summary};
use crate::rank::counter::{Counter, TruthRanks};
use crate::rank::pass::CancelToken;
use crate::rank::targets::{self, Targets};
use crate::rank::{self, Counted, Ranks};
use crate::study::{Pool, Study};

/// The lines that a sum over a pool adds.
pub fn summed(sum: Sum, pool: Pool, truth: TruthIx) -> [Line; 3] {
    let line = |spec: Spec| Line { key: spec.to_string(), truth, rule: Rule::Metric(spec, pool) };
    sum.parts().map(line)
}

/// Counters of the ranks that lines need: the whole gallery and its folds in one pass, every other pool separately.
pub struct Counters {
    /// For the whole gallery; `None` if no line needs it or its folds.
    targets: Option<Targets>,
    folds: Option<Folds>,
    apart: Vec<(Pool, Counter)>,
}

/// Counts of one model.
pub struct Counts<'a> {
    counters: &'a Counters,
    /// Over the whole gallery; empty if no line needs it.
    pub counted: PerDirection<Counted>,
    apart: BTreeMap<Pool, TruthRanks>,
}

impl Counters {
    /// Counters of these lines' pools.
    ///
    /// # Errors
    /// As [`Study::in_pool`].
    pub fn new(study: &Study, lines: &[Line]) -> Result<Self> {
        let pools: BTreeSet<Pool> = lines.iter().map(|line| line.rule.pool()).collect();
        let is_whole = |pool: &Pool| matches!(pool, Pool::All | Pool::Folds | Pool::Fold(_));
        let counter = |pool: Pool| {
            let study = study.in_pool(pool)?;
            let counter = Counter::new(&study.truths, &study.gallery, study.mask.as_ref());
            Ok((pool, counter))
        };
        let apart = pools.iter().copied().filter(|pool| !is_whole(pool));
        let whole = pools.iter().any(is_whole);
        Ok(Counters {
            targets: whole.then(|| targets::targets(&study.truths, &study.gallery)),
            folds: Folds::for_gallery(&study.gallery),
            apart: apart.map(counter).collect::<Result<_>>()?,
        })
    }

    /// Counts a model; `None` if cancelled.
    ///
    /// # Errors
    /// As [`rank::count`].
    pub fn count(&self, model: &Model, token: &CancelToken) -> Result<Option<Counts<'_>>> {
        let counted = match &self.targets {
            Some(targets) => rank::count(model, targets, self.folds, token)?,
            None => Some(PerDirection::default()),
        };
        let Some(counted) = counted else {
            return Ok(None);
        };
        let mut apart = BTreeMap::new();
        for (pool, counter) in &self.apart {
            let Some(ranks) = counter.ranks(model, token)? else {
                return Ok(None);
            };
            apart.insert(*pool, ranks);
        }
        Ok(Some(Counts { counters: self, counted, apart }))
    }
}

impl Counts<'_> {
    /// The ranks under a truth in a pool; `None` if the truth lacks the direction.
    fn ranks(
        &self,
        study: &Study,
        truth: TruthIx,
        direction: Direction,
        pool: Pool,
    ) -> Option<Arc<Ranks>> {
        if let Some(ranks) = self.apart.get(&pool) {
            return ranks[truth.get()][direction].clone();
        }
        let relevance = study.truths[truth].relevance[direction].as_ref()?;
        let fold = match pool {
            Pool::Fold(at) => {
                let of = self.counters.folds?;
                Some(Fold { at, of })
            }
            _ => None,
        };
        let targets = &self.counters.targets.as_ref()?[direction];
        Some(Ranks::from_counts(relevance, targets, &self.counted[direction], fold))
    }
}

/// The ranks of one model under every truth and pool in the lines, computed when first needed.
pub struct RankSets<'a> {
    study: &'a Study,
    counts: &'a Counts<'a>,
    made: BTreeMap<(TruthIx, Direction, Pool), Option<Arc<Ranks>>>,
    ideal: bool,
    /// Shortage of the rankings since [`Self::take_shortage`].
    shortage: PerDirection<Option<Shortage>>,
}

impl<'a> RankSets<'a> {
    /// The ranks of a counted model; with `ideal`, those of a perfect model instead.
    pub fn new(study: &'a Study, counts: &'a Counts<'a>, ideal: bool) -> Self {
        RankSets { study, counts, made: BTreeMap::new(), ideal, shortage: PerDirection::default() }
    }

    /// The ranks of one truth; `None` if it lacks the direction.
    pub fn get(&mut self, truth: TruthIx, direction: Direction, pool: Pool) -> Option<&Ranks> {
        let make = || {
            let ranks = self.counts.ranks(self.study, truth, direction, pool)?;
            Some(if self.ideal { Arc::new(ranks.ideal()) } else { ranks })
        };
        self.made.entry((truth, direction, pool)).or_insert_with(make).as_deref()
    }

    /// The value of a line.
    pub fn value(&mut self, line: &Line) -> Value {
        let truth = line.truth;
        match line.rule {
            Rule::Metric(spec, pool) => Value::Each(PerDirection::from_fn(|direction| {
                self.summary(truth, direction, pool, spec)
            })),
            Rule::Sum(sum, pool) => {
                let mut value = |direction, spec| self.summary(truth, direction, pool, spec)?.value;
                Value::Both(rsum(&PerDirection::from_fn(|direction| {
                    sum.parts().map(|spec| value(direction, spec))
                })))
            }
        }
    }

    fn summary(
        &mut self,
        truth: TruthIx,
        direction: Direction,
        pool: Pool,
        spec: Spec,
    ) -> Option<Summary> {
        if pool == Pool::Folds {
            return self.fold_mean(truth, direction, spec);
        }
        let summary = spec.summary(self.get(truth, direction, pool)?);
        self.shortage[direction] = Shortage::joined(self.shortage[direction], summary.shortage);
        Some(summary)
    }

    fn fold_mean(&mut self, truth: TruthIx, direction: Direction, spec: Spec) -> Option<Summary> {
        let mut of_folds = Vec::new();
        for fold in (0..self.counts.counters.folds?.count).map(Pool::Fold) {
            if !self.get(truth, direction, fold)?.is_empty() {
                of_folds.push(self.summary(truth, direction, fold, spec)?);
            }
        }
        Some(mean_of(of_folds.into_iter()))
    }

    /// Shortage of the rankings of each direction since the last call.
    pub fn take_shortage(&mut self) -> PerDirection<Option<Shortage>> {
        std::mem::take(&mut self.shortage)
    }
}
