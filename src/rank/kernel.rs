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
    /// The least number that is greater; [`Score::UNREACHABLE`] above +infinity.
    fn above(self) -> Self;
    /// The greatest number that is less; [`Score::UNREACHABLE`] below -infinity.
    fn below(self) -> Self;
    /// Whether this is NaN.
    fn is_nan(self) -> bool;
}

impl Score for f32 {
    const UNREACHABLE: f32 = f32::NAN;

    fn above(self) -> f32 {
        if self == f32::INFINITY {
            f32::NAN
        } else {
            self.next_up()
        }
    }

    fn below(self) -> f32 {
        if self == f32::NEG_INFINITY {
            f32::NAN
        } else {
            self.next_down()
        }
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }
}

impl Score for f64 {
    const UNREACHABLE: f64 = f64::NAN;

    fn above(self) -> f64 {
        if self == f64::INFINITY {
            f64::NAN
        } else {
            self.next_up()
        }
    }

    fn below(self) -> f64 {
        if self == f64::NEG_INFINITY {
            f64::NAN
        } else {
            self.next_down()
        }
    }

    fn is_nan(self) -> bool {
        self.is_nan()
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

/// The greatest score; NaN where there is none but NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn greatest<T: Score>(run: &[T]) -> T {
    const LANES: usize = 16;
    let (chunks, rest) = run.as_chunks::<LANES>();
    let mut lanes = [T::UNREACHABLE; LANES];
    for chunk in chunks {
        for at in 0..LANES {
            // What is not above the lane stays out: NaN, too. A lane that starts as NaN takes any score.
            let stays = (lanes[at] >= chunk[at]) | chunk[at].is_nan();
            lanes[at] = if stays { lanes[at] } else { chunk[at] };
        }
    }
    let mut most = T::UNREACHABLE;
    for &score in lanes.iter().chain(rest) {
        let stays = (most >= score) | score.is_nan();
        most = if stays { most } else { score };
    }
    most
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

/// Marks with 1 each score that is not at its bar or below: those above, NaN, and all whose bar is NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn mark_above<T: Score>(run: &[T], bars: &[T], marks: &mut [u8]) {
    for ((mark, &score), &bar) in marks.iter_mut().zip(run).zip(bars) {
        *mark = 1 - u8::from(score <= bar);
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
