//! Ranks of the targets in ranked lists: an item's rank is its place.

use std::ops::Range;

use super::targets::PairSet;
use super::{Counted, Depths, Folds, UNRANKED};
use crate::data::parallel;
use crate::data::scores::Lists;

/// Queries that one task handles.
pub(super) const TASK_QUERIES: usize = 1_000;

/// Ranks of the targets of one direction.
pub(super) fn count(lists: &Lists, set: &PairSet, folds: Option<Folds>) -> Counted {
    let queries = set.query_count();
    let of_task = |queries: Range<usize>| {
        let mut part = Part {
            set,
            folds,
            items: lists.item_count(),
            counted: Counted::default(),
            depths: Depths::default(),
        };
        let mut buffer = Vec::new();
        for query in queries {
            part.add(query, lists.items(query, &mut buffer));
        }
        (part.counted, part.depths)
    };
    let parts: Vec<(Counted, Depths)> = parallel::map_ranges(queries, TASK_QUERIES, of_task);
    let (counted, of_parts): (Vec<Counted>, Vec<Depths>) = parts.into_iter().unzip();
    let mut depths = Depths::default();
    for part in of_parts {
        depths.all.extend(part.all);
        depths.fold.extend(part.fold);
    }
    Counted { depths: Some(depths), ..Counted::concatenate(counted) }
}

/// How far the rankings of a direction go.
pub(super) fn depths(lists: &Lists, queries: usize, folds: Option<Folds>) -> Depths {
    count(lists, &PairSet::without_targets(queries), folds).depths.unwrap_or_default()
}

/// The ranks of some queries.
struct Part<'a> {
    set: &'a PairSet,
    folds: Option<Folds>,
    items: usize,
    counted: Counted,
    depths: Depths,
}

impl Part<'_> {
    fn add(&mut self, query: usize, list: &[u32]) {
        let targets = self.set.items(query);
        let start = self.counted.all.len();
        self.counted.all.resize(start + targets.len(), UNRANKED);
        for (rank, item) in (1..).zip(list) {
            if let Ok(at) = targets.binary_search(item) {
                self.counted.all[start + at] = rank;
            }
        }
        self.depths.all.push(list.len() as u32);
        if let Some(folds) = self.folds {
            self.add_fold(folds, query, list);
        }
    }

    /// The same among the items of the query's own fold.
    fn add_fold(&mut self, folds: Folds, query: usize, list: &[u32]) {
        let own = folds.fold(query, self.set.query_count());
        let inside = |item: u32| folds.fold(item as usize, self.items) == own;
        let targets = self.set.items(query);
        let start = self.counted.fold.len();
        let unknown = |&item: &u32| if inside(item) { UNRANKED } else { 0 };
        self.counted.fold.extend(targets.iter().map(unknown));
        let mut depth = 0;
        for &item in list.iter().filter(|&&item| inside(item)) {
            depth += 1;
            if let Ok(at) = targets.binary_search(&item) {
                self.counted.fold[start + at] = depth;
            }
        }
        self.depths.fold.push(depth);
    }
}
