//! Against full rankings, in the gallery and in a pool.

use super::*;
use crate::data::PerDirection;
use crate::data::index::QueryIx;
use crate::rank::ranking::Ranking;
use crate::study::demo;

/// By full sorting, for two models of the demo, in the whole gallery and in a pool.
#[test]
fn similarity_equals_that_of_full_rankings() {
    let whole = demo::open().unwrap();
    let pool = whole.pool_named("random20s3").unwrap();
    for study in [whole.clone(), whole.in_pool(pool).unwrap()] {
        for direction in Direction::BOTH {
            let models = [&study.models[0], &study.models[1]];
            let found = similarity(&study, models, direction, 0, &CancelToken::default());
            let found = found.unwrap().unwrap();
            assert_eq!(found.queries.len(), study.gallery.queries(direction).len());
            for (query, alike) in found.queries.iter().enumerate() {
                check(&study, direction, query, alike);
            }
            let [all, within] = found.mean_top_rank(0);
            assert_eq!(all.queries, study.pool_sizes()[direction]);
            assert!(within.queries <= all.queries);
            assert!(within.value.unwrap() <= all.value.unwrap());
        }
    }
}

/// Demo models are similar, and the independent reference is lower.
#[test]
fn shuffled_rankings_are_a_reference_where_every_query_is_known() {
    let study = demo::open().unwrap();
    let models = [&study.models[0], &study.models[1]];
    for direction in Direction::BOTH {
        let found = similarity(&study, models, direction, 0, &CancelToken::default());
        let found = found.unwrap().unwrap();
        let tau = found.mean(|alike| alike.tau).value.unwrap();
        let shuffled = found.shuffled.unwrap();
        assert!(shuffled.range[0] < shuffled.value && shuffled.value < shuffled.range[1]);
        assert!(shuffled.range[1] < tau);
    }
}

fn check(study: &Study, direction: Direction, query: usize, alike: &QuerySimilarity) {
    let mask = study.mask.as_ref();
    let orders = [0, 1].map(|model| {
        let mut ranking = Ranking::for_query(&study.models[model], direction, query);
        ranking.keep(|item| {
            mask.is_none_or(|mask| mask.competes(direction, QueryIx::new(query), item))
        });
        ranking.order
    });
    if orders[0].is_empty() {
        assert_eq!(*alike, QuerySimilarity::default());
        return;
    }
    let [first, second] = orders.each_ref().map(|order| &order[..order.len().min(TOP_K)]);
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
    assert_eq!(
        alike.overlap[3],
        SharedItems::from_lists(first, second).overlap(TOP_K.min(orders[0].len()))
    );
}

#[test]
fn a_model_is_most_similar_to_itself() {
    let study = demo::open().unwrap();
    let twice = [&study.models[2], &study.models[2]];
    let found = similarity(&study, twice, Direction::T2i, 0, &CancelToken::default());
    let found = found.unwrap().unwrap();
    let all = study.gallery.captions.len();
    let one = |mean: Mean| (mean.value, mean.queries) == (Some(1.0), all);
    assert!(one(found.mean(|alike| alike.tau)));
    assert!(found.mean_top_rank(1).into_iter().all(one));
    assert!(DEPTHS.iter().enumerate().all(|(at, _)| one(found.mean(|a| a.overlap[at]))));
}

/// Lists of four items have overlaps, but no lower ranks.
#[test]
fn values_that_need_longer_lists_are_undefined() {
    use crate::data::scores::{Lists, Scores};
    let study = demo::open().unwrap();
    let short = PerDirection::from_fn(|direction: Direction| {
        let list =
            |query| Ranking::for_query(&study.models[0], direction, query).order[..4].to_vec();
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
    let found = similarity(&study, models, Direction::I2t, 0, &CancelToken::default());
    let found = found.unwrap().unwrap();
    let first = found.queries[0];
    assert_eq!((first.tau, first.top_ranks), (None, [Some(1), Some(1)]));
    assert_eq!(found.shuffled, None);
    assert!(found.mean_tau(|_| Some(0.5)).value.is_some());
    // If only some lists have the same items.
    let mut only = found.clone();
    only.queries[0].tau = Some(0.5);
    let mean = only.mean_tau(|alike| alike.tau);
    assert_eq!((mean.value, mean.queries), (None, 1));
    assert_eq!(first.overlap, [Some(1.0), None, None, None]);
    assert!((first.rank_biased.unwrap() - 1.0).abs() < 1e-12);
}
