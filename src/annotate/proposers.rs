//! Proposers of each pair, over a study's gallery.

use rustc_hash::{FxHashMap, FxHashSet};

use super::pool::Pool;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::judgment::Pair;
use crate::truth::relevance::Relevance;

/// Maximum number of models in a pool: each has a bit of a `u64`, and one bit is for all ground truths.
const MAX_MODELS: usize = 63;
/// Bit for proposals by any ground truth.
const TRUTHS_BIT: u64 = 1 << MAX_MODELS;

/// The models that proposed each pair.
#[derive(Debug, Clone)]
pub struct Proposers {
    /// The models of the pool, in its order.
    pub models: Vec<String>,
    /// Queries of the pool, as gallery indices; captions that are only items are excluded.
    pub queries: PerDirection<FxHashSet<u32>>,
    /// Bits of the proposers of each pair.
    proposers: FxHashMap<Pair, u64>,
    /// A truth with positives known before the pool.
    pub base: Option<Truth>,
    /// Number of pairs missing from the gallery.
    pub outside: usize,
}

/// Number of positives of a ground truth in one direction: all, and those of one model.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ProposalCounts {
    /// Number of positives inside the gallery.
    pub positives: usize,
    /// Number of positives proposed by the model.
    pub proposed: usize,
    /// Number of positives proposed by no other model and no ground truth.
    pub alone: usize,
}

impl Proposers {
    /// Looks up the pairs of a pool in the gallery. `base` has positives known before it; `file` is the pool's name.
    ///
    /// # Errors
    /// A pool of more than 63 models, or without pairs in the gallery.
    pub fn from_pool(pool: &Pool, study: &Study, file: &str, base: Option<Truth>) -> Result<Self> {
        pool.require_gallery(&study.gallery, file)?;
        let models = pool.head.models.clone();
        if models.len() > MAX_MODELS {
            return Err(Error::new(file, format!("{} models", models.len()))
                .expected(format!("at most {MAX_MODELS}")));
        }
        let bits: FxHashMap<&str, u64> =
            models.iter().map(String::as_str).zip((0..).map(|at| 1 << at)).collect();
        let mut proposers: FxHashMap<Pair, u64> = FxHashMap::default();
        let mut queries = PerDirection::<FxHashSet<u32>>::default();
        let mut outside = 0;
        for pair in &pool.pairs {
            let Some(found) = Pair::find(&study.gallery, &pair.image, &pair.caption) else {
                outside += 1;
                continue;
            };
            let directions = pair.proposals.iter().map(|one| one.direction);
            for direction in directions.chain([pair.query_direction]) {
                queries[direction].insert(found.query_and_item(direction).0.raw());
            }
            let bit = |name: &str| bits.get(name).copied().unwrap_or(TRUTHS_BIT);
            let proposals = pair.proposals.iter().map(|one| bit(&one.model));
            *proposers.entry(found).or_default() |= proposals.fold(0, |all, bit| all | bit);
        }
        Ok(Proposers { models, queries, proposers, base, outside })
    }

    /// Whether a pair was a positive before the pool.
    fn is_known(&self, direction: Direction, query: u32, item: u32) -> bool {
        let relevance = self.base.as_ref().and_then(|base| base.relevance[direction].as_ref());
        relevance.and_then(|of| of.contains(query.into(), item.into())) == Some(true)
    }

    /// Index of a model in `models`; `None` if it is not in the pool.
    pub fn model_index(&self, model: &str) -> Option<usize> {
        self.models.iter().position(|name| name == model)
    }

    /// The items of all pooled pairs by query, as gallery indices.
    pub fn items(&self, direction: Direction) -> FxHashMap<u32, Vec<u32>> {
        let mut items: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for pair in self.proposers.keys() {
            let (query, item) = pair.query_and_item(direction);
            items.entry(query.raw()).or_default().push(item.raw());
        }
        items
    }

    /// Bits of the proposers of a pair; 0 if it is not in the pool.
    fn bits(&self, direction: Direction, query: u32, item: u32) -> u64 {
        let pair = Pair::from_query(direction, query.into(), item.into());
        self.proposers.get(&pair).copied().unwrap_or(0)
    }

    /// The truth without the positives that only the model at index `model` proposed. Positives known before the pool
    /// stay.
    pub fn drop_unique(&self, truth: &Truth, model: usize) -> Truth {
        let alone = 1 << model;
        self.filter(truth, |bits| bits != alone, true)
    }

    /// The truth with only a model's proposals, and positives known before; items outside the gallery are excluded.
    pub fn restrict(&self, truth: &Truth, model: usize) -> Truth {
        let own = 1 << model;
        self.filter(truth, |bits| bits & own != 0, false)
    }

    /// The truth with only the positives known before, and those whose proposer bits `keeps` accepts; `keeps_outside`
    /// says whether items outside the gallery stay.
    fn filter(&self, truth: &Truth, keeps: impl Fn(u64) -> bool, keeps_outside: bool) -> Truth {
        let is_kept = |direction, query, item| {
            keeps(self.bits(direction, query, item)) || self.is_known(direction, query, item)
        };
        truth.filter_pairs(is_kept, keeps_outside)
    }

    /// Number of positives neither proposed nor known before.
    pub fn unproposed_count(&self, truth: &Truth) -> usize {
        let is_unproposed = |direction, query, item| {
            self.bits(direction, query, item) == 0 && !self.is_known(direction, query, item)
        };
        let unproposed = truth.filter_pairs(is_unproposed, true);
        let counts = Direction::both(|direction| unproposed.relevance[direction].as_ref());
        counts.into_iter().flatten().map(Relevance::pair_count).sum()
    }

    /// Counts the positives that a model proposed; `None` for a direction that the truth lacks.
    pub fn proposals(&self, truth: &Truth, model: usize) -> PerDirection<Option<ProposalCounts>> {
        let own = 1 << model;
        PerDirection::from_fn(|direction| {
            let relevance = truth.relevance[direction].as_ref()?;
            let mut counts = ProposalCounts::default();
            for (place, &query) in relevance.queries().iter().enumerate() {
                for item in relevance.positives(place) {
                    let bits = self.bits(direction, query, item);
                    counts.positives += 1;
                    counts.proposed += usize::from(bits & own != 0);
                    counts.alone += usize::from(bits == own);
                }
            }
            Some(counts)
        })
    }
}
