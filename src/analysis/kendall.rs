//! Kendall's tau of two rankings, and its mean for independent rankings.
//!
//! An item in only one top k is ahead of all items only in the other in the first ranking, and behind them in the
//! second: such pairs are always discordant. So the mean tau-b over the union of two top k of independent rankings is
//! not 0, but depends on k and on the number of items.

use itm_explore_kernels::discordant_pairs;

use crate::data::stream::{Stream, Use};

/// Kendall's tau of two rankings of the same items, by their scores in gallery order: ties are broken by index, so that
/// no pair is tied. `None` below two items.
///
/// Source: Kendall 1945, *The treatment of ties in ranking problems*, doi:10.1093/biomet/33.3.239.
pub fn tau(first: &[f64], second: &[f64]) -> Option<f64> {
    let items = first.len().min(second.len()) as i64;
    let pairs = items * (items - 1) / 2;
    let discordant = i64::from(discordant_pairs(&first[..items as usize], second));
    (pairs > 0).then(|| (pairs - 2 * discordant) as f64 / pairs as f64)
}

/// Shuffled rankings drawn to estimate the variance of tau-b.
const SHUFFLES: usize = 2_000;
/// The 97.5 % point of the normal distribution.
const NORMAL_97_5: f64 = 1.959_963_984_540_054;

/// Mean tau-b over queries for two models with independent rankings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExpectedMean {
    /// Expected mean tau-b.
    pub value: f64,
    /// The central 95 % range of the mean, not of one query.
    pub range: [f64; 2],
}

/// Size of one part of a pool, whose queries all rank the same number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PartSize {
    /// Number of queries.
    pub queries: usize,
    /// Number of items that each query ranks.
    pub items: usize,
}

/// Expected mean tau-b over the top `head` items, for the queries of all parts; `None` without queries, and if a part
/// has fewer than two items. The expectation is exact; the range is normal, with the variance of rankings shuffled with
/// `seed`.
pub(super) fn expected_mean(parts: &[PartSize], head: usize, seed: u64) -> Option<ExpectedMean> {
    let queries: usize = parts.iter().map(|part| part.queries).sum();
    if queries == 0 || parts.iter().any(|part| part.items < 2) {
        return None;
    }
    let (mut sum, mut variances) = (0.0, 0.0);
    // Parts of equal size share the draws.
    let mut known: Vec<(usize, f64)> = Vec::new();
    for part in parts {
        let head = head.min(part.items);
        let found = known.iter().find(|known| known.0 == part.items);
        let variance = found.map_or_else(|| variance(part.items, head, seed), |known| known.1);
        known.push((part.items, variance));
        sum += part.queries as f64 * expected_tau(part.items, head);
        variances += part.queries as f64 * variance;
    }
    let value = sum / queries as f64;
    let margin = NORMAL_97_5 * variances.sqrt() / queries as f64;
    Some(ExpectedMean { value, range: [value - margin, value + margin] })
}

/// Expected tau-b over the union of the top k of two independent rankings.
///
/// With x shared items, the (head - x)^2 pairs of one item from each head alone are discordant, others equally often
/// concordant and discordant. x is hypergeometric.
fn expected_tau(items: usize, head: usize) -> f64 {
    let (n, k) = (items as f64, head as f64);
    let min_shared = (2 * head).saturating_sub(items);
    // Unnormalised weights by recurrence; their sum normalises them.
    let (mut weight, mut weights, mut sum) = (1.0, 0.0, 0.0);
    for shared in (min_shared..=head).map(|shared| shared as f64) {
        let (alone, union) = (k - shared, 2.0 * k - shared);
        weights += weight;
        sum -= weight * alone * alone / (union * (union - 1.0) / 2.0);
        weight *= alone * alone / ((shared + 1.0) * (n - 2.0 * k + shared + 1.0));
    }
    sum / weights
}

/// Variance of one query's tau-b over [`SHUFFLES`] pairs of shuffled rankings, as in [`shuffled_tau`].
fn variance(items: usize, head: usize, seed: u64) -> f64 {
    let draw = |at| shuffled_tau(&mut Stream::new(seed, Use::Shuffled, at), items, head);
    let taus: Vec<f64> = (0..SHUFFLES).filter_map(draw).collect();
    let mean = taus.iter().sum::<f64>() / taus.len() as f64;
    let squares: f64 = taus.iter().map(|tau| (tau - mean).powi(2)).sum();
    squares / (taus.len() - 1) as f64
}

/// Tau-b over the union of the top `head` of two shuffled rankings; `None` for a union of one item. Only ranks in this
/// union are drawn: first those of the first ranking's top in the second, then those of the rest in the first.
fn shuffled_tau(stream: &mut Stream, items: usize, head: usize) -> Option<f64> {
    let mut first: Vec<usize> = (0..head).collect();
    let mut second = distinct_numbers(stream, head, items);
    let only_first: Vec<usize> = (0..head).filter(|place| !second.contains(place)).collect();
    let below = distinct_numbers(stream, only_first.len(), items - head);
    first.extend(below.iter().map(|place| head + place));
    second.extend(only_first);
    let ranks = [first, second].map(|ranks| ranks.iter().map(|&rank| rank as f64).collect());
    let [first, second]: [Vec<f64>; 2] = ranks;
    tau(&first, &second)
}

/// `count` distinct numbers below `below`, in random order.
fn distinct_numbers(stream: &mut Stream, count: usize, below: usize) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(count);
    while numbers.len() < count {
        let number = stream.index(below);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

/// Tau-b of two series of equal length, over all pairs of values.
#[cfg(test)]
pub(super) fn tau_b<T: PartialOrd>(first: &[T], second: &[T]) -> Option<f64> {
    let sign = |one: &T, other: &T| one.partial_cmp(other).map_or(0, |order| order as i64);
    let (mut agreement, mut untied) = (0_i64, [0_i64; 2]);
    for at in 0..first.len().min(second.len()) {
        for before in 0..at {
            let one = sign(&first[at], &first[before]);
            let other = sign(&second[at], &second[before]);
            agreement += one * other;
            untied[0] += one * one;
            untied[1] += other * other;
        }
    }
    let [one, other] = untied.map(|pairs| pairs as f64);
    (one > 0.0 && other > 0.0).then(|| agreement as f64 / (one * other).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `scipy.stats.kendalltau(x, y).statistic` of `SciPy` 1.17, variant b.
    #[test]
    fn equals_the_reference() {
        for (first, second, expected) in REFERENCE {
            let tau = tau_b(first, second).unwrap();
            assert!((tau - expected).abs() < 1e-12, "{tau} not {expected}");
        }
    }

    /// Ranks by sorting, scores with ties.
    #[test]
    fn tau_of_scores_is_tau_b_of_the_ranks() {
        for (first, second, _) in REFERENCE {
            let scores = [first, second].map(|of| of.iter().copied().map(f64::from).collect());
            let ranks = scores.each_ref().map(|scores: &Vec<f64>| {
                let mut order: Vec<usize> = (0..scores.len()).collect();
                order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
                let rank = |item| order.iter().position(|&one| one == item).unwrap();
                (0..scores.len()).map(rank).collect::<Vec<usize>>()
            });
            let expected = tau_b(&ranks[0], &ranks[1]);
            assert_eq!(tau(&scores[0], &scores[1]), expected);
        }
        assert_eq!(tau(&[1.0], &[2.0]), None);
        assert_eq!(tau(&[], &[]), None);
        assert_eq!(tau(&[1.0, 1.0], &[0.0, 2.0]), Some(-1.0));
    }

    #[test]
    fn undefined_without_two_different_values() {
        assert_eq!(tau_b::<u32>(&[], &[]), None);
        assert_eq!(tau_b(&[1], &[2]), None);
        assert_eq!(tau_b(&[1, 1, 1], &[1, 2, 3]), None);
        assert_eq!(tau_b(&[1, 2, 3], &[3, 2, 1]), Some(-1.0));
    }

    const REFERENCE: [(&[u32], &[u32], f64); 4] = [
        (&[3, 4, 0, 4, 2], &[2, 3, 1, 4, 0], 0.7378647873726218),
        (
            &[8, 11, 17, 12, 3, 1, 0, 1, 4, 29],
            &[5, 19, 22, 7, 8, 13, 7, 29, 5, 26],
            0.18392019594868117,
        ),
        (
            &[3, 3, 0, 1, 2, 1, 2, 2, 2, 0, 3, 2],
            &[3, 1, 1, 3, 0, 0, 1, 2, 0, 3, 1, 0],
            -0.039215686274509796,
        ),
        (
            &[3, 5, 5, 5, 1, 0, 4, 4, 4, 0, 0, 3, 2, 2, 5, 1, 3, 1, 1, 4, 0, 1, 0, 0, 1],
            &[4, 3, 2, 1, 4, 4, 1, 0, 1, 0, 4, 3, 3, 1, 3, 5, 1, 4, 0, 1, 5, 5, 0, 5, 5],
            -0.2761346594130457,
        ),
    ];

    /// Fully shuffled rankings agree with drawing only top k, and with the expectation.
    #[test]
    fn whole_shuffled_rankings_give_the_same() {
        for (items, head) in [(40, 25), (300, 25), (12, 5), (9, 9)] {
            let draws = 4_000;
            let whole = |at| whole(&mut Stream::new(5, Use::Shuffled, at), items, head);
            let taus: Vec<f64> = (0..draws).map(whole).collect();
            let mean = taus.iter().sum::<f64>() / draws as f64;
            let squares: f64 = taus.iter().map(|tau| (tau - mean).powi(2)).sum();
            let spread = squares / (draws - 1) as f64;
            let error = (spread / draws as f64).sqrt();
            let expected = expected_tau(items, head);
            assert!((mean - expected).abs() < 4.0 * error, "{items}: {mean}, {expected}");
            let drawn = variance(items, head, 0);
            assert!((drawn / spread - 1.0).abs() < 0.15, "{items}: {drawn}, {spread}");
        }
    }

    fn whole(stream: &mut Stream, items: usize, head: usize) -> f64 {
        let ranks = [0, 1].map(|_| distinct_numbers(stream, items, items));
        let in_a_head = |item: &usize| ranks.iter().any(|ranks| ranks[*item] < head);
        let union: Vec<usize> = (0..items).filter(in_a_head).collect();
        let of = |ranks: &Vec<usize>| union.iter().map(|&item| ranks[item]).collect();
        let [first, second]: [Vec<usize>; 2] = ranks.each_ref().map(of);
        tau_b(&first, &second).unwrap()
    }

    /// `-sum(hypergeom.pmf(x, n, k, k) * (k - x)**2 / comb(2 * k - x, 2))` of `SciPy` 1.17.
    #[test]
    fn the_expectation_equals_the_reference() {
        for (items, head, reference) in EXPECTED {
            let found = expected_tau(items, head);
            assert!((found - reference).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn parts_are_weighted_by_their_queries() {
        let part = |queries, items| PartSize { queries, items };
        let one = expected_mean(&[part(100, 500)], 25, 0).unwrap();
        let five = expected_mean(&[part(20, 500); 5], 25, 0).unwrap();
        assert!((one.value - five.value).abs() < 1e-12);
        assert!((one.range[0] - five.range[0]).abs() < 1e-12);
        assert!(one.range[0] < one.value && one.value < one.range[1]);
        let more = expected_mean(&[part(400, 500)], 25, 0).unwrap();
        let width = |of: ExpectedMean| of.range[1] - of.range[0];
        assert!((width(one) / width(more) - 2.0).abs() < 1e-9);
        // All items are in both top k: no pair is discordant by construction.
        let all = expected_mean(&[part(100, 20)], 25, 0).unwrap();
        assert_eq!(all.value.to_bits(), 0.0_f64.to_bits());
        assert_eq!(expected_mean(&[part(1, 1)], 25, 0), None);
        assert_eq!(expected_mean(&[], 25, 0), None);
    }

    const EXPECTED: [(usize, usize, f64); 5] = [
        (25_000, 25, -0.5096937577073666),
        (5_000, 25, -0.5076500651501653),
        (1_000, 25, -0.4973740885971066),
        (40, 25, -0.1537314332043593),
        (12, 5, -0.3084315375982042),
    ];
}
