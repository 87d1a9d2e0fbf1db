//! The first items of many queries at once, while their scores come by item after item.
//!
//! Each query has a bar: the least of the best k so far. One vectorised comparison tells for a run of
//! queries which of them some item of a few is above; only those are looked at one by one.

use super::kernel::{self, ROWS, Score};
use super::top_k::{enter, settle};

/// Marks that are looked at together.
const MARKS: usize = 8;

/// The best items so far of consecutive queries.
pub(super) struct Bars<T: Score> {
    k: usize,
    /// What a score has to be above to enter; NaN, which nothing is known to be below, before there are
    /// k.
    bars: Vec<T>,
    /// Up to 2k candidates of each query.
    kept: Vec<Vec<T::Key>>,
    /// Which queries an item of a few is above; whole groups of [`MARKS`].
    marks: Vec<u8>,
    has_nan: bool,
}

impl<T: Score> Bars<T> {
    /// For the first `k` items of so many queries.
    pub(super) fn new(k: usize, queries: usize) -> Self {
        Bars {
            k,
            bars: vec![T::UNREACHABLE; queries],
            kept: (0..queries).map(|_| Vec::with_capacity(2 * k)).collect(),
            marks: vec![0; queries.next_multiple_of(MARKS)],
            has_nan: false,
        }
    }

    /// Starts with bars that some items tell, before any is taken in: `greatest` has the greatest score of
    /// each query in each of several sets of items that share none. The k-th greatest of these is reached
    /// by k items at least, so nothing below it is among the first k. No item is out that scores more than
    /// one that is in.
    pub(super) fn start(&mut self, greatest: &[Vec<T>]) {
        if self.k == 0 || greatest.len() < self.k {
            return;
        }
        let mut best: Vec<T::Key> = Vec::with_capacity(greatest.len());
        for (query, bar) in self.bars.iter_mut().enumerate() {
            best.clear();
            let of_sets = greatest.iter().map(|greatest| greatest[query]);
            best.extend(of_sets.filter(|score| !score.is_nan()).map(|score| score.key(0)));
            if best.len() >= self.k {
                let least = *best.select_nth_unstable(self.k - 1).1;
                *bar = T::of_key(least).0.below();
            }
        }
    }

    /// Takes in up to [`ROWS`] items from `start` on: a row of scores each, one for each query. Items come
    /// by ascending index, so one that only equals the bar ranks behind it. `is_in` tells by query, item
    /// and score whether the item competes.
    pub(super) fn add(
        &mut self,
        start: u32,
        rows: &[&[T]],
        is_in: &impl Fn(usize, u32, T) -> bool,
    ) {
        let Some(&first) = rows.first() else { return };
        // A row twice marks what it marks once.
        let full: [&[T]; ROWS] = std::array::from_fn(|at| rows.get(at).copied().unwrap_or(first));
        kernel::mark_above(full, &self.bars, &mut self.marks);
        for at in 0..self.marks.len() / MARKS {
            let mut marks = u64::from_le_bytes(self.marks.as_chunks::<MARKS>().0[at]);
            while marks != 0 {
                let query = MARKS * at + marks.trailing_zeros() as usize / 8;
                marks &= marks - 1;
                self.look(query, start, rows, is_in);
            }
        }
    }

    /// Looks at the items of a marked query.
    fn look(
        &mut self,
        query: usize,
        start: u32,
        rows: &[&[T]],
        is_in: &impl Fn(usize, u32, T) -> bool,
    ) {
        for (item, row) in (start..).zip(rows) {
            let score = row[query];
            self.has_nan |= score.is_nan();
            let is_out = score.is_nan() || score <= self.bars[query];
            if !is_out && self.k > 0 && is_in(query, item, score) {
                let bar = enter(score.key(item), self.k, &mut self.kept[query]);
                self.bars[query] = bar.unwrap_or(self.bars[query]);
            }
        }
    }

    /// Whether a score was NaN; none of these entered.
    pub(super) fn has_nan(&self) -> bool {
        self.has_nan
    }

    /// The first items of each query, best first.
    pub(super) fn top_k(mut self) -> Vec<Vec<u32>> {
        let head = |kept: &mut Vec<T::Key>| {
            settle(kept, self.k);
            kept.iter().map(|&key| T::of_key(key).1).collect()
        };
        self.kept.iter_mut().map(head).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::top_k::best;
    use proptest::prelude::*;

    /// Few different scores, NaN and infinities among them.
    fn score() -> impl Strategy<Value = f32> {
        let few = (-2i8..4).prop_map(|n| f32::from(n) / 2.0);
        let ends = prop::sample::select(vec![f32::NAN, f32::INFINITY, f32::NEG_INFINITY, -0.0]);
        prop_oneof![6 => few, 1 => ends]
    }

    fn table() -> impl Strategy<Value = Vec<Vec<f32>>> {
        let sizes = (1usize..20, 1usize..40);
        sizes.prop_flat_map(|(queries, items)| {
            let row = prop::collection::vec(score(), queries);
            prop::collection::vec(row, items)
        })
    }

    proptest! {
        /// With bars told by a part of the items or without, also where most of them are NaN.
        #[test]
        fn top_k_are_those_of_each_query_alone(rows in table(), k in 0usize..6, told in 0usize..40) {
            let queries = rows[0].len();
            let mut bars = Bars::new(k, queries);
            bars.start(&rows[..told.min(rows.len())]);
            let all: Vec<&[f32]> = rows.iter().map(Vec::as_slice).collect();
            for (start, rows) in (0..).step_by(ROWS).zip(all.chunks(ROWS)) {
                bars.add(start, rows, &|_, _, _| true);
            }
            prop_assert_eq!(bars.has_nan(), rows.iter().flatten().any(|score| score.is_nan()));
            for (query, head) in bars.top_k().into_iter().enumerate() {
                let scores: Vec<f32> = rows.iter().map(|row| row[query]).collect();
                let mut kept = Vec::new();
                best(&scores, k, &mut kept, |_, _| true);
                let expected: Vec<u32> = kept.into_iter().map(|key| f32::of_key(key).1).collect();
                prop_assert_eq!(head, expected);
            }
        }
    }
}
