//! Similarity of the items that a model retrieves, by a phi that scores every pair.
//!
//! Inputs of sums of phi over the top K: phi of the top items of each query, and of the most similar ones. No other
//! ranks are needed.

use std::ops::Range;
use std::sync::Arc;

use super::partial::TASK_QUERIES;
use super::pass::{CancelToken, in_tasks};
use super::top_k;
use crate::data::Direction;
use crate::data::parallel;
use crate::data::scores::{Form, Model, Peaks, Queries, Scalar, Scores};
use crate::data::sets::Sets;
use crate::error::Result;
use crate::truth::similar::{DEPTH, Similar, Top, Tops};

/// Two phi that differ by less are equal.
const SAME: f64 = 1e-9;

/// Similarities of the items that a model retrieves for each query.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarities {
    found: Arc<Tops>,
    /// Of the same queries.
    best: Arc<Tops>,
}

/// phi of the items retrieved for a query, in the order of their ranks, and of the most similar ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Similarity<'a> {
    found: Top<'a>,
    best: Top<'a>,
}

// phi is never NaN.
impl Eq for Similarities {}
impl Eq for Similarity<'_> {}

/// The items of a sum of phi.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Over {
    /// All.
    All,
    /// All but the original positives of the query.
    Others,
}

impl Over {
    fn sum(self, top: Top<'_>, k: usize) -> f64 {
        match self {
            Over::All => top.all().iter().take(k).sum(),
            Over::Others => top.others().take(k).sum(),
        }
    }

    fn count(self, top: Top<'_>) -> usize {
        match self {
            Over::All => top.all().len(),
            Over::Others => top.others().count(),
        }
    }
}

impl Similarities {
    /// phi of the top items of queries by rank, and of the most similar ones of the same queries.
    pub fn new(found: Tops, best: Tops) -> Self {
        let [found, best] = [found, best].map(Arc::new);
        Similarities { found, best }
    }

    /// phi of a query.
    pub fn get(&self, query: usize) -> Similarity<'_> {
        Similarity { found: self.found.get(query), best: self.best.get(query) }
    }

    /// The same for a perfect model, which retrieves the most similar items.
    pub(super) fn ideal(&self) -> Self {
        Similarities { found: self.best.clone(), best: self.best.clone() }
    }
}

impl Similarity<'_> {
    /// The sum of phi over the top `k`, divided by the largest such sum; `None` where that is 0, and beyond [`DEPTH`].
    pub fn share(self, over: Over, k: u32) -> Option<f64> {
        let k = k as usize;
        let best = over.sum(self.best, k);
        (k <= DEPTH && best > 0.0).then(|| over.sum(self.found, k) / best)
    }

    /// phi of the item at rank 1.
    pub fn first(self) -> Option<f64> {
        self.found.all().first().copied()
    }

    /// The highest phi of all items outside the top `k`; `None` if the [`DEPTH`] most similar ones are all in it.
    pub fn missed(self, k: u32) -> Option<f64> {
        let found = self.found.all();
        let mut found = found[..found.len().min(k as usize)].to_vec();
        found.sort_unstable_by(|one, other| other.total_cmp(one));
        let mut found = found.into_iter().peekable();
        let mut best = self.best.all().iter().copied();
        // Among equal items it does not matter which one is missed. Both sums may differ in the last digit.
        best.find(|best| found.next_if(|phi| phi + SAME >= *best).is_none())
    }

    /// Whether the items up to rank `k` are known.
    pub fn is_known_to(self, k: u32) -> bool {
        let is_known = |over: Over| over.count(self.found) >= over.count(self.best).min(k as usize);
        is_known(Over::All) && is_known(Over::Others)
    }
}

/// The most similar items, as many for each query, and phi of the first ones.
type MostSimilar = (Vec<u32>, Tops);

/// The similarities of one direction, and the `m` most similar items of each query among those with phi above 0; `None`
/// if cancelled. `own` are the original positives of each query.
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
    phi.require_whole("as a similarity")?;
    let found = match phi.scores.by_query(direction).form {
        Form::Single(scores) => most_similar(scores, &own, token)?,
        Form::Double(scores) => most_similar(scores, &own, token)?,
        Form::Lists(_) => None,
    };
    let Some((items, best)) = found else {
        return Ok(None);
    };
    let similar = Similar {
        phi: phi.scores.clone(),
        kept: items.len() / own.len().max(1),
        items,
        own,
        best: best.into(),
    };
    let alike = |query| similar.nearest(query, m).map(|(item, _)| item).collect();
    let alike = (0..similar.own.len()).map(alike).collect();
    Ok(Some((similar, alike)))
}

fn widest(own: &Sets) -> usize {
    (0..own.len()).map(|query| own.get(query).len()).max().unwrap_or(0)
}

fn most_similar<T: Scalar>(
    scores: Queries<'_, T>,
    own: &Sets,
    token: &CancelToken,
) -> Result<Option<MostSimilar>> {
    let (queries, k, step) = (own.len(), DEPTH + widest(own), scores.step());
    token.announce(queries);
    let task = |range: Range<usize>| {
        let (mut items, mut best) = (Vec::new(), Tops::default());
        scores.visit(range, |query, row| {
            let first = Peaks::new(row).top_k(k, None).into_iter();
            let (own, known) =
                (own.get(query), first.map(|item| (row[item as usize].wide() + 0.0, item)));
            items.extend(known.clone().map(|(_, item)| item).take(DEPTH));
            best.push(known.map(|(phi, item)| (phi, own.contains(item))));
        })?;
        Ok(Some((items, best)))
    };
    let parts = in_tasks(queries, step, token, task)?;
    Ok(parts.map(|parts| {
        let (items, best): (Vec<Vec<u32>>, Vec<Tops>) = parts.into_iter().unzip();
        (items.concat(), Tops::concatenate(&best))
    }))
}

/// Similarities of the items that a model retrieves for each query; `None` if cancelled.
///
/// # Errors
/// As [`top_k::top_k`].
pub(super) fn count(
    scores: &Scores,
    direction: Direction,
    similar: &Similar,
    token: &CancelToken,
) -> Result<Option<Similarities>> {
    let k = DEPTH + widest(&similar.own);
    let items = similar.own.len();
    let Some(top_k) = top_k::of_scores(scores, items, direction, k, token)? else {
        return Ok(None);
    };
    let phi = similar.phi.by_query(direction);
    let parts = parallel::map_ranges(items, TASK_QUERIES, |queries| {
        let mut part = Tops::default();
        for query in queries {
            let (items, own) = (&top_k[query], similar.own.get(query));
            let scores = match &similar.phi {
                Scores::Phi(phi) => phi.of_items(direction, query, items),
                _ => phi.item_scores(query, items),
            };
            part.push(scores.into_iter().zip(items).map(|(phi, item)| (phi, own.contains(*item))));
        }
        part
    });
    let found = Tops::concatenate(&parts).into();
    Ok(Some(Similarities { found, best: similar.best.clone() }))
}

/// Similarities of retrieved items by query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compared {
    pub similarities: Similarities,
    /// The index of each query there.
    pub places: Vec<u32>,
}

impl Compared {
    /// The same for a perfect model, which retrieves the most similar items.
    pub fn ideal(&self) -> Self {
        Compared { similarities: self.similarities.ideal(), places: self.places.clone() }
    }
}
