//! Cohen's kappa, plain and weighted, with its standard error.

/// The normal quantile of a two-sided 95 % CI.
const Z: f64 = 1.959_963_984_540_054;

/// Weight of the disagreement on two classes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weights {
    /// 1 for all different classes: unweighted kappa.
    Plain,
    /// Distance in the order of classes.
    Linear,
    /// Square of that distance.
    Quadratic,
}

impl Weights {
    /// Weight of two classes.
    fn weight(self, row: usize, column: usize) -> u64 {
        let distance = row.abs_diff(column) as u64;
        match self {
            Weights::Plain => distance.min(1),
            Weights::Linear => distance,
            Weights::Quadratic => distance * distance,
        }
    }
}

/// Cohen's kappa between two annotators.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kappa {
    /// Kappa itself, at most 1.
    pub value: f64,
    /// Large-sample standard error of kappa.
    pub error: f64,
}

impl Kappa {
    /// Kappa of a table of counts: row is the class by the first annotator, column by the second. `None` if both always
    /// gave the same single class.
    ///
    /// Kappa is 1 - q / e, q the mean disagreement, e the mean expected of two annotators with the same class
    /// frequencies but independent (J. Cohen, "A Coefficient of Agreement for Nominal Scales", Educational and
    /// Psychological Measurement 20(1), 1960; weighted: Psychological Bulletin 70(4), 1968). Standard error: J. Fleiss,
    /// J. Cohen & B. Everitt, "Large Sample Standard Errors of Kappa and Weighted Kappa", Psychological Bulletin 72(5),
    /// 1969.
    pub fn from_table<const N: usize>(table: &[[u64; N]; N], weights: Weights) -> Option<Self> {
        let cells = || (0..N * N).map(|at| (at / N, at % N, u128::from(table[at / N][at % N])));
        let weight = |row, column| u128::from(weights.weight(row, column));
        let (mut rows, mut columns) = ([0_u128; N], [0_u128; N]);
        for (row, column, count) in cells() {
            rows[row] += count;
            columns[column] += count;
        }
        let total: u128 = rows.iter().sum();
        // Integers until the end: an expected disagreement of 0 is then exact.
        let found: u128 = cells().map(|(row, column, count)| count * weight(row, column)).sum();
        let chance = |row: usize, column: usize| rows[row] * columns[column] * weight(row, column);
        let expected: u128 = cells().map(|(row, column, _)| chance(row, column)).sum();
        if expected == 0 {
            return None;
        }
        let pairs = total as f64;
        let (q, e) = (found as f64 / pairs, expected as f64 / (pairs * pairs));
        let mean = |class: usize, counts: &[u128; N]| {
            let sum: u128 = (0..N).map(|other| counts[other] * weight(class, other)).sum();
            sum as f64 / pairs
        };
        // Influence of a cell on kappa: (q (row + column - e) - e v) / e^2, where v is the disagreement of its classes,
        // row and column the mean ones under the other's frequencies.
        let squares = cells().map(|(row, column, count)| {
            let means = mean(row, &columns) + mean(column, &rows);
            let influence = q * (means - e) - e * weight(row, column) as f64;
            count as f64 / pairs * influence * influence
        });
        Some(Kappa {
            value: (expected as i128 - (found * total) as i128) as f64 / expected as f64,
            error: (squares.sum::<f64>() / pairs).sqrt() / (e * e),
        })
    }

    /// The 95 % CI, value -+ 1.96 standard errors, clamped to -1 and 1; `None` if the error is 0, as with full
    /// agreement: it then says nothing about other pairs.
    pub fn interval(self) -> Option<[f64; 2]> {
        let half = Z * self.error;
        let ends = [self.value - half, self.value + half];
        (half > 0.0).then(|| ends.map(|end| end.clamp(-1.0, 1.0)))
    }
}

/// Share of pairs to which both annotators gave the same class, given the table of counts of [`Kappa::from_table`];
/// `None` if all counts are 0.
pub(super) fn equal_share<const N: usize>(table: &[[u64; N]; N]) -> Option<f64> {
    let total: u64 = table.iter().flatten().sum();
    let same: u64 = (0..N).map(|class| table[class][class]).sum();
    (total > 0).then(|| same as f64 / total as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_of_the_textbook() {
        // 20 + 15 of 50 alike: p = 0.7; e = (25 * 30 + 25 * 20) / 50^2 = 0.5.
        let kappa = |table| Kappa::from_table(&table, Weights::Plain);
        assert_eq!(equal_share(&[[20, 5], [10, 15]]), Some(0.7));
        assert!((kappa([[20, 5], [10, 15]]).unwrap().value - 0.4).abs() < 1e-15);
        assert_eq!((equal_share(&[[9, 0], [0, 0]]), kappa([[9, 0], [0, 0]])), (Some(1.0), None));
        let never = kappa([[0, 5], [5, 0]]).unwrap();
        assert_eq!((never.value, never.interval()), (-1.0, None));
        assert_eq!((equal_share(&[[0; 2]; 2]), kappa([[0; 2]; 2])), (None, None));
        // 14 of 15 alike: 1.96 standard errors reach beyond 1.
        let few = kappa([[12, 0], [1, 2]]).unwrap();
        assert!(few.value + Z * few.error > 1.0, "{few:?}");
        assert!((few.interval().unwrap()[1] - 1.0).abs() < 1e-12);
    }

    /// Kappa, standard error and bounds of `statsmodels.stats.inter_rater.cohens_kappa(table, wt=..)`,
    /// statsmodels 0.14.
    #[test]
    fn errors_and_weights_are_those_of_statsmodels() {
        let table = [[20, 6, 2, 1], [5, 11, 4, 2], [1, 3, 9, 6], [0, 2, 7, 21]];
        let near = |found: Option<Kappa>, expected: [f64; 4]| {
            let found = found.unwrap();
            let [low, high] = found.interval().unwrap();
            let found = [found.value, found.error, low, high];
            for (found, expected) in found.into_iter().zip(expected) {
                assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
            }
        };
        for (weights, expected) in [
            (
                Weights::Plain,
                [0.47608812466415906, 0.06430357634702359, 0.3500554309468711, 0.602120818381447],
            ),
            (
                Weights::Linear,
                [0.63625341012428, 0.0535218289086198, 0.5313525530766705, 0.7411542671718896],
            ),
            (
                Weights::Quadratic,
                [0.7571428571428571, 0.05060050752643216, 0.6579676847916022, 0.8563180294941121],
            ),
        ] {
            near(Kappa::from_table(&table, weights), expected);
        }
        let folded = [[42, 9], [6, 43]];
        let expected =
            [0.7002398081534772, 0.07123174721846537, 0.5606281490494238, 0.8398514672575306];
        near(Kappa::from_table(&folded, Weights::Plain), expected);
        near(Kappa::from_table(&folded, Weights::Quadratic), expected);
    }
}
