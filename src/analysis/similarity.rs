//! How alike two models rank, whatever is right.
//!
//! For each query of the gallery: Kendall's tau-b over the union of both models' first 25 items, by
//! their ranks in the full rankings; the overlap of the first items; rank-biased overlap; and the rank that each model
//! gives to the other's first item. Source of the first and the last: Chun et al. 2022 (ECCV Caption),
//! arXiv:2204.03359, appendix A.2.
//!
//! Ranks in full rankings are never tied. Where a model ranks only some items
//! (ranked lists, re-rankers), what would need the rank of another one is undefined for that query. Tau then has no mean:
//! the queries for which it is known are those on which the models agree most.

use super::kendall::{self, Part, Reference};
use super::overlap::Shared;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;
use crate::rank::beside::{Both, beside};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// How many items are a ranking's head.
pub const HEAD: usize = 25;
/// The depths at which overlap is told.
pub const DEPTHS: [usize; 4] = [1, 5, 10, HEAD];

/// How alike two models rank the items of one query.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Alike {
    /// Kendall's tau-b over the union of both top k.
    pub tau: Option<f64>,
    /// Overlap at each of [`DEPTHS`], and of the whole gallery where it is smaller; `None` where a list ends before.
    pub overlap: [Option<f64>; DEPTHS.len()],
    /// Rank-biased overlap of the top k.
    pub rank_biased: Option<f64>,
    /// The rank that the second model gives to the first one's first item, and the other way round.
    pub top_ranks: [Option<u32>; 2],
}

/// How alike two models rank, query by query of one direction.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarity {
    /// Direction of retrieval.
    pub direction: Direction,
    /// Each query's, by gallery index; nothing is defined for those outside the pool.
    pub queries: Vec<Alike>,
    /// Queries of the pool.
    competing: usize,
    /// The mean of [`Alike::tau`] for independent rankings; `None` where some query has no tau.
    pub shuffled: Option<Reference>,
}

/// A mean, and the number of queries that it is over.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean; `None` over no queries.
    pub value: Option<f64>,
    /// Queries for which the value is defined.
    pub queries: usize,
}

impl Mean {
    /// The mean, if it is over all of so many queries.
    fn of_all(self, queries: usize) -> Self {
        Mean { value: self.value.filter(|_| self.queries == queries), ..self }
    }
}

/// Compares two models in one direction, over the pool of the study; `None` when it was cancelled.
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
    let (mut queries, mut parts) = (vec![Alike::default(); size], Vec::new());
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
) -> Result<Option<Vec<Alike>>> {
    beside(gallery, models, direction, HEAD, token, |_, both| alike(&both))
}

/// Compares one query; the further items were drawn for it.
fn alike(both: &Both) -> Alike {
    let shared = Shared::of(&both.top_k[0], &both.top_k[1]);
    let end = if both.are_whole { shared.shorter() } else { HEAD };
    Alike {
        tau: tau(&both.union),
        overlap: DEPTHS.map(|k| shared.overlap(k.min(end))),
        rank_biased: shared.rank_biased(),
        top_ranks: both.top_ranks,
    }
}

/// Kendall's tau over some items, ascending; `None` where a model does not rank one of them.
fn tau([first, second]: &[Vec<f64>; 2]) -> Option<f64> {
    let is_known = !first.iter().chain(second).any(|score| score.is_nan());
    is_known.then(|| kendall::of_scores(first, second)).flatten()
}

impl Similarity {
    fn new((direction, queries): (Direction, Vec<Alike>), parts: &[Part], seed: u64) -> Self {
        let competing: usize = parts.iter().map(|part| part.queries).sum();
        let known = queries.iter().filter(|alike| alike.tau.is_some()).count();
        let shuffled = (known == competing).then(|| kendall::reference(parts, HEAD, seed));
        Similarity { direction, queries, competing, shuffled: shuffled.flatten() }
    }

    /// The mean of one measure over the queries for which it is defined.
    pub fn mean(&self, measure: impl Fn(&Alike) -> Option<f64>) -> Mean {
        let values: Vec<f64> = self.queries.iter().filter_map(measure).collect();
        Mean {
            value: (!values.is_empty()).then(|| crate::metric::mean::pairwise(&values)),
            queries: values.len(),
        }
    }

    /// The mean of a tau; no value unless it is known of all queries, as it is known of those alone on which short lists
    /// agree.
    pub fn mean_tau(&self, tau: impl Fn(&Alike) -> Option<f64>) -> Mean {
        self.mean(tau).of_all(self.competing)
    }

    /// The mean rank that the other model gives to the first item of `model`, 0 or 1: over all queries, as a list ends before
    /// the items that rank low, and over those where it is among the first [`HEAD`].
    pub fn top_rank(&self, model: usize) -> [Mean; 2] {
        let rank = |alike: &Alike| alike.top_ranks[model].map(f64::from);
        let within = |alike: &Alike| rank(alike).filter(|&rank| rank <= HEAD as f64);
        [self.mean(rank).of_all(self.competing), self.mean(within)]
    }
}

#[cfg(test)]
mod tests;
