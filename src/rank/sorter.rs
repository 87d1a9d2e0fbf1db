//! Ranks many targets of one query with given scores.
//!
//! Up to [`FEW`] targets are compared with every score. For more of them all scores are sorted by their bits, each with
//! a mark for targets, and the ranks read off: a few steps a score, for any number of targets.

use std::ops::Range;

use super::kernel::{self, GROUP};
use crate::data::scores::Scalar;
use crate::data::sets::Set;

/// Up to this many targets, vectorised comparison is faster.
const FEW: usize = 128;
/// Bits per pass of the sort: the ends of all its buckets fit the first-level cache.
const DIGIT: u32 = 11;
/// The mark of a target.
const TARGET: u32 = 1;
/// The mark of a score in the query's own fold.
const OWN_FOLD: u32 = 2;

/// The ranks of a query's positives, as bits: bit `n % 32` of word `n / 32` is rank n.
#[derive(Default)]
pub(super) struct Bits {
    /// Among all items.
    pub all: Vec<u32>,
    /// Among those of the query's fold.
    pub fold: Vec<u32>,
}

impl Bits {
    /// Clears the ranks.
    fn clear(&mut self, items: usize, of_fold: usize) {
        for (words, items) in [(&mut self.all, items), (&mut self.fold, of_fold)] {
            words.clear();
            words.resize(items / 32 + 1, 0);
        }
    }

    /// Ranks the `positives` in a ranked list, like [`Sorter::rank`].
    pub(super) fn of_list(
        &mut self,
        list: &[u32],
        positives: Set<'_>,
        items: usize,
        fold: Range<usize>,
    ) {
        self.clear(items, fold.len());
        let (mut all, mut of_fold) = (0, 0);
        for &item in list {
            let target = u32::from(positives.contains(item));
            let own = u32::from(fold.contains(&(item as usize)));
            all += 1;
            of_fold += own;
            set(&mut self.all, all, target);
            set(&mut self.fold, of_fold, target & own);
        }
    }
}

/// Sets the bit of a rank, if `is` is 1 and not 0.
fn set(words: &mut [u32], rank: u32, is: u32) {
    words[rank as usize / 32] |= is << (rank % 32);
}

/// Ranks many targets of one query; its buffers are reused.
#[derive(Default)]
pub(super) struct Sorter<T: Scalar> {
    /// Bits and mark of each score.
    keys: Vec<(T::Bits, u32)>,
    spare: Vec<(T::Bits, u32)>,
}

impl<T: Scalar> Sorter<T> {
    /// Ranks `positives` among all scores and, those inside it, among the scores of `fold`.
    pub(super) fn rank(
        &mut self,
        scores: &[T],
        positives: Set<'_>,
        fold: Range<usize>,
        ranks: &mut Bits,
    ) {
        ranks.clear(scores.len(), fold.len());
        if positives.len() <= FEW {
            compare(scores, positives, 0..scores.len(), &mut ranks.all);
            compare(scores, positives, fold, &mut ranks.fold);
        } else {
            self.mark(scores, positives, fold);
            self.sort();
            self.read_off(ranks);
        }
    }

    fn mark(&mut self, scores: &[T], positives: Set<'_>, fold: Range<usize>) {
        self.keys.clear();
        self.keys.extend(scores.iter().map(|score| (score.bits(), 0)));
        for (_, mark) in &mut self.keys[fold] {
            *mark = OWN_FOLD;
        }
        for item in positives {
            self.keys[item as usize].1 |= TARGET;
        }
    }

    /// Sorts by the bits, lowest digit first. Equal scores stay in index order.
    fn sort(&mut self) {
        self.spare.resize(self.keys.len(), Default::default());
        for shift in (0..8 * size_of::<T::Bits>() as u32).step_by(DIGIT as usize) {
            let digit = |bits: T::Bits| (bits.into() >> shift) as usize % (1 << DIGIT);
            let mut next = [0u32; 1 << DIGIT];
            for &(bits, _) in &self.keys {
                next[digit(bits)] += 1;
            }
            let mut start = 0;
            for count in &mut next {
                start += std::mem::replace(count, start);
            }
            for &key in &self.keys {
                let next = &mut next[digit(key.0)];
                self.spare[*next as usize] = key;
                *next += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.spare);
        }
    }

    fn read_off(&self, ranks: &mut Bits) {
        let (mut all, mut fold) = (0, 0);
        for &(_, mark) in &self.keys {
            let (target, own) = (mark & TARGET, mark / OWN_FOLD);
            all += 1;
            fold += own;
            set(&mut ranks.all, all, target);
            set(&mut ranks.fold, fold, target & own);
        }
    }
}

/// Ranks a few positives among the scores of a range, those inside it: 1 + the scores above each of
/// them + the equal ones before it.
fn compare<T: Scalar>(scores: &[T], positives: Set<'_>, range: Range<usize>, ranks: &mut [u32]) {
    let items = positives.iter().map(|item| item as usize);
    let mut inside = items.filter(|item| range.contains(item)).peekable();
    while inside.peek().is_some() {
        let group: [Option<usize>; GROUP] = std::array::from_fn(|_| inside.next());
        let above = group.map(|item| item.map_or(T::UNREACHABLE, |item| scores[item].above()));
        let counts = kernel::count_reaching(&scores[range.clone()], above);
        for (item, higher) in group.into_iter().flatten().zip(counts) {
            let equal = kernel::count_equal(&scores[range.start..item], scores[item]);
            set(ranks, 1 + higher + equal, 1);
        }
    }
}
