//! How similar the items are that a model retrieves, by a phi that scores every pair.
//!
//! What sums of phi over the top K take: phi of the first items of each query, and of the most similar ones. Neither
//! asks where any other item stands.

use std::sync::Arc;

use rayon::prelude::*;

use super::pass::CancelToken;
use super::top_k::{self, TopK};
use crate::data::Direction;
use crate::data::scores::{ByQuery, Form, Model, Scalar, Scores};
use crate::data::sets::Sets;
use crate::error::{Error, Result};
use crate::truth::similar::{DEPTH, OfItems, Similar};

/// phi of the items retrieved for a query, in the order of their ranks, and of the most similar ones.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TopPhi {
    found: Box<[f64]>,
    best: Box<[f64]>,
}

/// The same over all items, and over those that are no original positives.
pub type Similarity = OfItems<TopPhi>;

// phi is never NaN.
impl Eq for Similarity {}

impl TopPhi {
    /// Of items in the order of their ranks, and of the most similar ones, the greatest first.
    pub fn new(found: impl IntoIterator<Item = f64>, best: &[f64]) -> Self {
        TopPhi {
            found: found.into_iter().take(best.len()).collect(),
            best: best.into(),
        }
    }

    /// The sum of phi over the top `k`, over the largest such sum; `None` where that is 0, and beyond [`DEPTH`].
    pub fn share(&self, k: u32) -> Option<f64> {
        let k = k as usize;
        let sum = |of: &[f64]| of.iter().take(k).sum::<f64>();
        let best = sum(&self.best);
        (k <= DEPTH && best > 0.0).then(|| sum(&self.found) / best)
    }

    /// Whether the items up to rank `k` are known.
    pub fn is_known_to(&self, k: u32) -> bool {
        self.found.len() >= self.best.len().min(k as usize)
    }
}

impl Similarity {
    /// The same of a perfect model.
    pub(super) fn ideal(&self) -> Self {
        let ideal = |top: &TopPhi| TopPhi {
            found: top.best.clone(),
            best: top.best.clone(),
        };
        OfItems {
            all: ideal(&self.all),
            others: ideal(&self.others),
        }
    }
}

/// The most similar items of some queries by a phi, with their phi, the greatest first.
type Most = Vec<Vec<(f64, u32)>>;

/// The similarities of one direction, and the `m` most similar items of each query, of those that have anything in
/// common with it; `None` when it was cancelled. `own` are the original positives of each query.
///
/// # Errors
/// A phi without a score for some pairs, or with NaN.
pub fn similar(
    phi: &Model,
    direction: Direction,
    own: Sets,
    m: usize,
    token: &CancelToken,
) -> Result<Option<(Similar, Vec<Vec<u32>>)>> {
    if let Some(error) = phi.scores.nan_error(direction) {
        return Err(error);
    }
    let read = phi.scores.by_query(direction);
    let k = DEPTH + widest(&own);
    let found = match (&read.form, read.fill()) {
        (Form::Single(scores), None) => most(&**scores, own.len(), k, token)?,
        (Form::Double(scores), None) => most(&**scores, own.len(), k, token)?,
        _ => {
            return Err(Error::new(&phi.source, "no score for some pairs")
                .expected("a similarity of every caption with every image")
                .mend("write the similarities as one matrix"));
        }
    };
    let Some(found) = found else { return Ok(None) };
    let of = |(query, items): (usize, &Vec<(f64, u32)>)| {
        let own = own.get(query);
        let values = |only_others: bool| {
            let kept = items
                .iter()
                .filter(|(_, item)| !(only_others && own.contains(*item)));
            kept.map(|(phi, _)| *phi).take(DEPTH).collect()
        };
        OfItems {
            all: values(false),
            others: values(true),
        }
    };
    let best = found.iter().enumerate().map(of).collect();
    let alike = |items: &Vec<(f64, u32)>| {
        let alike = items.iter().take(m).filter(|(phi, _)| *phi > 0.0);
        alike.map(|(_, item)| *item).collect()
    };
    let alike = found.iter().map(alike).collect();
    let phi = phi.scores.clone();
    Ok(Some((Similar { phi, own, best }, alike)))
}

fn widest(own: &Sets) -> usize {
    (0..own.len())
        .map(|query| own.get(query).len())
        .max()
        .unwrap_or(0)
}

fn most<T: Scalar + super::kernel::Score>(
    scores: &dyn ByQuery<T>,
    queries: usize,
    k: usize,
    token: &CancelToken,
) -> Result<Option<Most>> {
    token.announce(queries);
    let step = scores.step();
    let task = |at: usize| {
        if token.is_cancelled() {
            return Ok(None);
        }
        let range = at * step..queries.min((at + 1) * step);
        token.advance(range.len());
        let (mut part, mut kept) = (Vec::with_capacity(range.len()), Vec::new());
        scores.visit(range, &mut |_, row| {
            top_k::best(row, k, &mut kept, |_, _| true);
            let known = kept.iter().map(|&key| T::of_key(key));
            part.push(known.map(|(phi, item)| (phi.wide(), item)).collect());
        })?;
        Ok(Some(part))
    };
    let tasks = (0..queries.div_ceil(step)).into_par_iter();
    let parts: Option<Vec<Most>> = tasks.map(task).collect::<Result<_>>()?;
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

/// How similar the items are that a model retrieves for each query; `None` when it was cancelled.
///
/// # Errors
/// As [`top_k::top_k`].
pub(super) fn count(
    scores: &Scores,
    direction: Direction,
    similar: &Similar,
    token: &CancelToken,
) -> Result<Option<Vec<Arc<Similarity>>>> {
    let k = DEPTH + widest(&similar.own);
    let items = similar.own.len();
    let Some(top_k) = top_k::of_scores(scores, items, None, direction, k, token)? else {
        return Ok(None);
    };
    let found = phi_of(&similar.phi, direction, &top_k)?;
    let of = |(query, found): (usize, Vec<f64>)| {
        let (own, best) = (similar.own.get(query), &similar.best[query]);
        let items = top_k.of(query).iter().zip(&found);
        let others = items.filter(|(item, _)| !own.contains(**item));
        Arc::new(OfItems {
            all: TopPhi::new(found.iter().copied(), &best.all),
            others: TopPhi::new(others.map(|(_, phi)| *phi), &best.others),
        })
    };
    Ok(Some(found.into_iter().enumerate().map(of).collect()))
}

/// phi of the first items of each query.
fn phi_of(phi: &Scores, direction: Direction, top_k: &TopK) -> Result<Vec<Vec<f64>>> {
    let queries = 0..top_k.len();
    if let Scores::Phi(phi) = phi {
        let of = |query| phi.of_items(direction, query, top_k.of(query));
        return Ok(queries.into_par_iter().map(of).collect());
    }
    match phi.by_query(direction).form {
        Form::Single(scores) => picked(&*scores, top_k),
        Form::Double(scores) => picked(&*scores, top_k),
        Form::Lists(_) => Ok(vec![Vec::new(); top_k.len()]),
    }
}

fn picked<T: Scalar>(scores: &dyn ByQuery<T>, top_k: &TopK) -> Result<Vec<Vec<f64>>> {
    let step = scores.step();
    let task = |at: usize| {
        let mut part = Vec::new();
        scores.visit(
            at * step..top_k.len().min((at + 1) * step),
            &mut |query, row| {
                let items = top_k.of(query).iter();
                part.push(items.map(|&item| row[item as usize].wide()).collect());
            },
        )?;
        Ok(part)
    };
    let tasks = (0..top_k.len().div_ceil(step)).into_par_iter();
    let parts: Vec<Vec<Vec<f64>>> = tasks.map(task).collect::<Result<_>>()?;
    Ok(parts.into_iter().flatten().collect())
}
