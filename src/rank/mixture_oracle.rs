//! Mixtures against the oracle: all cells mixed into a matrix by the plain formula, and sorted.

use std::sync::Arc;

use proptest::prelude::*;

use super::naive::{Case, case, score, tied};
use super::partial_oracle::by_sorting;
use super::pass::CancelToken;
use super::ranking::{Ranking, item_ranks};
use super::{TargetRanks, candidate_mask_oracle, many_oracle, rank_targets};
use crate::data::scores::{Embeddings, Model, ModelPair, Scaling, ScoreMatrix, Scores, Spread};
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Two cases of one gallery, the targets and folds of the first, and their mixture.
#[derive(Debug, Clone)]
struct Two {
    cases: [Case; 2],
    /// Whether the second has computed scores, as products of embeddings.
    is_computed: bool,
    alpha: f64,
    scaling: Scaling,
}

impl Two {
    fn model(&self, at: usize) -> Model {
        let scores = if self.is_computed && at == 1 {
            products(&self.cases[at])
        } else {
            Scores::Matrix(Arc::new(self.cases[at].matrix()))
        };
        Model { name: ["a", "b"][at].into(), source: ["a.npy", "b.npy"][at].into(), scores }
    }

    fn mixed(&self) -> Result<Model> {
        ModelPair::new(&self.model(0), &self.model(1))?.model(self.alpha, self.scaling)
    }

    /// All cells, by the plain formula.
    fn materialised(&self) -> Model {
        let weights = [self.alpha, 1.0 - self.alpha];
        let terms = [0, 1].map(|at| {
            let file = if self.is_computed && at == 1 {
                images_first(&self.cases[at])
            } else {
                self.cases[at].matrix()
            };
            let spread = Spread::from_source::<f64>(&file).unwrap();
            let (offset, scale) = match self.scaling {
                Scaling::Raw => (0.0, 1.0),
                Scaling::ZScore => (spread.mean, spread.deviation),
            };
            let scaled = |score: &f64| weights[at] * ((score - offset) / scale);
            self.cases[at].scores.iter().map(scaled).collect::<Vec<f64>>()
        });
        let sums = terms[0].iter().zip(&terms[1]).map(|(a, b)| a + b);
        let case = Case { scores: sums.collect(), element: "<f8", ..self.cases[0].clone() };
        Model {
            name: "all".into(),
            source: "all.npy".into(),
            scores: Scores::Matrix(Arc::new(case.matrix())),
        }
    }

    fn counted(&self, model: &Model) -> Result<PerDirection<TargetRanks>> {
        let case = &self.cases[0];
        let (sets, token) = (case.target_sets(), CancelToken::default());
        let counted = rank_targets(model, &sets, case.folds, &token)?;
        Ok(counted.expect("nobody cancels"))
    }

    /// Counted ranks, whole rankings, single ranks and the ranks of wide truths.
    fn check(&self) {
        let (mixed, whole) = (self.mixed().unwrap(), self.materialised());
        let case = &self.cases[0];
        let (counted, sets) = (self.counted(&mixed).unwrap(), case.target_sets());
        for direction in Direction::BOTH {
            let sides = case.sides(direction);
            let naive = by_sorting(&whole, direction, sides, &sets, case.folds);
            let naive = TargetRanks { depths: None, ..naive };
            assert!(counted[direction] == naive, "{direction} of {self:?}");
            let items: Vec<u32> = (0..sides.1 as u32).collect();
            for query in [0, sides.0 - 1] {
                let [one, other] =
                    [&mixed, &whole].map(|m| Ranking::for_query(m, direction, query));
                assert_eq!(one, other);
                let [one, other] =
                    [&mixed, &whole].map(|m| item_ranks(m, None, direction, query, &items));
                assert_eq!(one, other);
            }
            many_oracle::check(&mixed, direction, sides, &sets, case.folds);
        }
        candidate_mask_oracle::check(&mixed, &sets);
    }
}

/// A case in the order of computed scores.
fn images_first(case: &Case) -> ScoreMatrix {
    let case = Case { captions_first: false, fortran: false, ..case.clone() };
    case.matrix()
}

/// Finite scores as products of images with unit vectors, exactly.
fn products(case: &Case) -> Scores {
    let is_one = |at: usize| at.is_multiple_of(case.captions + 1);
    let unit = (0..case.captions * case.captions).map(|at| f64::from(u8::from(is_one(at))));
    let captions =
        images_first(&Case { images: case.captions, scores: unit.collect(), ..case.clone() });
    let embeddings = Embeddings::new(images_first(case).npy(), captions.npy(), false);
    Scores::Embeddings(Arc::new(embeddings.unwrap()))
}

/// Cases of one size; infinities in the first only, and none if they are scaled.
fn two() -> impl Strategy<Value = Two> {
    let alpha = prop_oneof![Just(0.25), Just(0.5), Just(0.3), 0.01..0.99];
    let scaling = proptest::sample::select(Scaling::ALL.to_vec());
    let forms = (case(), case(), any::<bool>(), alpha, scaling);
    forms.prop_flat_map(|(first, form, is_computed, alpha, scaling)| {
        let scores = proptest::collection::vec(score(), first.scores.len());
        scores.prop_map(move |scores| {
            let finite = |score: f64| score.clamp(-2.0, 2.0);
            let mut first = first.clone();
            if scaling == Scaling::ZScore {
                first.scores.iter_mut().for_each(|score| *score = finite(*score));
            }
            let second = Case {
                scores: scores.into_iter().map(finite).collect(),
                element: form.element,
                captions_first: form.captions_first,
                fortran: form.fortran,
                ..first.clone()
            };
            let cases = [first, second];
            Two { cases, is_computed, alpha, scaling }
        })
    })
}

/// Whether all finite scores of a case are equal.
fn is_constant(case: &Case) -> bool {
    let spread = Spread::from_source::<f64>(&case.matrix()).unwrap();
    spread.lowest >= spread.highest
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn mixing_equals_mixing_all_and_sorting(two in two()) {
        if two.scaling != Scaling::Raw && two.cases.iter().any(is_constant) {
            prop_assert!(two.mixed().unwrap_err().to_string().contains("are equal"));
        } else {
            two.check();
        }
    }
}

/// Rows of several tiles and blocks, every element with every other, both ways round.
#[test]
fn tiles_are_seamless_in_every_pair_of_forms() {
    let case = tied(37, 2_300, |image, _| if image % 9 == 0 { 3 } else { 40 });
    let forms = ["<f2", "<f4", "<f8", ">f4"];
    for (at, first) in forms.into_iter().enumerate() {
        for (place, second) in forms.into_iter().enumerate() {
            let cases = [first, second].map(|element| Case { element, ..case.clone() });
            let mut two = Two {
                cases,
                // Large products are slow: once with each order of the other file.
                is_computed: at > 1 && at + place == 3,
                alpha: 0.3,
                scaling: Scaling::ALL[(at + place) % 2],
            };
            two.cases[0].captions_first = at % 2 == 0;
            two.cases[1].captions_first = place > 1;
            two.cases[1].scores.rotate_left(1_000);
            two.check();
        }
    }
}

#[test]
fn weights_of_one_and_zero_are_the_single_models() {
    let mut case = tied(41, 530, |_, _| 20);
    case.scores[7] = f64::INFINITY;
    let mut other = case.clone();
    other.scores.rotate_left(77);
    other.scores[7] = f64::NEG_INFINITY;
    for (alpha, at) in [(1.0, 0), (0.0, 1)] {
        let cases = [case.clone(), other.clone()];
        let two = Two { cases, is_computed: false, alpha, scaling: Scaling::Raw };
        let (mixed, single) = (two.mixed().unwrap(), two.model(at));
        assert_eq!(two.counted(&mixed).unwrap(), two.counted(&single).unwrap());
        let [one, other] = [&mixed, &single].map(|m| Ranking::for_query(m, Direction::T2i, 3));
        assert_eq!(one, other);
    }
}

#[test]
fn the_error_names_the_cell_without_a_number() {
    let case = tied(41, 530, |_, _| 20);
    let error_text = |change: &dyn Fn(&mut [Case; 2])| {
        let mut two = Two {
            cases: [case.clone(), case.clone()],
            is_computed: false,
            alpha: 0.3,
            scaling: Scaling::Raw,
        };
        change(&mut two.cases);
        two.counted(&two.mixed().unwrap()).unwrap_err().to_string()
    };
    let message = error_text(&|cases| cases[1].scores[3 * 530 + 5] = f64::NAN);
    assert!(message.contains("NaN at image 3, caption 5 "), "{message}");
    let message = error_text(&|cases| {
        cases[0].scores[530 + 6] = f64::INFINITY;
        cases[1].scores[530 + 6] = f64::NEG_INFINITY;
        cases[1].captions_first = true;
    });
    let expected = "infinities of opposite sign at image 1, caption 6 ";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_cancelled_mixture_has_no_result() {
    let case = tied(41, 530, |_, _| 20);
    let two = Two {
        cases: [case.clone(), case],
        is_computed: true,
        alpha: 0.3,
        scaling: Scaling::ZScore,
    };
    let token = CancelToken::default();
    token.cancel();
    let sets = two.cases[0].target_sets();
    assert!(rank_targets(&two.mixed().unwrap(), &sets, None, &token).unwrap().is_none());
}
