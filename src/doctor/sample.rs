//! The scores of some queries of a model: where right pairs stand, and ties.

use super::exam::{Depth, Exam};
use super::rows::{self, QueryScores};
use crate::data::Direction;
use crate::data::scores::{Form, Model, Scores};
use crate::data::sets::Set;
use crate::truth::relevance::Relevance;

/// Most queries of a model and direction that are sampled, in a whole and in a quick examination.
const QUERIES: [usize; 2] = [500, 128];
/// About as many items of a query are compared with its positives.
const ITEMS: usize = 1_000;
/// Most positives of a query that are looked at.
const POSITIVES: usize = 8;
/// Fewer queries tell nothing.
const LEAST: usize = 5;
/// Standard deviation of a number that is drawn evenly from 0 to 1.
const SPREAD: f64 = 0.29;
/// Ranks at which ties are looked for.
pub const RANKS: [usize; 3] = [1, 5, 10];
/// How far ahead or behind the images are whose captions are looked at beside a query image's own (0).
pub const DISTANCES: [isize; 5] = [0, -2, -1, 1, 2];

/// What some queries of one model and direction tell.
pub struct Sample {
    /// How many queries were looked at.
    pub queries: usize,
    /// Where right pairs stand; `None` where no truth tells them.
    pub read: Option<Percentile>,
    /// The same of the first of the right pairs of each query, of the second, and so on; nothing unless every query
    /// has as many.
    pub by_place: Vec<Percentile>,
    /// Median over queries, and share of the queries whose positives score lower than most items.
    pub median: f64,
    pub low_share: f64,
    /// The same with images and captions changed; only where the matrix fits both ways.
    pub turned: Option<Percentile>,
    /// The same if the captions were all first ones, then all second ones, and so on; `None` where sizes or the direction
    /// exclude it.
    pub interleaved: Option<Percentile>,
    /// Of an image, the same for the captions of the images at [`DISTANCES`] from it in the gallery's order; `None`
    /// of captions, and where not every pair has a score.
    pub beside: [Option<Percentile>; DISTANCES.len()],
    /// Number of queries whose score at each of [`RANKS`] is that of the next rank, captions of equal
    /// text left out; `None` where lists have no scores.
    pub ties: Option<[usize; RANKS.len()]>,
    /// Number of queries with one score for all items.
    pub constant: usize,
}

/// The share of other items that score lower than a right one, ties half: 0.5 is chance, 1 is best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Percentile {
    /// Mean over queries.
    pub mean: f64,
    queries: usize,
    /// Standard deviation of one query's value if pairs were random.
    spread: f64,
}

/// What one query tells.
struct Seen {
    read: Vec<f64>,
    interleaved: Option<f64>,
    beside: [Option<f64>; DISTANCES.len()],
    ties: Option<[bool; RANKS.len()]>,
    is_constant: bool,
}

impl Sample {
    /// Looks at some queries; `None` where there are none.
    pub fn of(exam: &Exam, model: &Model, direction: Direction) -> Option<Self> {
        let relevance = exam.pairs().and_then(|t| t.relevance[direction].as_ref());
        let queries = queries(exam, model, direction, relevance);
        let positives = |query: usize| positives(relevance, query);
        let twins = exam.same_text.as_deref();
        let twins = twins.filter(|_| direction == Direction::I2t);
        let is_whole = is_whole(model, direction);
        let in_order = relevance.filter(|_| direction == Direction::I2t && is_whole);
        let is_deep = exam.depth == Depth::Whole;
        let few = |row: &QueryScores, of: Set<'_>| mean(&percentiles(&row.scores, of, 2));
        let look = |query, row: QueryScores| Seen {
            read: percentiles(&row.scores, positives(query), POSITIVES),
            interleaved: in_order.and_then(|_| {
                let [images, captions] = [exam.study.gallery.images.len(), row.scores.len()];
                let fits = captions > images && captions.is_multiple_of(images);
                let own: Vec<u32> = (query as u32..captions as u32).step_by(images).collect();
                few(&row, Set::from(&own[..])).filter(|_| fits)
            }),
            beside: DISTANCES.map(|by| {
                let place = in_order?.place(query.checked_add_signed(by)?)?;
                few(&row, in_order?.positives(place))
            }),
            ties: is_deep
                .then(|| row.top())
                .flatten()
                .map(|top| RANKS.map(|rank| tied(&top, rank, twins))),
            is_constant: row.scores.len() > 1
                && row
                    .scores
                    .windows(2)
                    .all(|two| two[0].total_cmp(&two[1]).is_eq()),
        };
        let seen = rows::each(&model.scores, direction, &queries, look);
        let ties = |at: usize| {
            let tied = seen.iter().filter(|s| s.ties.is_some_and(|ties| ties[at]));
            tied.count()
        };
        let has_scores = seen.iter().any(|seen| seen.ties.is_some());
        let turned = model
            .scores
            .matrix(direction)
            .filter(|m| exam.fits_both_ways(m));
        let turned = turned.and_then(|matrix| {
            let flipped = direction.flipped();
            let inside = queries
                .iter()
                .filter(|&&query| query < matrix.side_len(flipped));
            let row = |&query| percentile(&matrix.of_query(flipped, query), positives(query));
            Percentile::over(inside.map(row))
        });
        let read = || seen.iter().map(|seen| mean(&seen.read));
        let mut sorted: Vec<f64> = read().flatten().collect();
        sorted.sort_unstable_by(f64::total_cmp);
        let low = sorted.partition_point(|mean| *mean < 0.5);
        (!queries.is_empty()).then(|| Sample {
            queries: queries.len(),
            read: Percentile::over(read()).map(|read| {
                if is_whole {
                    read
                } else {
                    read.of_lists(&sorted)
                }
            }),
            by_place: by_place(&seen),
            median: sorted.get(sorted.len() / 2).copied().unwrap_or(f64::NAN),
            low_share: low as f64 / sorted.len() as f64,
            turned,
            interleaved: Percentile::over(seen.iter().map(|seen| seen.interleaved)),
            beside: std::array::from_fn(|at| Percentile::over(seen.iter().map(|s| s.beside[at]))),
            ties: has_scores.then(|| [0, 1, 2].map(ties)),
            constant: seen.iter().filter(|seen| seen.is_constant).count(),
        })
    }

    /// Whether each query has one score for all items.
    pub fn is_constant(&self) -> bool {
        self.constant == self.queries
    }

    /// Whether positive pairs score high only with images and captions changed.
    pub fn is_turned(&self) -> bool {
        match (self.read, self.turned) {
            (Some(read), Some(turned)) => turned.is_high() && !read.is_high(),
            _ => false,
        }
    }
}

impl Percentile {
    /// Mean over the queries that have one; `None` where they are too few.
    pub(super) fn over(of_queries: impl Iterator<Item = Option<f64>>) -> Option<Self> {
        let known: Vec<f64> = of_queries.flatten().collect();
        let queries = known.len();
        let mean = known.iter().sum::<f64>() / queries as f64;
        (queries >= LEAST).then_some(Percentile {
            mean,
            queries,
            spread: SPREAD,
        })
    }

    /// The same of ranked lists: items that are not listed are tied, so that random values hardly differ.
    fn of_lists(self, values: &[f64]) -> Self {
        let squares = values
            .iter()
            .map(|value| (value - self.mean).powi(2))
            .sum::<f64>();
        let spread = (squares / values.len() as f64).sqrt().min(SPREAD);
        Percentile { spread, ..self }
    }

    /// Whether positive pairs score like random ones.
    pub fn is_chance(self) -> bool {
        !self.is_high() && !self.is_low()
    }

    /// How far from 0.5 the mean of random pairs may be.
    fn tolerance(self, spread: f64) -> f64 {
        (3.0 * spread / (self.queries as f64).sqrt()).clamp(0.05 * spread / SPREAD, 0.2)
    }

    /// Whether positive pairs score higher than random ones.
    pub fn is_high(self) -> bool {
        self.mean > 0.5 + self.tolerance(self.spread)
    }

    /// Whether positive pairs score lower than random ones.
    pub fn is_low(self) -> bool {
        self.mean < 0.5 - self.tolerance(SPREAD)
    }
}

/// The mean percentile of the first right pair of each query, of the second, and so on.
fn by_place(seen: &[Seen]) -> Vec<Percentile> {
    let count = seen.first().map_or(0, |first| first.read.len());
    if seen.iter().any(|seen| seen.read.len() != count) {
        return Vec::new();
    }
    let at = |place: usize| Percentile::over(seen.iter().map(|seen| Some(seen.read[place])));
    (0..count).filter_map(at).collect()
}

/// Some queries that the truth covers and the model ranks something for.
fn queries(
    exam: &Exam,
    model: &Model,
    direction: Direction,
    relevance: Option<&Relevance>,
) -> Vec<usize> {
    let covered = relevance.filter(|relevance| !relevance.is_empty());
    let mut queries: Vec<usize> = match covered {
        Some(relevance) => relevance.queries().iter().map(|&q| q as usize).collect(),
        None => (0..exam.study.gallery.queries(direction).len()).collect(),
    };
    if let Scores::Lists(lists) = &model.scores {
        let mut buffer = Vec::new();
        queries.retain(|&query| !lists[direction].items(query, &mut buffer).is_empty());
    }
    if exam.study.gallery.items(direction).is_empty() {
        queries.clear();
    }
    spread(queries.len(), exam.depth)
        .map(|at| queries[at])
        .collect()
}

/// Up to [`QUERIES`] of `len` places, one somewhere in each of equal parts: even steps would meet the
/// same caption of every image.
pub(super) fn spread(len: usize, depth: Depth) -> impl Iterator<Item = usize> {
    let parts = len.min(QUERIES[usize::from(depth == Depth::Quick)]);
    (0..parts).map(move |part| {
        let (start, end) = (part * len / parts, (part + 1) * len / parts);
        start + part * 7919 % (end - start)
    })
}

fn positives(relevance: Option<&Relevance>, query: usize) -> Set<'_> {
    let found = relevance.and_then(|r| Some(r.positives(r.place(query)?)));
    found.unwrap_or_default()
}

/// The mean percentile of the positives among the other items.
pub(super) fn percentile(scores: &[f64], positives: Set<'_>) -> Option<f64> {
    mean(&percentiles(scores, positives, POSITIVES))
}

fn mean(values: &[f64]) -> Option<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    (!values.is_empty()).then_some(mean)
}

/// The percentile of each of the first `most` positives among about [`ITEMS`] other items, in the order of the gallery;
/// NaN is left out.
fn percentiles(scores: &[f64], positives: Set<'_>, most: usize) -> Vec<f64> {
    let step = (scores.len() / ITEMS).max(1);
    let score = |item: u32| scores.get(item as usize).copied();
    let right: Vec<f64> = positives
        .iter()
        .filter_map(score)
        .filter(|score| !score.is_nan())
        .take(most)
        .collect();
    let is_sampled = |item: &u32| (*item as usize).is_multiple_of(step);
    let sampled_right: Vec<f64> = positives
        .iter()
        .filter(is_sampled)
        .filter_map(score)
        .collect();
    let others = scores.len().div_ceil(step) - sampled_right.len();
    // Twice the lower ones, and the equal ones once.
    let points = |s: f64, one: f64| usize::from(s < one) + usize::from(s <= one);
    let of_one = |one: f64| {
        let all: usize = scores.iter().step_by(step).map(|&s| points(s, one)).sum();
        let right: usize = sampled_right.iter().map(|&s| points(s, one)).sum();
        (all - right) as f64 / 2.0 / others as f64
    };
    right
        .into_iter()
        .filter(|_| others > 0)
        .map(of_one)
        .collect()
}

/// Whether every pair has a score.
pub(super) fn is_whole(model: &Model, direction: Direction) -> bool {
    let read = model.scores.by_query(direction);
    read.fill().is_none() && !matches!(read.form, Form::Lists(_))
}

/// Whether the next rank has the same score, not being the same text.
#[expect(clippy::float_cmp, reason = "a tie is an equal score")]
fn tied(top: &[(f64, u32)], rank: usize, same_text: Option<&[u32]>) -> bool {
    let (Some(one), Some(next)) = (top.get(rank - 1), top.get(rank)) else {
        return false;
    };
    let text = |item: u32| same_text.map(|texts| texts[item as usize]);
    let same = same_text.is_some() && text(one.1) == text(next.1);
    one.0 == next.0 && !same
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_shares_of_other_items() {
        let scores = [0.9, 0.1, 0.5, 0.5, f64::NAN];
        assert_eq!(percentile(&scores, Set::from(&[0][..])), Some(0.75));
        assert_eq!(percentile(&scores, Set::from(&[2][..])), Some(0.375));
        assert_eq!(
            percentile(&[3.0, 2.0, 1.0], Set::from(&[0, 1][..])),
            Some(1.0)
        );
        assert_eq!(percentile(&[3.0, 2.0], Set::from(&[0, 1][..])), None);
        assert_eq!(percentile(&scores, Set::from(&[4, 99][..])), None);
        let many: Vec<f64> = (0..50_000).map(f64::from).collect();
        let high = percentile(&many, Set::from(&[45_000][..])).unwrap();
        assert!((high - 0.9).abs() < 0.01, "{high}");
    }

    #[test]
    fn places_are_spread_and_inside() {
        let spread = |len| spread(len, Depth::Whole);
        assert_eq!(spread(3).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(spread(0).count(), 0);
        let places: Vec<usize> = spread(25_000).collect();
        assert!(places.is_sorted() && places.len() == QUERIES[0] && places[499] < 25_000);
        assert!(places.iter().any(|place| place % 5 != 0));
    }

    #[test]
    fn few_queries_may_be_further_from_chance() {
        let over = |n, mean| Percentile::over(std::iter::repeat_n(Some(mean), n));
        assert_eq!(over(4, 0.9), None);
        assert!(!over(20, 0.68).unwrap().is_high() && over(500, 0.56).unwrap().is_high());
        assert!(over(6, 0.1).unwrap().is_low() && !over(500, 0.47).unwrap().is_low());
        // Of 100 short lists, two of which hold their positive.
        let lists = |hits: usize| {
            let values: Vec<f64> = (0..100)
                .map(|at| if at < hits { 1.0 } else { 0.5 })
                .collect();
            Percentile::over(values.iter().copied().map(Some))
                .unwrap()
                .of_lists(&values)
        };
        assert!(lists(0).is_chance() && lists(10).is_high());
    }

    #[test]
    fn equal_texts_are_no_tie() {
        let top = [(0.5, 0), (0.5, 1), (0.4, 2)];
        assert!(tied(&top, 1, None) && !tied(&top, 2, None) && !tied(&top, 3, None));
        assert!(!tied(&top, 1, Some(&[7, 7, 8])) && tied(&top, 1, Some(&[7, 6, 8])));
    }
}
