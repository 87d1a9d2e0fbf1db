//! Cohen's kappa.

/// Agreement, undefined where it has no value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measure {
    /// Share of pairs with the same verdict.
    pub observed: Option<f64>,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
}

impl Measure {
    /// Measures a table of counts: how often the first annotator gave the class of a row where the
    /// second gave that of a column.
    ///
    /// Kappa is (p - e) / (1 - e), p the share of pairs with the same class, e the share that is
    /// expected of two annotators who give their classes as often but independently (J. Cohen, "A
    /// Coefficient of Agreement for Nominal Scales", Educational and Psychological Measurement 20(1),
    /// 1960). It is undefined where e is 1: both gave one class all the time.
    pub fn of<const N: usize>(table: &[[u64; N]; N]) -> Self {
        let total: u64 = table.iter().flatten().sum();
        let same: u64 = (0..N).map(|class| table[class][class]).sum();
        let marginal = |class: usize| {
            let row: u64 = table[class].iter().sum();
            let column: u64 = table.iter().map(|row| row[class]).sum();
            u128::from(row) * u128::from(column)
        };
        let expected: u128 = (0..N).map(marginal).sum();
        // Whole numbers until the end: whether e is 1 is no question of rounding.
        let all = u128::from(total) * u128::from(total);
        let over_chance = i128::from(same) * i128::from(total) - expected as i128;
        Measure {
            observed: (total > 0).then(|| same as f64 / total as f64),
            kappa: (expected < all).then(|| over_chance as f64 / (all - expected) as f64),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kappa_of_the_textbook() {
        // 20 + 15 of 50 alike: p = 0.7; e = (25 * 30 + 25 * 20) / 50^2 = 0.5.
        let measure = Measure::of(&[[20, 5], [10, 15]]);
        assert_eq!(measure.observed, Some(0.7));
        assert!((measure.kappa.unwrap() - 0.4).abs() < 1e-15);
        let always = Measure::of(&[[9, 0], [0, 0]]);
        assert_eq!((always.observed, always.kappa), (Some(1.0), None));
        assert_eq!(Measure::of(&[[0, 5], [5, 0]]).kappa, Some(-1.0));
        assert_eq!(Measure::of(&[[0_u64; 4]; 4]), Measure::default());
    }
}
