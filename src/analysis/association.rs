//! Pearson, Spearman and Kendall correlation of two series, with a multiplicity per pair of values.
//!
//! Values are sorted once; a resample takes time proportional to the number of pairs and, for Kendall, to the logarithm
//! of distinct values in the second series. Sources: Spearman 1904, doi:10.2307/1412159, on midranks; Kendall 1945,
//! *The treatment of ties in ranking problems*, doi:10.1093/biomet/33.3.239 (tau-b); Knight 1966,
//! doi:10.1080/01621459.1966.10480879, counts with a tree as here.

/// Names of the correlations.
pub const NAMES: [&str; 3] = ["Pearson", "Spearman", "Kendall"];

/// Pearson's r, Spearman's rho of midranks and Kendall's tau-b; `None` if a series is constant.
pub type Association = [Option<f64>; 3];

/// Two series of equal length: correlated values by index.
pub struct Series {
    first: Sorted,
    second: Sorted,
    /// Pair indices sorted by first value.
    order: Vec<u32>,
}

/// A series with the index of each value among its distinct values.
struct Sorted {
    values: Vec<f64>,
    places: Vec<u32>,
    distinct: usize,
}

impl Sorted {
    fn new(values: &[f64]) -> Self {
        let mut distinct = values.to_vec();
        distinct.sort_unstable_by(f64::total_cmp);
        // 0 and -0 are equal.
        distinct.dedup();
        let place = |value: &f64| distinct.partition_point(|one| one < value) as u32;
        Sorted {
            values: values.to_vec(),
            places: values.iter().map(place).collect(),
            distinct: distinct.len(),
        }
    }

    /// Multiplicity of distinct values.
    fn counts(&self, times: &[u32]) -> Vec<u64> {
        let mut counts = vec![0; self.distinct];
        for (&place, &times) in self.places.iter().zip(times) {
            counts[place as usize] += u64::from(times);
        }
        counts
    }

    fn midranks(&self, counts: &[u64]) -> Vec<f64> {
        let mut before = 0;
        let of_places: Vec<f64> = counts
            .iter()
            .map(|&count| {
                before += count;
                (before - count) as f64 + (count + 1) as f64 / 2.0
            })
            .collect();
        self.places.iter().map(|&place| of_places[place as usize]).collect()
    }
}

impl Series {
    /// Two series of equal length, without NaN.
    pub fn new(first: &[f64], second: &[f64]) -> Self {
        let (first, second) = (Sorted::new(first), Sorted::new(second));
        let mut order: Vec<u32> = (0..first.values.len() as u32).collect();
        order.sort_by_key(|&at| first.places[at as usize]);
        Series { first, second, order }
    }

    /// Pearson, Spearman and Kendall correlation of the pairs, each counted `times` times; copies are tied.
    pub fn association(&self, times: &[u32]) -> Association {
        let counts = [&self.first, &self.second].map(|of| of.counts(times));
        let varies = |counts: &Vec<u64>| counts.iter().filter(|count| **count > 0).count() > 1;
        if !counts.iter().all(varies) {
            return [None; 3];
        }
        let ranks = [self.first.midranks(&counts[0]), self.second.midranks(&counts[1])];
        [
            pearson(&self.first.values, &self.second.values, times),
            pearson(&ranks[0], &ranks[1], times),
            self.tau_b_of(times, &counts),
        ]
    }

    /// Kendall's tau-b of the pairs, each counted `times` times.
    pub fn tau_b(&self, times: &[u32]) -> Option<f64> {
        self.tau_b_of(times, &[&self.first, &self.second].map(|of| of.counts(times)))
    }

    fn tau_b_of(&self, times: &[u32], counts: &[Vec<u64>; 2]) -> Option<f64> {
        let all = pairs_in(times.iter().map(|&times| u64::from(times)).sum());
        let untied = counts.each_ref().map(|counts| {
            let tied: i64 = counts.iter().map(|&count| pairs_in(count)).sum();
            all - tied
        });
        let [one, other] = untied.map(|pairs| pairs as f64);
        let agreement = self.agreement(times) as f64;
        (one > 0.0 && other > 0.0).then(|| agreement / (one * other).sqrt())
    }

    /// Concordant minus discordant pairs.
    fn agreement(&self, times: &[u32]) -> i64 {
        let mut tree = Tree::new(self.second.distinct);
        let mut agreement = 0;
        let same =
            |a: &u32, b: &u32| self.first.places[*a as usize] == self.first.places[*b as usize];
        for tied in self.order.chunk_by(same) {
            let of = tied
                .iter()
                .map(|&at| (self.second.places[at as usize] as usize, times[at as usize]));
            for (place, times) in of.clone().filter(|(_, times)| *times > 0) {
                let below = tree.below(place);
                let above = tree.total - tree.below(place + 1);
                agreement += i64::from(times) * (below - above);
            }
            of.for_each(|(place, times)| tree.add(place, i64::from(times)));
        }
        agreement
    }
}

fn pairs_in(count: u64) -> i64 {
    (count * count.saturating_sub(1) / 2) as i64
}

fn pearson(first: &[f64], second: &[f64], times: &[u32]) -> Option<f64> {
    let all: f64 = times.iter().map(|&times| f64::from(times)).sum();
    let mean = |of: &[f64]| {
        of.iter().zip(times).map(|(value, &times)| value * f64::from(times)).sum::<f64>() / all
    };
    let (a, b) = (mean(first), mean(second));
    let [mut both, mut of_first, mut of_second] = [0.0; 3];
    for ((one, other), &times) in first.iter().zip(second).zip(times) {
        let (one, other, times) = (one - a, other - b, f64::from(times));
        both += times * one * other;
        of_first += times * one * one;
        of_second += times * other * other;
    }
    let scale = of_first.sqrt() * of_second.sqrt();
    (of_first > 0.0 && of_second > 0.0).then(|| (both / scale).clamp(-1.0, 1.0))
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

    fn add(&mut self, place: usize, count: i64) {
        self.total += count;
        let mut at = place + 1;
        while at < self.sums.len() {
            self.sums[at] += count;
            at += at & at.wrapping_neg();
        }
    }

    /// Sum of all before `place`.
    fn below(&self, place: usize) -> i64 {
        let (mut at, mut sum) = (place, 0);
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
    fn what_does_not_vary_has_no_correlation() {
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
