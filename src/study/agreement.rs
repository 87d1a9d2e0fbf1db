//! How well scores agree with known pairs, from a sample of queries: what tells one reading of a file
//! from another.

use crate::data::scores::Scores;
use crate::data::{Direction, parallel};
use crate::truth::relevance::Relevance;

/// Most queries that are sampled.
const MAX_QUERIES: usize = 128;
/// The same where scores are computed.
const MAX_COMPUTED: usize = 32;
/// Standard deviation of a number drawn evenly from 0 to 1.
const UNIFORM_DEVIATION: f64 = 0.29;

/// Where a positive of each sampled query ranks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Agreement {
    /// Number of sampled queries.
    pub queries: usize,
    /// Share of these that rank a positive first, before all others: R@1.
    pub first: f64,
    /// Share of the other items that score lower than the positive, ties half, over queries: 0.5 is chance.
    pub percentile: f64,
}

impl Agreement {
    /// Samples queries of a direction that a ground truth lists positives for. A matrix is read along
    /// its rows in a few milliseconds where `direction` is that of its rows. `None` for ranked lists, and
    /// without any query.
    pub fn sample(scores: &Scores, direction: Direction, relevance: &Relevance) -> Option<Self> {
        if matches!(scores, Scores::Lists(_)) {
            return None;
        }
        let count = relevance.len();
        let most = match scores {
            Scores::Matrix(_) | Scores::Two(_) => MAX_QUERIES,
            _ => MAX_COMPUTED,
        };
        let sampled = count.min(most);
        let places: Vec<usize> = (0..sampled).map(|at| at * count / sampled).collect();
        let read = scores.by_query(direction);
        let of_part = |part: &&[usize]| {
            let queries: Vec<usize> = part
                .iter()
                .map(|&at| relevance.queries()[at] as usize)
                .collect();
            let rows = part.iter().zip(read.cells(&queries));
            let seen = rows.filter_map(|(&place, scores)| {
                let positives: Vec<u32> = relevance.positives(place).iter().collect();
                // Another one of each query: the first captions of all images may be alike.
                let one = positives.get(place % positives.len().max(1))?;
                seen(&scores, &positives, *one)
            });
            seen.collect::<Vec<_>>()
        };
        let parts: Vec<&[usize]> = places.chunks(16).collect();
        let seen: Vec<(bool, f64)> = parallel::map(&parts, of_part)
            .into_iter()
            .flatten()
            .collect();
        let queries = seen.len();
        let share = |sum: f64| sum / queries as f64;
        (queries > 0).then(|| Agreement {
            queries,
            first: share(seen.iter().filter(|(first, _)| *first).count() as f64),
            percentile: share(seen.iter().map(|(_, percentile)| percentile).sum()),
        })
    }

    /// Whether positives rank as random items would. Where they rank lowest, scores are distances.
    pub fn is_chance(self) -> bool {
        (self.percentile - 0.5).abs() <= self.margin()
    }

    /// Whether so many queries can tell anything.
    pub fn is_telling(self) -> bool {
        self.margin() < 0.5
    }

    /// How far from 0.5 the mean percentile of random pairs may be.
    fn margin(self) -> f64 {
        (3.0 * UNIFORM_DEVIATION / (self.queries as f64).sqrt()).max(0.05)
    }

    /// In words.
    pub(super) fn described(self) -> String {
        format!(
            "R@1 {:.1} %, mean percentile {:.2} over {} queries",
            100.0 * self.first,
            self.percentile,
            self.queries
        )
    }
}

/// Whether a positive scores higher than all other items, and the share of these that score lower than
/// this positive; `None` where there are no others.
fn seen(scores: &[f64], positives: &[u32], one: u32) -> Option<(bool, f64)> {
    let one = scores[one as usize];
    let of = |&item: &u32| scores[item as usize];
    let best = positives.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
    let all = counts(scores.iter().copied(), one, best);
    let own = counts(positives.iter().map(of), one, best);
    let others = scores.len() - positives.len();
    let [lower, at_most, ahead] = [0, 1, 2].map(|at| all[at] - own[at]);
    (others > 0 && !one.is_nan())
        .then(|| (ahead == 0, (lower + at_most) as f64 / (2 * others) as f64))
}

/// How many scores are lower than `one`, how many are at most that, and how many are at least `best`.
fn counts(scores: impl Iterator<Item = f64>, one: f64, best: f64) -> [usize; 3] {
    scores.fold([0; 3], |counts, score| {
        let counted = [score < one, score <= one, score >= best];
        std::array::from_fn(|at| counts[at] + usize::from(counted[at]))
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::id::Id;
    use crate::data::id::IdList;
    use crate::data::npy::Npy;
    use crate::data::scores::ScoreMatrix;
    use crate::truth::pairs::Pairs;

    fn of(cell: impl Fn(usize, usize) -> f64) -> Agreement {
        let npy = Npy::in_memory(
            "m.npy",
            [12, 36],
            (0..12 * 36).map(|at| cell(at / 36, at % 36)),
        );
        let scores = Scores::Matrix(Arc::new(ScoreMatrix::new(npy, false).unwrap()));
        let pairs: Pairs = (0..12)
            .map(|image| {
                (
                    Id::Number(image),
                    (3 * image..3 * image + 3).map(Id::Number),
                )
            })
            .collect();
        let (relevance, _) = Relevance::resolve(&pairs, &IdList::counted(12), &IdList::counted(36));
        Agreement::sample(&scores, Direction::I2t, &relevance).unwrap()
    }

    fn noise(image: usize, caption: usize) -> f64 {
        ((image * 31 + caption * 17) % 23) as f64
    }

    #[test]
    fn pairs_that_rank_first_are_above_chance() {
        let right = of(|image, caption| {
            noise(image, caption) + if caption / 3 == image { 50.0 } else { 0.0 }
        });
        assert_eq!(
            (right.queries, right.first, right.percentile),
            (12, 1.0, 1.0)
        );
        assert!(!right.is_chance() && right.is_telling());
        let wrong = of(|image, caption| {
            noise(image, caption)
                + if caption / 3 == (image + 5) % 12 {
                    50.0
                } else {
                    0.0
                }
        });
        assert!(wrong.first < 0.3 && wrong.is_chance(), "{wrong:?}");
    }

    #[test]
    fn equal_scores_put_nothing_first() {
        let equal = of(|_, _| 1.0);
        assert_eq!((equal.first, equal.percentile), (0.0, 0.5));
    }
}
