//! Pairs that are no positives and of which a truth says more than that: somebody judged them not relevant, or they
//! were in the pool and nobody judged them.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Builder, Lists, Relevance};
use crate::data::id::IdList;
use crate::data::index::{ItemIx, QueryIx};
use crate::truth::grades::Grades;
use crate::truth::pairs::Pairs;

/// Items by query in any order, and how many further ones the gallery lacks.
pub(in crate::truth) type ByQuery = BTreeMap<u32, (Vec<u32>, u32)>;

/// Pairs over the indices of a gallery.
pub(in crate::truth) fn by_query(
    lists: Option<&Pairs>,
    queries: &IdList,
    items: &IdList,
) -> ByQuery {
    let mut of_queries = ByQuery::new();
    for (query, ids) in lists.into_iter().flat_map(Pairs::iter) {
        let Some(query) = queries.find(query) else {
            continue;
        };
        let (found, outside) = of_queries.entry(query).or_default();
        for id in ids {
            match items.find(id) {
                Some(item) => found.push(item),
                None => *outside += 1,
            }
        }
    }
    of_queries
}

impl Lists {
    fn by_query(&self) -> ByQuery {
        let of_query = self.queries.iter().enumerate().map(|(place, &query)| {
            let items = self.positives.get(place);
            (query, (items.iter().collect(), self.listed[place] - items.len() as u32))
        });
        of_query.collect()
    }
}

/// Lists of these pairs without those of others; `None` where none is left.
fn lists(queries: usize, pairs: ByQuery, others: [Option<&Lists>; 2]) -> Option<Arc<Lists>> {
    let mut builder = Builder::new(queries);
    for (query, (mut items, outside)) in pairs {
        let is_in = |item, other: &Lists| other.contains(query.into(), item) == Some(true);
        items.retain(|&item| !others.iter().flatten().any(|other| is_in(item.into(), other)));
        if !items.is_empty() || outside > 0 {
            builder.push_any(query, &mut items, outside);
        }
    }
    let lists = builder.lists(None);
    (!lists.queries.is_empty()).then(|| Arc::new(lists))
}

impl Relevance {
    /// Whether somebody judged `item` not relevant for `query`: by a grade of 0, or one below that of a
    /// positive. Of an item that is only not listed nobody said so.
    pub fn is_nonrelevant(&self, query: QueryIx, item: ItemIx) -> bool {
        let graded_low = || {
            let (grades, place) = (self.grades()?, self.place(query.get())?);
            Some((1..grades.from()).contains(&grades.of(place, item.raw())))
        };
        let listed = self.nonrelevant.as_ref().and_then(|lists| lists.contains(query, item));
        listed == Some(true) || graded_low() == Some(true)
    }

    /// Whether `item` was in the pool of `query` and nobody judged it.
    pub fn is_pooled(&self, query: QueryIx, item: ItemIx) -> bool {
        let listed = self.pooled.as_ref().and_then(|lists| lists.contains(query, item));
        listed == Some(true)
    }

    /// Whether any pair may be judged not relevant, or a person may have said so of one.
    pub fn has_nonrelevant(&self) -> bool {
        let has_low = |grades: &Grades| grades.from() > 1;
        self.tells_nonrelevant
            || self.nonrelevant.as_ref().is_some_and(|lists| lists.pair_count > 0)
            || self.grades().is_some_and(has_low)
    }

    /// The same, of which it is told what is not relevant: by verdicts that are laid over its ranks.
    #[must_use]
    pub(in crate::truth) fn with_judgements(self) -> Self {
        Relevance { tells_nonrelevant: true, ..self }
    }

    /// The items of the gallery that are no positives of the query at `place` and of which the truth says more,
    /// ascending: whether each was judged not relevant, or pooled and not judged.
    pub fn beyond(&self, place: usize) -> Vec<(u32, bool)> {
        let query = self.queries()[place] as usize;
        let mut items: Vec<(u32, bool)> = Vec::new();
        for (lists, is_judged) in [(&self.pooled, false), (&self.nonrelevant, true)] {
            let of_query = lists.as_ref().and_then(|of| Some(of.positives.get(of.place(query)?)));
            items.extend(of_query.into_iter().flatten().map(|item| (item, is_judged)));
        }
        if let Some(grades) = self.grades() {
            let low = grades.of_query(place).filter(|(_, grade)| *grade < grades.from());
            items.extend(low.map(|(item, _)| (item, true)));
        }
        items.sort_unstable();
        items.dedup_by_key(|(item, _)| *item);
        items
    }

    /// How many items that the gallery lacks were judged not relevant for the query at `place`.
    pub fn nonrelevant_outside(&self, place: usize) -> u32 {
        let query = self.queries()[place] as usize;
        let zeros = self.nonrelevant.as_ref().and_then(|lists| {
            let place = lists.place(query)?;
            Some(lists.listed[place] - lists.positives.get(place).len() as u32)
        });
        let low = self.grades().map_or(0, |grades| {
            let outside = grades.outside(place).iter();
            outside.filter(|grade| **grade < grades.from()).count() as u32
        });
        zeros.unwrap_or(0) + low
    }

    /// The same, with these pairs judged not relevant or pooled, but for its positives: of a pair that is both the
    /// judgement counts.
    #[must_use]
    pub(in crate::truth) fn with_beyond(self, nonrelevant: ByQuery, pooled: ByQuery) -> Self {
        let count = self.query_count();
        let nonrelevant = lists(count, nonrelevant, [Some(&self.lists), None]);
        let pooled = lists(count, pooled, [Some(&self.lists), nonrelevant.as_deref()]);
        Relevance { nonrelevant, pooled, ..self }
    }

    /// The same, of which the pairs of another one over the same gallery are judged not relevant or pooled, and
    /// further ones, query before item, judged not relevant, but for those that are positives here.
    #[must_use]
    pub(in crate::truth) fn with_beyond_of(
        self,
        other: &Relevance,
        further: impl Iterator<Item = (u32, u32)>,
    ) -> Self {
        let [mut nonrelevant, pooled] = [&other.nonrelevant, &other.pooled]
            .map(|lists| lists.as_ref().map_or_else(ByQuery::new, |lists| lists.by_query()));
        for (query, item) in further {
            nonrelevant.entry(query).or_default().0.push(item);
        }
        let tells_nonrelevant = other.tells_nonrelevant;
        Relevance { tells_nonrelevant, ..self.with_beyond(nonrelevant, pooled) }
    }

    /// Query and item of every pair that is judged not relevant by itself, not by a low grade, in order.
    pub(in crate::truth) fn nonrelevant_pairs(&self) -> Vec<(u32, u32)> {
        let of_query = self.nonrelevant.iter().flat_map(|lists| lists.by_query());
        of_query
            .flat_map(|(query, (items, _))| items.into_iter().map(move |item| (query, item)))
            .collect()
    }
}
