//! Ranks as a person's verdicts change them: a few queries differ, all others are shared.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::halves::Halves;
use super::{QueryRanks, Ranks};
use crate::data::Direction;
use crate::truth::relevance::Relevance;
use crate::truth::verdict::{Pair, Verdict, Verdicts};

/// What changes for one query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    /// Ranks of items that become positives; `None` where the model does not rank the item.
    pub added: Vec<Option<u32>>,
    /// Ranks of items that are positives no longer.
    pub removed: Vec<Option<u32>>,
    /// Ranks of positives, added or not, that are right in part: they have half the gain in graded
    /// metrics.
    pub halved: Vec<Option<u32>>,
}

/// What verdicts change of a truth in one direction, by the place of the query. `rank` tells where
/// the model ranks an item, `Some(None)` where it does not rank it; a verdict on an item whose rank
/// is not known (yet) changes nothing.
pub fn edits(
    relevance: &Relevance,
    direction: Direction,
    verdicts: &Verdicts,
    rank: impl Fn(Pair) -> Option<Option<u32>>,
) -> BTreeMap<usize, Edit> {
    let mut edits: BTreeMap<usize, Edit> = BTreeMap::new();
    for (pair, verdict) in verdicts.iter() {
        let (query, item) = pair.asked(direction);
        let Some(place) = relevance.place(query as usize) else {
            continue;
        };
        let before = relevance.positives(place).contains(item);
        let halved = verdict == Verdict::Partial;
        if before == verdict.is_positive() && !halved {
            continue;
        }
        let Some(rank) = rank(pair) else {
            continue;
        };
        let edit = edits.entry(place).or_default();
        match (before, verdict.is_positive()) {
            (true, false) => edit.removed.push(rank),
            (false, true) => edit.added.push(rank),
            _ => {}
        }
        if halved {
            edit.halved.push(rank);
        }
    }
    edits
}

/// Ranks of which some queries are edited.
#[derive(Debug, Clone, Default)]
pub struct Edited {
    base: Arc<Ranks>,
    changed: Ranks,
    /// Place in `changed` by place in `base`.
    places: FxHashMap<usize, usize>,
}

impl From<Arc<Ranks>> for Edited {
    fn from(base: Arc<Ranks>) -> Self {
        Edited {
            base,
            ..Edited::default()
        }
    }
}

impl Edited {
    /// The ranks before any edit, with these instead: each is about the query at a place.
    #[must_use]
    pub fn with<'a>(&self, edits: impl IntoIterator<Item = (usize, &'a Edit)>) -> Self {
        let mut edited = Edited::from(self.base.clone());
        edited.changed = Ranks::under(self.base.conventions());
        for (place, edit) in edits {
            edited.places.insert(place, edited.changed.len());
            edited.changed.push_edited(&self.base, place, edit);
        }
        edited
    }

    /// Gallery indices of the covered queries, in the truth's order.
    pub fn queries(&self) -> &[u32] {
        self.base.queries()
    }

    /// Number of covered queries.
    pub fn len(&self) -> usize {
        self.base.len()
    }

    /// Whether no query is covered.
    pub fn is_empty(&self) -> bool {
        self.base.is_empty()
    }

    /// The ranks of the query at `place`.
    pub fn query(&self, place: usize) -> QueryRanks<'_> {
        match self.places.get(&place) {
            Some(&changed) => self.changed.query(changed),
            None => self.base.query(place),
        }
    }

    /// Every covered query's ranks, in the truth's order.
    pub fn iter(&self) -> impl Iterator<Item = QueryRanks<'_>> {
        (0..self.len()).map(|place| self.query(place))
    }

    /// The places of the queries that are edited.
    pub fn changed(&self) -> impl Iterator<Item = usize> {
        self.places.keys().copied()
    }

    /// The same as ranks without edits.
    pub fn to_ranks(&self) -> Arc<Ranks> {
        if self.places.is_empty() {
            return self.base.clone();
        }
        let mut ranks = Ranks::under(self.base.conventions());
        for place in 0..self.len() {
            match self.places.get(&place) {
                Some(&changed) => ranks.push_from(&self.changed, changed),
                None => ranks.push_from(&self.base, place),
            }
        }
        Arc::new(ranks)
    }
}

impl Ranks {
    /// Appends a query of `base` as an edit changes it.
    fn push_edited(&mut self, base: &Ranks, place: usize, edit: &Edit) {
        let before = base.query(place);
        let mut ranks: Vec<u32> = before.ranks.iter().collect();
        let mut unranked = before.unranked;
        let mut listed = before.listed;
        for removed in &edit.removed {
            listed = listed.saturating_sub(1);
            match removed {
                Some(rank) => ranks.retain(|known| known != rank),
                None => unranked = unranked.saturating_sub(1),
            }
        }
        for added in &edit.added {
            listed += 1;
            match added {
                Some(rank) => ranks.push(*rank),
                None => unranked += 1,
            }
        }
        self.halve((!edit.halved.is_empty()).then(|| Halves::new(&edit.halved)));
        let query = base.queries()[place];
        self.push_known(query, &mut ranks, listed, before.depth, unranked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranks(lists: &[&[u32]], depth: Option<u32>) -> Ranks {
        let mut ranks = Ranks::default();
        for (query, list) in (0..).zip(lists) {
            let unranked = u32::from(depth.is_some());
            ranks.push_known(
                query,
                &mut list.to_vec(),
                list.len() as u32 + unranked,
                depth,
                unranked,
            );
        }
        ranks
    }

    #[test]
    fn one_query_changes_and_the_others_stay() {
        let base = Edited::from(Arc::new(ranks(&[&[1, 4], &[2], &[3]], None)));
        let edit = Edit {
            added: vec![Some(2)],
            removed: vec![Some(4)],
            halved: vec![Some(2)],
        };
        let none = Edit {
            removed: vec![Some(2)],
            ..Edit::default()
        };
        let edited = base.with([(0, &edit), (1, &none)]);
        let first: Vec<u32> = edited.query(0).ranks.iter().collect();
        assert_eq!((first, edited.query(0).listed), (vec![1, 2], 2));
        assert_eq!((edited.query(1).first(), edited.query(1).listed), (None, 0));
        assert_eq!(edited.query(2), base.query(2));
        let halves = edited.query(0).halves.unwrap();
        assert!(halves.contains(2) && !halves.contains(1));
        assert_eq!(edited.query(1).halves, None);
        assert_eq!(edited.to_ranks().query(0), edited.query(0));
        assert_eq!(edited.to_ranks().queries(), [0, 1, 2]);
        let again = edited.with([]);
        assert_eq!(again.query(0), base.query(0));
        assert_eq!(again.changed().count(), 0);
    }

    #[test]
    fn items_that_are_not_ranked_count_in_r() {
        let base = Edited::from(Arc::new(ranks(&[&[1]], Some(5))));
        let edit = Edit {
            added: vec![None],
            removed: vec![Some(1)],
            halved: vec![None],
        };
        let edited = base.with([(0, &edit)]);
        let query = edited.query(0);
        assert_eq!((query.unranked, query.listed, query.depth), (2, 2, Some(5)));
        assert_eq!(query.first(), None);
        assert_eq!(query.halves.unwrap().listed(), 1);
    }
}
