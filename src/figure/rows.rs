//! How many cards stand in a row, so that no row has one alone.

/// Cards may be as narrow as this share of the width that suits them, where that keeps one from standing
/// alone.
pub(super) const NARROWEST: f32 = 0.6;

/// Cards of each row, of so many of which `fit` beside each other, and `most` where they are narrow: as many
/// rows as need be, filled evenly.
pub(super) fn cards_of_row(count: usize, fit: usize, most: usize) -> usize {
    let fit = fit.max(1);
    if count <= fit {
        return count.max(1);
    }
    let even = count.div_ceil(count.div_ceil(fit));
    let has_no_orphan = |of_row: &usize| count % of_row != 1;
    let wider = fit + 1..=most.max(fit);
    let mut all = std::iter::once(even).chain(wider).chain((2..even).rev());
    all.find(has_no_orphan).unwrap_or(even)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_card_stands_alone() {
        for (count, fit, most, of_row) in [
            (5, 5, 8, 5),
            (5, 4, 6, 3),
            (6, 4, 6, 3),
            (10, 4, 6, 4),
            (3, 2, 3, 3),
            (7, 3, 5, 4),
            (7, 6, 10, 4),
            (2, 5, 8, 2),
            (3, 1, 1, 1),
        ] {
            assert_eq!(cards_of_row(count, fit, most), of_row, "{count} of {fit}");
        }
        for count in 2..40 {
            for fit in 3..12 {
                let of_row = cards_of_row(count, fit, fit + fit.div_ceil(2));
                assert!(count % of_row != 1, "{count} of {fit}: {of_row}");
            }
        }
    }
}
