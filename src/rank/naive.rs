//! The oracle: sort everything, so simple that it is unlikely to be wrong.

use proptest::prelude::*;

use super::partial_oracle::by_sorting;
use super::pass::CancelToken;
use super::targets::{PairSet, Targets};
use super::{Folds, TargetRanks, candidate_mask_oracle, many_oracle, rank_targets};
use crate::data::npy::Npy;
use crate::data::scores::{Model, ScoreMatrix, Scores};
use crate::data::source::Source;
use crate::data::{Direction, PerDirection};
use std::sync::Arc;

/// A small matrix, its target items, and its storage.
#[derive(Debug, Clone)]
pub(super) struct Case {
    pub images: usize,
    pub captions: usize,
    pub scores: Vec<f64>,
    pub targets: Vec<bool>,
    pub element: &'static str,
    pub captions_first: bool,
    pub fortran: bool,
    pub folds: Option<Folds>,
}

impl Case {
    fn score(&self, image: usize, caption: usize) -> f64 {
        self.scores[image * self.captions + caption]
    }

    fn is_target(&self, image: usize, caption: usize) -> bool {
        self.targets[image * self.captions + caption]
    }

    pub fn matrix(&self) -> ScoreMatrix {
        let (first, second) = if self.captions_first {
            (self.captions, self.images)
        } else {
            (self.images, self.captions)
        };
        let mut data = Vec::new();
        let at = |a, b| {
            if self.captions_first { self.score(b, a) } else { self.score(a, b) }
        };
        let (outer, inner) = if self.fortran { (second, first) } else { (first, second) };
        for o in 0..outer {
            for i in 0..inner {
                let value = if self.fortran { at(i, o) } else { at(o, i) };
                data.extend(encode(self.element, value));
            }
        }
        let fortran = if self.fortran { "True" } else { "False" };
        let header = format!(
            "{{'descr': '{}', 'fortran_order': {fortran}, 'shape': ({first}, {second}), }}\n",
            self.element
        );
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.as_bytes());
        file.extend(data);
        let npy = Npy::open(Arc::new(Source::in_memory("case.npy", file))).unwrap();
        ScoreMatrix::new(npy, self.captions_first).unwrap()
    }

    pub fn target_sets(&self) -> Targets {
        PerDirection::from_fn(|direction| {
            let (queries, items) = self.sides(direction);
            PairSet::from_lists((0..queries).map(|query| {
                let is = |&item: &u32| match direction {
                    Direction::I2t => self.is_target(query, item as usize),
                    Direction::T2i => self.is_target(item as usize, query),
                };
                (0..items as u32).filter(is).collect()
            }))
        })
    }

    pub fn sides(&self, direction: Direction) -> (usize, usize) {
        direction.query_and_item(self.images, self.captions)
    }

    fn model(&self) -> Model {
        Model {
            name: "case".into(),
            source: "case.npy".into(),
            scores: Scores::Matrix(Arc::new(self.matrix())),
        }
    }

    fn naive(&self, direction: Direction) -> TargetRanks {
        let counted = by_sorting(
            &self.model(),
            direction,
            self.sides(direction),
            &self.target_sets(),
            self.folds,
        );
        TargetRanks { depths: None, ..counted }
    }
}

fn encode(element: &str, value: f64) -> Vec<u8> {
    match element {
        "<f2" => half::f16::from_f64(value).to_le_bytes().to_vec(),
        "<f4" => (value as f32).to_le_bytes().to_vec(),
        ">f4" => (value as f32).to_be_bytes().to_vec(),
        "<f8" => value.to_le_bytes().to_vec(),
        other => panic!("no such element in the tests: {other}"),
    }
}

/// Few distinct values, so that most scores are tied; with zeros of both signs and infinities.
pub(super) fn score() -> impl Strategy<Value = f64> {
    prop_oneof![
        8 => (-3i8..3).prop_map(|n| f64::from(n) / 4.0),
        1 => Just(-0.0),
        1 => prop_oneof![Just(f64::INFINITY), Just(f64::NEG_INFINITY)],
    ]
}

pub(super) fn case() -> impl Strategy<Value = Case> {
    let element = prop_oneof![Just("<f4"), Just("<f2"), Just(">f4"), Just("<f8")];
    let folds =
        prop_oneof![Just(None), Just(Some(Folds { count: 2 })), Just(Some(Folds { count: 3 }))];
    let forms = (element, any::<bool>(), any::<bool>(), folds, 1usize..12, 1usize..70);
    forms.prop_flat_map(|(element, captions_first, fortran, folds, images, captions)| {
        let cells = images * captions;
        let scores = proptest::collection::vec(score(), cells);
        let targets = proptest::collection::vec(proptest::bool::weighted(0.2), cells);
        (scores, targets).prop_map(move |(scores, targets)| Case {
            images,
            captions,
            scores,
            targets,
            element,
            captions_first,
            fortran,
            folds,
        })
    })
}

fn counted(case: &Case) -> PerDirection<TargetRanks> {
    rank_targets(&case.model(), &case.target_sets(), case.folds, &CancelToken::default())
        .unwrap()
        .unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn counting_equals_sorting(case in case()) {
        let counted = counted(&case);
        for direction in Direction::BOTH {
            prop_assert_eq!(&counted[direction], &case.naive(direction));
        }
    }
}

fn check_wide(case: &Case) {
    let (model, sets) = (case.model(), case.target_sets());
    for direction in Direction::BOTH {
        many_oracle::check(&model, direction, case.sides(direction), &sets, case.folds);
    }
    candidate_mask_oracle::check(&model, &sets);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn ranks_of_wide_truths_equal_sorting(case in case()) {
        check_wide(&case);
    }
}

#[test]
fn hundreds_of_tied_targets_are_ranked_as_by_sorting() {
    for (element, captions_first) in [("<f4", false), ("<f8", true), ("<f2", false)] {
        let mut case = large();
        case.element = element;
        case.captions_first = captions_first;
        case.targets.iter_mut().enumerate().for_each(|(at, is)| *is |= at % 3 > 0);
        check_wide(&case);
    }
}

/// A case larger than one task and than any lane width, with many ties.
fn large() -> Case {
    tied(230, 517, |_, _| 30)
}

/// Many ties, and one pair in `one_in(image, caption)` a target.
pub(super) fn tied(images: usize, captions: usize, one_in: impl Fn(usize, usize) -> u64) -> Case {
    let mut state = 7u64;
    let mut next = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let cells = images * captions;
    Case {
        images,
        captions,
        // Zeros have both signs: -0.0 equals 0.0.
        scores: (0..cells)
            .map(|_| [1.0, -1.0][next() as usize % 2] * (next() % 20) as f64 / 8.0)
            .collect(),
        targets: (0..cells)
            .map(|at| next().is_multiple_of(one_in(at / captions, at % captions)))
            .collect(),
        element: "<f4",
        captions_first: false,
        fortran: false,
        folds: Some(Folds { count: 5 }),
    }
}

/// Rows of several tiles; most queries have few targets, some many: dense levels, a tail of several levels, and with
/// `folds` an incomplete last block of a task.
#[test]
fn tiles_and_levels_are_seamless_in_every_form_of_file() {
    let mut case =
        tied(37, 2_300, |image, caption| if image % 9 == 0 || caption % 50 == 0 { 3 } else { 40 });
    for (element, captions_first) in
        [("<f4", false), ("<f4", true), ("<f2", false), (">f4", true), ("<f8", false)]
    {
        for folds in [None, Some(Folds { count: 3 })] {
            (case.element, case.captions_first, case.folds) = (element, captions_first, folds);
            let counted = counted(&case);
            for direction in Direction::BOTH {
                assert!(counted[direction] == case.naive(direction), "{element}");
            }
        }
    }
}

/// Nine images in two folds, most scores zeros of either sign.
#[test]
fn folds_of_unequal_size_are_ranked_as_by_sorting() {
    let mut case = tied(9, 19, |_, _| 4);
    let few = |score: &mut f64| *score = (*score / 2.0).trunc() / 4.0;
    case.scores.iter_mut().for_each(few);
    case.folds = Some(Folds { count: 2 });
    let counted = counted(&case);
    for direction in Direction::BOTH {
        assert_eq!(counted[direction], case.naive(direction));
    }
}

#[test]
fn one_thread_and_seven_equal_sorting() {
    let case = large();
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| counted(&case))
    };
    let (one, many) = (with(1), with(7));
    assert_eq!(one, many);
    for direction in Direction::BOTH {
        assert_eq!(one[direction], case.naive(direction));
    }
}

#[test]
fn the_first_nan_is_named_in_gallery_terms() {
    for captions_first in [false, true] {
        let mut case = large();
        case.captions_first = captions_first;
        for (image, caption) in [(120, 3), (41, 500)] {
            case.scores[image * case.captions + caption] = f64::NAN;
        }
        let error = rank_targets(&case.model(), &case.target_sets(), None, &CancelToken::default());
        let expected =
            if captions_first { "image 120, caption 3 " } else { "image 41, caption 500 " };
        let message = error.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn a_cancelled_pass_has_no_result() {
    let token = CancelToken::default();
    token.cancel();
    let case = large();
    assert!(rank_targets(&case.model(), &case.target_sets(), None, &token).unwrap().is_none());
}
