//! Results of two models compared with whole rankings, in every form of scores.

use proptest::prelude::*;

use super::beside::{QueryRankings, compare_rankings};
use super::naive::{Case, case, tied};
use super::pass::CancelToken;
use super::ranking::Ranking;
use super::top_k_oracle::forms;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::IdList;
use crate::data::npy::Npy;
use crate::data::scores::{Model, ScoreMatrix, Scores};
use std::sync::Arc;

fn gallery(sizes: [usize; 2]) -> Gallery {
    let [images, captions] = sizes.map(IdList::for_len);
    Gallery { images, captions, ..Gallery::default() }
}

/// The scores used to compare rankings: negative ranks, if a list has none.
fn scores_of(ranking: &Ranking, items: &[u32]) -> Vec<Option<f64>> {
    let score = |&item: &u32| {
        let place = ranking.order.iter().position(|&one| one == item)?;
        let score = ranking.scores[item as usize];
        Some(if score.is_nan() { -(place as f64) } else { score })
    };
    items.iter().map(score).collect()
}

fn known(scores: &[f64]) -> Vec<Option<f64>> {
    let known = |&score: &f64| (!score.is_nan()).then_some(score);
    scores.iter().map(known).collect()
}

fn assert_is_of_the_rankings(both: &QueryRankings, rankings: &[Ranking; 2], k: usize) {
    for (head, ranking) in both.top_k.iter().zip(rankings) {
        assert_eq!(head, &ranking.order[..k.min(ranking.order.len())]);
    }
    let mut union = both.top_k.concat();
    union.sort_unstable();
    union.dedup();
    for (model, ranking) in rankings.iter().enumerate() {
        assert_eq!(known(&both.union[model]), scores_of(ranking, &union));
        let top = both.top_k[model].first();
        let order = &rankings[1 - model].order;
        let place = |top: &u32| order.iter().position(|one| one == top);
        let rank = top.and_then(place).map(|place| place as u32 + 1);
        assert_eq!(both.top_ranks[model], rank);
    }
    let is_whole = |ranking: &Ranking| ranking.order.len() == ranking.scores.len();
    assert_eq!(both.are_whole, rankings.iter().all(is_whole));
}

fn assert_both_are_of_the_rankings(case: &Case, pairs: &[[&Model; 2]], k: usize) {
    let gallery = gallery([case.images, case.captions]);
    for &models in pairs {
        for direction in Direction::BOTH {
            let each = |query: usize, both: QueryRankings| {
                let rankings = models.map(|model| Ranking::for_query(model, direction, query));
                assert_is_of_the_rankings(&both, &rankings, k);
                query
            };
            let found =
                compare_rankings(&gallery, models, direction, k, &CancelToken::default(), each);
            let all: Vec<usize> = (0..gallery.queries(direction).len()).collect();
            assert_eq!(found.unwrap(), Some(all));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn comparison_equals_full_rankings(case in case(), k in prop_oneof![0usize..4, Just(50)]) {
        let forms = forms(&case);
        let reverse = forms.iter().rev();
        let pairs = forms.iter().zip(reverse).chain(forms.iter().zip(&forms));
        let pairs: Vec<[&Model; 2]> = pairs.map(|(one, other)| [one, other]).collect();
        assert_both_are_of_the_rankings(&case, &pairs, k);
    }
}

/// Incomplete strips of columns, tiles and blocks of rows.
#[test]
fn strips_are_seamless() {
    for captions_first in [false, true] {
        let case = Case { captions_first, ..tied(203, 600, |_, _| 30) };
        let forms = forms(&case);
        // A matrix and a mixture of two; for top k this short a sample of rows gives the first bars.
        for k in [3, 25] {
            assert_both_are_of_the_rankings(&case, &[[&forms[0], &forms[3]]], k);
        }
    }
}

#[test]
fn the_error_names_the_cell_with_nan() {
    let scores = (0..6).map(|at| if at == 4 { f64::NAN } else { f64::from(at) });
    let npy = Npy::in_memory("a.npy", [2, 3], scores);
    let model = Model {
        name: "a".into(),
        source: "a.npy".into(),
        scores: Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap())),
    };
    let models = [&model, &model];
    for direction in Direction::BOTH {
        let found = compare_rankings(
            &gallery([2, 3]),
            models,
            direction,
            1,
            &CancelToken::default(),
            |_, _| (),
        );
        let message = found.unwrap_err().to_string();
        assert!(message.contains("NaN at"), "{message}");
    }
}

#[test]
fn a_cancelled_comparison_has_no_result() {
    let npy = Npy::in_memory("a.npy", [2, 3], (0..6).map(f64::from));
    let model = Model {
        name: "a".into(),
        source: "a.npy".into(),
        scores: Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap())),
    };
    let token = CancelToken::default();
    token.cancel();
    let found =
        compare_rankings(&gallery([2, 3]), [&model; 2], Direction::I2t, 1, &token, |_, _| ());
    assert_eq!(found.unwrap(), None);
}
