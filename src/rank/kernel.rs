//! The inner loops: how many scores reach a threshold.
//!
//! Ties need no loop of their own. "Higher, or equal at a lower index" is one comparison `s >= u`
//! with a threshold that depends on the side: `u = t` for indices below the target, and the next
//! number above `t` from the target on. Past +infinity there is no next number: NaN, which nothing
//! reaches, takes its place.
//!
//! They are loops, and no closures: a closure is a function of its own, which has the instructions that
//! a loop is compiled for only where it happens to be inlined.

use multiversion::multiversion;

/// A score type that can be counted: `f32` (also for `f2` files, exactly) or `f64`.
pub trait Score: Copy + PartialOrd + Default + Send + Sync + 'static {
    /// Never reached by any score.
    const UNREACHABLE: Self;
    /// No score is less.
    const LEAST: Self;
    /// The least number that is greater; [`Score::UNREACHABLE`] above +infinity.
    fn above(self) -> Self;
    /// The greatest number that is less; [`Score::UNREACHABLE`] below -infinity.
    fn below(self) -> Self;
    /// Whether this is NaN.
    fn is_nan(self) -> bool;

    /// [`Score::bits`].
    type Bits: Copy + Default + Into<u64> + Send;
    /// As integers in the order of ranks: the smaller one outranks the other.
    fn bits(self) -> Self::Bits;
    /// [`Score::key`].
    type Key: Ord + Copy + Send + Sync;
    /// The score of an item and its index in one integer: the smaller one outranks the other. NaN has no
    /// place among them.
    fn key(self, item: u32) -> Self::Key;
    /// The score and the item of a key; 0.0 for -0.0, which it equals.
    fn of_key(key: Self::Key) -> (Self, u32);
}

impl Score for f32 {
    const UNREACHABLE: f32 = f32::NAN;
    const LEAST: f32 = f32::NEG_INFINITY;

    fn above(self) -> f32 {
        if self == f32::INFINITY { f32::NAN } else { self.next_up() }
    }

    fn below(self) -> f32 {
        if self == f32::NEG_INFINITY { f32::NAN } else { self.next_down() }
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    type Bits = u32;

    fn bits(self) -> u32 {
        // Adding zero makes -0.0 the 0.0 that it equals. Flipping the sign bit, and all others of a
        // negative number, gives integers in the order of the scores.
        let bits = (self + 0.0).to_bits();
        !(bits ^ ((((bits as i32) >> 31) as u32) | (1 << 31)))
    }

    type Key = u64;

    fn key(self, item: u32) -> u64 {
        (u64::from(self.bits()) << 32) | u64::from(item)
    }

    fn of_key(key: u64) -> (f32, u32) {
        let bits = (key >> 32) as u32;
        let is_negative = bits >> 31 == 1;
        let bits = if is_negative { bits } else { !bits ^ (1 << 31) };
        (f32::from_bits(bits), key as u32)
    }
}

impl Score for f64 {
    const UNREACHABLE: f64 = f64::NAN;
    const LEAST: f64 = f64::NEG_INFINITY;

    fn above(self) -> f64 {
        if self == f64::INFINITY { f64::NAN } else { self.next_up() }
    }

    fn below(self) -> f64 {
        if self == f64::NEG_INFINITY { f64::NAN } else { self.next_down() }
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    type Bits = u64;

    fn bits(self) -> u64 {
        let bits = (self + 0.0).to_bits();
        !(bits ^ ((((bits as i64) >> 63) as u64) | (1 << 63)))
    }

    type Key = u128;

    fn key(self, item: u32) -> u128 {
        (u128::from(self.bits()) << 32) | u128::from(item)
    }

    fn of_key(key: u128) -> (f64, u32) {
        let bits = (key >> 32) as u64;
        let is_negative = bits >> 63 == 1;
        let bits = if is_negative { bits } else { !bits ^ (1 << 63) };
        (f64::from_bits(bits), key as u32)
    }
}

/// Thresholds handled together: each score is loaded once for so many comparisons.
pub const GROUP: usize = 4;

/// Counts, for each of four thresholds, the scores of `run` that reach it.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn count_reaching<T: Score>(run: &[T], thresholds: [T; GROUP]) -> [u32; GROUP] {
    let mut counts = [0; GROUP];
    for &score in run {
        for (count, threshold) in counts.iter_mut().zip(thresholds) {
            *count += u32::from(score >= threshold);
        }
    }
    counts
}

/// Counts the scores of `run` that reach one threshold.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn count_from<T: Score>(run: &[T], threshold: T) -> u32 {
    let mut count = 0;
    for &score in run {
        count += u32::from(score >= threshold);
    }
    count
}

/// Counts the scores of `run` that are equal to `value`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn count_equal<T: Score>(run: &[T], value: T) -> u32 {
    let mut count = 0;
    for &score in run {
        count += u32::from(score == value);
    }
    count
}

/// Rows handled together by the column loop: thresholds and counts are loaded once for so many.
pub const ROWS: usize = 8;

/// For every column: adds to its count the scores of the rows that reach its threshold.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn add_columns<T: Score>(rows: [&[T]; ROWS], thresholds: &[T], counts: &mut [u32]) {
    let n = counts.len();
    let thresholds = &thresholds[..n];
    let rows = rows.map(|row| &row[..n]);
    for at in 0..n {
        let threshold = thresholds[at];
        let mut sum = 0;
        for row in rows {
            sum += u32::from(row[at] >= threshold);
        }
        counts[at] += sum;
    }
}

/// Whether any score is NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn has_nan<T: Score>(run: &[T]) -> bool {
    let mut found = 0;
    for score in run {
        found |= u32::from(score.is_nan());
    }
    found != 0
}

/// Scores whose greatest is taken together.
pub const RUN: usize = 64;

/// The greatest score of each run of [`RUN`], the last of which may be shorter; NaN where there is none but
/// NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn greatest<T: Score>(scores: &[T], greatest: &mut [T]) {
    const LANES: usize = 16;
    for (run, greatest) in scores.chunks(RUN).zip(greatest) {
        let (chunks, rest) = run.as_chunks::<LANES>();
        // NaN is not above anything: it stays out.
        let mut lanes = [T::LEAST; LANES];
        for chunk in chunks {
            for at in 0..LANES {
                lanes[at] = if chunk[at] > lanes[at] { chunk[at] } else { lanes[at] };
            }
        }
        for width in [8, 4, 2, 1] {
            for at in 0..width {
                let other = lanes[at + width];
                lanes[at] = if other > lanes[at] { other } else { lanes[at] };
            }
        }
        let mut most = lanes[0];
        for &score in rest {
            most = if score > most { score } else { most };
        }
        let is_found = most > T::LEAST || run.contains(&T::LEAST);
        *greatest = if is_found { most } else { T::UNREACHABLE };
    }
}

/// Whether any score is above `bar`.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn any_above<T: Score>(run: &[T], bar: T) -> bool {
    let mut found = 0;
    for &score in run {
        found |= u32::from(score > bar);
    }
    found != 0
}

/// Marks each column with 1 where the score of a row is not at the column's bar or below: above, NaN, or
/// the bar is NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn mark_above<T: Score>(rows: [&[T]; ROWS], bars: &[T], marks: &mut [u8]) {
    let n = bars.len();
    let marks = &mut marks[..n];
    let rows = rows.map(|row| &row[..n]);
    for at in 0..n {
        let bar = bars[at];
        let mut found = 0;
        for row in rows {
            found |= 1 - u32::from(row[at] <= bar);
        }
        marks[at] = found as u8;
    }
}

/// For every column: the greater of `greatest` and the scores of the rows; NaN gives way to any score.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn raise<T: Score>(rows: [&[T]; ROWS], greatest: &mut [T]) {
    let n = greatest.len();
    let rows = rows.map(|row| &row[..n]);
    for at in 0..n {
        let mut most = greatest[at];
        for row in rows {
            most = if row[at] <= most { most } else { row[at] };
        }
        greatest[at] = most;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn order_of_keys<T: Score + std::fmt::Debug>(scores: &[T]) -> Vec<usize> {
        let mut keys: Vec<T::Key> =
            scores.iter().zip(0..).map(|(score, at)| score.key(at)).collect();
        keys.sort_unstable();
        let of_key = |key: T::Key| {
            let (score, item) = T::of_key(key);
            assert_eq!(score, scores[item as usize]);
            item as usize
        };
        keys.into_iter().map(of_key).collect()
    }

    proptest! {
        /// Equal scores, infinities and both zeros among them.
        #[test]
        fn keys_are_in_the_order_of_ranks(
            few in prop::collection::vec(0usize..8, 0..20),
            more in prop::collection::vec(-1e9f64..1e9, 0..20),
        ) {
            let edges = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1.0, -1.0, 1e-45, -1e-45];
            let double: Vec<f64> = few.iter().map(|&at| edges[at]).chain(more).collect();
            let single: Vec<f32> = double.iter().map(|&score| score as f32).collect();
            let mut expected: Vec<usize> = (0..double.len()).collect();
            expected.sort_by(|&a, &b| double[b].partial_cmp(&double[a]).unwrap());
            prop_assert_eq!(order_of_keys(&double), expected);
            let mut expected: Vec<usize> = (0..single.len()).collect();
            expected.sort_by(|&a, &b| single[b].partial_cmp(&single[a]).unwrap());
            prop_assert_eq!(order_of_keys(&single), expected);
        }

        /// Runs that are not full, and NaN.
        #[test]
        fn the_greatest_of_each_run(
            scores in prop::collection::vec(
                prop_oneof![Just(f32::NAN), Just(f32::NEG_INFINITY), (-9i8..9).prop_map(f32::from)],
                0..200,
            ),
        ) {
            let mut found = vec![0.0; scores.len().div_ceil(RUN)];
            greatest(&scores, &mut found);
            for (run, greatest) in scores.chunks(RUN).zip(found) {
                let known = run.iter().copied().filter(|score| !score.is_nan());
                let expected = known.reduce(f32::max).unwrap_or(f32::NAN);
                prop_assert_eq!(greatest.to_bits(), expected.to_bits());
            }
        }
    }
}
