//! Ranks many targets of one query with given scores.
//!
//! Up to [`MAX_COMPARED`] targets are compared with every score. For more of them all scores are sorted by their bits,
//! each with a mark for targets, and the ranks read off: a few steps a score, for any number of targets.

use std::ops::Range;

use crate::data::scores::Scalar;
use crate::data::sets::Set;
use itm_explore_kernels::GROUP;

/// Maximum number of targets for which vectorised comparison is faster than sorting.
const MAX_COMPARED: usize = 128;
/// Bits of a score per pass of the sort: the ends of all its buckets fit the first-level cache.
const DIGIT_BITS: u32 = 11;
/// The mark of a target.
const TARGET_MARK: u32 = 1;
/// The mark of a score in the query's own fold.
const OWN_FOLD_MARK: u32 = 2;

/// The ranks of a query's positives, as bits: bit `n % 32` of word `n / 32` is rank n.
#[derive(Default)]
pub(super) struct RankBits {
    /// Among all items.
    pub all: Vec<u32>,
    /// Among those of the query's fold.
    pub fold: Vec<u32>,
}

impl RankBits {
    /// Clears all bits, and makes room for rankings of `items` items, `of_fold` of them in the fold.
    fn clear(&mut self, items: usize, of_fold: usize) {
        for (words, items) in [(&mut self.all, items), (&mut self.fold, of_fold)] {
            words.clear();
            words.resize(items / 32 + 1, 0);
        }
    }

    /// Sets the ranks of `positives` among all items of a ranked list (`all`), and among its items in the index range
    /// `fold`. `items` is the number of items of the gallery.
    pub(super) fn rank_list(
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
            set_bit(&mut self.all, all, target);
            set_bit(&mut self.fold, of_fold, target & own);
        }
    }
}

/// Sets the bit of a rank if `bit` is 1; does nothing if it is 0.
fn set_bit(words: &mut [u32], rank: u32, bit: u32) {
    words[rank as usize / 32] |= bit << (rank % 32);
}

/// Ranks many targets of one query; its buffers are reused.
#[derive(Default)]
pub(super) struct Sorter<T: Scalar> {
    /// Bits and mark of each score.
    keys: Vec<(T::Bits, u32)>,
    /// Output of each pass of the sort.
    buffer: Vec<(T::Bits, u32)>,
}

impl<T: Scalar> Sorter<T> {
    /// Sets in `ranks` the ranks of `positives` among all scores, and of those in the index range `fold` among the
    /// scores of `fold`.
    pub(super) fn rank(
        &mut self,
        scores: &[T],
        positives: Set<'_>,
        fold: Range<usize>,
        ranks: &mut RankBits,
    ) {
        ranks.clear(scores.len(), fold.len());
        if positives.len() <= MAX_COMPARED {
            rank_few(scores, positives, 0..scores.len(), &mut ranks.all);
            rank_few(scores, positives, fold, &mut ranks.fold);
        } else {
            self.mark_items(scores, positives, fold);
            self.sort();
            self.read_ranks(ranks);
        }
    }

    /// Collects the bits of all scores, marking those of positives and those in the fold.
    fn mark_items(&mut self, scores: &[T], positives: Set<'_>, fold: Range<usize>) {
        self.keys.clear();
        self.keys.extend(scores.iter().map(|score| (score.bits(), 0)));
        for (_, mark) in &mut self.keys[fold] {
            *mark = OWN_FOLD_MARK;
        }
        for item in positives {
            self.keys[item as usize].1 |= TARGET_MARK;
        }
    }

    /// Radix sort of the keys by the bits of the scores, lowest digit first. Equal scores stay in index order.
    fn sort(&mut self) {
        self.buffer.resize(self.keys.len(), Default::default());
        for shift in (0..8 * size_of::<T::Bits>() as u32).step_by(DIGIT_BITS as usize) {
            let digit = |bits: T::Bits| (bits.into() >> shift) as usize % (1 << DIGIT_BITS);
            let mut next = [0u32; 1 << DIGIT_BITS];
            for &(bits, _) in &self.keys {
                next[digit(bits)] += 1;
            }
            let mut start = 0;
            for count in &mut next {
                start += std::mem::replace(count, start);
            }
            for &key in &self.keys {
                let next = &mut next[digit(key.0)];
                self.buffer[*next as usize] = key;
                *next += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.buffer);
        }
    }

    /// Sets the bit of each target's rank, from the sorted keys.
    fn read_ranks(&self, ranks: &mut RankBits) {
        let (mut all, mut fold) = (0, 0);
        for &(_, mark) in &self.keys {
            let (target, own) = (mark & TARGET_MARK, mark / OWN_FOLD_MARK);
            all += 1;
            fold += own;
            set_bit(&mut ranks.all, all, target);
            set_bit(&mut ranks.fold, fold, target & own);
        }
    }
}

/// Sets the bit of the rank of each positive in a range of items, among the scores of that range: 1 + the scores above
/// it + the equal ones before it.
fn rank_few<T: Scalar>(scores: &[T], positives: Set<'_>, range: Range<usize>, ranks: &mut [u32]) {
    let items = positives.iter().map(|item| item as usize);
    let mut inside = items.filter(|item| range.contains(item)).peekable();
    while inside.peek().is_some() {
        let group: [Option<usize>; GROUP] = std::array::from_fn(|_| inside.next());
        let above = group.map(|item| item.map_or(T::UNREACHABLE, |item| scores[item].above()));
        let counts = (T::loops().count_reaching)(&scores[range.clone()], above);
        for (item, higher) in group.into_iter().flatten().zip(counts) {
            let equal = (T::loops().count_equal)(&scores[range.start..item], scores[item]);
            set_bit(ranks, 1 + higher + equal, 1);
        }
    }
}
