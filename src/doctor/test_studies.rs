//! Small test studies.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Depth, Exam, Find, Finding, Severity};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::npy::Npy;
use crate::data::scores::{Model, ScoreMatrix, Scores};
use crate::study::Study;
use crate::truth::pairs::Pairs;
use crate::truth::{Listed, Truth};

/// Images and captions of [`study`].
pub const SIZES: [usize; 2] = [20, 60];

pub fn matrix(shape: [usize; 2], cells: &[f64]) -> ScoreMatrix {
    ScoreMatrix::new(Npy::in_memory("m.npy", shape, cells.iter().copied()), false).unwrap()
}

/// A random-like score from 0 to 1.
pub fn noise(image: usize, caption: usize) -> f64 {
    let mixed = |n: u64| (n ^ (n >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let seed = (image * 1000 + caption + 1) as u64;
    (mixed(mixed(mixed(seed))) >> 11) as f64 / (1u64 << 53) as f64
}

/// A score that is high for original pairs.
pub fn good(image: usize, caption: usize) -> f64 {
    noise(image, caption) + if caption / 3 == image { 1.0 } else { 0.0 }
}

/// A matrix of these scores, 20 images of three captions each, and the original pairing.
pub fn study(score: impl Fn(usize, usize) -> f64) -> Study {
    sized(SIZES, |caption| caption / 3, score)
}

/// A matrix of these sizes, with the image of each caption.
pub fn sized(
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
    with(&mut study, Scores::Matrix(Arc::new(matrix(sizes, &cells))));
    study
}

/// A truth of (image id, caption id) pairs in both directions.
pub fn truth(name: &str, pairs: &[(usize, usize)], gallery: &Gallery) -> Truth {
    let mut truth = Truth::new(name);
    for direction in Direction::BOTH {
        let mut of_query: BTreeMap<usize, Vec<Id>> = BTreeMap::new();
        for &(image, caption) in pairs {
            let (query, item) = direction.query_and_item(image, caption);
            of_query.entry(query).or_default().push(Id::Number(item as i64));
        }
        let number = |(query, items)| (Id::Number(query as i64), items);
        let listed: Pairs = of_query.into_iter().map(number).collect();
        let listed = Listed {
            name: name.into(),
            direction: Some(direction),
            pairs: listed,
            file: "t.json".into(),
        };
        truth.add(&listed, gallery).unwrap();
    }
    truth
}

pub fn ids(first: i64, len: usize) -> IdList {
    let ids: Vec<Id> = (first..).take(len).map(Id::Number).collect();
    IdList::new(ids).unwrap()
}

/// Replaces a study's models by these scores.
pub fn with(study: &mut Study, scores: Scores) {
    study.models = vec![Model { name: "m".into(), source: "m.npy".into(), scores }];
}

/// The findings of one check on a study.
pub fn found(find: Find, study: &Study) -> Vec<Finding> {
    find(&Exam::new(study, Depth::Whole))
}

/// Asserts one problem that has all of `parts`.
pub fn assert_problem(find: Find, study: &Study, parts: &[&str]) {
    assert_one(find, study, Severity::Problem, parts);
}

/// Asserts one note that has all of `parts`.
pub fn assert_note(find: Find, study: &Study, parts: &[&str]) {
    assert_one(find, study, Severity::Note, parts);
}

fn assert_one(find: Find, study: &Study, severity: Severity, parts: &[&str]) {
    let found = found(find, study);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].severity, severity, "{found:#?}");
    let all = format!("{} {:?}", found[0], found[0]);
    for part in parts {
        assert!(all.contains(part), "no {part:?} in {all}");
    }
}

pub fn assert_nothing(find: Find, study: &Study) {
    assert_eq!(found(find, study), []);
}
