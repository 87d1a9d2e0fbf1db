//! Resampled ratios of means to their standard errors, many means by the same draws.
//!
//! A resample is how often each cluster was drawn: the sums that a mean and its error are made of are
//! then products of these counts with what each cluster has. So one draw serves every metric, the random
//! words of a draw serve all sets of clusters, and what clusters have is read once for several resamples.

use std::ops::Range;

use multiversion::multiversion;

use super::bootstrap::Draws;
use super::groups::{Groups, Part};
use crate::data::parallel;
use crate::data::stream::{self, Stream, Use};

/// For each mean, (resampled mean - mean) / resampled error of every resample, in the order of the
/// draws; NaN where a resample does not vary. Without two clusters a part, nothing.
pub(super) fn ratios(all: &[&Groups], draws: Draws) -> Vec<Vec<f64>> {
    let mut ratios = vec![Vec::new(); all.len()];
    let mut left: Vec<usize> = (0..all.len()).filter(|&at| is_drawn(all[at])).collect();
    let (mut places, mut sets) = (Vec::new(), Vec::new());
    while let Some(&first) = left.first() {
        let ends = all[first].ends();
        let (alike, others): (Vec<usize>, _) = left.iter().partition(|&&at| all[at].ends() == ends);
        sets.push(SameClusters::of(alike.iter().map(|&at| all[at]).collect()));
        places.extend(alike);
        left = others;
    }
    let found = resampled(&sets, draws, |_, moved| moved.ratio());
    for (at, found) in places.into_iter().zip(found) {
        ratios[at] = found;
    }
    ratios
}

/// The resampled means of values in the same clusters, all of the same draws.
pub(super) fn means(all: &[&Groups], draws: Draws) -> Vec<Vec<f64>> {
    let mean = |groups: &Groups, moved: Moved| {
        let mean = groups.mean().unwrap_or(f64::NAN);
        mean + moved.distance / groups.ends().len() as f64
    };
    resampled(&[SameClusters::of(all.to_vec())], draws, mean)
}

/// Whether there is an error to resample.
fn is_drawn(groups: &Groups) -> bool {
    groups.error().is_some()
}

/// Resamples that one task makes.
const TASK: usize = 12 * TOGETHER;

/// Means over clusters that are drawn alike.
struct SameClusters<'a> {
    groups: Vec<&'a Groups>,
    ends: &'a [usize],
    parts: Vec<Clusters>,
    means: Vec<Vec<Centred>>,
}

impl<'a> SameClusters<'a> {
    fn of(groups: Vec<&'a Groups>) -> Self {
        let ends = groups.first().map_or(&[][..], |groups| groups.ends());
        let (parts, means) = centred(&groups);
        SameClusters {
            groups,
            ends,
            parts,
            means,
        }
    }

    /// Clusters of all parts.
    fn clusters(&self) -> usize {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Each mean in several resamples.
    fn moved(&self, counts: &[Vec<u32>; TOGETHER], mut each: impl FnMut(usize, [Moved; TOGETHER])) {
        let sums: Vec<Sums> = self.parts.iter().map(|part| part.sums(counts)).collect();
        for (at, mean) in self.means.iter().enumerate() {
            let of = |resample| moved(mean, &self.parts, |part, at| sums[part][at][resample]);
            each(at, std::array::from_fn(of));
        }
    }
}

/// What `told` makes of each resample of each mean, in the order of the sets. All are drawn by the same
/// random words.
fn resampled(
    sets: &[SameClusters<'_>],
    draws: Draws,
    told: impl Fn(&Groups, Moved) -> f64 + Sync,
) -> Vec<Vec<f64>> {
    let of_task = |resamples: Range<usize>| {
        let counts = |set: &SameClusters<'_>| [(); TOGETHER].map(|()| vec![0; set.clusters()]);
        let mut counts: Vec<[Vec<u32>; TOGETHER]> = sets.iter().map(counts).collect();
        let mut words = vec![0; sets.iter().map(SameClusters::clusters).max().unwrap_or(0)];
        let means = sets.iter().map(|set| set.means.len()).sum();
        let mut found: Vec<Vec<f64>> = vec![Vec::new(); means];
        for start in resamples.clone().step_by(TOGETHER) {
            let drawn = start..resamples.end.min(start + TOGETHER);
            for (place, at) in drawn.clone().enumerate() {
                Stream::new(draws.seed, Use::Bootstrap, at).words(&mut words);
                for (set, counts) in sets.iter().zip(&mut counts) {
                    draw(&words, set.ends, &mut counts[place]);
                }
            }
            let mut left = found.iter_mut();
            for (set, counts) in sets.iter().zip(&counts) {
                set.moved(counts, |mean, moved| {
                    let moved = moved.into_iter().take(drawn.len());
                    let told = moved.map(|moved| told(set.groups[mean], moved));
                    left.next().expect("as many as means").extend(told);
                });
            }
        }
        found
    };
    let found: Vec<Vec<Vec<f64>>> = parallel::map_ranges(draws.resamples, TASK, of_task);
    let means = 0..sets.iter().map(|set| set.means.len()).sum();
    let of_mean = |at: usize| found.iter().flat_map(|found| &found[at]).copied().collect();
    means.map(of_mean).collect()
}

/// How often each cluster is drawn, as many as there are in each part: each by a word of its own.
fn draw(words: &[u32], ends: &[usize], counts: &mut [u32]) {
    counts.fill(0);
    let mut start = 0;
    for &end in ends {
        let part = &mut counts[start..end];
        for &word in &words[start..end] {
            part[stream::below(word, end - start)] += 1;
        }
        start = end;
    }
}

/// The clusters of a part, and what each of them has: series of one number a cluster, no two the same.
struct Clusters {
    range: Range<usize>,
    series: Vec<Vec<f64>>,
}

/// The sum of each series in several resamples.
type Sums = Vec<[f64; TOGETHER]>;

impl Clusters {
    /// The place of a series.
    fn place(&mut self, values: Vec<f64>) -> usize {
        let known = self.series.iter().position(|series| *series == values);
        known.unwrap_or_else(|| {
            self.series.push(values);
            self.series.len() - 1
        })
    }
}

/// What each cluster of a part adds to a mean, its share of the part's mean taken off: sums stay small,
/// and digits are kept. Series by their place.
struct Centred {
    sums: usize,
    squares: usize,
    sizes: Sizes,
    scale: f64,
}

/// Sizes of clusters; products with sums only where they differ.
enum Sizes {
    Equal(f64),
    Each {
        sizes: usize,
        squares: usize,
        products: usize,
    },
}

/// The parts, and what each mean has of each of them.
fn centred(all: &[&Groups]) -> (Vec<Clusters>, Vec<Vec<Centred>>) {
    let mut parts = Vec::new();
    let mut start = 0;
    for &end in all.first().map_or(&[][..], |groups| groups.ends()) {
        parts.push(Clusters {
            range: start..end,
            series: Vec::new(),
        });
        start = end;
    }
    let mut of_mean = |groups: &&Groups| {
        let both = groups.parts().zip(&mut parts);
        both.map(|(part, clusters)| Centred::of(part, clusters))
            .collect()
    };
    let means = all.iter().map(&mut of_mean).collect();
    (parts, means)
}

impl Centred {
    fn of(part: Part<'_>, clusters: &mut Clusters) -> Self {
        let mean = part.mean();
        let sizes: Vec<f64> = part.sizes.iter().copied().map(f64::from).collect();
        let each = part.sums.iter().zip(&sizes);
        let sums: Vec<f64> = each.map(|(sum, size)| sum - size * mean).collect();
        let squared = |values: &[f64]| values.iter().map(|value| value * value).collect();
        let products = || sums.iter().zip(&sizes).map(|(sum, size)| sum * size);
        Centred {
            squares: clusters.place(squared(&sums)),
            scale: part.sums.iter().map(|sum| sum * sum).sum::<f64>(),
            sizes: if part.sizes.iter().all(|size| *size == part.sizes[0]) {
                Sizes::Equal(sizes[0] * sums.len() as f64)
            } else {
                Sizes::Each {
                    squares: clusters.place(squared(&sizes)),
                    products: clusters.place(products().collect()),
                    sizes: clusters.place(sizes),
                }
            },
            sums: clusters.place(sums),
        }
    }
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

/// One mean in one resample, of which `sum` tells the sum of a series by its part and place.
fn moved(mean: &[Centred], parts: &[Clusters], sum: impl Fn(usize, usize) -> f64) -> Moved {
    let (mut distance, mut squares, mut is_constant) = (0.0, 0.0, true);
    for (at, (of, part)) in mean.iter().zip(parts).enumerate() {
        let clusters = part.range.len() as f64;
        let resampled = |series: usize| sum(at, series);
        let sum = resampled(of.sums);
        let squared = resampled(of.squares);
        let (count, deviations) = match of.sizes {
            Sizes::Equal(count) => (count, squared - sum * sum / clusters),
            Sizes::Each {
                sizes,
                squares,
                products,
            } => {
                let count = resampled(sizes);
                let mean = sum / count;
                let product = 2.0 * mean * resampled(products);
                let deviations = squared - product + mean * mean * resampled(squares);
                (count, deviations)
            }
        };
        is_constant &= deviations <= ROUNDING * of.scale;
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

/// Resamples whose sums are taken together.
const TOGETHER: usize = 4;
/// Running sums of a product: the same on every machine, however wide its registers are.
const LANES: usize = 8;
/// Clusters whose counts, in all resamples together, stay in the first-level cache.
const BLOCK: usize = 64 * LANES;

impl Clusters {
    /// The sum of each series in each resample.
    fn sums(&self, counts: &[Vec<u32>; TOGETHER]) -> Sums {
        let counts = counts.each_ref().map(|counts| &counts[self.range.clone()]);
        let mut lanes = vec![[[0.0; LANES]; TOGETHER]; self.series.len()];
        let mut numbers = [[0.0; BLOCK]; TOGETHER];
        for start in (0..self.range.len()).step_by(BLOCK) {
            let block = start..self.range.len().min(start + BLOCK);
            for (numbers, counts) in numbers.iter_mut().zip(counts) {
                for (number, &count) in numbers.iter_mut().zip(&counts[block.clone()]) {
                    *number = f64::from(count);
                }
            }
            let numbers = numbers.each_ref().map(|of| of.as_chunks().0);
            for (values, lanes) in self.series.iter().zip(&mut lanes) {
                add_products(numbers, values[block.clone()].as_chunks().0, lanes);
            }
        }
        let done = self.range.len() - self.range.len() % LANES;
        let sum = |(values, lanes): (&Vec<f64>, [[f64; LANES]; TOGETHER])| {
            std::array::from_fn(|at| {
                let rest = counts[at][done..].iter().zip(&values[done..]);
                let rest: f64 = rest.map(|(&count, value)| f64::from(count) * value).sum();
                lanes[at].iter().sum::<f64>() + rest
            })
        };
        self.series.iter().zip(lanes).map(sum).collect()
    }
}

/// Adds the products of each resample's counts with values.
#[multiversion(targets("x86_64+avx512f", "x86_64+avx2+fma", "aarch64+neon"))]
fn add_products(
    counts: [&[[f64; LANES]]; TOGETHER],
    values: &[[f64; LANES]],
    sums: &mut [[f64; LANES]; TOGETHER],
) {
    let counts = counts.map(|counts| &counts[..values.len()]);
    let mut lanes = *sums;
    for (at, values) in values.iter().enumerate() {
        for resample in 0..TOGETHER {
            let counts = &counts[resample][at];
            for lane in 0..LANES {
                lanes[resample][lane] += counts[lane] * values[lane];
            }
        }
    }
    *sums = lanes;
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
                let all = [&groups, &other];
                for (found, groups) in ratios(&all, draws).into_iter().zip(all) {
                    let drawn = groups.error().map_or(0, |_| draws.resamples);
                    prop_assert_eq!(found.len(), drawn);
                    for (at, found) in found.into_iter().enumerate() {
                        let expected = naive(groups, draws, at);
                        let near = (found - expected).abs() <= 1e-6 * expected.abs().max(1.0);
                        prop_assert!(near || found.is_nan() && expected.is_nan() || expected.abs() > 1e4,
                            "{found}, not {expected}");
                    }
                }
            }
        }
    }
}
