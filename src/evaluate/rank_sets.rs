//! The ranks that the lines of an evaluation need.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Value;
use super::parts::mean_of;
use super::plan::{Line, Rule};
use crate::data::gallery::{Fold, Folds};
use crate::data::index::TruthIx;
use crate::data::parallel;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::metric::rsum::{Sum, rsum};
use crate::metric::{Shortage, Spec, Summary};
use crate::rank::counter::{Counter, TruthRanks};
use crate::rank::pass::CancelToken;
use crate::rank::targets::{self, Targets};
use crate::rank::{self, Ranks, TargetRanks};
use crate::study::{Pool, Study};

/// The lines whose values a sum adds up, under a truth in a pool.
pub fn sum_lines(sum: Sum, pool: Pool, truth: TruthIx) -> [Line; 3] {
    let line = |spec: Spec| Line { key: spec.to_string(), truth, rule: Rule::Metric(spec, pool) };
    sum.summands().map(line)
}

/// Counters of the ranks that lines need: the whole gallery and its folds in one pass, every other pool separately.
pub struct Counters {
    /// For the whole gallery; `None` if no line needs it or its folds.
    targets: Option<Targets>,
    folds: Option<Folds>,
    /// For every other pool.
    apart: Vec<(Pool, Counter)>,
}

/// Counts of one model that give its ranks in every pool that lines need.
pub struct ModelCounts<'a> {
    counters: &'a Counters,
    /// Over the whole gallery; empty if no line needs it.
    pub counted: PerDirection<TargetRanks>,
    /// The ranks in every other pool.
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

    /// Counts the ranks of a model in every pool; `None` if cancelled.
    ///
    /// # Errors
    /// As [`rank::rank_targets`].
    pub fn count(&self, model: &Model, token: &CancelToken) -> Result<Option<ModelCounts<'_>>> {
        let counted = match &self.targets {
            Some(targets) => rank::rank_targets(model, targets, self.folds, token)?,
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
        Ok(Some(ModelCounts { counters: self, counted, apart }))
    }
}

impl ModelCounts<'_> {
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

/// The ranks of one model under every truth and pool of some lines.
pub struct RankSets {
    folds: Option<Folds>,
    ranks: BTreeMap<(TruthIx, Pool), PerDirection<Option<Arc<Ranks>>>>,
}

/// For each direction, why rankings are too short for a value; `None` if they are not.
pub type Shortages = PerDirection<Option<Shortage>>;

impl RankSets {
    /// The ranks that `lines` need, from the counts of a model; with `ideal`, those of a perfect model instead.
    pub fn new(study: &Study, counts: &ModelCounts<'_>, lines: &[Line], ideal: bool) -> Self {
        let folds = counts.counters.folds;
        let pools = |line: &Line| match line.rule.pool() {
            Pool::Folds => (0..folds.map_or(0, |folds| folds.count)).map(Pool::Fold).collect(),
            pool => vec![pool],
        };
        let keys =
            lines.iter().flat_map(|line| pools(line).into_iter().map(|pool| (line.truth, pool)));
        let keys: Vec<(TruthIx, Pool)> = keys.collect::<BTreeSet<_>>().into_iter().collect();
        let ranks = |&(truth, pool): &(TruthIx, Pool)| {
            PerDirection::from_fn(|direction| {
                let ranks = counts.ranks(study, truth, direction, pool)?;
                Some(if ideal { Arc::new(ranks.ideal()) } else { ranks })
            })
        };
        let ranks = parallel::map(&keys, ranks);
        RankSets { folds, ranks: keys.into_iter().zip(ranks).collect() }
    }

    /// The ranks under a truth in a pool; `None` if the truth lacks the direction, or no line needs the pool.
    pub fn get(&self, truth: TruthIx, direction: Direction, pool: Pool) -> Option<&Ranks> {
        self.ranks.get(&(truth, pool))?[direction].as_deref()
    }

    /// The value of a line, and the shortage of its rankings in each direction.
    pub fn value(&self, line: &Line) -> (Value, Shortages) {
        let mut shortages = Shortages::default();
        let mut summary = |direction, spec| {
            let summary = self.summary(line.truth, direction, line.rule.pool(), spec)?;
            shortages[direction] = Shortage::join(shortages[direction], summary.shortage);
            Some(summary)
        };
        let value = match line.rule {
            Rule::Metric(spec, _) => {
                Value::Each(PerDirection::from_fn(|direction| summary(direction, spec)))
            }
            Rule::Sum(sum, _) => Value::Both(rsum(&PerDirection::from_fn(|direction| {
                sum.summands().map(|spec| summary(direction, spec)?.value)
            }))),
        };
        (value, shortages)
    }

    /// A metric under a truth in a pool, for folds the mean over them; `None` if the truth lacks the direction.
    fn summary(
        &self,
        truth: TruthIx,
        direction: Direction,
        pool: Pool,
        spec: Spec,
    ) -> Option<Summary> {
        if pool != Pool::Folds {
            return Some(spec.summary(self.get(truth, direction, pool)?));
        }
        let mut of_folds = Vec::new();
        for fold in (0..self.folds?.count).map(Pool::Fold) {
            let ranks = self.get(truth, direction, fold)?;
            if !ranks.is_empty() {
                of_folds.push(spec.summary(ranks));
            }
        }
        Some(mean_of(of_folds.into_iter()))
    }
}
