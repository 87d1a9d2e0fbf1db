use super::*;
use crate::data::cider::CiderOptions;
use crate::evaluate::plan::{Choice, Request};
use crate::evaluate::{Value, evaluate};
use crate::rank::ranking::Ranking;
use crate::study::demo;

fn with_phi() -> Study {
    let mut study = demo::open().unwrap();
    study.phis = vec![study.cider(CiderOptions::default()).unwrap()];
    study.phi_rule.m = 3;
    assert!(add_truths(&mut study, &CancelToken::default()).unwrap());
    study
}

/// phi of all items, by whole rankings of phi and of the model.
fn naive(study: &Study, direction: Direction, k: usize, only_others: bool) -> f64 {
    let mut shares = Vec::new();
    for query in 0..study.gallery.queries(direction).len() {
        let own = study.own(direction, query);
        let [by_phi, by_model] = [&study.phis[0], &study.models[0]].map(|model| {
            let mut ranking = Ranking::of(model, direction, query);
            ranking.keep(|item| !(only_others && own.contains(item.raw())));
            ranking.order
        });
        let phi = Ranking::of(&study.phis[0], direction, query).scores;
        let sum = |order: &[u32]| {
            order[..k]
                .iter()
                .map(|&item| phi[item as usize])
                .sum::<f64>()
        };
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
        let (Value::Each(values), Some(Value::Each(ideal))) = (
            found.models[0].2[at],
            found.ceiling.as_ref().map(|values| values[at]),
        ) else {
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
            let ranking = Ranking::of(&study.phis[0], direction, query);
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

/// In a pool the most similar items are others: NCS has no value there, and says so.
#[test]
fn a_pool_has_no_ncs() {
    let study = with_phi();
    let pool = study.pool_named("random20s3").unwrap();
    let request = Request {
        metrics: Choice::Named(vec!["ncs_at_5".into(), "sr_at_5".into()]),
        pools: vec![pool],
        ..Request::default()
    };
    let found = evaluate(&study, &request, &CancelToken::default()).unwrap();
    let value = |at: usize| match found.models[0].2[at] {
        Value::Each(values) => values.i2t.unwrap().value,
        Value::Both(value) => value,
    };
    assert!(
        value(0).is_some() && value(1).is_none(),
        "{:?}",
        found.lines
    );
}
