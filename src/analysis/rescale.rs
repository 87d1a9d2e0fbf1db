//! What if scores were made comparable over items: CSLS and inverted softmax.
//!
//! Both lower an item's scores by how near it is to everything, which is what makes a hub.
//!
//! - CSLS: 2 s(q, x) - r(q) - r(x), where r is the mean of the k best scores of a query over all items,
//!   and of an item over all queries. Source: Conneau et al. 2018, *Word translation without parallel
//!   data*, arXiv:1710.04087, equation 3; k = 10 there.
//! - Inverted softmax: exp(s(q, x) / t) over its sum over all queries, not over all items. Source:
//!   Smith et al. 2017, *Offline bilingual word vectors*, arXiv:1702.03859, equation 7; t is one over
//!   their beta.
//!
//! What is equal for all items of a query changes no rank. So the ranks of the one are those of
//! s(q, x) - r(x) / 2, the ranks of the other those of s(q, x) - t log sum over q' of exp(s(q', x) / t),
//! and each item has but one number to be found: [`crate::rank::shifted`]. The queries that an item is
//! compared over are those of the gallery or, in a pool, of its part. That takes all queries at once: a
//! number for research, not for a search engine that sees one query at a time.

use std::fmt;

use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::error::{Error, Result};
use crate::evaluate::parts::Parts;
use crate::metric::{Spec, Summary, hit, map_at_r};
use crate::rank::Ranks;
use crate::rank::counter::Counter;
use crate::rank::pass::CancelToken;
use crate::rank::shifted::{self, Field};
use crate::study::{Pool, Study, View};
use crate::truth::verdict::Verdicts;

/// A way of making scores comparable over items.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rescaling {
    /// Cross-domain similarity local scaling with so many neighbours.
    Csls(usize),
    /// Inverted softmax at this temperature, above 0.
    InvertedSoftmax(f64),
}

impl fmt::Display for Rescaling {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Rescaling::Csls(k) => write!(f, "CSLS (k = {k})"),
            Rescaling::InvertedSoftmax(t) => write!(f, "inverted softmax (t = {t})"),
        }
    }
}

impl Rescaling {
    /// What is taken from the scores of an item, whose scores for all queries are given.
    fn offset(self, scores: &[f64]) -> f64 {
        match self {
            Rescaling::Csls(k) => mean_of_best(scores, k) / 2.0,
            Rescaling::InvertedSoftmax(t) => {
                let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                // The largest term is 1: nothing overflows.
                let terms = scores.iter().map(|score| ((score - most) / t).exp());
                most + t * terms.sum::<f64>().ln()
            }
        }
    }
}

/// The mean of the `k` best scores, of all where there are fewer.
fn mean_of_best(scores: &[f64], k: usize) -> f64 {
    // Ascending: the first is the one to beat.
    let mut best: Vec<f64> = Vec::with_capacity(k + 1);
    for &score in scores {
        let is_full = best.len() == k;
        if is_full && best.first().is_none_or(|least| score <= *least) {
            continue;
        }
        let at = best.partition_point(|&other| other < score);
        best.insert(at, score);
        if is_full {
            best.remove(0);
        }
    }
    best.iter().sum::<f64>() / best.len() as f64
}

/// R@1 and mAP@R of one model under one truth in one direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quality {
    /// R@1.
    pub r1: Summary,
    /// mAP@R.
    pub map_at_r: Summary,
}

/// One direction of a model as it is, and rescaled in some ways.
#[derive(Debug, Clone, PartialEq)]
pub struct WhatIf {
    /// Direction of retrieval.
    pub direction: Direction,
    /// With the scores of the model.
    pub before: Quality,
    /// With rescaled ones.
    pub after: Vec<(Rescaling, Quality)>,
}

/// Rescales a model in both directions, as far as a truth has them, with verdicts; nothing when it was cancelled.
///
/// # Errors
/// A pool of what is similar to each query; as counting ranks and [`shifted::ranks`].
pub fn what_if(
    study: &Study,
    (model, truth): (ModelIx, TruthIx),
    verdicts: &Verdicts,
    ways: &[Rescaling],
    token: &CancelToken,
) -> Result<Vec<WhatIf>> {
    if let (Pool::Similar(_), Some(pool)) = (study.pool, study.pool_words()) {
        return Err(Error::new(pool, "the scores of a few items of each query")
            .expected("a score in every cell, to make them comparable over items")
            .mend("another pool, such as all"));
    }
    let scores = &study.models[model];
    let judged = study.truths[truth].with(verdicts);
    let truths = std::slice::from_ref(&judged);
    let counter = Counter::new(truths, &study.gallery, study.mask.as_ref());
    let Some(before) = counter.ranks(scores, token)? else {
        return Ok(Vec::new());
    };
    let field = Field { sizes: study.gallery.sizes(), mask: study.mask.as_deref() };
    let mut found = Vec::new();
    for direction in Direction::BOTH {
        let Some(ranks) = &before[0][direction] else {
            continue;
        };
        let view = View { model, truth, direction };
        let mut after = Vec::new();
        for &way in ways {
            let offset = |scores: &[f64]| way.offset(scores);
            let ranks = shifted::ranks(scores, &judged, direction, field, &offset, token)?;
            let Some(ranks) = ranks else {
                return Ok(Vec::new());
            };
            after.push((way, quality(study, view, &ranks)));
        }
        found.push(WhatIf { direction, before: quality(study, view, ranks), after });
    }
    Ok(found)
}

/// Over all queries; where the pool has parts, the mean of these.
fn quality(study: &Study, view: View, ranks: &Ranks) -> Quality {
    let parts = Parts::of(study, view.truth, view.direction);
    let of = |spec: Spec| spec.summary_in(parts.as_ref(), ranks.iter().enumerate());
    Quality { r1: of(Spec::new(&hit::R1)), map_at_r: of(Spec::new(&map_at_r::MapAtR)) }
}

#[cfg(test)]
mod tests;
