//! Splits, tuning, and the optimistic estimate for comparison.

use super::*;
use crate::data::scores::{ModelPair, Scaling};
use crate::evaluate::curve::{AlphaCurve, alphas};
use crate::rank::pass::CancelToken;
use crate::study::demo;

fn found(seed: u64) -> (Study, Vec<HeldOut>) {
    let study = demo::open().unwrap();
    let truth = study.richest().unwrap();
    let mut tuner = AlphaTuner::new(&study, seed);
    let curve = AlphaCurve {
        study: &study,
        pair: &ModelPair::new(&study.models[0], &study.models[1]).unwrap(),
        scaling: Scaling::ZScore,
        truth,
        specs: crate::evaluate::curve::main_specs(),
    };
    let add = |point: crate::evaluate::curve::Point, ranks: &_| tuner.add(point.alpha, ranks);
    let ended = curve.run(&alphas(0.25).unwrap(), &CancelToken::default(), add);
    assert_eq!(ended.unwrap(), Some(()));
    let held_out = tuner.results();
    (study, held_out)
}

#[test]
fn captions_are_in_the_half_of_their_image() {
    let study = demo::open().unwrap();
    let halves = tuning_half(&study, 0);
    let images = study.gallery.images.len();
    let chosen = halves[..images].iter().filter(|is| **is).count();
    assert_eq!(chosen, images / 2);
    assert_ne!(tuning_half(&study, 1)[..images], halves[..images]);
    for caption in 0..study.gallery.captions.len() as u32 {
        let own = study.original_items(Direction::T2i, caption as usize).first().unwrap();
        assert_eq!(query_image(&study, Direction::T2i, caption), own);
        assert_eq!(query_image(&study, Direction::I2t, own), own);
    }
}

#[test]
fn values_are_from_the_held_out_half() {
    let (study, found) = found(0);
    let truth = &study.truths[study.richest().unwrap()];
    assert_eq!(found.len(), 4);
    let halves = tuning_half(&study, 0);
    for of in &found {
        let queries = truth.relevance[of.direction].as_ref().unwrap().queries();
        let held = queries
            .iter()
            .filter(|query| !halves[query_image(&study, of.direction, **query) as usize]);
        assert_eq!(of.queries, held.count());
        assert!(
            of.images <= of.queries && (of.direction == Direction::T2i || of.images == of.queries)
        );
        let [low, high] = of.interval.unwrap();
        let difference = of.value - of.single_value;
        assert!(low <= difference && difference <= high, "{low} {difference} {high}");
    }
    let chosen = |seed| {
        let (_, found) = self::found(seed);
        found.iter().map(|of| (of.alpha, of.queries, of.value)).collect::<Vec<_>>()
    };
    assert_eq!(chosen(0), chosen(0));
    assert_ne!(chosen(0), chosen(1));
}

/// Held-out result of three mixtures, each alpha with the hits of both halves.
fn result<const N: usize>(mixtures: [(f64, [[u8; N]; 2]); 3]) -> Option<HeldOut> {
    let (metric, direction) = (&hit::R1, Direction::I2t);
    let mut tuner = Tuner { metric, direction, best: None, singles: [None, None] };
    for (alpha, halves) in mixtures {
        let [first, second] = halves.map(|hits| {
            let hits = hits.map(|hit| Some(f64::from(hit)));
            Values::new(&[0, 1][..N], hits.to_vec())
        });
        tuner.add(alpha, &first, second);
    }
    tuner.result(&[0, 1])
}

/// Only the mixture is correct on the first half, only the first model on the second. The best choice on tuning queries
/// is worst on the others.
#[test]
fn the_held_out_half_does_not_tune() {
    let found = result([(0.0, [[0, 0], [0, 0]]), (0.5, [[1, 1], [0, 0]]), (1.0, [[0, 1], [1, 1]])]);
    let found = found.unwrap();
    assert_eq!((found.alpha, found.single), (0.5, 0));
    let values = [found.value, found.single_value];
    assert_eq!(values.map(f64::to_bits), [0.0_f64, 1.0].map(f64::to_bits));
    assert_eq!((found.queries, found.images), (2, 2));
}

/// Two models tie on the first half, and a mixture is worse: alpha and the single model are of the same model.
#[test]
fn alpha_and_single_model_break_a_tie_alike() {
    let found = result([(0.0, [[1, 0], [0, 0]]), (0.5, [[0, 0], [1, 1]]), (1.0, [[0, 1], [1, 0]])]);
    let found = found.unwrap();
    assert_eq!((found.alpha.to_bits(), found.single), (0.0_f64.to_bits(), 1));
    assert_eq!(found.value.to_bits(), found.single_value.to_bits());
    assert_eq!(found.interval, None);
}

#[test]
fn without_queries_in_both_halves_there_is_no_result() {
    assert!(result([0.0, 0.5, 1.0].map(|alpha| (alpha, [[], []]))).is_none());
    let study = demo::open().unwrap();
    assert!(AlphaTuner::new(&study, 0).results().is_empty());
}
