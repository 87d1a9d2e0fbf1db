//! Reusability of a pooled ground truth for models outside the pool: unjudged retrieved items, and the loss of each
//! pool model without its own proposals.
//!
//! Leave-one-out of pooled collections: J. Zobel, "How reliable are the results of large-scale information retrieval
//! experiments?", SIGIR 1998, doi:10.1145/290941.291014.

use rustc_hash::{FxHashMap, FxHashSet};

use super::effect::{Effect, effects, ranks};
use super::proposers::{Proposers, Share};
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

/// A model.
#[derive(Debug, Clone)]
pub struct Reused {
    /// Its name.
    pub model: String,
    /// Mean share of the top [`DEPTHS`] in neither the pool, the truth, nor the earlier truth; `None` if a ranking or
    /// the gallery ends earlier. Empty, like all below, for directions outside the pool.
    pub unjudged: PerDirection<Option<[Option<f64>; 4]>>,
    /// Its proposed positives; `None` if it was not in the pool.
    pub shares: Option<PerDirection<Option<Share>>>,
    /// Its metrics under the whole truth, and without its unique proposals; empty if it was not in the pool.
    pub losses: Vec<Effect>,
}

/// Reusability for each model under a pooled truth.
///
/// # Errors
/// As ranks are computed.
pub fn reuse(study: &Study, truth: &Truth, proposed: &Proposers) -> Result<Vec<Reused>> {
    let images = Clustering::ByImage.images(study);
    let pooled = PerDirection::from_fn(|direction| proposed.items(direction));
    let known = known([Some(truth), proposed.base.as_ref()], &pooled);
    let sizes = study.gallery.sizes();
    let asks = |direction: Direction| !proposed.asked[direction].is_empty();
    let of = |model: &Model| {
        let place = proposed.place(&model.name);
        let mut truths = vec![truth.clone(), known.clone()];
        truths.extend(place.map(|place| proposed.without(truth, place)));
        let ranks = ranks(study, &truths, model)?;
        let losses = place.map(|_| effects(&model.name, [0, 2], &ranks, images.as_deref()));
        let mut losses = losses.unwrap_or_default();
        losses.retain(|one| asks(one.direction));
        Ok(Reused {
            model: model.name.clone(),
            unjudged: PerDirection::from_fn(|direction| {
                let ranks = ranks.get(1)?[direction].as_ref();
                let ranks = ranks.filter(|_| asks(direction))?;
                let items = sizes[direction.flipped()];
                Some(DEPTHS.map(|k| unjudged(ranks, &proposed.asked[direction], k, items)))
            }),
            shares: place.map(|place| {
                let all = proposed.shares(truth, place);
                PerDirection::from_fn(|one| all[one].filter(|_| asks(one)))
            }),
            losses,
        })
    };
    study.models.iter().map(of).collect()
}

/// The pooled items of each query.
type Pooled = FxHashMap<u32, Vec<u32>>;

/// All pooled, judged or listed items for queries of the first truth, as positives.
fn known(truths: [Option<&Truth>; 2], pooled: &PerDirection<Pooled>) -> Truth {
    let mut known = Truth::new("known");
    for direction in Direction::BOTH {
        let of_truth = |truth: Option<&'_ Truth>| truth?.relevance[direction].clone();
        let each = truths.map(of_truth);
        let listed = |relevance: &Relevance, query: u32| {
            let place = relevance.place(query as usize);
            let mut all: Vec<u32> = Vec::new();
            if let Some(place) = place {
                all.extend(relevance.positives(place).iter());
                all.extend(relevance.beyond(place).into_iter().map(|(item, _)| item));
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

/// Mean share of unknown items in the top `k`, over the pool's queries.
fn unjudged(known: &Ranks, asked: &FxHashSet<u32>, k: u32, items: usize) -> Option<f64> {
    let of_pool = known.queries().iter().zip(known.iter());
    let of_pool = of_pool.filter(|(query, _)| asked.contains(*query));
    let share = |query: QueryRanks<'_>| {
        let is_whole = query.depth.is_none_or(|depth| depth >= k);
        is_whole.then(|| 1.0 - query.ranks.count_to(k) as f64 / f64::from(k))
    };
    let shares: Option<Vec<f64>> = of_pool.map(|(_, query)| share(query)).collect();
    let shares = shares.filter(|shares| !shares.is_empty() && items >= k as usize)?;
    Some(mean::pairwise(&shares))
}
