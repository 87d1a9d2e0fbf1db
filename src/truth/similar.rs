//! Similarities of all items to each query, for truths whose positives are the most similar items.

use std::sync::Arc;

use crate::data::scores::Scores;
use crate::data::sets::Sets;

/// Number of most similar items kept per query; the maximum depth of metrics on them.
pub const DEPTH: usize = 30;

/// phi of the top items of each query, highest first: enough for the top [`DEPTH`] of all items, and of those that are
/// not original positives. All queries share three arrays, because there are tens of thousands of short lists.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tops {
    phi: Vec<f64>,
    /// Whether the item is an original positive.
    own: Vec<bool>,
    /// End of each query's items in the other arrays.
    ends: Vec<u32>,
}

/// The items most similar to one query, by descending phi: phi of each, and whether it is an original positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Top<'a> {
    phi: &'a [f64],
    /// Whether the item is an original positive.
    own: &'a [bool],
}

/// Similarities phi of all items to the queries of one direction.
#[derive(Debug)]
pub struct SimilarItems {
    /// phi of every pair.
    pub phi: Scores,
    /// The original positives of each query.
    pub own: Sets,
    /// The `kept` most similar items of each query, highest phi first: query 0, then query 1, and so on.
    pub items: Vec<u32>,
    /// Number of items per query in `items`: [`DEPTH`], or all if there are fewer.
    pub kept: usize,
    /// phi of the most similar items of each query, highest first.
    pub best: Arc<Tops>,
}

impl Tops {
    /// Appends a query by its items, highest phi first: phi, and whether the item is an original positive. Items that
    /// neither [`Top::all`] nor [`Top::others`] needs are dropped.
    pub fn push(&mut self, items: impl IntoIterator<Item = (f64, bool)>) {
        let (start, mut others) = (self.phi.len(), 0);
        for (phi, is_own) in items {
            if others == DEPTH {
                break;
            }
            let is_beyond = self.phi.len() - start >= DEPTH;
            if !(is_own && is_beyond) {
                self.phi.push(phi);
                self.own.push(is_own);
                others += usize::from(!is_own);
            }
        }
        self.ends.push(self.phi.len() as u32);
    }

    /// Concatenates the queries of all parts.
    pub fn concatenate(parts: &[Tops]) -> Self {
        let total = |len: fn(&Tops) -> usize| parts.iter().map(len).sum();
        let mut whole = Tops {
            phi: Vec::with_capacity(total(|part| part.phi.len())),
            own: Vec::with_capacity(total(|part| part.own.len())),
            ends: Vec::with_capacity(total(Tops::len)),
        };
        for part in parts {
            let base = whole.phi.len() as u32;
            whole.phi.extend_from_slice(&part.phi);
            whole.own.extend_from_slice(&part.own);
            whole.ends.extend(part.ends.iter().map(|end| base + end));
        }
        whole
    }

    /// Number of queries.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no queries.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// phi of one query's top items.
    pub fn get(&self, query: usize) -> Top<'_> {
        let start = query.checked_sub(1).map_or(0, |before| self.ends[before]);
        let range = start as usize..self.ends[query] as usize;
        Top { phi: &self.phi[range.clone()], own: &self.own[range] }
    }
}

impl<'a> Top<'a> {
    /// phi of the top [`DEPTH`] items, including original positives, highest first.
    pub fn all(self) -> &'a [f64] {
        &self.phi[..self.phi.len().min(DEPTH)]
    }

    /// phi of the top [`DEPTH`] items that are not original positives.
    pub fn others(self) -> impl Iterator<Item = f64> + 'a {
        let pairs = self.phi.iter().zip(self.own);
        let others = pairs.filter(|(_, is_own)| !**is_own).map(|(phi, _)| *phi);
        others.take(DEPTH)
    }
}

impl SimilarItems {
    /// The most similar items of a query with their phi, highest first: at most `m`, at most [`DEPTH`], and only those
    /// with a phi above 0.
    pub fn nearest(&self, query: usize, m: usize) -> impl Iterator<Item = (u32, f64)> {
        let items = &self.items[query * self.kept..(query + 1) * self.kept];
        let pairs = items.iter().zip(self.best.get(query).all());
        let pairs = pairs.map(|(item, phi)| (*item, *phi));
        pairs.take(m).filter(|(_, phi)| *phi > 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty items; the first three, the twentieth and the last ones are original positives.
    #[test]
    fn as_many_are_kept_as_both_lists_take() {
        let items = (0..40).map(|at| (f64::from(at), at < 3 || at == 20 || at > 31));
        let [mut one, mut other] = [Tops::default(), Tops::default()];
        one.push(items);
        other.push([(1.0, true), (0.5, false)]);
        let both = Tops::concatenate(&[one, other]);
        assert_eq!((both.len(), both.is_empty()), (2, false));
        assert!(both.get(0).all().iter().copied().eq((0..30).map(f64::from)));
        let others = (3..32).filter(|at| *at != 20).map(f64::from);
        assert!(both.get(0).others().eq(others));
        assert_eq!(both.get(1).all(), [1.0, 0.5]);
        assert!(both.get(1).others().eq([0.5]));
        assert_eq!(both.phi.len(), 34);
    }
}
