//! Ranks of many targets of one query whose scores are at hand.
//!
//! Up to [`FEW`] targets are compared with every score; more are sorted, and every score finds by
//! binary search the targets that it outranks: n log m steps for n scores and m targets.

use std::ops::Range;

use super::kernel::{self, GROUP, Score};
use super::{Counted, Folds};

/// Up to so many targets vectorised comparison is faster than binary search.
const FEW: usize = 128;

/// A score that, with the index it stands at, makes an integer in the order of ranks: the smaller
/// one outranks the other.
pub(super) trait Sortable: Score {
    type Key: Copy + Ord + Default + Send + Sync;

    fn key(self, index: u32) -> Self::Key;
}

impl Sortable for f32 {
    type Key = u64;

    fn key(self, index: u32) -> u64 {
        // Adding zero makes -0.0 the 0.0 that it equals. Flipping the sign bit, and all others of a
        // negative number, gives integers in the order of the scores.
        let bits = (self + 0.0).to_bits();
        let ascending = bits ^ ((((bits as i32) >> 31) as u32) | (1 << 31));
        u64::from(!ascending) << 32 | u64::from(index)
    }
}

impl Sortable for f64 {
    type Key = u128;

    fn key(self, index: u32) -> u128 {
        let bits = (self + 0.0).to_bits();
        let ascending = bits ^ ((((bits as i64) >> 63) as u64) | (1 << 63));
        u128::from(!ascending) << 32 | u128::from(index)
    }
}

/// Ranks many targets of one query; its buffers serve query after query.
#[derive(Default)]
pub(super) struct Sorter<K> {
    /// Key of each target and its place among the positives, best first.
    targets: Vec<(K, u32)>,
    keys: Vec<K>,
    /// Scores that outrank the target at this place, but not the one before it.
    counts: Vec<u32>,
}

impl<K: Copy + Ord> Sorter<K> {
    /// Appends the ranks of `positives` (ascending indices) among all scores and, with folds,
    /// among those of the query's own fold: 0 for positives of other folds.
    pub(super) fn rank<T: Sortable<Key = K>>(
        &mut self,
        scores: &[T],
        positives: &[u32],
        fold: Option<(Folds, usize)>,
        ranks: &mut Counted,
    ) {
        let few = positives.len() <= FEW;
        if !few {
            self.sort(scores, positives);
        }
        let mut append = |ranks: &mut Vec<u32>, range: Range<usize>| {
            if few {
                compare(scores, positives, &range, ranks);
            } else {
                self.count(scores, range.clone());
                self.append(ranks, positives, &range);
            }
        };
        append(&mut ranks.all, 0..scores.len());
        if let Some((folds, own)) = fold {
            append(&mut ranks.fold, folds.range(own, scores.len()));
        }
    }

    fn sort<T: Sortable<Key = K>>(&mut self, scores: &[T], positives: &[u32]) {
        let target = |(place, &index): (u32, &u32)| (scores[index as usize].key(index), place);
        self.targets.clear();
        self.targets.extend((0..).zip(positives).map(target));
        self.targets.sort_unstable();
        self.keys.clear();
        self.keys.extend(self.targets.iter().map(|&(key, _)| key));
    }

    /// Finds for each score of a range the first target that it outranks.
    fn count<T: Sortable<Key = K>>(&mut self, scores: &[T], range: Range<usize>) {
        self.counts.clear();
        self.counts.resize(self.keys.len() + 1, 0);
        for index in range {
            let key = scores[index].key(index as u32);
            let first = self.keys.partition_point(|&target| target <= key);
            self.counts[first] += 1;
        }
    }

    /// Appends 1 + the scores before each target, in the order of `positives`; 0 for those outside
    /// the range that competes.
    fn append(&self, ranks: &mut Vec<u32>, positives: &[u32], range: &Range<usize>) {
        let start = ranks.len();
        ranks.resize(start + positives.len(), 0);
        let mut rank = 1;
        for (&(_, place), &count) in self.targets.iter().zip(&self.counts) {
            rank += count;
            if range.contains(&(positives[place as usize] as usize)) {
                ranks[start + place as usize] = rank;
            }
        }
    }
}

/// Appends the ranks of a few positives among the scores of a range: 1 + the scores above each of
/// them + the equal ones before it; 0 for those outside the range.
fn compare<T: Score>(scores: &[T], positives: &[u32], range: &Range<usize>, ranks: &mut Vec<u32>) {
    for group in positives.chunks(GROUP) {
        let above = |k: usize| {
            let index = group.get(k);
            index.map_or(T::UNREACHABLE, |&index| scores[index as usize].above())
        };
        let counts = kernel::count_reaching(&scores[range.clone()], std::array::from_fn(above));
        ranks.extend(group.iter().zip(counts).map(|(&index, higher)| {
            let index = index as usize;
            if !range.contains(&index) {
                return 0;
            }
            1 + higher + kernel::count_equal(&scores[range.start..index], scores[index])
        }));
    }
}
