//! The mean exactly as in `NumPy`, so that numbers equal those of Python packages bit for bit.

/// Number of values up to which `NumPy` sums without halving.
const MAX_BLOCK: usize = 128;

/// The mean as by `numpy.mean` of 64-bit floats: pairwise summation in blocks of 128, eight running sums a block.
/// NaN for an empty slice.
///
/// Source: `NumPy`, `pairwise_sum` in `loops_utils.h.src`; error analysis in Higham, *The accuracy of
/// floating point summation*, SIAM J. Sci. Comput. 14 (1993), <https://doi.org/10.1137/0914050>.
pub fn pairwise(values: &[f64]) -> f64 {
    pairwise_sum(values) / values.len() as f64
}

/// The sum from left to right; +0 if empty (`Iterator::sum` returns -0).
pub(super) fn total(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |sum, value| sum + value)
}

/// The sum as by `numpy.sum`.
fn pairwise_sum(values: &[f64]) -> f64 {
    let n = values.len();
    if n < 8 {
        return values.iter().sum();
    }
    if n > MAX_BLOCK {
        let half = n / 2 - n / 2 % 8;
        return pairwise_sum(&values[..half]) + pairwise_sum(&values[half..]);
    }
    let (blocks, rest) = values.as_chunks::<8>();
    let mut r = [0.0; 8];
    for block in blocks {
        for (sum, value) in r.iter_mut().zip(block) {
            *sum += value;
        }
    }
    let total = ((r[0] + r[1]) + (r[2] + r[3])) + ((r[4] + r[5]) + (r[6] + r[7]));
    rest.iter().fold(total, |sum, value| sum + value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `numpy.mean(1.0 / numpy.arange(1, n + 1))`, printed with `repr` by `NumPy` 2.
    #[test]
    fn equals_numpy_to_the_last_bit() {
        let harmonic = |n: u32| (1..=n).map(|k| 1.0 / f64::from(k)).collect::<Vec<_>>();
        for (n, expected) in HARMONIC_MEANS {
            assert_eq!(pairwise(&harmonic(n)).to_bits(), f64::to_bits(expected), "n = {n}");
        }
        assert!(pairwise(&[]).is_nan());
    }

    const HARMONIC_MEANS: [(u32, f64); 15] = [
        (1, 1.0),
        (7, 0.37040816326530607),
        (8, 0.3397321428571428),
        (9, 0.31432980599647264),
        (127, 0.04271917002038718),
        (128, 0.04244646166085291),
        (129, 0.042177511864912164),
        (130, 0.04191224106358443),
        (255, 0.02400172044242071),
        (299, 0.02100110550824806),
        (1000, 0.007485470860550345),
        (1261, 0.0061199622991001835),
        (1332, 0.005834855739045312),
        (5000, 0.0018189017705968872),
        (24972, 0.00042858986718623466),
    ];
}
