//! How alike two models rank, whatever is right.
//!
//! For each query of the gallery: Kendall's tau-b over the union of both models' first 25 items, by
//! their ranks in the full rankings; the overlap of the first items; rank-biased overlap; and the rank
//! that each model gives to the other's first item. Source of the first and the last: Chun et al. 2022
//! (ECCV Caption), arXiv:2204.03359, appendix A.2.
//!
//! Each model is read twice: once for its first items, once to count the ranks of the other one's. Ranks in
//! full rankings are never tied. Where a model ranks only some items (ranked lists, re-rankers), what
//! would need the rank of another one is undefined for that query.

use rayon::prelude::*;

use super::{kendall, overlap};
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::rank::heads::{Heads, heads};
use crate::rank::pass::Watch;
use crate::rank::targets::PairSet;
use crate::rank::{self, UNRANKED};
use crate::study::Study;

/// How many items are a ranking's head.
pub const HEAD: usize = 25;
/// The depths at which overlap is told.
pub const DEPTHS: [usize; 4] = [1, 5, 10, HEAD];

/// How alike two models rank the items of one query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Alike {
    /// Kendall's tau-b over the union of both heads.
    pub tau: Option<f64>,
    /// Overlap at each of [`DEPTHS`].
    pub overlap: [Option<f64>; DEPTHS.len()],
    /// Rank-biased overlap of the heads.
    pub rank_biased: Option<f64>,
    /// The rank that the second model gives to the first one's first item, and the other way round.
    pub top_ranks: [Option<u32>; 2],
}

/// How alike two models rank, query by query of one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    /// Who asks whom.
    pub direction: Direction,
    /// Each query's, by gallery index; nothing is defined for those outside the pool.
    pub queries: Vec<Alike>,
}

/// A mean, and the number of queries that it is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean; `None` over no queries.
    pub value: Option<f64>,
    /// Queries for which the value is defined.
    pub queries: usize,
}

/// The rank of one model's first item in the other's ranking, over all queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TopRank {
    /// Over the queries where it is known.
    pub all: Mean,
    /// Over those where it is among the first [`HEAD`].
    pub within: Mean,
}

/// Compares two models in one direction, over the pool that the study is in; `None` when it was
/// cancelled.
///
/// # Errors
/// As [`rank::count`].
pub fn similarity(
    study: &Study,
    models: [&Model; 2],
    direction: Direction,
    watch: &Watch,
) -> Result<Option<Similarity>> {
    let mut queries = vec![Alike::default(); study.gallery.queries(direction).len()];
    let Some(arena) = &study.arena else {
        let found = compared(&study.gallery, models, direction, watch)?;
        return Ok(found.map(|queries| Similarity { direction, queries }));
    };
    for part in arena.parts() {
        let within = models.map(|model| model.within(part));
        let gallery = Gallery::of_part(part);
        let Some(found) = compared(&gallery, within.each_ref(), direction, watch)? else {
            return Ok(None);
        };
        for (&query, alike) in part.queries(direction).iter().zip(found) {
            queries[query as usize] = alike;
        }
    }
    Ok(Some(Similarity { direction, queries }))
}

/// Compares two models over a gallery, all of which competes.
fn compared(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    watch: &Watch,
) -> Result<Option<Vec<Alike>>> {
    let [first, second] = models;
    let Some(first_heads) = heads(gallery, first, None, direction, HEAD, watch)? else {
        return Ok(None);
    };
    let Some(second_heads) = heads(gallery, second, None, direction, HEAD, watch)? else {
        return Ok(None);
    };
    let heads = [first_heads, second_heads];
    let mut ranks = [Vec::new(), Vec::new()];
    for (at, ranks) in ranks.iter_mut().enumerate() {
        let both = [&heads[at], &heads[1 - at]];
        let Some(found) = ranks_of(gallery, models[at], direction, both, watch)? else {
            return Ok(None);
        };
        *ranks = found;
    }
    let alike = |query: usize| alike(&heads, query, [&ranks[0][query], &ranks[1][query]]);
    Ok(Some(
        (0..heads[0].len()).into_par_iter().map(alike).collect(),
    ))
}

/// The full ranks that a model gives to the union of both heads, by query: first to its own head,
/// where they are the places, then to those items of the other head that its own lacks, ascending.
/// Only these are counted.
fn ranks_of(
    gallery: &Gallery,
    model: &Model,
    direction: Direction,
    [own, other]: [&Heads; 2],
    watch: &Watch,
) -> Result<Option<Vec<Vec<u32>>>> {
    let strangers = (0..own.len()).map(|query| strangers(own.of(query), other.of(query)));
    let strangers = PairSet::from_lists(strangers);
    let none = |one| PairSet::without_targets(gallery.queries(one).len());
    let mut targets = PerDirection::from_fn(none);
    targets[direction] = strangers;
    let Some(counted) = rank::count(model, &targets, None, watch)? else {
        return Ok(None);
    };
    let of_query = |query: usize| {
        let places = 1..=own.of(query).len() as u32;
        let counted = &counted[direction].all[targets[direction].range(query)];
        places.chain(counted.iter().copied()).collect()
    };
    Ok(Some((0..own.len()).map(of_query).collect()))
}

/// The items of the other head that the own one lacks, ascending.
fn strangers(own: &[u32], other: &[u32]) -> Vec<u32> {
    let lacks = |item: &u32| !own.contains(item);
    let mut items: Vec<u32> = other.iter().copied().filter(lacks).collect();
    items.sort_unstable();
    items
}

/// Compares one query, whose ranks are as [`ranks_of`] gives them.
fn alike(heads: &[Heads; 2], query: usize, ranks: [&[u32]; 2]) -> Alike {
    let [first, second] = [heads[0].of(query), heads[1].of(query)];
    let items = [
        [first, &strangers(first, second)].concat(),
        [second, &strangers(second, first)].concat(),
    ];
    let rank_of = |model: usize, item: u32| {
        let at = items[model].iter().position(|&one| one == item)?;
        Some(ranks[model][at]).filter(|&rank| rank != UNRANKED)
    };
    let of_union = |model: usize| -> Option<Vec<u32>> {
        items[0].iter().map(|&item| rank_of(model, item)).collect()
    };
    let tau = of_union(0).zip(of_union(1));
    Alike {
        tau: tau.and_then(|(one, other)| kendall::tau_b(&one, &other)),
        overlap: DEPTHS.map(|k| overlap::at(first, second, k)),
        rank_biased: overlap::rank_biased(first, second),
        top_ranks: [
            first.first().and_then(|&top| rank_of(1, top)),
            second.first().and_then(|&top| rank_of(0, top)),
        ],
    }
}

impl Similarity {
    /// The mean of one measure over the queries for which it is defined.
    pub fn mean(&self, measure: impl Fn(&Alike) -> Option<f64>) -> Mean {
        let values: Vec<f64> = self.queries.iter().filter_map(measure).collect();
        Mean {
            value: (!values.is_empty()).then(|| crate::metric::mean::pairwise(&values)),
            queries: values.len(),
        }
    }

    /// The mean rank that the other model gives to the first item of `model`, 0 or 1.
    pub fn top_rank(&self, model: usize) -> TopRank {
        let rank = |alike: &Alike| alike.top_ranks[model].map(f64::from);
        TopRank {
            all: self.mean(rank),
            within: self.mean(|alike| rank(alike).filter(|&rank| rank <= HEAD as f64)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::ranking::Ranking;
    use crate::study::demo;

    /// By sorting everything, for two models of the demo, in the whole gallery and in a pool.
    #[test]
    fn equals_what_whole_rankings_give() {
        let whole = demo::open().unwrap();
        let pool = whole.pool_named("random20s3").unwrap();
        for study in [whole.clone(), whole.in_pool(pool).unwrap()] {
            for direction in Direction::BOTH {
                let models = [&study.models[0], &study.models[1]];
                let found = similarity(&study, models, direction, &Watch::default());
                let found = found.unwrap().unwrap();
                assert_eq!(found.queries.len(), study.gallery.queries(direction).len());
                for (query, alike) in found.queries.iter().enumerate() {
                    check(&study, direction, query, alike);
                }
                let top = found.top_rank(0);
                assert_eq!(top.all.queries, study.pool_sizes()[direction]);
                assert!(top.within.queries <= top.all.queries);
                assert!(top.within.value <= top.all.value);
            }
        }
    }

    fn check(study: &Study, direction: Direction, query: usize, alike: &Alike) {
        let arena = study.arena.as_ref();
        let orders = [0, 1].map(|model| {
            let mut ranking = Ranking::of(&study.models[model], direction, query);
            ranking.keep(|item| arena.is_none_or(|arena| arena.competes(direction, query, item)));
            ranking.order
        });
        if orders[0].is_empty() {
            assert_eq!(*alike, Alike::default());
            return;
        }
        let [first, second] = orders
            .each_ref()
            .map(|order| &order[..order.len().min(HEAD)]);
        let rank = |model: usize, item: u32| {
            orders[model].iter().position(|&one| one == item).unwrap() as u32 + 1
        };
        let extra = second.iter().filter(|item| !first.contains(item));
        let union: Vec<u32> = first.iter().chain(extra).copied().collect();
        let ranks = |model| union.iter().map(|&item| rank(model, item)).collect();
        let [one, other]: [Vec<u32>; 2] = [ranks(0), ranks(1)];
        assert_eq!(alike.tau, kendall::tau_b(&one, &other));
        let tops = [Some(rank(1, first[0])), Some(rank(0, second[0]))];
        assert_eq!(alike.top_ranks, tops);
        assert_eq!(alike.overlap[3], overlap::at(first, second, HEAD));
    }

    #[test]
    fn a_model_is_wholly_like_itself() {
        let study = demo::open().unwrap();
        let twice = [&study.models[2], &study.models[2]];
        let found = similarity(&study, twice, Direction::T2i, &Watch::default());
        let found = found.unwrap().unwrap();
        let all = study.gallery.captions.len();
        let one = |mean: Mean| (mean.value, mean.queries) == (Some(1.0), all);
        assert!(one(found.mean(|alike| alike.tau)));
        assert!(one(found.top_rank(1).all) && one(found.top_rank(1).within));
        assert!(
            DEPTHS
                .iter()
                .enumerate()
                .all(|(at, _)| one(found.mean(|a| a.overlap[at])))
        );
    }

    /// Lists of four items tell overlaps, and no rank below.
    #[test]
    fn what_lists_are_too_short_for_is_undefined() {
        use crate::data::scores::{Lists, Scores};
        let study = demo::open().unwrap();
        let short = PerDirection::from_fn(|direction: Direction| {
            let list = |query| Ranking::of(&study.models[0], direction, query).order[..4].to_vec();
            let queries = 0..study.gallery.queries(direction).len();
            let all: Vec<Vec<u32>> = queries.map(list).collect();
            let items = study.gallery.items(direction).len();
            Lists::new(items, all.iter().map(|list| (list.as_slice(), &[][..])))
        });
        let short = Model {
            name: "short".into(),
            source: "short.json".into(),
            scores: Scores::Lists(std::sync::Arc::new(short)),
        };
        let models = [&study.models[0], &short];
        let found = similarity(&study, models, Direction::I2t, &Watch::default());
        let first = found.unwrap().unwrap().queries[0];
        assert_eq!((first.tau, first.top_ranks), (None, [Some(1), Some(1)]));
        assert_eq!(
            first.overlap,
            [Some(1.0), Some(4.0 / 5.0), Some(0.4), Some(4.0 / 25.0)]
        );
        assert!((first.rank_biased.unwrap() - 1.0).abs() < 1e-12);
    }
}
