//! Similarity of two models' rankings.
//!
//! For each query of the gallery: Kendall's tau-b over the union of both top 25, by ranks in the full rankings; overlap
//! of top items; rank-biased overlap; and the rank of one model's top-1 in the other. Source of the first and the last:
//! Chun et al. 2022 (ECCV Caption), arXiv:2204.03359, appendix A.2.
//!
//! Full rankings have no ties. If a model ranks only some items (ranked lists, re-rankers), values that need the rank
//! of another are undefined for that query. Tau then has no mean: it would be over the queries on which the models
//! agree most.

use super::kendall::{self, ExpectedMean, PartSize};
use super::overlap::SharedItems;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;
use crate::rank::beside::{QueryRankings, compare_rankings};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// Number of top items of each model that are compared.
pub const TOP_K: usize = 25;
/// Depths of overlap.
pub const DEPTHS: [usize; 4] = [1, 5, 10, TOP_K];

/// Similarity of two models' rankings for one query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QuerySimilarity {
    /// Kendall's tau-b over the union of both top k; `None` if a model does not rank all of it, and below two items.
    pub tau: Option<f64>,
    /// Overlap at each of [`DEPTHS`], capped at the size of the gallery; `None` if a list ends earlier.
    pub overlap: [Option<f64>; DEPTHS.len()],
    /// Rank-biased overlap of the top k; `None` if a list is empty.
    pub rank_biased: Option<f64>,
    /// Rank of the first model's top-1 in the second, and vice versa; `None` if it is not ranked there.
    pub top_ranks: [Option<u32>; 2],
}

/// Similarity of two models' rankings, by query.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    /// Direction of retrieval.
    pub direction: Direction,
    /// For each query, by gallery index; undefined outside the pool.
    pub queries: Vec<QuerySimilarity>,
    /// Number of queries in the pool.
    pool_size: usize,
    /// Mean of [`QuerySimilarity::tau`] for independent rankings; `None` if some query has no tau.
    pub shuffled: Option<ExpectedMean>,
}

/// A mean over queries, and their number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean; `None` without queries.
    pub value: Option<f64>,
    /// Number of queries with a defined value.
    pub queries: usize,
}

impl Mean {
    /// This mean; its value becomes `None` if it is over another number of queries than `queries`.
    fn if_over_all(self, queries: usize) -> Self {
        Mean { value: self.value.filter(|_| self.queries == queries), ..self }
    }
}

/// Compares two models in one direction, over the study's pool; `None` if cancelled. `seed` is for
/// [`Similarity::shuffled`].
///
/// # Errors
/// As [`compare_rankings`].
pub fn similarity(
    study: &Study,
    models: [&Model; 2],
    direction: Direction,
    seed: u64,
    token: &CancelToken,
) -> Result<Option<Similarity>> {
    let size = study.gallery.queries(direction).len();
    let Some(mask) = &study.mask else {
        let numbers: Vec<u32> = (0..size as u32).collect();
        let found = compare_queries(&study.gallery, models, direction, token)?;
        let part = part_size(&study.gallery, &numbers, direction);
        return Ok(found.map(|queries| Similarity::new((direction, queries), &[part], seed)));
    };
    let (mut queries, mut parts) = (vec![QuerySimilarity::default(); size], Vec::new());
    for of_part in mask.parts() {
        let models = models.map(|model| model.within(of_part));
        let gallery = Gallery::from_sizes(of_part.images.len(), of_part.captions.len());
        let numbers = of_part.queries(direction);
        let Some(found) = compare_queries(&gallery, models.each_ref(), direction, token)? else {
            return Ok(None);
        };
        for (&query, alike) in numbers.iter().zip(found) {
            queries[query as usize] = alike;
        }
        parts.push(part_size(&gallery, numbers, direction));
    }
    Ok(Some(Similarity::new((direction, queries), &parts, seed)))
}

/// Number of queries and items of one part of the pool; `numbers` are the indices of its queries.
fn part_size(gallery: &Gallery, numbers: &[u32], direction: Direction) -> PartSize {
    PartSize { queries: numbers.len(), items: gallery.items(direction).len() }
}

/// Similarity of each query of a gallery, in order; `None` if cancelled.
fn compare_queries(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    token: &CancelToken,
) -> Result<Option<Vec<QuerySimilarity>>> {
    compare_rankings(gallery, models, direction, TOP_K, token, |_, both| compare_query(&both))
}

/// Similarity of one query, from the top items of both models.
fn compare_query(both: &QueryRankings) -> QuerySimilarity {
    let shared = SharedItems::from_lists(&both.top_k[0], &both.top_k[1]);
    let end = if both.are_whole { shared.shorter() } else { TOP_K };
    QuerySimilarity {
        tau: tau(&both.union),
        overlap: DEPTHS.map(|k| shared.overlap(k.min(end))),
        rank_biased: shared.rank_biased(),
        top_ranks: both.top_ranks,
    }
}

/// Kendall's tau by both models' scores of the same items; `None` if a model does not rank one (NaN).
fn tau([first, second]: &[Vec<f64>; 2]) -> Option<f64> {
    let are_ranked = !first.iter().chain(second).any(|score| score.is_nan());
    are_ranked.then(|| kendall::tau(first, second)).flatten()
}

impl Similarity {
    /// From the similarity of each query of the gallery; `parts` has the sizes of the pool's parts, `seed` is for
    /// [`Self::shuffled`].
    fn new(
        (direction, queries): (Direction, Vec<QuerySimilarity>),
        parts: &[PartSize],
        seed: u64,
    ) -> Self {
        let pool_size: usize = parts.iter().map(|part| part.queries).sum();
        let with_tau = queries.iter().filter(|alike| alike.tau.is_some()).count();
        let shuffled = (with_tau == pool_size).then(|| kendall::expected_mean(parts, TOP_K, seed));
        Similarity { direction, queries, pool_size, shuffled: shuffled.flatten() }
    }

    /// Mean of the value that `measure` reads from each query, over queries where it is defined.
    pub fn mean(&self, measure: impl Fn(&QuerySimilarity) -> Option<f64>) -> Mean {
        let values: Vec<f64> = self.queries.iter().filter_map(measure).collect();
        Mean {
            value: (!values.is_empty()).then(|| crate::metric::mean::pairwise(&values)),
            queries: values.len(),
        }
    }

    /// Mean of a tau that `tau` reads from each query; undefined if a query of the pool has none, because queries of
    /// short lists have one only if the lists agree.
    pub fn mean_tau(&self, tau: impl Fn(&QuerySimilarity) -> Option<f64>) -> Mean {
        self.mean(tau).if_over_all(self.pool_size)
    }

    /// Mean rank of the top-1 of `model` (0 or 1) in the other: over all queries, undefined if lists end early, and
    /// over queries where it is in the top [`TOP_K`].
    pub fn mean_top_rank(&self, model: usize) -> [Mean; 2] {
        let rank = |alike: &QuerySimilarity| alike.top_ranks[model].map(f64::from);
        let in_top_k = |alike: &QuerySimilarity| rank(alike).filter(|&rank| rank <= TOP_K as f64);
        [self.mean(rank).if_over_all(self.pool_size), self.mean(in_top_k)]
    }
}

#[cfg(test)]
mod tests;
