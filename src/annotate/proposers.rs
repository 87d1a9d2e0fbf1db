//! Proposers of each pair, over a study's gallery.

use rustc_hash::{FxHashMap, FxHashSet};

use super::pool::Pool;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::judgment::Pair;
use crate::truth::relevance::Relevance;

/// Maximum models per pool here.
const MAX_MODELS: usize = 63;
/// Bit for proposals by ground truths.
const TRUTHS: u64 = 1 << MAX_MODELS;

/// The models that proposed each pair.
#[derive(Debug, Clone)]
pub struct Proposers {
    /// The models of the pool, in its order.
    pub models: Vec<String>,
    /// Queries of the pool; captions that are only items are excluded.
    pub asked: PerDirection<FxHashSet<u32>>,
    /// Model bits by image and caption, as gallery indices.
    of_pair: FxHashMap<Pair, u64>,
    /// A truth with positives known before the pool.
    pub base: Option<Truth>,
    /// Pairs missing from the gallery.
    pub outside: usize,
}

/// Positives of a ground truth by proposer, in one direction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Share {
    /// Positives inside the gallery.
    pub positives: usize,
    /// Positives proposed by the model.
    pub proposed: usize,
    /// Positives proposed only by it.
    pub alone: usize,
}

impl Proposers {
    /// Looks up the pairs of a pool; `base` has positives known before it.
    ///
    /// # Errors
    /// A pool of more than 63 models, or without pairs in the gallery.
    pub fn from_pool(pool: &Pool, study: &Study, file: &str, base: Option<Truth>) -> Result<Self> {
        pool.require_in(&study.gallery, file)?;
        let models = pool.head.models.clone();
        if models.len() > MAX_MODELS {
            return Err(Error::new(file, format!("{} models", models.len()))
                .expected(format!("at most {MAX_MODELS}")));
        }
        let bits: FxHashMap<&str, u64> =
            models.iter().map(String::as_str).zip((0..).map(|at| 1 << at)).collect();
        let mut of_pair: FxHashMap<Pair, u64> = FxHashMap::default();
        let mut asked = PerDirection::<FxHashSet<u32>>::default();
        let mut outside = 0;
        for pair in &pool.pairs {
            let Some(found) = Pair::find(&study.gallery, &pair.image, &pair.caption) else {
                outside += 1;
                continue;
            };
            let directions = pair.proposals.iter().map(|one| one.direction);
            for direction in directions.chain([pair.query_direction]) {
                asked[direction].insert(found.query_and_item(direction).0.raw());
            }
            let bit = |name: &str| bits.get(name).copied().unwrap_or(TRUTHS);
            let proposals = pair.proposals.iter().map(|one| bit(&one.model));
            *of_pair.entry(found).or_default() |= proposals.fold(0, |all, bit| all | bit);
        }
        Ok(Proposers { models, asked, of_pair, base, outside })
    }

    fn is_known(&self, direction: Direction, query: u32, item: u32) -> bool {
        let relevance = self.base.as_ref().and_then(|base| base.relevance[direction].as_ref());
        relevance.and_then(|of| of.contains(query.into(), item.into())) == Some(true)
    }

    /// Index of a model by name.
    pub fn place(&self, model: &str) -> Option<usize> {
        self.models.iter().position(|name| name == model)
    }

    /// Pooled items by query.
    pub fn items(&self, direction: Direction) -> FxHashMap<u32, Vec<u32>> {
        let mut items: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        for pair in self.of_pair.keys() {
            let (query, item) = pair.query_and_item(direction);
            items.entry(query.raw()).or_default().push(item.raw());
        }
        items
    }

    fn bits(&self, direction: Direction, query: u32, item: u32) -> u64 {
        let pair = Pair::from_query(direction, query.into(), item.into());
        self.of_pair.get(&pair).copied().unwrap_or(0)
    }

    /// The truth without new positives proposed only by one model.
    pub fn without(&self, truth: &Truth, model: usize) -> Truth {
        let alone = 1 << model;
        self.keeping(truth, |bits| bits != alone, true)
    }

    /// The truth with only a model's proposals, and positives known before; items outside the gallery are excluded.
    pub fn only(&self, truth: &Truth, model: usize) -> Truth {
        let own = 1 << model;
        self.keeping(truth, |bits| bits & own != 0, false)
    }

    fn keeping(&self, truth: &Truth, keeps: impl Fn(u64) -> bool, keeps_outside: bool) -> Truth {
        let is_kept = |direction, query, item| {
            keeps(self.bits(direction, query, item)) || self.is_known(direction, query, item)
        };
        truth.keeping(is_kept, keeps_outside)
    }

    /// Number of positives neither proposed nor known before.
    pub fn of_nobody(&self, truth: &Truth) -> usize {
        let is_of_nobody = |direction, query, item| {
            self.bits(direction, query, item) == 0 && !self.is_known(direction, query, item)
        };
        let left = truth.keeping(is_of_nobody, true);
        let counts = Direction::both(|direction| left.relevance[direction].as_ref());
        counts.into_iter().flatten().map(Relevance::pair_count).sum()
    }

    /// Number of positives proposed by a model, and only by it.
    pub fn shares(&self, truth: &Truth, model: usize) -> PerDirection<Option<Share>> {
        let own = 1 << model;
        PerDirection::from_fn(|direction| {
            let relevance = truth.relevance[direction].as_ref()?;
            let mut share = Share::default();
            for (place, &query) in relevance.queries().iter().enumerate() {
                for item in relevance.positives(place) {
                    let bits = self.bits(direction, query, item);
                    share.positives += 1;
                    share.proposed += usize::from(bits & own != 0);
                    share.alone += usize::from(bits == own);
                }
            }
            Some(share)
        })
    }
}
