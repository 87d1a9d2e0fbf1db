//! The pairs whose rank is counted: every positive of every truth, every item with a grade, and every one judged not
//! relevant or pooled, once.

use crate::data::gallery::Gallery;
use crate::data::sets::Set;
use crate::data::{Direction, PerDirection, parallel};
use crate::truth::Truth;
use crate::truth::relevance::Relevance;

/// A truth with more positives than this per query, on average, is wide.
const MAX_MEAN_POSITIVES: usize = 24;

/// The targets of one direction: all (query, item) pairs whose rank is counted for some truth, by query, items
/// ascending. Targets of wide truths are excluded; these truths are listed in `wide`.
#[derive(Debug, Clone, Default)]
pub struct PairSet {
    starts: Vec<u32>,
    items: Vec<u32>,
    /// The truths with targets counted separately, by [`super::many`].
    pub wide: Vec<Relevance>,
    /// The truths with similarities, for [`super::similar`].
    pub similar: Vec<Relevance>,
}

/// The targets of both directions.
pub type Targets = PerDirection<PairSet>;

/// Collects the targets of all truths over a gallery.
pub fn targets(truths: &[Truth], gallery: &Gallery) -> Targets {
    targets_for_sizes(truths, gallery.sizes())
}

/// Collects the targets of all truths; `sizes` has the number of queries of each direction.
pub(super) fn targets_for_sizes(truths: &[Truth], sizes: PerDirection<usize>) -> Targets {
    let union = |direction| PairSet::from_truths(truths, direction, sizes[direction]);
    let (i2t, t2i) = parallel::both(|| union(Direction::I2t), || union(Direction::T2i));
    Targets { i2t, t2i }
}

impl PairSet {
    /// The targets of all truths in one direction with this number of queries.
    fn from_truths(truths: &[Truth], direction: Direction, queries: usize) -> Self {
        let relevances = truths.iter().filter_map(|truth| truth.relevance[direction].as_ref());
        let similar = relevances.clone().filter(|relevance| relevance.similar().is_some());
        let similar = similar.cloned().collect();
        let (wide, narrow): (Vec<&Relevance>, Vec<&Relevance>) =
            relevances.partition(|relevance| is_wide(relevance));
        let mut set = PairSet::from_positives(&narrow, queries);
        set.wide = wide.into_iter().cloned().collect();
        set.similar = similar;
        set
    }

    /// The union of the positives and other judged or pooled items of `narrow` truths; `wide` and `similar` are empty.
    pub(super) fn from_positives(narrow: &[&Relevance], queries: usize) -> Self {
        PairSet::from_lists((0..queries).map(|query| {
            let mut items = Vec::new();
            for relevance in narrow {
                if let Some(place) = relevance.place(query) {
                    items.extend(relevance.positives(place));
                    let beyond = relevance.judged_nonpositives(place).into_iter();
                    items.extend(beyond.map(|(item, _)| item));
                }
            }
            items.sort_unstable();
            items.dedup();
            items
        }))
    }

    /// A set in which no query has a target.
    pub fn without_targets(queries: usize) -> Self {
        PairSet { starts: vec![0; queries + 1], ..PairSet::default() }
    }

    /// A set from ascending lists, one a query.
    pub fn from_lists(lists: impl Iterator<Item = Vec<u32>>) -> Self {
        let mut set = PairSet { starts: vec![0], ..PairSet::default() };
        for list in lists {
            set.items.extend(list);
            set.starts.push(set.items.len() as u32);
        }
        set
    }

    /// Number of queries, with or without targets.
    pub fn query_count(&self) -> usize {
        self.starts.len() - 1
    }

    /// Number of (query, item) pairs whose ranks are counted.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there is nothing to count.
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Index range of a query's targets among all targets of this set.
    pub fn range(&self, query: usize) -> std::ops::Range<usize> {
        self.starts[query] as usize..self.starts[query + 1] as usize
    }

    /// The items that are targets of a query, ascending.
    pub fn items(&self, query: usize) -> &[u32] {
        &self.items[self.range(query)]
    }

    /// Indices in this set of the pairs of `query` and each item of `wanted`, which must all be targets of it.
    pub fn pair_indices<'a>(
        &'a self,
        query: usize,
        wanted: Set<'a>,
    ) -> impl ExactSizeIterator<Item = usize> + 'a {
        let range = self.range(query);
        let mut at = range.start;
        wanted.iter().map(move |item| {
            while self.items[at] < item {
                at += 1;
            }
            debug_assert!(at < range.end && self.items[at] == item);
            at
        })
    }
}

/// Whether a truth is wide. Truths with grades, similarities or judgments never are, since ranks of wide truths do not
/// identify the items.
fn is_wide(relevance: &Relevance) -> bool {
    let is_plain =
        !relevance.has_gains() && relevance.similar().is_none() && !relevance.has_nonrelevant();
    is_plain && relevance.pair_count() > MAX_MEAN_POSITIVES * relevance.len()
}
