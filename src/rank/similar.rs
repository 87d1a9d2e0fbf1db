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
use crate::truth::similar::{DEPTH, SimilarItems, Top, Tops};

/// Two phi that differ by less are equal.
const PHI_TOLERANCE: f64 = 1e-9;

/// Similarities of the items that a model retrieves for each query.
#[derive(Debug, Clone, PartialEq)]
pub struct Similarities {
    /// phi of the retrieved items, by query and rank.
    found: Arc<Tops>,
    /// phi of the most similar items, by query, highest first.
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

/// The items that a sum of phi is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PhiItems {
    /// All items.
    All,
    /// All but the original positives of the query.
    Others,
}

impl PhiItems {
    /// Sum of phi over the first `k` of these items.
    fn sum(self, top: Top<'_>, k: usize) -> f64 {
        match self {
            PhiItems::All => top.all().iter().take(k).sum(),
            PhiItems::Others => top.others().take(k).sum(),
        }
    }

    /// Number of these items.
    fn count(self, top: Top<'_>) -> usize {
        match self {
            PhiItems::All => top.all().len(),
            PhiItems::Others => top.others().count(),
        }
    }
}

impl Similarities {
    /// From phi of the top items of queries by rank (`found`), and of the most similar items of the same queries.
    pub fn new(found: Tops, best: Tops) -> Self {
        let [found, best] = [found, best].map(Arc::new);
        Similarities { found, best }
    }

    /// phi of the retrieved and of the most similar items of a query, by its index in the gallery or part ranked.
    pub fn get(&self, query: usize) -> Similarity<'_> {
        Similarity { found: self.found.get(query), best: self.best.get(query) }
    }

    /// Similarities of a perfect model, which retrieves the most similar items.
    pub(super) fn ideal(&self) -> Self {
        Similarities { found: self.best.clone(), best: self.best.clone() }
    }
}

impl Similarity<'_> {
    /// The sum of phi over the top `k`, divided by the sum over the `k` most similar items; `None` if the latter is 0
    /// or `k` is above [`DEPTH`].
    pub fn share(self, over: PhiItems, k: u32) -> Option<f64> {
        let k = k as usize;
        let best = over.sum(self.best, k);
        (k <= DEPTH && best > 0.0).then(|| over.sum(self.found, k) / best)
    }

    /// phi of the item at rank 1; `None` if nothing is retrieved.
    pub fn top_phi(self) -> Option<f64> {
        self.found.all().first().copied()
    }

    /// The highest phi of all items outside the top `k`; `None` if the [`DEPTH`] most similar ones are all in it.
    pub fn max_missed_phi(self, k: u32) -> Option<f64> {
        let found = self.found.all();
        let mut found = found[..found.len().min(k as usize)].to_vec();
        found.sort_unstable_by(|one, other| other.total_cmp(one));
        let mut found = found.into_iter().peekable();
        let mut best = self.best.all().iter().copied();
        // Among equal items it does not matter which one is missed. Both sums may differ in the last digit.
        best.find(|best| found.next_if(|phi| phi + PHI_TOLERANCE >= *best).is_none())
    }

    /// Whether phi of the items up to rank `k` is known.
    pub fn is_known_up_to(self, k: u32) -> bool {
        let is_known = |of: PhiItems| of.count(self.found) >= of.count(self.best).min(k as usize);
        is_known(PhiItems::All) && is_known(PhiItems::Others)
    }
}

/// The most similar items of all queries, concatenated, equally many for each; and their highest phi by query.
type MostSimilar = (Vec<u32>, Tops);

/// Finds the most similar items of each query of a direction. Returns the items that a phi truth stores, and the
/// `m` most similar items of each query with phi above 0; `None` if cancelled. `own` has the original positives of each
/// query.
///
/// # Errors
/// A phi without a score for some pairs, or with NaN.
pub fn find_similar(
    phi: &Model,
    direction: Direction,
    own: Sets,
    m: usize,
    token: &CancelToken,
) -> Result<Option<(SimilarItems, Vec<Vec<u32>>)>> {
    if let Some(error) = phi.scores.nan_error(direction) {
        return Err(error);
    }
    phi.require_all_scores("as a similarity")?;
    let found = match phi.scores.by_query(direction).form {
        Form::Single(scores) => most_similar(scores, &own, token)?,
        Form::Double(scores) => most_similar(scores, &own, token)?,
        Form::Lists(_) => None,
    };
    let Some((items, best)) = found else {
        return Ok(None);
    };
    let similar = SimilarItems {
        phi: phi.scores.clone(),
        kept: items.len() / own.len().max(1),
        items,
        own,
        best: best.into(),
    };
    let nearest = |query| similar.nearest(query, m).map(|(item, _)| item).collect();
    let nearest = (0..similar.own.len()).map(nearest).collect();
    Ok(Some((similar, nearest)))
}

/// The highest number of original positives of a query.
fn max_positives(own: &Sets) -> usize {
    (0..own.len()).map(|query| own.get(query).len()).max().unwrap_or(0)
}

/// The [`DEPTH`] most similar items of each query, with the [`Tops`] of their phi; `None` if cancelled.
/// `own`: original positives of each query.
fn most_similar<T: Scalar>(
    scores: Queries<'_, T>,
    own: &Sets,
    token: &CancelToken,
) -> Result<Option<MostSimilar>> {
    let (queries, k, step) = (own.len(), DEPTH + max_positives(own), scores.step());
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

/// Computes the similarities of the top items of each query by a model's `scores`; `None` if cancelled.
///
/// # Errors
/// As [`top_k::top_k`].
pub(super) fn find_similarities(
    scores: &Scores,
    direction: Direction,
    similar: &SimilarItems,
    token: &CancelToken,
) -> Result<Option<Similarities>> {
    let k = DEPTH + max_positives(&similar.own);
    let queries = similar.own.len();
    let Some(top_k) = top_k::top_k_in_scores(scores, queries, direction, k, token)? else {
        return Ok(None);
    };
    let phi = similar.phi.by_query(direction);
    let parts = parallel::map_ranges(queries, TASK_QUERIES, |queries| {
        let mut part = Tops::default();
        for query in queries {
            let (items, own) = (&top_k[query], similar.own.get(query));
            let scores = match &similar.phi {
                Scores::Phi(phi) => phi.query_phis(direction, query, items),
                _ => phi.item_scores(query, items),
            };
            part.push(scores.into_iter().zip(items).map(|(phi, item)| (phi, own.contains(*item))));
        }
        part
    });
    let found = Tops::concatenate(&parts).into();
    Ok(Some(Similarities { found, best: similar.best.clone() }))
}

/// Similarities of the queries of [`super::Ranks`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuerySimilarities {
    /// Similarities by gallery index of the query.
    pub similarities: Similarities,
    /// Index in `similarities` of each query of the ranks.
    pub places: Vec<u32>,
}

impl QuerySimilarities {
    /// Similarities of a perfect model, which retrieves the most similar items.
    pub fn ideal(&self) -> Self {
        QuerySimilarities { similarities: self.similarities.ideal(), places: self.places.clone() }
    }
}
