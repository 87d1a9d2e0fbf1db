//! Similarity of two models' rankings.
//!
//! For each query of the gallery: Kendall's tau-b over the union of both top 25, by ranks in the full rankings; overlap
//! of top items; rank-biased overlap; and the rank of one model's top-1 in the other. Source of the first and the last:
//! Chun et al. 2022 (ECCV Caption), arXiv:2204.03359, appendix A.2.
//!
//! Full rankings have no ties. If a model ranks only some items (ranked lists, re-rankers), values that need the rank
//! of another are undefined for that query. Tau then has no mean: it would be over the queries on which the models
//! agree most.

use super::kendall::{self, Part, Reference};
use super::overlap::Shared;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;
use crate::rank::beside::{Both, beside};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// Number of top items compared.
pub const HEAD: usize = 25;
/// Depths of overlap.
pub const DEPTHS: [usize; 4] = [1, 5, 10, HEAD];

/// Similarity of two models' rankings for one query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct QuerySimilarity {
    /// Kendall's tau-b over the union of both top k.
    pub tau: Option<f64>,
    /// Overlap at each of [`DEPTHS`], or of a smaller gallery; `None` if a list ends earlier.
    pub overlap: [Option<f64>; DEPTHS.len()],
    /// Rank-biased overlap of the top k.
    pub rank_biased: Option<f64>,
    /// Rank of the first model's top-1 in the second, and vice versa.
    pub top_ranks: [Option<u32>; 2],
}

/// Similarity of two models' rankings, by query.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    /// Direction of retrieval.
    pub direction: Direction,
    /// For each query, by gallery index; undefined outside the pool.
    pub queries: Vec<QuerySimilarity>,
    /// Queries of the pool.
    competing: usize,
    /// Mean of [`QuerySimilarity::tau`] for independent rankings; `None` if some query has no tau.
    pub shuffled: Option<Reference>,
}

/// A mean, and its number of queries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean; `None` without queries.
    pub value: Option<f64>,
    /// Queries with a defined value.
    pub queries: usize,
}

impl Mean {
    /// The mean, if defined for all `queries`.
    fn of_all(self, queries: usize) -> Self {
        Mean { value: self.value.filter(|_| self.queries == queries), ..self }
    }
}

/// Compares two models in one direction, over the study's pool; `None` if cancelled.
///
/// # Errors
/// As [`beside`].
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
        let found = compared(&study.gallery, models, direction, token)?;
        let part = part(&study.gallery, &numbers, direction);
        return Ok(found.map(|queries| Similarity::new((direction, queries), &[part], seed)));
    };
    let (mut queries, mut parts) = (vec![QuerySimilarity::default(); size], Vec::new());
    for of_part in mask.parts() {
        let within = models.map(|model| model.within(of_part));
        let gallery = Gallery::indexed(of_part.images.len(), of_part.captions.len());
        let numbers = of_part.queries(direction);
        let Some(found) = compared(&gallery, within.each_ref(), direction, token)? else {
            return Ok(None);
        };
        for (&query, alike) in numbers.iter().zip(found) {
            queries[query as usize] = alike;
        }
        parts.push(part(&gallery, numbers, direction));
    }
    Ok(Some(Similarity::new((direction, queries), &parts, seed)))
}

fn part(gallery: &Gallery, numbers: &[u32], direction: Direction) -> Part {
    Part { queries: numbers.len(), items: gallery.items(direction).len() }
}

fn compared(
    gallery: &Gallery,
    models: [&Model; 2],
    direction: Direction,
    token: &CancelToken,
) -> Result<Option<Vec<QuerySimilarity>>> {
    beside(gallery, models, direction, HEAD, token, |_, both| alike(&both))
}

/// Compares one query, whose further items were drawn.
fn alike(both: &Both) -> QuerySimilarity {
    let shared = Shared::from_lists(&both.top_k[0], &both.top_k[1]);
    let end = if both.are_whole { shared.shorter() } else { HEAD };
    QuerySimilarity {
        tau: tau(&both.union),
        overlap: DEPTHS.map(|k| shared.overlap(k.min(end))),
        rank_biased: shared.rank_biased(),
        top_ranks: both.top_ranks,
    }
}

/// Kendall's tau over some items, ascending; `None` if a model does not rank one.
fn tau([first, second]: &[Vec<f64>; 2]) -> Option<f64> {
    let is_known = !first.iter().chain(second).any(|score| score.is_nan());
    is_known.then(|| kendall::of_scores(first, second)).flatten()
}

impl Similarity {
    /// `parts` are the sizes of the pool's parts, `seed` that of [`Self::shuffled`].
    fn new(
        (direction, queries): (Direction, Vec<QuerySimilarity>),
        parts: &[Part],
        seed: u64,
    ) -> Self {
        let competing: usize = parts.iter().map(|part| part.queries).sum();
        let with_tau = queries.iter().filter(|alike| alike.tau.is_some()).count();
        let shuffled = (with_tau == competing).then(|| kendall::reference(parts, HEAD, seed));
        Similarity { direction, queries, competing, shuffled: shuffled.flatten() }
    }

    /// Mean of one measure over queries with a defined value.
    pub fn mean(&self, measure: impl Fn(&QuerySimilarity) -> Option<f64>) -> Mean {
        let values: Vec<f64> = self.queries.iter().filter_map(measure).collect();
        Mean {
            value: (!values.is_empty()).then(|| crate::metric::mean::pairwise(&values)),
            queries: values.len(),
        }
    }

    /// Mean tau; undefined unless known for all queries, since short lists have it only where they agree.
    pub fn mean_tau(&self, tau: impl Fn(&QuerySimilarity) -> Option<f64>) -> Mean {
        self.mean(tau).of_all(self.competing)
    }

    /// Mean rank of the top-1 of `model` (0 or 1) in the other: over all queries, undefined if lists end early, and
    /// over queries where it is in the top [`HEAD`].
    pub fn top_rank(&self, model: usize) -> [Mean; 2] {
        let rank = |alike: &QuerySimilarity| alike.top_ranks[model].map(f64::from);
        let within = |alike: &QuerySimilarity| rank(alike).filter(|&rank| rank <= HEAD as f64);
        [self.mean(rank).of_all(self.competing), self.mean(within)]
    }
}

#[cfg(test)]
mod tests;
