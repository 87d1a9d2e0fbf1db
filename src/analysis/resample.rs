//! Resampled ratios of means to their standard errors, many means by the same draws.
//!
//! A resample is how often each cluster was drawn: the sums that a mean and its error are made of are
//! then products of these counts with what each cluster has. So one draw serves every metric.

use multiversion::multiversion;
use rayon::prelude::*;

use super::bootstrap::Draws;
use super::groups::{Groups, Part};
use crate::data::stream::{Stream, Use};

/// For each mean, (resampled mean - mean) / resampled error of every resample, in the order of the
/// draws; NaN where a resample does not vary. Without two clusters a part, nothing.
pub(super) fn ratios(all: &[&Groups], draws: Draws) -> Vec<Vec<f64>> {
    let mut ratios = vec![Vec::new(); all.len()];
    let mut left: Vec<usize> = (0..all.len()).filter(|&at| is_drawn(all[at])).collect();
    while let Some(&first) = left.first() {
        let ends = all[first].ends();
        let (alike, others) = left.iter().partition(|&&at| all[at].ends() == ends);
        let alike: Vec<usize> = alike;
        let sums: Vec<Vec<Centred>> = alike.iter().map(|&at| centred(all[at])).collect();
        let found = resampled(ends, &sums, draws, |_, moved| moved.ratio());
        for (&at, found) in alike.iter().zip(found) {
            ratios[at] = found;
        }
        left = others;
    }
    ratios
}

/// The resampled means of values in the same clusters, all of the same draws.
pub(super) fn means(all: &[&Groups], draws: Draws) -> Vec<Vec<f64>> {
    let sums: Vec<Vec<Centred>> = all.iter().map(|groups| centred(groups)).collect();
    let ends = all.first().map_or(&[][..], |groups| groups.ends());
    let mean = |at: usize, moved: Moved| {
        let mean = all[at].mean().unwrap_or(f64::NAN);
        mean + moved.distance / ends.len() as f64
    };
    resampled(ends, &sums, draws, mean)
}

/// Whether there is an error to resample.
fn is_drawn(groups: &Groups) -> bool {
    groups.error().is_some()
}

/// Resamples that one task makes.
const TASK: usize = 50;

/// What `told` makes of each resample of each mean over these clusters.
fn resampled(
    ends: &[usize],
    means: &[Vec<Centred>],
    draws: Draws,
    told: impl Fn(usize, Moved) -> f64 + Sync,
) -> Vec<Vec<f64>> {
    let tasks = (0..draws.resamples.div_ceil(TASK)).into_par_iter();
    let of_task = |task: usize| {
        let resamples = task * TASK..draws.resamples.min((task + 1) * TASK);
        let mut counts = vec![0.0; ends.last().copied().unwrap_or(0)];
        let mut found = Vec::with_capacity(resamples.len() * means.len());
        for at in resamples {
            draw(
                Stream::new(draws.seed, Use::Bootstrap, at),
                ends,
                &mut counts,
            );
            let all = means.iter().enumerate();
            found.extend(all.map(|(at, parts)| told(at, moved(parts, ends, &counts))));
        }
        found
    };
    let found: Vec<Vec<f64>> = tasks.map(of_task).collect();
    let of_mean = |at: usize| {
        let of_task = |found: &Vec<f64>| {
            found
                .iter()
                .skip(at)
                .step_by(means.len())
                .copied()
                .collect()
        };
        found
            .iter()
            .flat_map(|found| -> Vec<f64> { of_task(found) })
            .collect()
    };
    (0..means.len()).map(of_mean).collect()
}

/// How often each cluster is drawn, as many as there are in each part.
fn draw(mut stream: Stream, ends: &[usize], counts: &mut [f64]) {
    counts.fill(0.0);
    let mut start = 0;
    for &end in ends {
        let part = &mut counts[start..end];
        for _ in 0..part.len() {
            part[stream.index(part.len())] += 1.0;
        }
        start = end;
    }
}

/// What each cluster of a part adds, its share of the part's mean taken off: sums stay small, and
/// digits are kept.
struct Centred {
    sums: Vec<f64>,
    squares: Vec<f64>,
    sizes: Sizes,
    scale: f64,
}

/// Sizes of clusters; products with sums only where they differ.
enum Sizes {
    Equal(f64),
    Each {
        sizes: Vec<f64>,
        squares: Vec<f64>,
        products: Vec<f64>,
    },
}

fn centred(groups: &Groups) -> Vec<Centred> {
    let of_part = |part: Part<'_>| {
        let mean = part.mean();
        let sizes: Vec<f64> = part.sizes.iter().copied().map(f64::from).collect();
        let each = part.sums.iter().zip(&sizes);
        let sums: Vec<f64> = each.map(|(sum, size)| sum - size * mean).collect();
        let clusters = sums.len() as f64;
        Centred {
            squares: sums.iter().map(|sum| sum * sum).collect(),
            scale: part.sums.iter().map(|sum| sum * sum).sum::<f64>(),
            sizes: if part.sizes.iter().all(|size| *size == part.sizes[0]) {
                Sizes::Equal(sizes[0] * clusters)
            } else {
                Sizes::Each {
                    squares: sizes.iter().map(|size| size * size).collect(),
                    products: sums
                        .iter()
                        .zip(&sizes)
                        .map(|(sum, size)| sum * size)
                        .collect(),
                    sizes,
                }
            },
            sums,
        }
    };
    groups.parts().map(of_part).collect()
}

/// How far a resample moves a mean.
struct Moved {
    /// The sum of the parts' distances.
    distance: f64,
    /// The sum of their squared errors.
    squares: f64,
    is_constant: bool,
}

impl Moved {
    /// The distance over its error; NaN where nothing varies.
    fn ratio(&self) -> f64 {
        if self.is_constant {
            return f64::NAN;
        }
        self.distance / self.squares.sqrt()
    }
}

/// One mean in one resample.
fn moved(parts: &[Centred], ends: &[usize], counts: &[f64]) -> Moved {
    let (mut distance, mut squares, mut is_constant) = (0.0, 0.0, true);
    let mut start = 0;
    for (part, &end) in parts.iter().zip(ends) {
        let (counts, clusters) = (&counts[start..end], (end - start) as f64);
        start = end;
        let sum = dot(counts, &part.sums);
        let squared = dot(counts, &part.squares);
        let (count, deviations) = match &part.sizes {
            Sizes::Equal(count) => (*count, squared - sum * sum / clusters),
            Sizes::Each {
                sizes,
                squares,
                products,
            } => {
                let count = dot(counts, sizes);
                let mean = sum / count;
                let product = 2.0 * mean * dot(counts, products);
                (
                    count,
                    squared - product + mean * mean * dot(counts, squares),
                )
            }
        };
        is_constant &= deviations <= ROUNDING * part.scale;
        distance += sum / count;
        squares += deviations.max(0.0) * clusters / (clusters - 1.0) / count.powi(2);
    }
    Moved {
        distance,
        squares,
        is_constant,
    }
}

/// Part of the squares that rounding makes, at most.
const ROUNDING: f64 = 1e-12;

/// Running sums of a product: the same on every machine, however wide its registers are.
const LANES: usize = 8;

/// The sum of products.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2+fma", "aarch64+neon"))]
fn dot(counts: &[f64], values: &[f64]) -> f64 {
    let (counts, rest) = counts.as_chunks::<LANES>();
    let (values, rest_values) = values.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (counts, values) in counts.iter().zip(values) {
        for ((lane, count), value) in lanes.iter_mut().zip(counts).zip(values) {
            *lane += count * value;
        }
    }
    let rest: f64 = rest.iter().zip(rest_values).map(|(c, v)| c * v).sum();
    lanes.iter().sum::<f64>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A resample written out, its clusters as [`Groups`] of their own.
    fn naive(groups: &Groups, draws: Draws, at: usize) -> f64 {
        let mut stream = Stream::new(draws.seed, Use::Bootstrap, at);
        let (mut values, mut labels, mut ends, mut next) = (vec![], vec![], vec![], 0);
        for part in groups.parts() {
            for _ in 0..part.sums.len() {
                let drawn = stream.index(part.sums.len());
                let size = part.sizes[drawn];
                for _ in 0..size {
                    values.push(part.sums[drawn] / f64::from(size));
                    labels.push(next);
                }
                next += 1;
            }
            ends.push(values.len());
        }
        let drawn = Groups::in_parts(&values, Some(&labels), &ends);
        let error = drawn.error().unwrap_or(f64::NAN);
        (drawn.mean().unwrap() - groups.mean().unwrap()) / error
    }

    proptest! {
        #[test]
        fn as_written_out(
            values in prop::collection::vec((-2.0..2.0f64, 0u32..12), 8..60),
            cut in prop::option::of(4..30usize),
        ) {
            let (values, labels): (Vec<f64>, Vec<u32>) = values.into_iter().unzip();
            let mut ends = vec![values.len()];
            if let Some(cut) = cut.filter(|cut| cut + 4 < values.len()) {
                ends.insert(0, cut);
            }
            let draws = Draws { resamples: 60, seed: 3 };
            for labels in [None, Some(labels.as_slice())] {
                let groups = Groups::in_parts(&values, labels, &ends);
                let other = Groups::in_parts(&values, None, &ends);
                let found = ratios(&[&groups, &other], draws).swap_remove(0);
                if groups.error().is_none() {
                    prop_assert_eq!(found, Vec::<f64>::new());
                    continue;
                }
                for (at, found) in found.into_iter().enumerate() {
                    let expected = naive(&groups, draws, at);
                    let near = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
                    prop_assert!(near || found.is_nan() && expected.is_nan() || expected.abs() > 1e4,
                        "{found}, not {expected}");
                }
            }
        }
    }
}
