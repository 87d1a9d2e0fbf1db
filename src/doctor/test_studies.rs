//! Small test studies.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Depth, Exam, FindFaults, Finding, Severity};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::npy::Npy;
use crate::data::scores::{Model, ScoreMatrix, Scores};
use crate::study::Study;
use crate::truth::pairs::Pairs;
use crate::truth::{Listed, Truth};

/// Number of images and captions of [`study`].
pub const SIZES: [usize; 2] = [20, 60];

/// A matrix of images x captions with these cells, row by row.
pub fn matrix(shape: [usize; 2], cells: &[f64]) -> ScoreMatrix {
    ScoreMatrix::new(Npy::in_memory("m.npy", shape, cells.iter().copied()), false).unwrap()
}

/// A random-like score from 0 to 1, the same in every run.
pub fn noise(image: usize, caption: usize) -> f64 {
    let mix = |n: u64| (n ^ (n >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let seed = (image * 1000 + caption + 1) as u64;
    (mix(mix(mix(seed))) >> 11) as f64 / (1u64 << 53) as f64
}

/// A score that is above all others for the original pairs of [`study`].
pub fn good(image: usize, caption: usize) -> f64 {
    noise(image, caption) + if caption / 3 == image { 1.0 } else { 0.0 }
}

/// A study of 20 images with three captions each: the original pairing, and a matrix of the `score` of each image and
/// caption.
pub fn study(score: impl Fn(usize, usize) -> f64) -> Study {
    study_of_size(SIZES, |caption| caption / 3, score)
}

/// A study with this number of images and captions: the original pairing by `image_of`, and a matrix of the `score` of
/// each image and caption.
pub fn study_of_size(
    sizes: [usize; 2],
    image_of: impl Fn(usize) -> usize,
    score: impl Fn(usize, usize) -> f64,
) -> Study {
    let [images, captions] = sizes;
    let cells: Vec<f64> =
        (0..images * captions).map(|at| score(at / captions, at % captions)).collect();
    let mut study = Study {
        gallery: Gallery {
            images: ids(0, images),
            captions: ids(100, captions),
            ..Gallery::default()
        },
        ..Study::default()
    };
    let pairs: Vec<(usize, usize)> = (0..captions).map(|c| (image_of(c), c + 100)).collect();
    study.truths.push(truth("original", &pairs, &study.gallery));
    set_scores(&mut study, Scores::Matrix(Arc::new(matrix(sizes, &cells))));
    study
}

/// A truth of (image id, caption id) pairs in both directions.
pub fn truth(name: &str, pairs: &[(usize, usize)], gallery: &Gallery) -> Truth {
    let mut truth = Truth::new(name);
    for direction in Direction::BOTH {
        let mut items_of: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
        for &(image, caption) in pairs {
            let (query, item) = direction.query_and_item(image, caption);
            items_of.entry(query).or_default().push(Id::Number(item as i64));
        }
        let number = |(query, items)| (Id::Number(query as i64), items);
        let listed: Pairs = items_of.into_iter().map(number).collect();
        let listed = Listed {
            name: name.into(),
            direction: Some(direction),
            pairs: listed,
            file: "t.json".into(),
        };
        truth.add_direction(&listed, gallery).unwrap();
    }
    truth
}

/// `len` ascending ids from `first`.
pub fn ids(first: i64, len: usize) -> IdList {
    let ids: Vec<Id> = (first..).take(len).map(Id::Number).collect();
    IdList::new(ids).unwrap()
}

/// Replaces the models of a study by one with these scores.
pub fn set_scores(study: &mut Study, scores: Scores) {
    study.models = vec![Model { name: "m".into(), source: "m.npy".into(), scores }];
}

/// The findings of one check on a study.
pub fn run_check(find: FindFaults, study: &Study) -> Vec<Finding> {
    find(&Exam::new(study, Depth::Whole))
}

/// Asserts one problem that has all of `parts`.
pub fn assert_problem(find: FindFaults, study: &Study, parts: &[&str]) {
    assert_one(find, study, Severity::Problem, parts);
}

/// Asserts one note that has all of `parts`.
pub fn assert_note(find: FindFaults, study: &Study, parts: &[&str]) {
    assert_one(find, study, Severity::Note, parts);
}

/// Asserts that a check has one finding, of this severity and with all of `parts`.
fn assert_one(find: FindFaults, study: &Study, severity: Severity, parts: &[&str]) {
    let found = run_check(find, study);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, severity, "{found:#?}");
    let all = format!("{} {:?}", found[0], found[0]);
    for part in parts {
        assert!(all.contains(part), "no {part:?} in {all}");
    }
}

/// Asserts that a check finds nothing.
pub fn assert_nothing(find: FindFaults, study: &Study) {
    assert_eq!(run_check(find, study), []);
}
