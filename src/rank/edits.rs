//! Ranks changed by a person's judgments: a few queries differ, all others are shared.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::gains::Gains;
use super::{QueryRanks, Ranks};
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::judgment::{Judgment, Judgments, Pair};
use crate::truth::relevance::{Relevance, WHOLE};

/// Changes of a truth by judgments in one direction, by index of the query in the truth.
pub type Edits = BTreeMap<usize, Vec<ItemChange>>;

/// Change of one item of a query by a judgment: values before and after.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ItemChange {
    /// The item's rank; `None` if unranked.
    pub rank: Option<u32>,
    /// Whether the item is a positive.
    pub is_positive: [bool; 2],
    /// Its gain in graded metrics, in halves of a grade; 0 if none.
    pub gain: [u32; 2],
    /// `Some(true)` if judged not relevant, `Some(false)` if pooled and not judged, else `None`.
    pub judged: [Option<bool>; 2],
}

/// Changes of a truth by judgments in one direction. `rank` gives the model's rank of an item: `Some(None)` if the item
/// is unranked, `None` if its rank is not known yet. A judgment on an item without a known rank is ignored.
pub fn edits(
    relevance: &Relevance,
    direction: Direction,
    judgments: &Judgments,
    rank: impl Fn(Pair) -> Option<Option<u32>>,
) -> Edits {
    let mut edits = Edits::new();
    for (pair, judgment) in judgments.iter() {
        let (query, item) = pair.query_and_item(direction);
        let Some(place) = relevance.place(query.get()) else {
            continue;
        };
        let was_positive = relevance.positives(place).contains(item.raw());
        let is_positive = [was_positive, judgment.is_positive()];
        let gain =
            [relevance.gain(place, item.raw()), relevance.gain_after(judgment, place, item.raw())];
        let judged = nonpositive_states(relevance, (query, item), judgment);
        let is_same =
            is_positive[0] == is_positive[1] && gain[0] == gain[1] && judged[0] == judged[1];
        if let Some(rank) = rank(pair).filter(|_| !is_same) {
            let change = ItemChange { rank, is_positive, gain, judged };
            edits.entry(place).or_default().push(change);
        }
    }
    edits
}

/// [`edits`] as if no item were ranked: enough for positives, gains and judgments, which do not depend on ranks.
pub fn label_edits(relevance: &Relevance, direction: Direction, judgments: &Judgments) -> Edits {
    edits(relevance, direction, judgments, |_| Some(None))
}

/// [`ItemChange::judged`]: whether a non-positive item is judged not relevant, before and after a judgment. `None` if
/// the truth has no items judged not relevant.
fn nonpositive_states(
    relevance: &Relevance,
    (query, item): (QueryIx, ItemIx),
    judgment: Judgment,
) -> [Option<bool>; 2] {
    if !relevance.has_nonrelevant() {
        return [None; 2];
    }
    [relevance.nonpositive_judgment(query, item), (!judgment.is_positive()).then_some(true)]
}

/// Ranks under a truth, with edits by judgments in some queries.
#[derive(Debug, Clone, Default)]
pub struct EditedRanks {
    /// Ranks before any edit.
    base: Arc<Ranks>,
    /// Ranks of the edited queries.
    changed: Ranks,
    /// Index in `changed` by index in `base`.
    places: FxHashMap<usize, usize>,
}

impl From<Arc<Ranks>> for EditedRanks {
    fn from(base: Arc<Ranks>) -> Self {
        EditedRanks { base, ..EditedRanks::default() }
    }
}

impl EditedRanks {
    /// The unedited ranks with these edits; earlier edits are dropped.
    #[must_use]
    pub fn with_edits(&self, edits: &Edits) -> Self {
        let mut edited = EditedRanks::from(self.base.clone());
        edited.changed = Ranks::with_conventions(self.base.conventions());
        for (&place, changes) in edits {
            edited.places.insert(place, edited.changed.len());
            edited.changed.push_edited(&self.base, place, changes);
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

    /// The ranks of the query at index `place` in the truth.
    #[inline]
    pub fn query(&self, place: usize) -> QueryRanks<'_> {
        match self.places.get(&place) {
            Some(&changed) => self.changed.query(changed),
            None => self.base.query(place),
        }
    }

    /// The ranks of the query at index `place` in the truth, before any edit.
    pub fn unedited_query(&self, place: usize) -> QueryRanks<'_> {
        self.base.query(place)
    }

    /// Every covered query's ranks, in the truth's order.
    pub fn iter(&self) -> impl Iterator<Item = QueryRanks<'_>> {
        (0..self.len()).map(|place| self.query(place))
    }

    /// Indices in the truth of the edited queries, in no particular order.
    pub fn edited_places(&self) -> impl Iterator<Item = usize> {
        self.places.keys().copied()
    }

    /// The ranks of all queries, with the edits, as plain ranks.
    pub fn to_ranks(&self) -> Arc<Ranks> {
        if self.places.is_empty() {
            return self.base.clone();
        }
        let mut ranks = Ranks::with_conventions(self.base.conventions());
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
    /// Appends the query of `base` at index `place`, with changed items.
    fn push_edited(&mut self, base: &Ranks, place: usize, changes: &[ItemChange]) {
        let before = base.query(place);
        let mut ranks: Vec<u32> = before.ranks.iter().collect();
        let mut unranked = before.unranked;
        let mut listed = before.listed;
        for change in changes {
            match (change.is_positive, change.rank) {
                ([true, false], rank) => {
                    listed = listed.saturating_sub(1);
                    ranks.retain(|known| Some(*known) != rank);
                    unranked = unranked.saturating_sub(rank.is_none().into());
                }
                ([false, true], rank) => {
                    listed += 1;
                    ranks.extend(rank);
                    unranked += u32::from(rank.is_none());
                }
                _ => {}
            }
        }
        let is_graded = changes.iter().any(|change| ![0, WHOLE].contains(&change.gain[1]));
        self.push_gains((before.gains.is_some() || is_graded).then(|| {
            let mut gains = before.gains.cloned().unwrap_or_else(|| Gains::uniform(before));
            for change in changes {
                gains.set_gain(change.rank, change.gain);
            }
            gains
        }));
        self.push_judged(before.judged.cloned().map(|mut judged| {
            for change in changes {
                judged.set_state(change.rank, change.judged);
            }
            judged
        }));
        self.push_similarity(base.similarity(place));
        let query = base.queries()[place];
        self.push_known(query, &mut ranks, listed, before.depth, unranked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::{Id, IdList};
    use crate::rank::judged_ranks::JudgedRanks;
    use crate::truth::pairs::{NOT_RELEVANT, POOLED, Pairs};

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

    fn change(rank: Option<u32>, is_positive: [bool; 2], gain: [u32; 2]) -> ItemChange {
        ItemChange { rank, is_positive, gain, judged: [None; 2] }
    }

    /// Grades 3, 1 and 0 at ranks 2, 1 and 4, positives from 2: a no takes away what was no positive, a yes
    /// gives the greatest grade, a partial half of it.
    #[test]
    fn judgments_on_grades() {
        let graded = [(5, 3), (6, 1), (99, 2)].map(|(id, grade)| (Id::Number(id), grade));
        let pairs = Pairs::with_grades([(Id::Number(0), graded)], 2);
        let ids = IdList::for_len(9);
        let (relevance, _) = Relevance::resolve(&pairs, &ids, &ids);
        let mut base = Ranks::default();
        base.push_gains(Some(Gains::new([(Some(2), 6), (Some(1), 2)], vec![4])));
        base.push_known(0, &mut vec![2], 2, None, 0);
        let base = EditedRanks::from(Arc::new(base));
        let changed = |item: usize, rank: u32, judgment| {
            let mut judgments = Judgments::default();
            let pair = Pair::from_query(Direction::T2i, QueryIx::new(0), item.into());
            judgments.set(pair, Some(judgment));
            let edits = edits(&relevance, Direction::T2i, &judgments, |_| Some(Some(rank)));
            let edited = base.with_edits(&edits);
            let query = edited.query(0);
            (query.listed, query.gains.unwrap().top(9).collect::<Vec<_>>())
        };
        assert_eq!(changed(6, 1, Judgment::No), (2, vec![(2, 6)]));
        assert_eq!(changed(6, 1, Judgment::Yes), (3, vec![(1, 6), (2, 6)]));
        assert_eq!(changed(5, 2, Judgment::Yes), (2, vec![(1, 2), (2, 6)]));
        assert_eq!(changed(7, 4, Judgment::Partial), (3, vec![(1, 2), (2, 6), (4, 3)]));
    }

    /// Positive 5, judged not relevant 6, pooled 7 at ranks 2, 1 and 4; 8 at rank 3 is unjudged.
    #[test]
    fn judgments_on_items_judged_before() {
        let judged = [5, 6, 7].map(Id::Number).into_iter().zip([1, NOT_RELEVANT, POOLED]);
        let pairs = Pairs::with_grades([(Id::Number(0), judged)], 1);
        let ids = IdList::for_len(9);
        let (relevance, _) = Relevance::resolve(&pairs, &ids, &ids);
        let mut base = Ranks::default();
        base.push_judged(Some(JudgedRanks::new([(1, true), (4, false)], 0)));
        base.push_known(0, &mut vec![2], 1, None, 0);
        let base = EditedRanks::from(Arc::new(base));
        let changed = |item: usize, rank: u32, judgment| {
            let mut judgments = Judgments::default();
            let pair = Pair::from_query(Direction::T2i, QueryIx::new(0), item.into());
            judgments.set(pair, Some(judgment));
            let edits = edits(&relevance, Direction::T2i, &judgments, |_| Some(Some(rank)));
            let edited = base.with_edits(&edits);
            let judged = edited.query(0).judged.unwrap();
            let all = judged.pooled().collect::<Vec<_>>();
            (judged.nonrelevant().collect::<Vec<_>>(), all)
        };
        assert_eq!(changed(8, 3, Judgment::No), (vec![1, 3], vec![1, 3, 4]));
        assert_eq!(changed(7, 4, Judgment::No), (vec![1, 4], vec![1, 4]));
        assert_eq!(changed(7, 4, Judgment::Yes), (vec![1], vec![1]));
        assert_eq!(changed(6, 1, Judgment::Partial), (vec![], vec![4]));
        assert_eq!(changed(5, 2, Judgment::No), (vec![1, 2], vec![1, 2, 4]));
    }

    #[test]
    fn only_the_edited_query_changes() {
        let base = EditedRanks::from(Arc::new(ranks(&[&[1, 4], &[2], &[3]], None)));
        let first =
            vec![change(Some(2), [false, true], [0, 1]), change(Some(4), [true, false], [2, 0])];
        let second = vec![change(Some(2), [true, false], [2, 0])];
        let edited = base.with_edits(&Edits::from([(0, first), (1, second)]));
        let first: Vec<u32> = edited.query(0).ranks.iter().collect();
        assert_eq!((first, edited.query(0).listed), (vec![1, 2], 2));
        assert_eq!((edited.query(1).first(), edited.query(1).listed), (None, 0));
        assert_eq!(edited.query(2), base.query(2));
        let gains = edited.query(0).gains.unwrap();
        assert_eq!(gains.top(9).collect::<Vec<_>>(), [(1, 2), (2, 1)]);
        assert_eq!(edited.query(1).gains, None);
        assert_eq!(edited.to_ranks().query(0), edited.query(0));
        assert_eq!(edited.to_ranks().queries(), [0, 1, 2]);
        let again = edited.with_edits(&Edits::new());
        assert_eq!(again.query(0), base.query(0));
        assert_eq!(again.edited_places().count(), 0);
    }

    #[test]
    fn unranked_positives_count_in_r() {
        let base = EditedRanks::from(Arc::new(ranks(&[&[1]], Some(5))));
        let changes =
            vec![change(None, [false, true], [0, 1]), change(Some(1), [true, false], [2, 0])];
        let edited = base.with_edits(&Edits::from([(0, changes)]));
        let query = edited.query(0);
        assert_eq!((query.unranked, query.listed, query.depth), (2, 2, Some(5)));
        assert_eq!(query.first(), None);
        assert_eq!(query.gains.unwrap().best(), [2, 1]);
    }
}
