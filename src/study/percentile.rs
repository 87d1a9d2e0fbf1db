//! Percentile of positives among the other items, for a sample of queries. Used for the orientation of matrices, and to
//! detect shuffled ids.

use crate::data::scores::Scores;
use crate::data::sets::Set;
use crate::data::{Direction, parallel};
use crate::truth::relevance::Relevance;

/// Maximum number of sampled queries of a matrix.
const MAX_QUERIES: usize = 128;
/// Maximum for computed scores.
const MAX_COMPUTED: usize = 32;
/// Queries per matrix product.
const MADE_TOGETHER: usize = 16;
/// Approximate number of other items compared per query.
const ITEMS: usize = 1_000;
/// Maximum number of positives compared per query.
pub const POSITIVES: usize = 8;
/// Minimum queries for a mean.
const MIN_QUERIES: usize = 5;
/// Minimum queries for evidence.
const MIN_TELLING: usize = 10;
/// Standard deviation of the uniform distribution from 0 to 1.
const UNIFORM_DEVIATION: f64 = 0.29;

/// Share of the other items that score lower than a positive, ties half: 0.5 is chance, 1 is best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percentile {
    /// Mean over queries.
    pub mean: f64,
    queries: usize,
    /// Standard deviation of one query's value if pairs were random.
    spread: f64,
}

impl Percentile {
    /// Samples queries with positives in a ground truth. A matrix is read in a few milliseconds if `direction` is that
    /// of its rows. `None` for ranked lists and for fewer than five queries.
    pub fn sample(scores: &Scores, direction: Direction, relevance: &Relevance) -> Option<Self> {
        let most = match scores {
            Scores::Lists(_) => return None,
            Scores::Matrix(_) | Scores::Two(_) => MAX_QUERIES,
            _ => MAX_COMPUTED,
        };
        let places: Vec<usize> = spread(relevance.len(), most).collect();
        let read = scores.by_query(direction);
        let of_part = |part: &&[usize]| {
            let queries = part.iter().map(|&place| relevance.queries()[place] as usize);
            let rows = read.cells(&queries.collect::<Vec<_>>());
            let of_row = |(&place, scores): (&usize, &Vec<f64>)| {
                percentile(scores, relevance.positives(place))
            };
            part.iter().zip(&rows).map(of_row).collect::<Vec<_>>()
        };
        let parts: Vec<&[usize]> = places.chunks(MADE_TOGETHER).collect();
        Percentile::over(parallel::map(&parts, of_part).into_iter().flatten())
    }

    /// Whether there are enough queries for evidence.
    pub fn is_telling(self) -> bool {
        self.queries >= MIN_TELLING
    }

    /// The mean and the number of queries, for messages.
    pub(super) fn described(self) -> String {
        format!("mean percentile {:.2} over {} queries, 0.5 is chance", self.mean, self.queries)
    }

    /// Mean over defined values; `None` if too few.
    pub fn over(of_queries: impl Iterator<Item = Option<f64>>) -> Option<Self> {
        let known: Vec<f64> = of_queries.flatten().collect();
        let queries = known.len();
        let mean = known.iter().sum::<f64>() / queries as f64;
        (queries >= MIN_QUERIES).then_some(Percentile { mean, queries, spread: UNIFORM_DEVIATION })
    }

    /// For ranked lists: unlisted items are tied, so that random values vary little.
    #[must_use]
    pub fn of_lists(self, values: &[f64]) -> Self {
        let squares = values.iter().map(|value| (value - self.mean).powi(2)).sum::<f64>();
        let spread = (squares / values.len() as f64).sqrt().min(UNIFORM_DEVIATION);
        Percentile { spread, ..self }
    }

    /// Whether positive pairs score like random ones.
    pub fn is_chance(self) -> bool {
        !self.is_high() && !self.is_low()
    }

    /// Maximum deviation of random pairs' mean from 0.5.
    fn tolerance(self, spread: f64) -> f64 {
        (3.0 * spread / (self.queries as f64).sqrt()).clamp(0.05 * spread / UNIFORM_DEVIATION, 0.2)
    }

    /// Whether positive pairs score higher than random ones.
    pub fn is_high(self) -> bool {
        self.mean > 0.5 + self.tolerance(self.spread)
    }

    /// Whether positive pairs score lower than random ones.
    pub fn is_low(self) -> bool {
        self.mean < 0.5 - self.tolerance(UNIFORM_DEVIATION)
    }
}

/// At most `most` of `len` places, one per equal part: even steps could hit the same caption of every image.
pub fn spread(len: usize, most: usize) -> impl Iterator<Item = usize> {
    let parts = len.min(most);
    (0..parts).map(move |part| {
        let (start, end) = (part * len / parts, (part + 1) * len / parts);
        start + part * 7919 % (end - start)
    })
}

/// The mean percentile of the positives among the other items; `None` without positives or others.
pub fn percentile(scores: &[f64], positives: Set<'_>) -> Option<f64> {
    mean(&percentiles(scores, positives, POSITIVES))
}

/// The mean; `None` without any value.
pub fn mean(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (!values.is_empty()).then_some(mean)
}

/// Percentile of each of the first `most` positives among about 1,000 other items, in gallery order. Ignores NaN.
pub fn percentiles(scores: &[f64], positives: Set<'_>, most: usize) -> Vec<f64> {
    let step = (scores.len() / ITEMS).max(1);
    let score = |item: u32| scores.get(item as usize).copied();
    let right: Vec<f64> =
        positives.iter().filter_map(score).filter(|score| !score.is_nan()).take(most).collect();
    let is_sampled = |item: &u32| (*item as usize).is_multiple_of(step);
    let sampled_right: Vec<f64> = positives.iter().filter(is_sampled).filter_map(score).collect();
    let others = scores.len().div_ceil(step) - sampled_right.len();
    // Twice the lower ones plus the equal ones.
    let points = |s: f64, one: f64| usize::from(s < one) + usize::from(s <= one);
    let of_one = |one: f64| {
        let all: usize = scores.iter().step_by(step).map(|&s| points(s, one)).sum();
        let right: usize = sampled_right.iter().map(|&s| points(s, one)).sum();
        (all - right) as f64 / 2.0 / others as f64
    };
    right.into_iter().filter(|_| others > 0).map(of_one).collect()
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
        let spread = |len| spread(len, 500);
        assert_eq!(spread(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(0).count(), 0);
        let places: Vec<usize> = spread(25_000).collect();
        assert!(places.is_sorted() && places.len() == 500 && places[499] < 25_000);
        assert!(places.iter().any(|place| place % 5 != 0));
    }

    #[test]
    fn few_queries_may_be_further_from_chance() {
        let over = |n, mean| Percentile::over(std::iter::repeat_n(Some(mean), n));
        assert_eq!(over(4, 0.9), None);
        assert!(!over(20, 0.68).unwrap().is_high() && over(500, 0.56).unwrap().is_high());
        assert!(over(6, 0.1).unwrap().is_low() && !over(500, 0.47).unwrap().is_low());
        // 100 short lists, `hits` with their positive.
        let lists = |hits: usize| {
            let values: Vec<f64> = (0..100).map(|at| if at < hits { 1.0 } else { 0.5 }).collect();
            Percentile::over(values.iter().copied().map(Some)).unwrap().of_lists(&values)
        };
        assert!(lists(0).is_chance() && lists(10).is_high());
    }

    fn sample(cell: impl Fn(usize, usize) -> f64) -> Percentile {
        let npy = Npy::in_memory("m.npy", [12, 36], (0..12 * 36).map(|at| cell(at / 36, at % 36)));
        let scores = Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap()));
        let pairs: Pairs = (0..12)
            .map(|image| (Id::Number(image), (3 * image..3 * image + 3).map(Id::Number)))
            .collect();
        let (relevance, _) = Relevance::resolve(&pairs, &IdList::counted(12), &IdList::counted(36));
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
        assert!(!right.is_chance() && right.is_telling());
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
