//! Reusability of a pooled ground truth for models outside the pool: unjudged retrieved items, and the loss of each
//! pool model without its own proposals.
//!
//! Leave-one-out of pooled collections: J. Zobel, "How reliable are the results of large-scale information retrieval
//! experiments?", SIGIR 1998, doi:10.1145/290941.291014.

use rustc_hash::{FxHashMap, FxHashSet};

use super::effect::{Effect, compute_ranks, effects};
use super::proposers::{ProposalCounts, Proposers};
use crate::analysis::clusters::Clustering;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::metric::mean;
use crate::rank::{QueryRanks, Ranks};
use crate::study::Study;
use crate::truth::Truth;
use crate::truth::relevance::Relevance;

/// Depths for the share of unjudged items.
pub const DEPTHS: [u32; 4] = [1, 5, 10, 25];

/// Reusability of a pooled truth for one model.
#[derive(Debug, Clone)]
pub struct ModelReuse {
    /// Name of the model.
    pub model: String,
    /// Mean share of the top [`DEPTHS`] items that are in neither the pool, the truth, nor the earlier truth. A share
    /// is `None` if a ranking or the gallery ends before its depth, a direction if the pool has no queries in it.
    pub unjudged: PerDirection<Option<[Option<f64>; 4]>>,
    /// Number of positives that the model proposed; `None` if it is not in the pool.
    pub proposals: Option<PerDirection<Option<ProposalCounts>>>,
    /// Its metrics under the whole truth, and without its unique proposals; empty if it is not in the pool.
    pub losses: Vec<Effect>,
}

/// Reusability of a pooled truth for each model of a study.
///
/// # Errors
/// As [`compute_ranks`].
pub fn compute_reuse(study: &Study, truth: &Truth, pool: &Proposers) -> Result<Vec<ModelReuse>> {
    let images = Clustering::ByImage.images(study);
    let pooled = PerDirection::from_fn(|direction| pool.items(direction));
    let known = known_as_positives([Some(truth), pool.base.as_ref()], &pooled);
    let sizes = study.gallery.sizes();
    let has_queries = |direction: Direction| !pool.queries[direction].is_empty();
    let model_reuse = |model: &Model| {
        let place = pool.model_index(&model.name);
        let mut truths = vec![truth.clone(), known.clone()];
        truths.extend(place.map(|place| pool.drop_unique(truth, place)));
        let ranks = compute_ranks(study, &truths, model)?;
        let losses = place.map(|_| effects(&model.name, [0, 2], &ranks, images.as_deref()));
        let mut losses = losses.unwrap_or_default();
        losses.retain(|one| has_queries(one.direction));
        Ok(ModelReuse {
            model: model.name.clone(),
            unjudged: PerDirection::from_fn(|direction| {
                let ranks = ranks.get(1)?[direction].as_ref().filter(|_| has_queries(direction))?;
                let items = sizes[direction.flipped()];
                Some(DEPTHS.map(|k| unjudged_share(ranks, &pool.queries[direction], k, items)))
            }),
            proposals: place.map(|place| {
                let all = pool.proposals(truth, place);
                PerDirection::from_fn(|one| all[one].filter(|_| has_queries(one)))
            }),
            losses,
        })
    };
    study.models.iter().map(model_reuse).collect()
}

/// The pooled items of each query, as gallery indices.
type PooledItems = FxHashMap<u32, Vec<u32>>;

/// A truth that covers the queries of `truths[0]`. The positives of a query are its pooled items, and all items that
/// any of `truths` lists or has as judged not relevant.
fn known_as_positives(truths: [Option<&Truth>; 2], pooled: &PerDirection<PooledItems>) -> Truth {
    let mut known = Truth::new("known");
    for direction in Direction::BOTH {
        let of_truth = |truth: Option<&'_ Truth>| truth?.relevance[direction].clone();
        let each = truths.map(of_truth);
        let listed = |relevance: &Relevance, query: u32| {
            let place = relevance.place(query as usize);
            let mut all: Vec<u32> = Vec::new();
            if let Some(place) = place {
                all.extend(relevance.positives(place).iter());
                all.extend(relevance.judged_nonpositives(place).into_iter().map(|(item, _)| item));
            }
            all
        };
        known.relevance[direction] = each[0].as_ref().map(|relevance| {
            relevance.with_positives(|_, query| {
                let of_truths = each.iter().flatten();
                let mut all: Vec<u32> = of_truths.flat_map(|one| listed(one, query)).collect();
                all.extend(pooled[direction].get(&query).into_iter().flatten());
                all.sort_unstable();
                all.dedup();
                all
            })
        });
    }
    known
}

/// Mean share of unjudged items in the top `k`, over `queries` of the pool; `None` without queries, or if a ranking or
/// the gallery of `items` items is shorter than `k`. `known` has the ranks of pooled, listed and judged items.
fn unjudged_share(known: &Ranks, queries: &FxHashSet<u32>, k: u32, items: usize) -> Option<f64> {
    let of_pool = known.queries().iter().zip(known.iter());
    let of_pool = of_pool.filter(|(query, _)| queries.contains(*query));
    let share = |query: QueryRanks<'_>| {
        let is_whole = query.depth.is_none_or(|depth| depth >= k);
        is_whole.then(|| 1.0 - query.ranks.count_to(k) as f64 / f64::from(k))
    };
    let shares: Option<Vec<f64>> = of_pool.map(|(_, query)| share(query)).collect();
    let shares = shares.filter(|shares| !shares.is_empty() && items >= k as usize)?;
    Some(mean::pairwise(&shares))
}
