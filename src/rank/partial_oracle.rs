//! Every form of scores compared with the oracle, and with the whole matrix if both are defined.

use std::sync::Arc;

use proptest::prelude::*;

use super::ranking::Ranking;
use super::targets::{PairSet, Targets};
use super::{
    Depths, Folds, TargetRanks, UNRANKED, candidate_mask_oracle, many_oracle, rank_targets,
};
use crate::data::npy::Npy;
use crate::data::scores::{Embeddings, Lists, Model, ScoreMatrix, Scores, Side};
use crate::data::{Direction, PerDirection};
use crate::rank::pass::CancelToken;

const FILL: f64 = -200.0;

/// A matrix with few distinct values, its scored cells, and its targets.
#[derive(Debug, Clone)]
struct Case {
    images: usize,
    captions: usize,
    scores: Vec<f64>,
    scored: Vec<bool>,
    targets: Vec<bool>,
    /// Whether each matrix has captions first.
    captions_first: PerDirection<bool>,
    folds: Option<Folds>,
}

impl Case {
    fn sides(&self, direction: Direction) -> (usize, usize) {
        direction.query_and_item(self.images, self.captions)
    }

    fn cell(&self, direction: Direction, query: usize, item: usize) -> usize {
        match direction {
            Direction::I2t => query * self.captions + item,
            Direction::T2i => item * self.captions + query,
        }
    }

    fn targets(&self) -> Targets {
        PerDirection::from_fn(|direction| {
            let (queries, items) = self.sides(direction);
            PairSet::from_lists((0..queries).map(|query| {
                let is = |&item: &u32| self.targets[self.cell(direction, query, item as usize)];
                (0..items as u32).filter(is).collect()
            }))
        })
    }

    fn matrix(&self, captions_first: bool, fill: bool) -> ScoreMatrix {
        let value = |image: usize, caption: usize| {
            let at = image * self.captions + caption;
            if fill && !self.scored[at] { FILL } else { self.scores[at] }
        };
        let (images, captions) = (self.images, self.captions);
        let (shape, cells): ([usize; 2], Vec<f64>) = if captions_first {
            let cells = (0..captions).flat_map(|c| (0..images).map(move |i| (i, c)));
            ([captions, images], cells.map(|(i, c)| value(i, c)).collect())
        } else {
            let cells = (0..images).flat_map(|i| (0..captions).map(move |c| (i, c)));
            ([images, captions], cells.map(|(i, c)| value(i, c)).collect())
        };
        let npy = Npy::in_memory("case.npy", shape, cells.into_iter());
        ScoreMatrix::new(npy, captions_first).unwrap()
    }

    fn two(&self) -> Scores {
        Scores::Two(Arc::new(PerDirection::from_fn(|direction| {
            let matrix = self.matrix(self.captions_first[direction], true);
            Side::new(matrix, direction, Some(FILL))
        })))
    }

    /// The scored items of each query, best first.
    fn lists(&self) -> Scores {
        Scores::Lists(Arc::new(PerDirection::from_fn(|direction| {
            let (queries, items) = self.sides(direction);
            let list = |query: usize| {
                let at = |item: u32| self.cell(direction, query, item as usize);
                let mut list: Vec<u32> =
                    (0..items as u32).filter(|&item| self.scored[at(item)]).collect();
                list.sort_by(|&a, &b| self.scores[at(b)].total_cmp(&self.scores[at(a)]));
                list
            };
            let lists: Vec<Vec<u32>> = (0..queries).map(list).collect();
            Lists::new(items, lists.iter().map(|list| (list.as_slice(), &[][..])))
        })))
    }

    /// Embeddings whose products are the scores exactly: the captions are the unit vectors.
    fn embeddings(&self) -> Scores {
        let unit = |at: usize| f64::from(u8::from(at.is_multiple_of(self.captions + 1)));
        let captions = Npy::in_memory(
            "t.npy",
            [self.captions; 2],
            (0..self.captions * self.captions).map(unit),
        );
        let images = self.matrix(false, false);
        let embeddings = Embeddings::new(images.npy(), &captions, false).unwrap();
        Scores::Embeddings(Arc::new(embeddings))
    }

    fn counted(&self, scores: Scores) -> PerDirection<TargetRanks> {
        let (model, token) = (model(scores), CancelToken::default());
        let counted = rank_targets(&model, &self.targets(), self.folds, &token);
        counted.unwrap().unwrap()
    }

    fn check(&self, scores: Scores) -> std::result::Result<(), TestCaseError> {
        let targets = self.targets();
        let counted = self.counted(scores.clone());
        let model = model(scores);
        for direction in Direction::BOTH {
            let sides = self.sides(direction);
            let naive = by_sorting(&model, direction, sides, &targets, self.folds);
            prop_assert_eq!(&counted[direction], &naive, "{}", direction);
        }
        self.check_wide(model.scores);
        Ok(())
    }

    /// The targets as those of a wide truth.
    fn check_wide(&self, scores: Scores) {
        let (model, targets) = (model(scores), self.targets());
        for direction in Direction::BOTH {
            let sides = self.sides(direction);
            many_oracle::check(&model, direction, sides, &targets, self.folds);
        }
        candidate_mask_oracle::check(&model, &targets);
    }
}

/// Ranks of all targets and length of each query's ranking, by sorting each query's items; `sides` are the numbers of
/// queries and items.
pub(super) fn by_sorting(
    model: &Model,
    direction: Direction,
    (queries, items): (usize, usize),
    sets: &Targets,
    folds: Option<Folds>,
) -> TargetRanks {
    let mut counted = TargetRanks::default();
    let mut depths = Depths::default();
    for query in 0..queries {
        let order = Ranking::for_query(model, direction, query).order;
        let fold_of = |folds: Folds, item: u32| folds.fold(item as usize, items);
        let own: Option<Vec<u32>> = folds.map(|folds| {
            let inside = |&item: &u32| fold_of(folds, item) == folds.fold(query, queries);
            order.iter().copied().filter(inside).collect()
        });
        let rank = |order: &[u32], item| {
            let place = order.iter().position(|&other| other == item);
            place.map_or(UNRANKED, |at| at as u32 + 1)
        };
        for &item in sets[direction].items(query) {
            counted.all.push(rank(&order, item));
            if let (Some(folds), Some(own)) = (folds, &own) {
                let inside = fold_of(folds, item) == folds.fold(query, queries);
                counted.fold.push(if inside { rank(own, item) } else { 0 });
            }
        }
        depths.all.push(order.len() as u32);
        depths.fold.extend(own.map(|own| own.len() as u32));
    }
    counted.depths = Some(depths);
    counted
}

fn model(scores: Scores) -> Model {
    Model { name: "case".into(), source: "case.npy".into(), scores }
}

fn case() -> impl Strategy<Value = Case> {
    let folds = prop_oneof![Just(None), Just(Some(Folds { count: 3 }))];
    let forms = (folds, any::<[bool; 2]>(), 1usize..10, 1usize..40);
    forms.prop_flat_map(|(folds, [a, b], images, captions)| {
        let cells = images * captions;
        let scores = proptest::collection::vec((-3i8..4).prop_map(|n| f64::from(n) / 4.0), cells);
        let flags = |share| proptest::collection::vec(proptest::bool::weighted(share), cells);
        (scores, flags(0.3), flags(0.3)).prop_map(move |(scores, scored, targets)| Case {
            images,
            captions,
            scores,
            scored,
            targets,
            captions_first: PerDirection { i2t: a, t2i: b },
            folds,
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn two_matrices_with_a_fill_rank_what_is_scored(case in case()) {
        case.check(case.two())?;
    }

    #[test]
    fn embeddings_rank_as_their_products_do(case in case()) {
        case.check_wide(case.embeddings());
        let dense = Scores::Matrix(Arc::new(case.matrix(true, false)));
        prop_assert_eq!(case.counted(case.embeddings()), case.counted(dense));
    }

    #[test]
    fn lists_rank_what_they_list(case in case()) {
        case.check(case.lists())?;
        let (two, lists) = (case.counted(case.two()), case.counted(case.lists()));
        prop_assert_eq!(two, lists);
    }
}
