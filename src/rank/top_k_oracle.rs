//! Top items by whole rankings, in every form of scores.

use std::sync::Arc;

use proptest::prelude::*;

use super::naive::{Case, case};
use super::pass::CancelToken;
use super::ranking::Ranking;
use super::top_k::top_k;
use crate::data::candidate_mask::{CandidateMask, Part};
use crate::data::gallery::Gallery;
use crate::data::id::IdList;
use crate::data::index::QueryIx;
use crate::data::npy::Npy;
use crate::data::scores::{Embeddings, Lists, Model, ModelPair, Scaling, Scores, Side};
use crate::data::{Direction, PerDirection};

fn model(scores: Scores) -> Model {
    Model { name: "m".into(), source: "m.npy".into(), scores }
}

/// Every second image and caption competes.
fn half([images, captions]: [usize; 2]) -> CandidateMask {
    let second = |count: usize| (0..count as u32).step_by(2).collect();
    let part = Part { images: second(images), captions: second(captions) };
    let sizes = PerDirection::from_fn(|direction| match direction {
        Direction::I2t => images,
        Direction::T2i => captions,
    });
    CandidateMask::new(vec![part], sizes)
}

fn assert_top_k_are_those_of_the_rankings(model: &Model, sizes: [usize; 2]) {
    let [images, captions] = sizes.map(IdList::for_len);
    let gallery = Gallery { images, captions, ..Gallery::default() };
    for (direction, queries) in Direction::BOTH.into_iter().zip(sizes) {
        for k in [0, 1, 3, 50] {
            let found = top_k(&gallery, model, None, direction, k, &CancelToken::default())
                .unwrap()
                .unwrap();
            assert_eq!(found.len(), queries);
            for (query, head) in found.iter().enumerate() {
                let whole = Ranking::for_query(model, direction, query).order;
                assert_eq!(*head, whole[..k.min(whole.len())]);
            }
            let mask = half(sizes);
            let found = top_k(&gallery, model, Some(&mask), direction, k, &CancelToken::default());
            let found = found.unwrap().unwrap();
            for (query, head) in found.iter().enumerate() {
                let mut ranking = Ranking::for_query(model, direction, query);
                ranking.keep(|item| mask.competes(direction, QueryIx::new(query), item));
                let competing = ranking.order;
                assert_eq!(*head, competing[..k.min(competing.len())]);
            }
        }
    }
}

/// A matrix; re-ranked with a fill, as lists of its top items, mixed with itself, and as products of embeddings.
pub(super) fn forms(case: &Case) -> Vec<Model> {
    let matrix = case.matrix();
    let whole = model(Scores::Matrix(Arc::new(matrix.clone())));
    let side = |direction| Side::new(matrix.clone(), direction, Some(0.0));
    let lists = PerDirection::from_fn(|direction: Direction| {
        let (queries, items) = (matrix.side_len(direction), matrix.side_len(direction.flipped()));
        let list =
            |query| Ranking::for_query(&whole, direction, query).order[..items.min(4)].to_vec();
        let all: Vec<Vec<u32>> = (0..queries).map(list).collect();
        Lists::new(items, all.iter().map(|list| (list.as_slice(), &[][..])))
    });
    let other = Model { name: "n".into(), ..whole.clone() };
    let mixed = ModelPair::new(&whole, &other).unwrap().model(0.5, Scaling::Raw);
    let two = model(Scores::Two(Arc::new(PerDirection::from_fn(side))));
    let listed = model(Scores::Lists(Arc::new(lists)));
    vec![whole, two, listed, mixed.unwrap(), products(case)]
}

/// Finite scores as products of images with unit vectors.
fn products(case: &Case) -> Model {
    let finite = case.scores.iter().map(|score| score.clamp(-9.0, 9.0));
    let images = Npy::in_memory("i.npy", [case.images, case.captions], finite);
    let unit = (0..case.captions * case.captions)
        .map(|at| f64::from(u8::from(at.is_multiple_of(case.captions + 1))));
    let captions = Npy::in_memory("t.npy", [case.captions; 2], unit);
    let embeddings = Embeddings::new(&images, &captions, false).unwrap();
    model(Scores::Embeddings(Arc::new(embeddings)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn top_k_are_the_beginnings_of_rankings(case in case()) {
        for model in forms(&case) {
            assert_top_k_are_those_of_the_rankings(&model, [case.images, case.captions]);
        }
    }
}
