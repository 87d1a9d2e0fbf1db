use super::*;
use crate::analysis::listed_items::{ItemsRequest, Which, list_items, retrieve};
use crate::data::cider::CiderOptions;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::plan::{Choice, Request};
use crate::evaluate::{Value, evaluate};
use crate::filter::{Expression, FilterInputs};
use crate::rank::ranking::Ranking;
use crate::study::{View, demo};
use crate::truth::judgment::Judgments;

fn with_phi() -> Study {
    let mut study = demo::open().unwrap();
    study.phis = vec![study.cider(CiderOptions::default()).unwrap()];
    study.phi_rule.m = 3;
    assert!(add_truths(&mut study, &CancelToken::default()).unwrap());
    study
}

/// NCS, from full rankings of phi and the model.
fn naive(study: &Study, direction: Direction, k: usize, only_others: bool) -> f64 {
    let mut shares = Vec::new();
    for query in 0..study.gallery.queries(direction).len() {
        let own = study.original_items(direction, query);
        let [by_phi, by_model] = [&study.phis[0], &study.models[0]].map(|model| {
            let mut ranking = Ranking::for_query(model, direction, query);
            ranking.keep(|item| !(only_others && own.contains(item.raw())));
            ranking.order
        });
        let phi = Ranking::for_query(&study.phis[0], direction, query).scores;
        let sum = |order: &[u32]| order[..k].iter().map(|&item| phi[item as usize]).sum::<f64>();
        if sum(&by_phi) > 0.0 {
            shares.push(sum(&by_model) / sum(&by_phi));
        }
    }
    shares.iter().sum::<f64>() / shares.len() as f64
}

#[test]
fn ncs_is_that_of_whole_rankings() {
    let study = with_phi();
    let request = Request {
        metrics: Choice::Named(vec!["ncs_at_k".into(), "ncs_n_at_k".into()]),
        depths: vec![1, 5, 10],
        ceiling: true,
        ..Request::default()
    };
    let found = evaluate(&study, &request, &CancelToken::default()).unwrap();
    assert_eq!(found.lines.len(), 6);
    for (at, line) in found.lines.iter().enumerate() {
        let (Value::Each(values), Some(Value::Each(ideal))) =
            (found.models[0].2[at], found.ceiling.as_ref().map(|values| values[at]))
        else {
            panic!("{}: one value a direction", line.key);
        };
        let (stem, k) = line.key.rsplit_once('_').unwrap();
        let k = k.parse().unwrap();
        for direction in Direction::BOTH {
            let expected = naive(&study, direction, k, stem == "cider_ncs_n_at");
            let value = values[direction].unwrap().value.unwrap();
            assert!(
                (value - expected).abs() < 1e-12,
                "{} {direction}: {value} {expected}",
                line.key
            );
            let ideal = ideal[direction].unwrap().value.unwrap();
            assert!((ideal - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn positives_are_the_most_similar_items() {
    let study = with_phi();
    let truth = study.truth("cider").unwrap();
    for direction in Direction::BOTH {
        let relevance = truth.relevance[direction].as_ref().unwrap();
        for query in 0..study.gallery.queries(direction).len() {
            let ranking = Ranking::for_query(&study.phis[0], direction, query);
            let mut expected = ranking.order[..3].to_vec();
            expected.retain(|&item| ranking.scores[item as usize] > 0.0);
            expected.sort_unstable();
            let place = relevance.place(query).unwrap();
            assert!(relevance.positives(place).iter().eq(expected));
        }
    }
}

#[test]
fn a_truth_is_added_once_and_not_when_cancelled() {
    let mut study = with_phi();
    let count = study.truths.len();
    assert!(study.has_phi_truths());
    assert!(add_truths(&mut study, &CancelToken::default()).unwrap());
    assert_eq!(study.truths.len(), count);
    let cancelled = CancelToken::default();
    cancelled.cancel();
    study.truths.retain(|truth| truth.name != "cider");
    assert!(!study.has_phi_truths());
    assert!(!add_truths(&mut study, &cancelled).unwrap());
}

/// In a pool, the most similar items differ: NCS is undefined, with a message.
#[test]
fn a_pool_has_no_ncs() {
    let study = with_phi();
    let pool = study.pool_named("random20s3").unwrap();
    let evaluated = |metric: &str| {
        let request = Request {
            metrics: Choice::Named(vec![metric.into()]),
            pools: vec![pool],
            ..Request::default()
        };
        evaluate(&study, &request, &CancelToken::default())
    };
    let refused = evaluated("ncs_at_5").unwrap_err().to_string();
    assert!(refused.contains("ncs_at_5 in a candidate pool"), "{refused}");
    let found = evaluated("sr_at_5").unwrap();
    let Value::Each(values) = found.models[0].2[0] else {
        panic!("{:?}", found.lines);
    };
    assert!(values.i2t.unwrap().value.is_some());
}

/// phi of the top-1 item, and the highest phi outside the top k, from full rankings.
#[test]
fn conditions_know_phi_of_what_is_found_and_missed() {
    let study = with_phi();
    for direction in Direction::BOTH {
        let view = View { model: ModelIx::new(1), truth: TruthIx::new(0), direction };
        for k in [1, 3, 10] {
            let keys = ["phi".to_owned(), format!("cider.missed_phi({k})")];
            let keys = keys.map(|text| Expression::number(&text, &study, view).unwrap());
            let needs = keys[0].needs().clone().union(keys[1].needs());
            let facts =
                FilterInputs::compute(&study, direction, &needs, &CancelToken::default()).unwrap();
            let [found, missed] = keys.each_ref().map(|key| key.bind(&study, &facts).unwrap());
            for query in 0..study.gallery.queries(direction).len() {
                let phi = Ranking::for_query(&study.phis[0], direction, query).scores;
                let order = Ranking::for_query(&study.models[1], direction, query).order;
                let of = |item: &u32| phi[*item as usize];
                let first = found.number(query).unwrap();
                assert!((first - of(&order[0])).abs() < 1e-9, "{direction} {query}");
                let greatest = order[k..].iter().map(of).fold(f64::MIN, f64::max);
                let value = missed.number(query).unwrap();
                assert!((value - greatest).abs() < 1e-9, "{direction} {query} {k}");
            }
        }
    }
    let demo = demo::open().unwrap();
    let told = Expression::number("phi", &demo, View::first(&demo)).unwrap_err();
    assert!(told.to_string().contains("no similarity phi is loaded"), "{told}");
    let told = Expression::number("rich.phi", &study, View::first(&study)).unwrap_err();
    assert!(told.to_string().contains("rich is of no similarity"), "{told}");
}

/// Missed items as in full rankings: similar, not in the top k, highest phi first.
#[test]
fn the_most_similar_items_that_are_missed() {
    let study = with_phi();
    let queries: Vec<u32> = (0..40).collect();
    for direction in Direction::BOTH {
        let view = View { model: ModelIx::new(2), truth: TruthIx::new(0), direction };
        let asked = ItemsRequest {
            queries: &queries,
            depth: 10,
            which: Which::Missed,
            judgments: &Judgments::default(),
        };
        let retrieved = retrieve(&study, view, 10, &CancelToken::default());
        let listed = list_items(&study, view, asked, &retrieved.unwrap().unwrap());
        let mut expected = 0;
        for &query in &queries {
            let phi = Ranking::for_query(&study.phis[0], direction, query as usize);
            let ranking = Ranking::for_query(&study.models[2], direction, query as usize);
            for item in &phi.order[..3] {
                let rank = ranking.order.iter().position(|one| one == item).unwrap() + 1;
                let value = phi.scores[*item as usize];
                if rank <= 10 || value <= 0.0 {
                    continue;
                }
                expected += 1;
                let mut same = listed.iter().filter(|one| one.query == query);
                let one = same.find(|one| one.item == *item).unwrap();
                assert_eq!(one.rank as usize, rank);
                assert!((one.phi - value).abs() < 1e-9);
                assert!((one.score - ranking.scores[*item as usize]).abs() < 1e-12);
            }
        }
        assert!(expected > 5);
        assert_eq!(listed.len(), expected);
        assert!(listed.is_sorted_by(|one, other| one.phi >= other.phi));
    }
}
