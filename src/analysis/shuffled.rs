//! What the tau-b over the union of two top k is when the rankings have nothing to do with each other.
//!
//! An item that only one head has is ahead of all that only the other one has in the one ranking, and
//! behind them in the other: such pairs are discordant however the rankings come about. So the mean over
//! independent rankings is not 0, and what it is depends on the length of the top k and on the number of
//! items.

use super::kendall;
use crate::data::stream::{Stream, Use};

/// Pairs of shuffled rankings that are drawn to learn how much their tau-b varies.
const DRAWN: usize = 2_000;
/// The 97.5 % point of the normal distribution.
const NORMAL: f64 = 1.959_963_984_540_054;

/// The mean of the tau-b over so many queries with independent rankings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reference {
    /// Its expectation.
    pub value: f64,
    /// The central 95 % range, of the mean and not of one query.
    pub range: [f64; 2],
}

/// Queries that all rank the same number of items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Part {
    pub queries: usize,
    pub items: usize,
}

/// The reference over the queries of all parts, with top k of up to `head` items; `None` without queries,
/// and where a part has fewer than two items. The expectation is exact; the range is that of a normal
/// distribution, with the variance of shuffled rankings that are drawn from the seed.
pub(super) fn reference(parts: &[Part], head: usize, seed: u64) -> Option<Reference> {
    let queries: usize = parts.iter().map(|part| part.queries).sum();
    if queries == 0 || parts.iter().any(|part| part.items < 2) {
        return None;
    }
    let (mut sum, mut variances) = (0.0, 0.0);
    // Parts of one size share what is drawn.
    let mut known: Vec<(usize, f64)> = Vec::new();
    for part in parts {
        let head = head.min(part.items);
        let found = known.iter().find(|known| known.0 == part.items);
        let variance = found.map_or_else(|| variance(part.items, head, seed), |known| known.1);
        known.push((part.items, variance));
        sum += part.queries as f64 * expected(part.items, head);
        variances += part.queries as f64 * variance;
    }
    let value = sum / queries as f64;
    let margin = NORMAL * variances.sqrt() / queries as f64;
    Some(Reference { value, range: [value - margin, value + margin] })
}

/// The expectation of tau-b over the union of two top k of independent rankings of so many items.
///
/// Of x shared items, the (head - x)^2 pairs of one item of each head alone are discordant, and all
/// other pairs are as often concordant as discordant. x is hypergeometric.
fn expected(items: usize, head: usize) -> f64 {
    let (n, k) = (items as f64, head as f64);
    let least = (2 * head).saturating_sub(items);
    // Each probability follows from the one before; their sum makes the first one right.
    let (mut weight, mut weights, mut sum) = (1.0, 0.0, 0.0);
    for shared in (least..=head).map(|shared| shared as f64) {
        let (alone, union) = (k - shared, 2.0 * k - shared);
        weights += weight;
        sum -= weight * alone * alone / (union * (union - 1.0) / 2.0);
        weight *= alone * alone / ((shared + 1.0) * (n - 2.0 * k + shared + 1.0));
    }
    sum / weights
}

/// How much the tau-b of one query varies.
fn variance(items: usize, head: usize, seed: u64) -> f64 {
    let one = |at| of_shuffled(&mut Stream::new(seed, Use::Shuffled, at), items, head);
    let taus: Vec<f64> = (0..DRAWN).filter_map(one).collect();
    let mean = taus.iter().sum::<f64>() / taus.len() as f64;
    let squares: f64 = taus.iter().map(|tau| (tau - mean).powi(2)).sum();
    squares / (taus.len() - 1) as f64
}

/// The tau-b over the union of the top k of two shuffled rankings. Only the ranks of the union are drawn:
/// those of the first head in the second ranking, then those of what remains of the second head in the
/// first ranking.
fn of_shuffled(stream: &mut Stream, items: usize, head: usize) -> Option<f64> {
    let mut first: Vec<usize> = (0..head).collect();
    let mut second = different(stream, head, items);
    let strangers: Vec<usize> = (0..head).filter(|place| !second.contains(place)).collect();
    let below = different(stream, strangers.len(), items - head);
    first.extend(below.iter().map(|place| head + place));
    second.extend(strangers);
    let ranks = [first, second].map(|ranks| ranks.iter().map(|&rank| rank as f64).collect());
    let [first, second]: [Vec<f64>; 2] = ranks;
    kendall::of_scores(&first, &second)
}

/// So many different numbers below `below`, in a random order.
fn different(stream: &mut Stream, count: usize, below: usize) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(count);
    while numbers.len() < count {
        let number = stream.index(below);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rankings shuffled whole agree with what is drawn of top k alone and with the expectation.
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
            let expected = expected(items, head);
            assert!((mean - expected).abs() < 4.0 * error, "{items}: {mean}, {expected}");
            let drawn = variance(items, head, 0);
            assert!((drawn / spread - 1.0).abs() < 0.15, "{items}: {drawn}, {spread}");
        }
    }

    fn whole(stream: &mut Stream, items: usize, head: usize) -> f64 {
        let ranks = [0, 1].map(|_| different(stream, items, items));
        let in_a_head = |item: &usize| ranks.iter().any(|ranks| ranks[*item] < head);
        let union: Vec<usize> = (0..items).filter(in_a_head).collect();
        let of = |ranks: &Vec<usize>| union.iter().map(|&item| ranks[item]).collect();
        let [first, second]: [Vec<usize>; 2] = ranks.each_ref().map(of);
        kendall::tau_b(&first, &second).unwrap()
    }

    /// `-sum(hypergeom.pmf(x, n, k, k) * (k - x)**2 / comb(2 * k - x, 2))` of `SciPy` 1.17.
    #[test]
    fn the_expectation_equals_the_reference() {
        for (items, head, reference) in EXPECTED {
            let found = expected(items, head);
            assert!((found - reference).abs() < 1e-12, "{found}");
        }
    }

    #[test]
    fn parts_are_weighted_by_their_queries() {
        let part = |queries, items| Part { queries, items };
        let one = reference(&[part(100, 500)], 25, 0).unwrap();
        let five = reference(&[part(20, 500); 5], 25, 0).unwrap();
        assert!((one.value - five.value).abs() < 1e-12);
        assert!((one.range[0] - five.range[0]).abs() < 1e-12);
        assert!(one.range[0] < one.value && one.value < one.range[1]);
        let more = reference(&[part(400, 500)], 25, 0).unwrap();
        let width = |of: Reference| of.range[1] - of.range[0];
        assert!((width(one) / width(more) - 2.0).abs() < 1e-9);
        // All items are in both top k: nothing is discordant by construction.
        let all = reference(&[part(100, 20)], 25, 0).unwrap();
        assert_eq!(all.value.to_bits(), 0.0_f64.to_bits());
        assert_eq!(reference(&[part(1, 1)], 25, 0), None);
        assert_eq!(reference(&[], 25, 0), None);
    }

    const EXPECTED: [(usize, usize, f64); 5] = [
        (25_000, 25, -0.5096937577073666),
        (5_000, 25, -0.5076500651501653),
        (1_000, 25, -0.4973740885971066),
        (40, 25, -0.1537314332043593),
        (12, 5, -0.3084315375982042),
    ];
}
