//! Rows of two models against whole rankings, in every form of scores.

use proptest::prelude::*;

use super::beside::{Row, beside};
use super::heads_oracle::forms;
use super::naive::{Case, case};
use super::pass::Watch;
use super::ranking::Ranking;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::IdList;
use crate::data::npy::Npy;
use crate::data::scores::{Model, ScoreMatrix, Scores};
use std::sync::Arc;

fn gallery(sizes: [usize; 2]) -> Gallery {
    let [images, captions] = sizes.map(IdList::counted);
    Gallery {
        images,
        captions,
        ..Gallery::default()
    }
}

fn assert_is_the_ranking(row: Row<'_>, model: &Model, direction: Direction, query: usize) {
    let ranking = Ranking::of(model, direction, query);
    let order = &ranking.order;
    for k in [0, 1, 3, 50] {
        assert_eq!(row.head(k), order[..k.min(order.len())]);
    }
    assert_eq!(row.is_whole(), order.len() == ranking.scores.len());
    for item in 0..ranking.scores.len() as u32 {
        let place = order.iter().position(|&one| one == item);
        assert_eq!(row.rank(item), place.map(|place| place as u32 + 1));
        assert_eq!(row.score(item).is_nan(), place.is_none());
    }
    for pair in order.windows(2) {
        let [better, worse] = [pair[0], pair[1]].map(|item| row.score(item));
        assert!(better > worse || (better.eq(&worse) && pair[0] < pair[1]));
    }
}

fn assert_rows_are_those_of_the_rankings(case: &Case) {
    let gallery = gallery([case.images, case.captions]);
    let forms = forms(case);
    for both in forms.iter().zip(forms.iter().rev()) {
        let models = [both.0, both.1];
        for direction in Direction::BOTH {
            let each = |query: usize, rows: [Row<'_>; 2]| {
                for (row, model) in rows.into_iter().zip(models) {
                    assert_is_the_ranking(row, model, direction, query);
                }
                query
            };
            let found = beside(&gallery, models, direction, &Watch::default(), each);
            let all: Vec<usize> = (0..gallery.queries(direction).len()).collect();
            assert_eq!(found.unwrap(), Some(all));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn rows_give_the_ranks_of_rankings(case in case()) {
        assert_rows_are_those_of_the_rankings(&case);
    }
}

#[test]
fn nan_is_refused_by_its_cell() {
    let scores = (0..6).map(|at| if at == 4 { f64::NAN } else { f64::from(at) });
    let npy = Npy::in_memory("a.npy", [2, 3], scores);
    let model = Model {
        name: "a".into(),
        source: "a.npy".into(),
        scores: Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap())),
    };
    let models = [&model, &model];
    for direction in Direction::BOTH {
        let found = beside(
            &gallery([2, 3]),
            models,
            direction,
            &Watch::default(),
            |_, _| (),
        );
        let message = found.unwrap_err().to_string();
        assert!(message.contains("NaN at"), "{message}");
    }
}

#[test]
fn a_cancelled_watch_ends_it() {
    let npy = Npy::in_memory("a.npy", [2, 3], (0..6).map(f64::from));
    let model = Model {
        name: "a".into(),
        source: "a.npy".into(),
        scores: Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap())),
    };
    let watch = Watch::default();
    watch.cancel();
    let found = beside(
        &gallery([2, 3]),
        [&model; 2],
        Direction::I2t,
        &watch,
        |_, _| (),
    );
    assert_eq!(found.unwrap(), None);
}
