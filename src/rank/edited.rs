//! Ranks as a person's verdicts change them: a few queries differ, all others are shared.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::gains::Gains;
use super::{QueryRanks, Ranks};
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::grades::WHOLE;
use crate::truth::relevance::Relevance;
use crate::truth::verdict::{Pair, Verdict, Verdicts};

/// What changes for one query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Edit {
    /// Ranks of items that become positives; `None` where the model does not rank the item.
    pub added: Vec<Option<u32>>,
    /// Ranks of items that are positives no longer.
    pub removed: Vec<Option<u32>>,
    /// Items whose gain in graded metrics is another.
    pub gains: Vec<Regain>,
    /// Items of which the truth says, or said, that they are not relevant.
    pub judged: Vec<Rejudged>,
}

/// A gain that changes, in halves of a grade.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regain {
    /// The item's rank; `None` where the model does not rank it.
    pub rank: Option<u32>,
    /// Its gain so far; 0 where it has none.
    pub before: u32,
    /// Its gain by the verdict.
    pub after: u32,
}

/// What becomes of an item that is, or was, no positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rejudged {
    /// The item's rank; `None` where the model does not rank it.
    pub rank: Option<u32>,
    /// What it was: judged not relevant, pooled and not judged, or neither.
    pub before: Option<bool>,
    /// What it is.
    pub after: Option<bool>,
}

impl Edit {
    /// Whether it leaves gains that are not all the same, where they were before.
    fn is_graded(&self) -> bool {
        self.gains.iter().any(|gain| ![0, WHOLE].contains(&gain.after))
    }
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
        let Some(place) = relevance.place(query.get()) else {
            continue;
        };
        let before = relevance.positives(place).contains(item.raw());
        let gain = relevance.gain(place, item.raw());
        let after = relevance.gain_by(verdict, place, item.raw());
        let judged = judged(relevance, (query, item), verdict);
        if before == verdict.is_positive() && after == gain && judged[0] == judged[1] {
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
        edit.gains.extend((after != gain).then_some(Regain { rank, before: gain, after }));
        let [before, after] = judged;
        edit.judged.extend((before != after).then_some(Rejudged { rank, before, after }));
    }
    edits
}

/// The same where no item is ranked: which labels change does not depend on ranks.
pub fn label_edits(
    relevance: &Relevance,
    direction: Direction,
    verdicts: &Verdicts,
) -> BTreeMap<usize, Edit> {
    edits(relevance, direction, verdicts, |_| Some(None))
}

/// What a truth says of an item that is no positive, before and after a verdict; nothing where it never says any.
fn judged(
    relevance: &Relevance,
    (query, item): (QueryIx, ItemIx),
    verdict: Verdict,
) -> [Option<bool>; 2] {
    if !relevance.has_nonrelevant() {
        return [None; 2];
    }
    let pooled = || relevance.is_pooled(query, item).then_some(false);
    let said_no = relevance.is_nonrelevant(query, item).then_some(true);
    [said_no.or_else(pooled), (!verdict.is_positive()).then_some(true)]
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
        Edited { base, ..Edited::default() }
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

    /// Number of queries that the truth covers.
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

    /// The same before any edit.
    pub fn loaded(&self, place: usize) -> QueryRanks<'_> {
        self.base.query(place)
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
        let graded = before.gains.is_some() || edit.is_graded();
        self.gain(graded.then(|| {
            let uniform = || Gains::uniform(before);
            let mut gains = before.gains.cloned().unwrap_or_else(uniform);
            for gain in &edit.gains {
                gains.change(gain.rank, gain.before, gain.after);
            }
            gains
        }));
        self.judge(before.judged.cloned().map(|mut judged| {
            for one in &edit.judged {
                judged.change(one.rank, one.before, one.after);
            }
            judged
        }));
        self.compare(base.similarity(place));
        let query = base.queries()[place];
        self.push_known(query, &mut ranks, listed, before.depth, unranked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::IdList;
    use crate::rank::judged::Judged;
    use crate::truth::grades::Grades;
    use crate::truth::pairs::Pairs;
    use crate::truth::relevance::Builder;

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

    fn regain(rank: Option<u32>, before: u32, after: u32) -> Regain {
        Regain { rank, before, after }
    }

    /// Grades 3, 1 and 0 at ranks 2, 1 and 4, positives from 2: a no takes away what was no positive, a yes
    /// gives the greatest grade, a partial half of it.
    #[test]
    fn verdicts_on_grades() {
        let mut grades = Grades::new(3, 2);
        grades.push(&[(5, 3), (6, 1)], &[2]);
        let mut builder = Builder::new(1);
        builder.push(0, &[5], 2);
        let relevance = builder.finish_with(Some(grades));
        let mut base = Ranks::default();
        base.gain(Some(Gains::of([(Some(2), 6), (Some(1), 2)], vec![4])));
        base.push_known(0, &mut vec![2], 2, None, 0);
        let base = Edited::from(Arc::new(base));
        let changed = |item: usize, rank: u32, verdict| {
            let mut verdicts = Verdicts::default();
            let pair = Pair::of(Direction::T2i, QueryIx::new(0), item.into());
            verdicts.set(pair, Some(verdict));
            let edits = edits(&relevance, Direction::T2i, &verdicts, |_| Some(Some(rank)));
            let edited = base.with(edits.iter().map(|(&place, edit)| (place, edit)));
            let query = edited.query(0);
            (query.listed, query.gains.unwrap().top(9).collect::<Vec<_>>())
        };
        assert_eq!(changed(6, 1, Verdict::No), (2, vec![(2, 6)]));
        assert_eq!(changed(6, 1, Verdict::Yes), (3, vec![(1, 6), (2, 6)]));
        assert_eq!(changed(5, 2, Verdict::Yes), (2, vec![(1, 2), (2, 6)]));
        assert_eq!(changed(7, 4, Verdict::Partial), (3, vec![(1, 2), (2, 6), (4, 3)]));
    }

    /// Positives 5, judged not relevant 6, pooled 7 at ranks 2, 1 and 4; of 8 at rank 3 nothing is said.
    #[test]
    fn verdicts_on_what_was_judged() {
        let lists = |text: &str| serde_json::from_str::<Pairs>(text).unwrap();
        let pairs =
            lists(r#"{"0":[5]}"#).beside(lists(r#"{"0":[6]}"#)).with_pooled(lists(r#"{"0":[7]}"#));
        let ids = IdList::counted(9);
        let (relevance, _) = Relevance::resolve(&pairs, &ids, &ids);
        let mut base = Ranks::default();
        base.judge(Some(Judged::of([(1, true), (4, false)], 0)));
        base.push_known(0, &mut vec![2], 1, None, 0);
        let base = Edited::from(Arc::new(base));
        let changed = |item: usize, rank: u32, verdict| {
            let mut verdicts = Verdicts::default();
            let pair = Pair::of(Direction::T2i, QueryIx::new(0), item.into());
            verdicts.set(pair, Some(verdict));
            let edits = edits(&relevance, Direction::T2i, &verdicts, |_| Some(Some(rank)));
            let edited = base.with(edits.iter().map(|(&place, edit)| (place, edit)));
            let judged = edited.query(0).judged.unwrap();
            let all = judged.pooled().collect::<Vec<_>>();
            (judged.nonrelevant().collect::<Vec<_>>(), all)
        };
        assert_eq!(changed(8, 3, Verdict::No), (vec![1, 3], vec![1, 3, 4]));
        assert_eq!(changed(7, 4, Verdict::No), (vec![1, 4], vec![1, 4]));
        assert_eq!(changed(7, 4, Verdict::Yes), (vec![1], vec![1]));
        assert_eq!(changed(6, 1, Verdict::Partial), (vec![], vec![4]));
        assert_eq!(changed(5, 2, Verdict::No), (vec![1, 2], vec![1, 2, 4]));
    }

    #[test]
    fn one_query_changes_and_the_others_stay() {
        let base = Edited::from(Arc::new(ranks(&[&[1, 4], &[2], &[3]], None)));
        let edit = Edit {
            added: vec![Some(2)],
            removed: vec![Some(4)],
            gains: vec![regain(Some(2), 0, 1), regain(Some(4), 2, 0)],
            ..Edit::default()
        };
        let none = Edit { removed: vec![Some(2)], ..Edit::default() };
        let edited = base.with([(0, &edit), (1, &none)]);
        let first: Vec<u32> = edited.query(0).ranks.iter().collect();
        assert_eq!((first, edited.query(0).listed), (vec![1, 2], 2));
        assert_eq!((edited.query(1).first(), edited.query(1).listed), (None, 0));
        assert_eq!(edited.query(2), base.query(2));
        let gains = edited.query(0).gains.unwrap();
        assert_eq!(gains.top(9).collect::<Vec<_>>(), [(1, 2), (2, 1)]);
        assert_eq!(edited.query(1).gains, None);
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
            gains: vec![regain(None, 0, 1), regain(Some(1), 2, 0)],
            ..Edit::default()
        };
        let edited = base.with([(0, &edit)]);
        let query = edited.query(0);
        assert_eq!((query.unranked, query.listed, query.depth), (2, 2, Some(5)));
        assert_eq!(query.first(), None);
        assert_eq!(query.gains.unwrap().best(), [2, 1]);
    }
}
