//! Ranks targets in every form of scores.
//!
//! A whole matrix takes one pass. In a re-ranked one, unscored cells are the lowest of their row: they never outrank a
//! scored one, so the same pass gives the ranks of scored targets, and the others lose their rank afterwards. In a
//! ranked list, the rank is the position.

use std::ops::Range;

use super::pass::{self, CancelToken};
use super::targets::{PairSet, Targets};
use super::{Depths, Folds, TargetRanks, UNRANKED};
use crate::data::parallel;
use crate::data::scores::{Form, Lists, Scores, Side, fill};
use crate::data::{Direction, PerDirection};
use crate::error::Result;

/// Ranks every target; `None` if cancelled.
pub(super) fn rank_targets(
    scores: &Scores,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<TargetRanks>>> {
    let both = match scores {
        Scores::Two(sides) => Direction::both(|direction| {
            side_ranks(scores, &sides[direction], direction, &targets[direction], folds, token)
        }),
        Scores::Lists(all) => Direction::both(|direction| {
            Ok(Some(list_ranks(&all[direction], &targets[direction], folds)))
        }),
        _ => return matrix_ranks(scores, Direction::I2t, targets, folds, token),
    };
    let [i2t, t2i] = both;
    Ok(i2t?.zip(t2i?).map(|(i2t, t2i)| PerDirection { i2t, t2i }))
}

/// Ranks of the targets of both directions in the matrix for `direction`; `None` if cancelled, and for ranked lists.
fn matrix_ranks(
    scores: &Scores,
    direction: Direction,
    targets: &Targets,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<PerDirection<TargetRanks>>> {
    match scores.by_query(direction).form {
        Form::Single(all) => pass::rank_targets(all.source, targets, folds, token),
        Form::Double(all) => pass::rank_targets(all.source, targets, folds, token),
        Form::Lists(_) => Ok(None),
    }
}

/// Ranks of the targets of one direction, from the matrix of that direction; `None` if cancelled.
fn side_ranks(
    scores: &Scores,
    side: &Side,
    direction: Direction,
    set: &PairSet,
    folds: Option<Folds>,
    token: &CancelToken,
) -> Result<Option<TargetRanks>> {
    let others = side.matrix.side_len(direction.flipped());
    let mut targets = PerDirection::from_fn(|_| PairSet::without_targets(others));
    targets[direction] = set.clone();
    let Some(mut counted) = matrix_ranks(scores, direction, &targets, folds, token)? else {
        return Ok(None);
    };
    let mut counted = std::mem::take(&mut counted[direction]);
    if side.fill.is_some() {
        unrank(scores, direction, set, &mut counted);
        counted.depths = depths(side, direction, folds);
    }
    Ok(Some(counted))
}

/// Length of the ranking of each query of a direction; `None` if the matrix has no fill for unscored cells.
pub(super) fn depths(side: &Side, direction: Direction, folds: Option<Folds>) -> Option<Depths> {
    let (fill, all) = (side.fill?, side.depths.clone()?);
    let queries = side.matrix.side_len(direction);
    let items = side.matrix.side_len(direction.flipped());
    let fold_depths = |folds: Folds| {
        fill::depths(&side.matrix, direction, fill, |query| {
            folds.range(folds.fold(query, queries), items)
        })
    };
    let fold = folds.map(fold_depths).unwrap_or_default();
    Some(Depths { all, fold })
}

/// Sets the rank of every target whose cell is unscored to [`UNRANKED`].
fn unrank(scores: &Scores, direction: Direction, set: &PairSet, counted: &mut TargetRanks) {
    let read = scores.by_query(direction);
    for query in 0..set.query_count() {
        let found = read.item_scores(query, set.items(query));
        for (at, score) in set.range(query).zip(found) {
            if read.side.is_some_and(|side| side.is_scored(score)) {
                continue;
            }
            counted.all[at] = UNRANKED;
            if let Some(rank) = counted.fold.get_mut(at).filter(|rank| **rank > 0) {
                *rank = UNRANKED;
            }
        }
    }
}

/// Number of queries that one task handles.
pub(super) const TASK_QUERIES: usize = 1_000;

/// Ranks of the targets of one direction in ranked lists: the positions of the items.
fn list_ranks(lists: &Lists, set: &PairSet, folds: Option<Folds>) -> TargetRanks {
    let (queries, items) = (set.query_count(), lists.item_count());
    let count_task = |range: Range<usize>| {
        let (mut counted, mut depths) = (TargetRanks::default(), Depths::default());
        let mut buffer = Vec::new();
        for query in range {
            let (list, targets) = (lists.items(query, &mut buffer), set.items(query));
            let (ranks, depth) = list_positions(list.iter(), targets, |_| UNRANKED);
            counted.all.extend(ranks);
            depths.all.push(depth);
            let Some(folds) = folds else { continue };
            // Among the items of the query's own fold.
            let own = folds.range(folds.fold(query, queries), items);
            let is_own = |item: u32| own.contains(&(item as usize));
            let inside = list.iter().filter(|item| is_own(**item));
            let absent = |item| if is_own(item) { UNRANKED } else { 0 };
            let (ranks, depth) = list_positions(inside, targets, absent);
            counted.fold.extend(ranks);
            depths.fold.push(depth);
        }
        (counted, depths)
    };
    let parts: Vec<(TargetRanks, Depths)> = parallel::map_ranges(queries, TASK_QUERIES, count_task);
    let (counted, of_parts): (Vec<TargetRanks>, Vec<Depths>) = parts.into_iter().unzip();
    let mut depths = Depths::default();
    for part in of_parts {
        depths.all.extend(part.all);
        depths.fold.extend(part.fold);
    }
    TargetRanks { depths: Some(depths), ..TargetRanks::concatenate(counted) }
}

/// The position, from 1, of each of `targets` (ascending) in a list, and the length of the list. A target that is not in
/// it gets `absent(target)`.
fn list_positions<'a>(
    list: impl Iterator<Item = &'a u32>,
    targets: &[u32],
    absent: impl Fn(u32) -> u32,
) -> (Vec<u32>, u32) {
    let mut ranks: Vec<u32> = targets.iter().map(|&item| absent(item)).collect();
    let mut depth = 0;
    for item in list {
        depth += 1;
        if let Ok(at) = targets.binary_search(item) {
            ranks[at] = depth;
        }
    }
    (ranks, depth)
}

/// Length of the ranking of each query in ranked lists.
pub(super) fn list_depths(lists: &Lists, queries: usize, folds: Option<Folds>) -> Depths {
    list_ranks(lists, &PairSet::without_targets(queries), folds).depths.unwrap_or_default()
}
