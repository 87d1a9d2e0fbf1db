//! Queries in the order of how much two models disagree on them.

use super::paired::Paired;
use super::similarity::{Alike, DEPTHS, Similarity};

/// By which measure of similarity rankings disagree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Overlap of the first items, down to a depth of [`DEPTHS`].
    Overlap(usize),
    /// Rank-biased overlap.
    RankBiased,
    /// Kendall's tau-b.
    Tau,
}

/// Queries with the difference of their values, first less second, the greatest first whatever its
/// sign; equal ones as in the gallery. With the metric `mean_rank` these are the differences of the
/// first positive's rank.
pub fn of_values(paired: &Paired) -> Vec<(u32, f64)> {
    let differences = paired.differences();
    let queries = paired.queries.iter().copied();
    sorted(queries.zip(differences), |difference| -difference.abs())
}

/// Queries with a measure of similarity, the least similar first; equal ones as in the gallery, those
/// for which it is undefined left out.
pub fn of_rankings(similarity: &Similarity, by: By) -> Vec<(u32, f64)> {
    let value = |(query, alike): (usize, &Alike)| {
        let value = match by {
            By::Overlap(k) => alike.overlap[DEPTHS.iter().position(|&depth| depth == k)?],
            By::RankBiased => alike.rank_biased,
            By::Tau => alike.tau,
        };
        Some((query as u32, value?))
    };
    let all = similarity.queries.iter().enumerate();
    sorted(all.filter_map(value), |value| value)
}

fn sorted(values: impl Iterator<Item = (u32, f64)>, key: impl Fn(f64) -> f64) -> Vec<(u32, f64)> {
    let mut values: Vec<(u32, f64)> = values.collect();
    values.sort_by(|a, b| key(a.1).total_cmp(&key(b.1)).then(a.0.cmp(&b.0)));
    values
}

#[cfg(test)]
mod tests {
    use super::super::per_query::Values;
    use super::*;

    #[test]
    fn the_greatest_difference_comes_first_whatever_its_sign() {
        let first = [Some(0.5), Some(0.0), Some(1.0), Some(0.5)];
        let second = [Some(0.5), Some(1.0), Some(0.25), Some(0.5)];
        let [first, second] =
            [first, second].map(|values| Values::new(&[7, 3, 5, 2], values.to_vec()));
        let paired = Paired::of([&first, &second]);
        let expected = [(3, -1.0), (5, 0.75), (2, 0.0), (7, 0.0)];
        assert_eq!(of_values(&paired), expected);
    }
}
