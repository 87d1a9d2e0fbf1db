//! Pearson, Spearman and Kendall correlation of two series, with a multiplicity per pair of values.
//!
//! Values are sorted once; a resample takes time proportional to the number of pairs and, for Kendall, to the logarithm
//! of distinct values in the second series. Sources: Spearman 1904, doi:10.2307/1412159, on midranks; Kendall 1945,
//! *The treatment of ties in ranking problems*, doi:10.1093/biomet/33.3.239 (tau-b); Knight 1966,
//! doi:10.1080/01621459.1966.10480879, counts with a tree as here.

/// Names of the three correlations of an [`Association`], in its order.
pub const NAMES: [&str; 3] = ["Pearson", "Spearman", "Kendall"];

/// Pearson's r, Spearman's rho of midranks and Kendall's tau-b; `None` if a series is constant.
pub type Association = [Option<f64>; 3];

/// Two series of equal length: correlated values by index.
pub struct Series {
    first: IndexedSeries,
    second: IndexedSeries,
    /// Indices of the pairs of values, sorted by first value.
    order: Vec<u32>,
}

/// A series in input order, with the index of each value among the sorted distinct values.
struct IndexedSeries {
    values: Vec<f64>,
    distinct_index: Vec<u32>,
    /// Number of distinct values.
    distinct: usize,
}

impl IndexedSeries {
    fn new(values: &[f64]) -> Self {
        let mut distinct = values.to_vec();
        distinct.sort_unstable_by(f64::total_cmp);
        // 0 and -0 are equal.
        distinct.dedup();
        let index = |value: &f64| distinct.partition_point(|one| one < value) as u32;
        IndexedSeries {
            values: values.to_vec(),
            distinct_index: values.iter().map(index).collect(),
            distinct: distinct.len(),
        }
    }

    /// Multiplicity of each distinct value; `times` has the multiplicity of each value of the series.
    fn counts(&self, times: &[u32]) -> Vec<u64> {
        let mut counts = vec![0; self.distinct];
        for (&index, &times) in self.distinct_index.iter().zip(times) {
            counts[index as usize] += u64::from(times);
        }
        counts
    }

    /// Midrank of each value; `counts` has the multiplicity of each distinct value.
    fn midranks(&self, counts: &[u64]) -> Vec<f64> {
        let mut before = 0;
        let midranks: Vec<f64> = counts
            .iter()
            .map(|&count| {
                before += count;
                (before - count) as f64 + (count + 1) as f64 / 2.0
            })
            .collect();
        self.distinct_index.iter().map(|&index| midranks[index as usize]).collect()
    }
}

impl Series {
    /// Two series of equal length, without NaN.
    pub fn new(first: &[f64], second: &[f64]) -> Self {
        let (first, second) = (IndexedSeries::new(first), IndexedSeries::new(second));
        let mut order: Vec<u32> = (0..first.values.len() as u32).collect();
        order.sort_by_key(|&at| first.distinct_index[at as usize]);
        Series { first, second, order }
    }

    /// Pearson, Spearman and Kendall correlation of the pairs, each counted `times` times; copies are tied.
    pub fn association(&self, times: &[u32]) -> Association {
        let counts = [&self.first, &self.second].map(|series| series.counts(times));
        let varies = |counts: &Vec<u64>| counts.iter().filter(|count| **count > 0).count() > 1;
        if !counts.iter().all(varies) {
            return [None; 3];
        }
        let ranks = [self.first.midranks(&counts[0]), self.second.midranks(&counts[1])];
        [
            pearson(&self.first.values, &self.second.values, times),
            pearson(&ranks[0], &ranks[1], times),
            self.tau_b_with_counts(times, &counts),
        ]
    }

    /// Kendall's tau-b of the pairs, each counted `times` times; `None` if a series is constant.
    pub fn tau_b(&self, times: &[u32]) -> Option<f64> {
        let counts = [&self.first, &self.second].map(|series| series.counts(times));
        self.tau_b_with_counts(times, &counts)
    }

    /// As [`Series::tau_b`], given the multiplicities of the distinct values of both series.
    fn tau_b_with_counts(&self, times: &[u32], counts: &[Vec<u64>; 2]) -> Option<f64> {
        let all_pairs = pairs_in(times.iter().map(|&times| u64::from(times)).sum());
        let untied = counts.each_ref().map(|counts| {
            let tied: i64 = counts.iter().map(|&count| pairs_in(count)).sum();
            all_pairs - tied
        });
        let [one, other] = untied.map(|pairs| pairs as f64);
        let agreement = self.agreement(times) as f64;
        (one > 0.0 && other > 0.0).then(|| agreement / (one * other).sqrt())
    }

    /// Number of concordant pairs minus number of discordant pairs, each value counted `times` times.
    fn agreement(&self, times: &[u32]) -> i64 {
        let mut tree = Tree::new(self.second.distinct);
        let mut agreement = 0;
        let first_index = |at: &u32| self.first.distinct_index[*at as usize];
        for tied in self.order.chunk_by(|a, b| first_index(a) == first_index(b)) {
            let second_values = tied
                .iter()
                .map(|&at| (self.second.distinct_index[at as usize] as usize, times[at as usize]));
            for (index, times) in second_values.clone().filter(|(_, times)| *times > 0) {
                let below = tree.sum_before(index);
                let above = tree.total - tree.sum_before(index + 1);
                agreement += i64::from(times) * (below - above);
            }
            second_values.for_each(|(index, times)| tree.add(index, i64::from(times)));
        }
        agreement
    }
}

/// Number of unordered pairs of `count` items.
fn pairs_in(count: u64) -> i64 {
    (count * count.saturating_sub(1) / 2) as i64
}

/// Pearson's r of the pairs, each counted `times` times; `None` if a series is constant.
fn pearson(first: &[f64], second: &[f64], times: &[u32]) -> Option<f64> {
    let count: f64 = times.iter().map(|&times| f64::from(times)).sum();
    let mean = |values: &[f64]| {
        values.iter().zip(times).map(|(one, &times)| one * f64::from(times)).sum::<f64>() / count
    };
    let (first_mean, second_mean) = (mean(first), mean(second));
    let [mut products, mut first_squares, mut second_squares] = [0.0; 3];
    for ((one, other), &times) in first.iter().zip(second).zip(times) {
        let (one, other, times) = (one - first_mean, other - second_mean, f64::from(times));
        products += times * one * other;
        first_squares += times * one * one;
        second_squares += times * other * other;
    }
    let scale = first_squares.sqrt() * second_squares.sqrt();
    (first_squares > 0.0 && second_squares > 0.0).then(|| (products / scale).clamp(-1.0, 1.0))
}

/// Prefix sums of counts, as a Fenwick tree.
struct Tree {
    sums: Vec<i64>,
    total: i64,
}

impl Tree {
    fn new(len: usize) -> Self {
        Tree { sums: vec![0; len + 1], total: 0 }
    }

    /// Adds to the count at an index.
    fn add(&mut self, index: usize, count: i64) {
        self.total += count;
        let mut at = index + 1;
        while at < self.sums.len() {
            self.sums[at] += count;
            at += at & at.wrapping_neg();
        }
    }

    /// Sum of the counts at indices below `end`.
    fn sum_before(&self, end: usize) -> i64 {
        let (mut at, mut sum) = (end, 0);
        while at > 0 {
            sum += self.sums[at];
            at &= at - 1;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::analysis::kendall;

    /// `scipy.stats` of `SciPy` 1.17: `pearsonr`, `spearmanr`, `kendalltau`.
    #[test]
    fn known_values() {
        let first = [3.0, 4.0, 0.0, 4.0, 2.0];
        let second = [2.0, 3.0, 1.0, 4.0, 0.0];
        let found = Series::new(&first, &second).association(&[1; 5]);
        // r = 8 / sqrt(11.2 x 10); rho = 8.5 / sqrt(9.5 x 10) of the midranks 3, 4.5, 1, 4.5, 2.
        assert!((found[0].unwrap() - 8.0 / 112f64.sqrt()).abs() < 1e-15);
        assert!((found[1].unwrap() - 8.5 / 95f64.sqrt()).abs() < 1e-15);
        assert!((found[2].unwrap() - 0.7378647873726218).abs() < 1e-15);
    }

    #[test]
    fn constant_series_have_no_correlation() {
        let flat = Series::new(&[0.1, 0.1, 0.1], &[1.0, 2.0, 3.0]);
        assert_eq!(flat.association(&[1; 3]), [None; 3]);
        assert_eq!(Series::new(&[], &[]).association(&[]), [None; 3]);
        let varied = Series::new(&[1.0, 2.0], &[1.0, 2.0]);
        assert_eq!(varied.association(&[3, 0]), [None; 3]);
        assert_eq!(varied.association(&[3, 2])[2], Some(1.0));
    }

    proptest! {
        /// Copies written out, tau-b over all pairs.
        #[test]
        fn copies_are_values_of_their_own(
            pairs in prop::collection::vec((0_u8..6, 0_u8..6, 0_u32..4), 1..40)
        ) {
            let column = |of: &dyn Fn(&(u8, u8, u32)) -> u8, copied: bool| -> Vec<f64> {
                let copies = |pair: &(u8, u8, u32)| if copied { pair.2 as usize } else { 1 };
                pairs.iter().flat_map(|pair| vec![f64::from(of(pair)); copies(pair)]).collect()
            };
            let (one, other) = (|pair: &(u8, u8, u32)| pair.0, |pair: &(u8, u8, u32)| pair.1);
            let times: Vec<u32> = pairs.iter().map(|pair| pair.2).collect();
            let found = Series::new(&column(&one, false), &column(&other, false)).association(&times);
            let (first, second) = (column(&one, true), column(&other, true));
            let written = Series::new(&first, &second).association(&vec![1; first.len()]);
            for (a, b) in found.into_iter().zip(written) {
                prop_assert_eq!(a.is_some(), b.is_some());
                prop_assert!((a.unwrap_or(0.0) - b.unwrap_or(0.0)).abs() < 1e-12);
            }
            let tau = kendall::tau_b(&first, &second);
            prop_assert!((found[2].unwrap_or(0.0) - tau.unwrap_or(0.0)).abs() < 1e-12);
        }
    }
}
