//! Kendall's rank correlation.

use std::cmp::Ordering;

use multiversion::multiversion;

/// Kendall's tau-b of two series of equal length: (concordant - discordant) over the geometric mean
/// of the pairs that are not tied in the one and in the other. `None` where all pairs are tied in one
/// of them, and below two values.
///
/// Source: Kendall 1945, *The treatment of ties in ranking problems*, doi:10.1093/biomet/33.3.239.
pub fn tau_b<T: PartialOrd>(first: &[T], second: &[T]) -> Option<f64> {
    let mut agreement = 0_i64;
    let mut untied = [0_i64; 2];
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

/// Kendall's tau of two rankings of the same items, by their scores in the order of the gallery: of
/// equal scores the earlier one is ahead, so that no pair is tied. `None` below two items.
///
/// This is [`tau_b`] of the ranks.
pub fn of_scores(first: &[f64], second: &[f64]) -> Option<f64> {
    let items = first.len().min(second.len()) as i64;
    let pairs = items * (items - 1) / 2;
    let discordant = i64::from(discordant(&first[..items as usize], second));
    (pairs > 0).then(|| (pairs - 2 * discordant) as f64 / pairs as f64)
}

/// Pairs of which the one ranking has the earlier item ahead, and the other the later one.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
fn discordant(first: &[f64], second: &[f64]) -> u32 {
    let mut count = 0;
    for at in 1..first.len() {
        let (one, other) = (first[at], second[at]);
        let before = first[..at].iter().zip(&second[..at]);
        let pairs = before.map(|(first, second)| u32::from((*first >= one) != (*second >= other)));
        count += pairs.sum::<u32>();
    }
    count
}

fn sign<T: PartialOrd>(one: &T, other: &T) -> i64 {
    match one.partial_cmp(other) {
        Some(Ordering::Greater) => 1,
        Some(Ordering::Less) => -1,
        _ => 0,
    }
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

    /// Ranks of scores with ties, by sorting.
    #[test]
    fn of_scores_is_tau_b_of_the_ranks() {
        for (first, second, _) in REFERENCE {
            let scores = [first, second].map(|of| of.iter().copied().map(f64::from).collect());
            let ranks = scores.each_ref().map(|scores: &Vec<f64>| {
                let mut order: Vec<usize> = (0..scores.len()).collect();
                order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
                let rank = |item| order.iter().position(|&one| one == item).unwrap();
                (0..scores.len()).map(rank).collect::<Vec<usize>>()
            });
            let expected = tau_b(&ranks[0], &ranks[1]);
            assert_eq!(of_scores(&scores[0], &scores[1]), expected);
        }
        assert_eq!(of_scores(&[1.0], &[2.0]), None);
        assert_eq!(of_scores(&[], &[]), None);
        assert_eq!(of_scores(&[1.0, 1.0], &[0.0, 2.0]), Some(-1.0));
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
}
