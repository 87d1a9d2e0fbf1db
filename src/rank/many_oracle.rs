//! Ranks of wide truths by the oracle, in every form of scores.

use super::partial_oracle::by_sorting;
use super::pass::CancelToken;
use super::targets::{PairSet, Targets};
use super::{Folds, Ranks, TargetRanks, many};
use crate::data::Direction;
use crate::data::gallery::Fold;
use crate::data::scores::{Model, Scores};
use crate::truth::relevance::{Builder, Relevance};

/// A truth with these targets; its queries in reverse order.
pub(super) fn relevance(set: &PairSet) -> Relevance {
    let mut builder = Builder::new(set.query_count());
    for query in (0..set.query_count()).rev() {
        let items = set.items(query);
        builder.push(query as u32, items, items.len() as u32);
    }
    builder.finish()
}

/// Ranks the targets as those of a wide truth, and by sorting; `sides` are the numbers of queries and items.
pub(super) fn check(
    model: &Model,
    direction: Direction,
    sides: (usize, usize),
    sets: &Targets,
    folds: Option<Folds>,
) {
    let (set, token) = (&sets[direction], CancelToken::default());
    let relevance = relevance(set);
    let wide = many::rank_positives(&model.scores, direction, &relevance, folds, &token);
    let wide = wide.unwrap().unwrap();
    let mut naive = by_sorting(model, direction, sides, sets, folds);
    let whole = !matches!(model.scores, Scores::Two(_) | Scores::Lists(_));
    if whole {
        naive = TargetRanks { depths: None, ..naive };
    }
    let each = folds.into_iter().flat_map(|of| (0..of.count).map(move |at| Fold { at, of }));
    for fold in std::iter::once(None).chain(each.map(Some)) {
        assert_eq!(
            wide.ranks(fold, sides.0),
            Ranks::from_counts(&relevance, set, &naive, fold),
            "{direction} {fold:?}"
        );
    }
}
