//! Kendall's rank correlation.

use std::cmp::Ordering;

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
            &[
                3, 5, 5, 5, 1, 0, 4, 4, 4, 0, 0, 3, 2, 2, 5, 1, 3, 1, 1, 4, 0, 1, 0, 0, 1,
            ],
            &[
                4, 3, 2, 1, 4, 4, 1, 0, 1, 0, 4, 3, 3, 1, 3, 5, 1, 4, 0, 1, 5, 5, 0, 5, 5,
            ],
            -0.2761346594130457,
        ),
    ];
}
