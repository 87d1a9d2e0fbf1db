//! Sampled queries of a model: percentiles of positives, and ties.

use super::exam::Exam;
use super::rows::{self, QueryScores};
use crate::data::Direction;
use crate::data::scores::{Model, Scores};
use crate::data::sets::Set;
use crate::study::percentile::{MAX_POSITIVES, Percentile, mean, percentile, percentiles, scatter};
use crate::truth::relevance::Relevance;

/// Ranks checked for ties.
pub const RANKS: [usize; 3] = [1, 5, 10];

/// Sampled queries of one model and direction.
pub struct Sample {
    /// Number of sampled queries.
    pub queries: usize,
    /// Percentile of each query's own positives; `None` without a truth.
    pub own: Option<Percentile>,
    /// Percentile within ranked lists, of listed positives only; `None` if no list has a positive.
    pub in_lists: Option<Percentile>,
    /// Percentile of each query's first positive, of the second, and so on; empty if some queries have more,
    /// and for ranked lists.
    pub by_place: Vec<Percentile>,
    /// Percentile of positives of the previous or next query, whichever is higher; `None` for ranked lists.
    pub beside: Option<Percentile>,
    /// Consecutive sampled queries, [`PART`] at a time; empty for ranked lists.
    pub parts: Vec<Part>,
    /// Number of queries whose hit at each of [`RANKS`] depends on ties, excluding captions of equal text; `None` for
    /// lists without scores.
    pub ties: Option<[usize; RANKS.len()]>,
    /// Number of queries with one score for all items.
    pub constant: usize,
}

/// Queries per [`Part`].
const PART: usize = 16;

/// Consecutive sampled queries.
pub struct Part {
    /// Gallery index of the first and the last.
    pub ends: [usize; 2],
    /// Mean percentile of their positives.
    pub mean: f64,
}

/// Statistics of the scores of one query.
struct QueryFacts {
    /// Percentiles of its own positives, in gallery order.
    own: Vec<f64>,
    /// Percentile of the positives of the previous or next query, whichever is higher.
    beside: Option<f64>,
    /// Gallery index of its first positive.
    first: Option<u32>,
    /// Mean place of its positives in a ranked list, from 1 (first) to 0 (last).
    in_list: Option<f64>,
    /// Whether its hit at each of [`RANKS`] depends on ties.
    ties: Option<[bool; RANKS.len()]>,
    /// Whether all items have one score.
    is_constant: bool,
}

impl Sample {
    /// Samples queries; `None` if there are none.
    pub fn new(exam: &Exam, model: &Model, direction: Direction) -> Option<Self> {
        let relevance = exam.truth().and_then(|t| t.relevance[direction].as_ref());
        let mut queries = sample_queries(exam, model, direction, relevance);
        queries.sort_unstable();
        let positives = |query: usize| positives(relevance, query, 0);
        let same_text = || exam.same_text().filter(|_| direction == Direction::I2t);
        let is_whole = has_all_scores(model, direction);
        let look = |query, row: QueryScores| QueryFacts {
            own: percentiles(&row.scores, positives(query), MAX_POSITIVES),
            beside: [-1, 1]
                .into_iter()
                .filter(|_| is_whole)
                .filter_map(|by| percentile(&row.scores, self::positives(relevance, query, by)))
                .reduce(f64::max),
            first: positives(query).iter().next(),
            in_list: row.place_in_list(positives(query)),
            ties: row.top().map(|top| {
                let known = relevance.map(|_| positives(query));
                let cells = if is_whole { &row.scores[..] } else { &[] };
                RANKS.map(|rank| is_tied(&top, rank, known, cells, &same_text))
            }),
            is_constant: row.scores.len() > 1
                && row.scores.windows(2).all(|two| two[0].total_cmp(&two[1]).is_eq()),
        };
        let seen = rows::map_queries(&model.scores, direction, &queries, look);
        let ties = |at: usize| seen.iter().filter(|s| s.ties.is_some_and(|ties| ties[at])).count();
        let has_scores = seen.iter().any(|seen| seen.ties.is_some());
        let means = seen.iter().map(|seen| mean(&seen.own));
        let own = Percentile::from_values(means.clone());
        let of_lists = |own: Percentile| own.for_lists(&means.flatten().collect::<Vec<_>>());
        (!queries.is_empty()).then(|| Sample {
            queries: queries.len(),
            own: if is_whole { own } else { own.map(of_lists) },
            in_lists: Percentile::from_values(seen.iter().map(|seen| seen.in_list)),
            by_place: if is_whole { place_percentiles(&seen) } else { Vec::new() },
            beside: Percentile::from_values(seen.iter().map(|seen| seen.beside)),
            parts: if is_whole { split_into_parts(&seen, &queries) } else { Vec::new() },
            ties: has_scores.then(|| [0, 1, 2].map(ties)),
            constant: seen.iter().filter(|seen| seen.is_constant).count(),
        })
    }

    /// Whether each query has one score for all items.
    pub fn is_constant(&self) -> bool {
        self.constant == self.queries
    }
}

/// The queries in parts of [`PART`]; none if consecutive queries have the same first positive: captions of one image
/// are similar, so a part has at most one.
fn split_into_parts(seen: &[QueryFacts], queries: &[usize]) -> Vec<Part> {
    if seen.windows(2).any(|two| two[0].first == two[1].first) {
        return Vec::new();
    }
    let part = |(seen, queries): (&[QueryFacts], &[usize])| {
        let means: Vec<f64> = seen.iter().filter_map(|seen| mean(&seen.own)).collect();
        Some(Part { ends: [queries[0], queries[PART - 1]], mean: mean(&means)? })
    };
    seen.chunks_exact(PART).zip(queries.chunks_exact(PART)).filter_map(part).collect()
}

/// Mean percentile of each query's first positive, of the second, and so on; empty if some queries have more.
fn place_percentiles(seen: &[QueryFacts]) -> Vec<Percentile> {
    let count = seen.first().map_or(0, |first| first.own.len());
    if seen.iter().any(|seen| seen.own.len() != count) {
        return Vec::new();
    }
    let at = |place: usize| Percentile::from_values(seen.iter().map(|seen| Some(seen.own[place])));
    (0..count).filter_map(at).collect()
}

/// Sampled queries covered by the truth and ranked by the model.
fn sample_queries(
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
        queries.retain(|&query| lists[direction].has_items(query));
    }
    if exam.study.gallery.items(direction).is_empty() {
        queries.clear();
    }
    scatter(queries.len(), exam.depth.max_queries()).map(|at| queries[at]).collect()
}

/// Positives of the query `by` indices after `query`; empty if it does not exist or is not covered.
fn positives(relevance: Option<&Relevance>, query: usize, by: isize) -> Set<'_> {
    let found = relevance.and_then(|r| Some(r.positives(r.place(query.checked_add_signed(by)?)?)));
    found.unwrap_or_default()
}

/// Whether every pair has a score.
pub(super) fn has_all_scores(model: &Model, direction: Direction) -> bool {
    model.scores.by_query(direction).has_all_scores()
}

/// Whether the hit at `rank` (from 1) depends on a tie between different texts; without known positives, whether the next rank
/// has the same score. `top` has score and item of the first ranks; `scores` those of all items, empty for lists;
/// `same_text` returns [`Exam::same_text`], `None` for images.
#[expect(clippy::float_cmp, reason = "a tie is an equal score")]
fn is_tied<'a>(
    top: &[(f64, u32)],
    rank: usize,
    positives: Option<Set<'_>>,
    scores: &[f64],
    same_text: &dyn Fn() -> Option<&'a [u32]>,
) -> bool {
    let (Some(one), Some(next)) = (top.get(rank - 1), top.get(rank)) else {
        return false;
    };
    let is_same = |texts: &[u32]| texts[one.1 as usize] == texts[next.1 as usize];
    let decides = |positives: Set<'_>| {
        let start = top.partition_point(|(score, _)| *score > one.0);
        let end = top.partition_point(|(score, _)| *score >= one.0);
        let is_hit = |one: &&(f64, u32)| positives.contains(one.1);
        let tied_hits = top[start..end].iter().filter(is_hit).count();
        // Ties may continue beyond the first ranks.
        let has_equal_score = |item: u32| scores.get(item as usize) == Some(&one.0);
        let may_hit = tied_hits > 0 || positives.iter().any(has_equal_score);
        let may_miss = end - start - tied_hits >= rank - start;
        !top[..start].iter().any(|one| is_hit(&one)) && may_hit && may_miss
    };
    one.0 == next.0 && positives.is_none_or(decides) && !same_text().is_some_and(is_same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_no_tie() {
        let top = [(0.5, 0), (0.5, 1), (0.4, 2)];
        let tied_at = |rank| is_tied(&top, rank, None, &[], &|| None);
        assert!(tied_at(1) && !tied_at(2) && !tied_at(3));
        let of_texts = |texts: &'static [u32]| is_tied(&top, 1, None, &[], &|| Some(texts));
        assert!(!of_texts(&[7, 7, 8]) && of_texts(&[7, 6, 8]));
    }

    #[test]
    fn ties_that_change_no_hit_do_not_count() {
        let top = [(0.5, 0), (0.4, 1), (0.4, 2), (0.3, 3)];
        let tied_with = |positives: &[u32]| is_tied(&top, 2, Some(positives.into()), &[], &|| None);
        assert!(tied_with(&[2]) && tied_with(&[1, 3]));
        assert!(!tied_with(&[0, 2]) && !tied_with(&[3]) && !tied_with(&[]));
        assert!(!tied_with(&[1, 2]), "all are hits, in any order");
    }
}
