//! Loops that compare scores, and sums for `CIDEr`.
//!
//! Ties need no extra loop. "Higher, or equal at a lower index" is one comparison `s >= u` with a threshold that
//! depends on the side: `u = t` for indices below the target, and the next number above `t` from the target on. Past
//! +infinity there is no next number: NaN, which nothing reaches, is used.

use super::{GROUP, Number, ROWS, RUN_LEN, vectorized};

/// Number of running maxima of a run.
const LANES: usize = 16;

vectorized! {
    pub fn count_reaching<T: Number>(run: &[T], thresholds: [T; GROUP]) -> [u32; GROUP] {
        let mut counts = [0; GROUP];
        for &score in run {
            for (count, threshold) in counts.iter_mut().zip(thresholds) {
                *count += u32::from(score >= threshold);
            }
        }
        counts
    }

    pub fn count_from<T: Number>(run: &[T], threshold: T) -> u32 {
        let mut count = 0;
        for &score in run {
            count += u32::from(score >= threshold);
        }
        count
    }

    pub fn count_equal<T: Number>(run: &[T], value: T) -> u32 {
        let mut count = 0;
        for &score in run {
            count += u32::from(score == value);
        }
        count
    }

    pub fn add_reaching<T: Number>(rows: [&[T]; ROWS], thresholds: &[T], counts: &mut [u32]) {
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

    pub fn mark_reaching<T: Number>(rows: [&[T]; ROWS], thresholds: &[T], marks: &mut [u8]) {
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

    pub fn raise_maxima<T: Number>(rows: [&[T]; ROWS], maxima: &mut [T]) {
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

    pub fn find_run_maxima<T: Number>(scores: &[T], maxima: &mut [T]) {
        for (run, maximum) in scores.chunks(RUN_LEN).zip(maxima) {
            let (chunks, rest) = run.as_chunks::<LANES>();
            // NaN is not above anything: skipped.
            let mut lanes = [T::LOWEST; LANES];
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
            let mut highest = lanes[0];
            for &score in rest {
                highest = if score > highest { score } else { highest };
            }
            let is_found = highest > T::LOWEST || run.contains(&T::LOWEST);
            *maximum = if is_found { highest } else { T::UNREACHABLE };
        }
    }

    pub fn find_set_maxima<T: Number>(scores: &[T], maxima: &mut [T]) {
        for round in scores.chunks(maxima.len()) {
            for (maximum, &score) in maxima.iter_mut().zip(round) {
                *maximum = if score > *maximum { score } else { *maximum };
            }
        }
    }

    /// Number of pairs that the two rankings order differently.
    pub fn discordant_pairs(first: &[f64], second: &[f64]) -> u32 {
        let mut count = 0;
        for at in 1..first.len() {
            let (one, other) = (first[at], second[at]);
            let before = first[..at].iter().zip(&second[..at]);
            let pairs = before.map(|(first, second)| u32::from((*first >= one) != (*second >= other)));
            count += pairs.sum::<u32>();
        }
        count
    }

    /// Adds `shares[i] * weights[p]` to `sums[p]`, for all positions p in `bounds[i]..bounds[i + 1]`.
    pub fn add_shares(weights: &[f64], bounds: &[u32], shares: &[f64], sums: &mut [f64]) {
        for (bounds, &share) in bounds.windows(2).zip(shares) {
            let places = bounds[0] as usize..bounds[1] as usize;
            let weights = &weights[places.clone()];
            for (sum, &weight) in sums[places].iter_mut().zip(weights) {
                *sum += share * weight;
            }
        }
    }

    /// Multiplies all sums by `factor`, then divides them by `divisor`.
    pub fn scale(sums: &mut [f64], factor: f64, divisor: f64) {
        for sum in sums {
            *sum = *sum * factor / divisor;
        }
    }
}
