//! Rescaled ranks against the formulas over whole matrices.

use super::*;
use crate::data::index::{ModelIx, TruthIx};
use crate::rank::ranking::Ranking;
use crate::study::demo;
use crate::truth::relevance::Relevance;

const WAYS: [Rescaling; 3] =
    [Rescaling::Csls(10), Rescaling::Csls(1), Rescaling::InvertedSoftmax(0.05)];

/// The whole matrix of a model by image and caption.
fn matrix(study: &Study, model: ModelIx) -> Vec<Vec<f64>> {
    let images = 0..study.gallery.images.len();
    let of = |image| Ranking::of(&study.models[model], Direction::I2t, image).scores;
    images.map(of).collect()
}

fn transposed(matrix: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let columns = 0..matrix[0].len();
    let column = |at: usize| matrix.iter().map(|row| row[at]).collect();
    columns.map(column).collect()
}

/// By the formula as it stands in the paper, over the whole matrix of queries x items.
fn formula(scores: &[Vec<f64>], way: Rescaling) -> Vec<Vec<f64>> {
    let of_items = transposed(scores);
    let near = |row: &Vec<f64>, k: usize| {
        let mut row = row.clone();
        row.sort_by(|a, b| b.total_cmp(a));
        row[..k].iter().sum::<f64>() / k as f64
    };
    let cell = |query: usize, item: usize| {
        let score = scores[query][item];
        match way {
            Rescaling::Csls(k) => 2.0 * score - near(&scores[query], k) - near(&of_items[item], k),
            Rescaling::InvertedSoftmax(t) => {
                let sum: f64 = of_items[item].iter().map(|s| (s / t).exp()).sum();
                (score / t).exp() / sum
            }
        }
    };
    let row = |query| (0..of_items.len()).map(|item| cell(query, item)).collect();
    (0..scores.len()).map(row).collect()
}

/// R@1 and mAP@R from sorted rows.
fn by_sorting(scores: &[Vec<f64>], relevance: &Relevance) -> [f64; 2] {
    let mut sums = [0.0, 0.0];
    for (place, &query) in relevance.queries().iter().enumerate() {
        let row = &scores[query as usize];
        let mut order: Vec<u32> = (0..row.len() as u32).collect();
        order.sort_by(|&a, &b| row[b as usize].total_cmp(&row[a as usize]));
        let (positives, listed) = (relevance.positives(place), relevance.listed(place));
        let (mut hits, mut sum) = (0.0, 0.0);
        for (at, &item) in order.iter().take(listed as usize).enumerate() {
            if positives.contains(item) {
                hits += 1.0;
                sum += hits / (at as f64 + 1.0);
            }
        }
        sums[0] += f64::from(u8::from(positives.contains(order[0])));
        sums[1] += sum / f64::from(listed);
    }
    sums.map(|sum| sum / relevance.len() as f64)
}

#[test]
fn ranks_are_those_of_the_formulas_over_the_whole_matrix() {
    let study = demo::open().unwrap();
    for model in ModelIx::all(&study.models) {
        let images = matrix(&study, model);
        let captions = transposed(&images);
        let found = what_if(
            &study,
            (model, TruthIx::new(1)),
            &Verdicts::default(),
            &WAYS,
            &CancelToken::default(),
        )
        .unwrap();
        assert_eq!(found.len(), 2);
        for one in found {
            let scores = match one.direction {
                Direction::I2t => &images,
                Direction::T2i => &captions,
            };
            let relevance = study.truths[1].relevance[one.direction].as_ref().unwrap();
            let near = |quality: Quality, expected: [f64; 2]| {
                let found = [quality.r1, quality.map_at_r].map(|of| of.value.unwrap());
                let far = |(a, b): (f64, f64)| (a - b).abs() > 1e-12;
                assert!(!found.into_iter().zip(expected).any(far), "{found:?} {expected:?}");
            };
            near(one.before, by_sorting(scores, relevance));
            for (way, after) in one.after {
                near(after, by_sorting(&formula(scores, way), relevance));
            }
        }
    }
}

/// In a pool of one part, the rest of the gallery has no say.
#[test]
fn a_pool_is_rescaled_by_itself() {
    let whole = demo::open().unwrap();
    let study = whole.in_pool(whole.pool_named("random20s3").unwrap()).unwrap();
    let mask = study.mask.as_ref().unwrap();
    let part = &mask.parts()[0];
    let mut alone = study.clone();
    alone.models = vec![study.models[2].within(part)];
    alone.truths = vec![study.truths[1].within(part, study.gallery.sizes())];
    alone.gallery.images = crate::data::id::IdList::counted(part.images.len());
    alone.gallery.captions = crate::data::id::IdList::counted(part.captions.len());
    alone.mask = None;
    let of = |study: &Study, (model, truth)| {
        what_if(
            study,
            (ModelIx::new(model), TruthIx::new(truth)),
            &Verdicts::default(),
            &WAYS,
            &CancelToken::default(),
        )
        .unwrap()
    };
    assert_eq!(of(&study, (2, 1)), of(&alone, (0, 0)));
}

#[test]
fn what_lacks_scores_is_refused_by_name() {
    use crate::data::PerDirection;
    use crate::data::scores::{Lists, Scores};
    let mut study = demo::open().unwrap();
    let sizes = study.gallery.sizes();
    let lists = PerDirection::from_fn(|direction: Direction| {
        Lists::none(sizes[direction], sizes[direction.flipped()])
    });
    study.models[0].scores = Scores::Lists(std::sync::Arc::new(lists));
    let said = what_if(
        &study,
        (ModelIx::new(0), TruthIx::new(1)),
        &Verdicts::default(),
        &WAYS,
        &CancelToken::default(),
    )
    .unwrap_err();
    let said = said.to_string();
    assert!(said.contains("model careful") && said.contains("ranked lists"), "{said}");
}

#[test]
fn the_best_of_few_scores_are_all_of_them() {
    assert!((mean_of_best(&[3.0, 1.0], 10) - 2.0).abs() < 1e-15);
    assert!((mean_of_best(&[1.0, 5.0, 2.0, 5.0, 4.0], 3) - 14.0 / 3.0).abs() < 1e-15);
}
