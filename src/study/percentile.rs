//! Percentile of positives among the other items, for a sample of queries. Used for the orientation of matrices, and to
//! detect shuffled ids.

use crate::data::scores::Scores;
use crate::data::sets::Set;
use crate::data::{Direction, parallel};
use crate::truth::relevance::Relevance;

/// Maximum number of sampled queries if scores are read from a matrix.
const MAX_QUERIES: usize = 128;
/// Maximum number of sampled queries if scores are computed.
const MAX_COMPUTED_QUERIES: usize = 32;
/// Number of queries whose scores are computed at once, in one matrix product.
const QUERIES_PER_PRODUCT: usize = 16;
/// Approximate number of other items compared per query.
const OTHER_ITEMS: usize = 1_000;
/// Maximum number of positives compared per query.
pub const MAX_POSITIVES: usize = 8;
/// Minimum number of queries for a mean.
const MIN_QUERIES: usize = 5;
/// Minimum number of queries for a mean that counts as evidence.
const MIN_EVIDENCE: usize = 10;
/// Maximum mean that is called low: of shuffled ids it is near 0.5, but varies with the similarity of the pairs.
const MAX_LOW: f64 = 0.35;
/// Standard deviation of the uniform distribution from 0 to 1.
const UNIFORM_DEVIATION: f64 = 0.29;

/// Mean share of the other items that score lower than a positive, ties half: 0.5 is chance, 1 is best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percentile {
    /// Mean over queries.
    pub mean: f64,
    /// Number of queries.
    queries: usize,
    /// Standard deviation of one query's value if pairs were random.
    deviation: f64,
}

impl Percentile {
    /// Samples queries with positives in a ground truth. A matrix is read in a few milliseconds if `direction` is that
    /// of its rows. `None` for ranked lists and for fewer than five queries.
    pub fn sample(scores: &Scores, direction: Direction, relevance: &Relevance) -> Option<Self> {
        let max_queries = match scores {
            Scores::Lists(_) => return None,
            Scores::Matrix(_) | Scores::Two(_) => MAX_QUERIES,
            _ => MAX_COMPUTED_QUERIES,
        };
        let places: Vec<usize> = scatter(relevance.len(), max_queries).collect();
        let reader = scores.by_query(direction);
        let percentiles_of = |part: &&[usize]| {
            let queries = part.iter().map(|&place| relevance.queries()[place] as usize);
            let rows = reader.cells(&queries.collect::<Vec<_>>());
            let of_row = |(&place, scores): (&usize, &Vec<f64>)| {
                percentile(scores, relevance.positives(place))
            };
            part.iter().zip(&rows).map(of_row).collect::<Vec<_>>()
        };
        let parts: Vec<&[usize]> = places.chunks(QUERIES_PER_PRODUCT).collect();
        Percentile::from_values(parallel::map(&parts, percentiles_of).into_iter().flatten())
    }

    /// Whether it is over enough queries to count as evidence.
    pub fn is_evidence(self) -> bool {
        self.queries >= MIN_EVIDENCE
    }

    /// The mean and the number of queries, for messages.
    pub(super) fn describe(self) -> String {
        format!("mean percentile {:.2} over {} queries, 0.5 is chance", self.mean, self.queries)
    }

    /// The mean of the values of queries; undefined ones are excluded. `None` if fewer than five are left.
    pub fn from_values(values: impl Iterator<Item = Option<f64>>) -> Option<Self> {
        let defined: Vec<f64> = values.flatten().collect();
        let queries = defined.len();
        let mean = defined.iter().sum::<f64>() / queries as f64;
        let deviation = UNIFORM_DEVIATION;
        (queries >= MIN_QUERIES).then_some(Percentile { mean, queries, deviation })
    }

    /// Replaces the deviation by the standard deviation of `values`, the percentiles of the queries. For ranked lists:
    /// most of their items are tied, so that random percentiles vary little.
    #[must_use]
    pub fn for_lists(self, values: &[f64]) -> Self {
        let squares = values.iter().map(|value| (value - self.mean).powi(2)).sum::<f64>();
        let deviation = (squares / values.len() as f64).sqrt().min(UNIFORM_DEVIATION);
        Percentile { deviation, ..self }
    }

    /// Whether positive pairs score like random ones.
    pub fn is_chance(self) -> bool {
        !self.is_high() && !self.is_low()
    }

    /// Whether positive pairs score higher than random ones.
    pub fn is_high(self) -> bool {
        let least = 0.05 * self.deviation / UNIFORM_DEVIATION;
        let tolerance = 3.0 * self.deviation / (self.queries as f64).sqrt();
        self.mean > 0.5 + tolerance.clamp(least, 0.2)
    }

    /// Whether positive pairs score lower than random ones.
    pub fn is_low(self) -> bool {
        self.mean < MAX_LOW
    }
}

/// At most `most` of the indices below `len`, ascending: one from each of equal parts, at varying places, because even
/// steps could hit the same caption of every image.
pub fn scatter(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let parts = len.min(most);
    (0..parts).map(move |part| {
        let (start, end) = (part * len / parts, (part + 1) * len / parts);
        start + part * 7919 % (end - start)
    })
}

/// Mean percentile of the positives of one query, given the scores of all items; `None` if there are no positives or no
/// other items.
pub fn percentile(scores: &[f64], positives: Set<'_>) -> Option<f64> {
    mean(&percentiles(scores, positives, MAX_POSITIVES))
}

/// The mean; `None` without any value.
pub fn mean(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (!values.is_empty()).then_some(mean)
}

/// Percentile of each of the first `most` positives among about 1,000 other items, in gallery order, given the scores
/// of all items. Positives with NaN are skipped.
pub fn percentiles(scores: &[f64], positives: Set<'_>, most: usize) -> Vec<f64> {
    let step = (scores.len() / OTHER_ITEMS).max(1);
    let score = |item: u32| scores.get(item as usize).copied();
    let of_positives: Vec<f64> =
        positives.iter().filter_map(score).filter(|score| !score.is_nan()).take(most).collect();
    let is_sampled = |item: &u32| (*item as usize).is_multiple_of(step);
    let sampled: Vec<f64> = positives.iter().filter(is_sampled).filter_map(score).collect();
    let others = scores.len().div_ceil(step) - sampled.len();
    // 2 for a lower score, 1 for an equal one.
    let points = |s: f64, positive: f64| usize::from(s < positive) + usize::from(s <= positive);
    let share_below = |positive: f64| {
        let all: usize = scores.iter().step_by(step).map(|&s| points(s, positive)).sum();
        let of_sampled: usize = sampled.iter().map(|&s| points(s, positive)).sum();
        (all - of_sampled) as f64 / 2.0 / others as f64
    };
    of_positives.into_iter().filter(|_| others > 0).map(share_below).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::id::{Id, IdList};
    use crate::data::npy::Npy;
    use crate::data::scores::ScoreMatrix;
    use crate::truth::pairs::Pairs;

    #[test]
    fn percentiles_are_shares_of_other_items() {
        let scores = [0.9, 0.1, 0.5, 0.5, f64::NAN];
        assert_eq!(percentile(&scores, Set::from(&[0][..])), Some(0.75));
        assert_eq!(percentile(&scores, Set::from(&[2][..])), Some(0.375));
        assert_eq!(percentile(&[3.0, 2.0, 1.0], Set::from(&[0, 1][..])), Some(1.0));
        assert_eq!(percentile(&[3.0, 2.0], Set::from(&[0, 1][..])), None);
        assert_eq!(percentile(&scores, Set::from(&[4, 99][..])), None);
        let many: Vec<f64> = (0..50_000).map(f64::from).collect();
        let high = percentile(&many, Set::from(&[45_000][..])).unwrap();
        assert!((high - 0.9).abs() < 0.01, "{high}");
    }

    #[test]
    fn places_are_spread_and_inside() {
        let scatter = |len| scatter(len, 500);
        assert_eq!(scatter(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(scatter(0).count(), 0);
        let places: Vec<usize> = scatter(25_000).collect();
        assert!(places.is_sorted() && places.len() == 500 && places[499] < 25_000);
        assert!(places.iter().any(|place| place % 5 != 0));
    }

    #[test]
    fn few_queries_may_be_further_from_chance() {
        let from_values = |n, mean| Percentile::from_values(std::iter::repeat_n(Some(mean), n));
        assert_eq!(from_values(4, 0.9), None);
        assert!(
            !from_values(20, 0.68).unwrap().is_high() && from_values(500, 0.56).unwrap().is_high()
        );
        assert!(from_values(6, 0.1).unwrap().is_low() && !from_values(500, 0.47).unwrap().is_low());
        // 100 short lists, `hits` with their positive.
        let lists = |hits: usize| {
            let values: Vec<f64> = (0..100).map(|at| if at < hits { 1.0 } else { 0.5 }).collect();
            Percentile::from_values(values.iter().copied().map(Some)).unwrap().for_lists(&values)
        };
        assert!(lists(0).is_chance() && lists(10).is_high());
    }

    fn sample(cell: impl Fn(usize, usize) -> f64) -> Percentile {
        let npy = Npy::in_memory("m.npy", [12, 36], (0..12 * 36).map(|at| cell(at / 36, at % 36)));
        let scores = Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap()));
        let pairs: Pairs = (0..12)
            .map(|image| (Id::Number(image), (3 * image..3 * image + 3).map(Id::Number)))
            .collect();
        let (relevance, _) = Relevance::resolve(&pairs, &IdList::for_len(12), &IdList::for_len(36));
        Percentile::sample(&scores, Direction::I2t, &relevance).unwrap()
    }

    fn noise(image: usize, caption: usize) -> f64 {
        ((image * 31 + caption * 17) % 23) as f64
    }

    #[test]
    fn pairs_that_rank_first_are_above_chance() {
        let right = sample(|image, caption| {
            noise(image, caption) + if caption / 3 == image { 50.0 } else { 0.0 }
        });
        assert!(right.queries == 12 && right.mean > 1.0 - 1e-12);
        assert!(!right.is_chance() && right.is_evidence());
        let wrong = sample(|image, caption| {
            noise(image, caption) + if caption / 3 == (image + 5) % 12 { 50.0 } else { 0.0 }
        });
        assert!(wrong.is_chance(), "{wrong:?}");
    }

    #[test]
    fn equal_scores_are_chance() {
        let equal = sample(|_, _| 1.0);
        assert!((equal.mean - 0.5).abs() < 1e-12 && equal.is_chance(), "{equal:?}");
    }
}
