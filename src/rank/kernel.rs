//! The inner loops: counts of scores at a threshold.
//!
//! Ties need no extra loop. "Higher, or equal at a lower index" is one comparison `s >= u` with a threshold that
//! depends on the side: `u = t` for indices below the target, and the next number above `t` from the target on. Past
//! +infinity there is no next number: NaN, which nothing reaches, is used.
//!
//! The functions have loops, not closures: a closure is a separate function, which has the instructions of the loop's
//! target only if it is inlined.

use multiversion::multiversion;

use crate::data::scores::Scalar;

/// Thresholds handled together: each score is loaded once for all of them.
pub const GROUP: usize = 4;

/// Counts, for each of four thresholds, the scores of `run` that reach it.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn count_reaching<T: Scalar>(run: &[T], thresholds: [T; GROUP]) -> [u32; GROUP] {
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
pub fn count_from<T: Scalar>(run: &[T], threshold: T) -> u32 {
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
pub fn count_equal<T: Scalar>(run: &[T], value: T) -> u32 {
    let mut count = 0;
    for &score in run {
        count += u32::from(score == value);
    }
    count
}

/// Rows handled together by the column loop: thresholds and counts are loaded once for all of them.
pub const ROWS: usize = 8;

/// For every column: adds to its count the number of rows whose score reaches its threshold.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn add_reaching<T: Scalar>(rows: [&[T]; ROWS], thresholds: &[T], counts: &mut [u32]) {
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

/// Marks each column with 1 where the score of a row is not below the column's threshold: it reaches it, is NaN, or
/// the threshold is NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn mark_reaching<T: Scalar>(rows: [&[T]; ROWS], thresholds: &[T], marks: &mut [u8]) {
    let n = thresholds.len();
    let marks = &mut marks[..n];
    let rows = rows.map(|row| &row[..n]);
    for at in 0..n {
        let threshold = thresholds[at];
        let mut found = 0;
        for row in rows {
            found |= 1 - u32::from(row[at] < threshold);
        }
        marks[at] = found as u8;
    }
}

/// For every column: the maximum of `maxima` and the scores of the rows; any score replaces NaN.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub fn raise_maxima<T: Scalar>(rows: [&[T]; ROWS], maxima: &mut [T]) {
    let n = maxima.len();
    let rows = rows.map(|row| &row[..n]);
    for at in 0..n {
        let mut highest = maxima[at];
        for row in rows {
            highest = if row[at] <= highest { highest } else { row[at] };
        }
        maxima[at] = highest;
    }
}
