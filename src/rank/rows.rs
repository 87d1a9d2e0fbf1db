//! Ranks of the targets in one row of the file, by counting.

use super::kernel::{self, GROUP, Score};
use super::{Counted, Folds};

/// Ranks the targets of one row.
pub struct RowCount {
    folds: Option<Folds>,
    /// Where folds begin and end along the row.
    borders: Vec<usize>,
}

impl RowCount {
    /// Counts along rows of `len` scores.
    pub fn new(folds: Option<Folds>, len: usize) -> Self {
        let count = folds.map_or(1, |folds| folds.count);
        let ends = (1..=count).map(|fold| fold * len / count);
        RowCount {
            folds,
            borders: ends.collect(),
        }
    }

    /// Appends the ranks of `targets` (ascending columns) in a row that lies in fold `own`.
    pub fn rank<T: Score>(&self, scores: &[T], targets: &[u32], own: usize, ranks: &mut Counted) {
        for group in (0..targets.len()).step_by(GROUP) {
            let group = &targets[group..targets.len().min(group + GROUP)];
            self.rank_group(scores, group, own, ranks);
        }
    }

    /// Up to four targets: the row is cut where one of them or a fold begins, so that every
    /// threshold is constant within a cut.
    fn rank_group<T: Score>(&self, scores: &[T], group: &[u32], own: usize, ranks: &mut Counted) {
        let column = |k: usize| group.get(k).map_or(usize::MAX, |&column| column as usize);
        let mut thresholds: [T; GROUP] =
            std::array::from_fn(|k| scores.get(column(k)).copied().unwrap_or(T::UNREACHABLE));
        let mut all = [1u32; GROUP];
        let mut in_fold = [1u32; GROUP];
        let (mut start, mut fold, mut next) = (0, 0, 0);
        while start < scores.len() {
            if start == column(next) {
                thresholds[next] = thresholds[next].above();
                next += 1;
            }
            let stop = self.borders[fold].min(column(next));
            let counts = kernel::count_reaching(&scores[start..stop], thresholds);
            for k in 0..GROUP {
                all[k] += counts[k];
                in_fold[k] += if fold == own { counts[k] } else { 0 };
            }
            start = stop;
            fold += usize::from(stop == self.borders[fold]);
        }
        ranks.all.extend_from_slice(&all[..group.len()]);
        if let Some(folds) = self.folds {
            let inside = |k: usize| folds.fold(column(k), scores.len()) == own;
            ranks
                .fold
                .extend((0..group.len()).map(|k| if inside(k) { in_fold[k] } else { 0 }));
        }
    }
}
