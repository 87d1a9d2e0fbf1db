//! Ranks of the targets of some queries whose scores are contiguous rows, counted tile by tile.

use std::ops::Range;

use super::targets::PairSet;
use super::{Folds, TargetRanks};
use crate::data::scores::Scalar;
use itm_explore_kernels::{GROUP, ROWS};

/// The targets of a block of rows, and how many scores outrank each so far.
pub struct RowCount<'a, T> {
    targets: &'a PairSet,
    folds: Option<Folds>,
    /// Length of a row.
    len: usize,
    /// The query of each row of the block, ascending.
    queries: Vec<usize>,
    /// The fold of each query; 0 without folds.
    own_fold: [usize; ROWS],
    /// Start of the targets of each row of the block in the arrays below, and the end of the last.
    starts: [usize; ROWS + 1],
    /// Lowest score that outranks each target of the block, in the order of the [`PairSet`].
    thresholds: Vec<T>,
    /// Number of scores that outrank each target, itself included.
    all: Vec<u32>,
    /// Number of these in the fold of the target's query.
    in_fold: Vec<u32>,
    /// First target of each row that is in no tile so far.
    next: [usize; ROWS],
}

impl<'a, T: Scalar> RowCount<'a, T> {
    /// Counts for `targets` in rows of `len` scores, before any block.
    pub fn new(targets: &'a PairSet, folds: Option<Folds>, len: usize) -> Self {
        RowCount {
            targets,
            folds,
            len,
            queries: Vec::with_capacity(ROWS),
            own_fold: [0; ROWS],
            starts: [0; ROWS + 1],
            thresholds: Vec::new(),
            all: Vec::new(),
            in_fold: Vec::new(),
            next: [0; ROWS],
        }
    }

    /// Starts the next block, of up to [`ROWS`] queries; `score(at, column)` is a score of the row at that index of the
    /// block.
    pub fn begin(
        &mut self,
        queries: impl Iterator<Item = usize>,
        mut score: impl FnMut(usize, usize) -> T,
    ) {
        self.queries.clear();
        self.queries.extend(queries);
        self.thresholds.clear();
        for (at, &query) in self.queries.iter().enumerate() {
            let own = |folds: Folds| folds.fold(query, self.targets.query_count());
            self.own_fold[at] = self.folds.map_or(0, own);
            self.next[at] = self.thresholds.len();
            self.starts[at] = self.thresholds.len();
            let columns = self.targets.items(query).iter();
            self.thresholds.extend(columns.map(|&column| score(at, column as usize)));
            self.starts[at + 1] = self.thresholds.len();
        }
        self.all.clear();
        self.all.resize(self.thresholds.len(), 0);
        self.in_fold.clear();
        self.in_fold.resize(self.thresholds.len(), 0);
    }

    /// Counts the scores of `run` that outrank each target of row `at` of the block. The run starts at column `start`
    /// and lies in `fold`. Runs of a row are passed in the order of columns.
    pub fn count_run(&mut self, at: usize, start: usize, run: &[T], fold: usize) {
        let is_own_fold = self.own_fold[at] == fold;
        let end = self.starts[at + 1];
        for group in (self.starts[at]..end).step_by(GROUP) {
            let group = group..end.min(group + GROUP);
            let known = &self.thresholds[group.clone()];
            let thresholds =
                std::array::from_fn(|k| known.get(k).copied().unwrap_or(T::UNREACHABLE));
            let counts = (T::loops().count_reaching)(run, thresholds);
            for (slot, count) in group.zip(counts) {
                self.all[slot] += count;
                self.in_fold[slot] += if is_own_fold { count } else { 0 };
            }
        }
        self.correct_run(at, start, run, is_own_fold);
    }

    /// Corrects the counts of targets within the run, which were compared by the threshold for earlier columns:
    /// subtracts the equal scores behind the target. Raises their thresholds for later runs. `is_own_fold`:
    /// whether the run lies in the fold of the row's query.
    fn correct_run(&mut self, at: usize, start: usize, run: &[T], is_own_fold: bool) {
        let items = self.targets.items(self.queries[at]);
        let span: Range<usize> = self.starts[at]..self.starts[at + 1];
        while self.next[at] < span.end {
            let slot = self.next[at];
            let behind = items[slot - span.start] as usize + 1 - start;
            if behind > run.len() {
                break;
            }
            let equal = (T::loops().count_equal)(&run[behind..], self.thresholds[slot]);
            self.all[slot] -= equal;
            self.in_fold[slot] -= if is_own_fold { equal } else { 0 };
            self.thresholds[slot] = self.thresholds[slot].above();
            self.next[at] += 1;
        }
    }

    /// Appends the ranks of the block's targets: the counts, which include the target itself.
    pub fn finish(&self, ranks: &mut TargetRanks) {
        ranks.all.extend_from_slice(&self.all);
        let Some(folds) = self.folds else { return };
        for (at, &query) in self.queries.iter().enumerate() {
            let inside = folds.range(self.own_fold[at], self.len);
            let in_fold = &self.in_fold[self.starts[at]..self.starts[at + 1]];
            let items = self.targets.items(query);
            ranks.fold.extend(in_fold.iter().zip(items).map(|(&rank, &column)| {
                let competes = inside.contains(&(column as usize));
                if competes { rank } else { 0 }
            }));
        }
    }
}
