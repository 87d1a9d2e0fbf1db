//! Items of which a file says that they are not relevant: judged, which is not the same as not listed; and those
//! that were in a pool and that nobody judged.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::Pairs;
use crate::data::id::{Id, IdList};
use crate::truth::relevance::{Relevance, by_query};

impl Pairs {
    /// These lists, beside items judged not relevant, by query.
    #[must_use]
    pub fn beside(self, nonrelevant: Pairs) -> Self {
        Pairs { nonrelevant: (!nonrelevant.is_empty()).then(|| Box::new(nonrelevant)), ..self }
    }

    /// These lists, beside items that were in a pool and that nobody judged, by query.
    #[must_use]
    pub fn with_pooled(self, pooled: Pairs) -> Self {
        Pairs { pooled: (!pooled.is_empty()).then(|| Box::new(pooled)), ..self }
    }

    /// Items that were in a pool and that nobody judged, by query; `None` where the file tells none.
    pub fn pooled(&self) -> Option<&Pairs> {
        self.pooled.as_deref()
    }

    /// Items judged not relevant, by query; `None` where the file tells none.
    pub fn nonrelevant(&self) -> Option<&Pairs> {
        self.nonrelevant.as_deref()
    }

    /// These changed lists beside what is judged not relevant after `changed`, over the same gallery: what
    /// `before` has of that first, but what became a positive, then what is new. What was pooled and has an answer
    /// now is no longer without one.
    #[must_use]
    pub(super) fn keeping(
        self,
        before: &Pairs,
        changed: &Relevance,
        queries: &IdList,
        items: &IdList,
    ) -> Self {
        let mut nonrelevant: IndexMap<Id, Vec<Id>> =
            self.left_of(before.nonrelevant()).into_iter().collect();
        let known = by_query(before, queries, items);
        // An image may be called otherwise here than in the gallery.
        let named = self.keys().iter().chain(nonrelevant.keys());
        let names = named.filter_map(|id| Some((queries.find(id)?, id.clone())));
        let names: FxHashMap<u32, Id> = names.collect();
        for (query, item) in changed.nonrelevant_pairs() {
            let before = known.get(&query).and_then(|others| others.items.get(&item));
            if before != Some(&true) {
                let name = names.get(&query).unwrap_or(&queries[query as usize]).clone();
                nonrelevant.entry(name).or_default().push(items[item as usize].clone());
            }
        }
        let nonrelevant: Pairs = nonrelevant.into_iter().collect();
        let pooled: Pairs = self.left_of(before.pooled()).into_iter().collect();
        let pooled = nonrelevant.left_of(Some(&pooled)).into_iter().collect();
        self.beside(nonrelevant).with_pooled(pooled)
    }

    /// Lists without the pairs of these.
    pub(in crate::truth) fn left_of(&self, lists: Option<&Pairs>) -> Vec<(Id, Vec<Id>)> {
        let Some(lists) = lists else {
            return Vec::new();
        };
        let pairs = self.iter().flat_map(|(query, items)| items.map(move |item| (query, item)));
        let listed: FxHashSet<(&Id, &Id)> = pairs.collect();
        let left = lists.iter().map(|(query, items)| {
            let left = items.filter(|item| !listed.contains(&(query, item)));
            (query.clone(), left.cloned().collect::<Vec<Id>>())
        });
        left.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(text: &str) -> Pairs {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn a_positive_is_not_judged_nonrelevant() {
        let judged =
            pairs(r#"{"0":[1],"9":[]}"#).beside(pairs(r#"{"0":[1,2,77],"5":[3],"9":[0]}"#));
        let (queries, items) = (IdList::counted(10), IdList::counted(4));
        let (relevance, _) = Relevance::resolve(&judged, &queries, &items);
        let is_nonrelevant =
            |query: u32, item: u32| relevance.is_nonrelevant(query.into(), item.into());
        assert!(is_nonrelevant(0, 2) && is_nonrelevant(5, 3) && is_nonrelevant(9, 0));
        assert!(!is_nonrelevant(0, 1) && !is_nonrelevant(0, 3) && !is_nonrelevant(1, 2));
        assert_eq!(relevance.queries(), [0, 9], "judged by their lists alone");
        let changed = pairs(r#"{"0":[2],"9":[]}"#).beside(pairs(r#"{"0":[3],"9":[1]}"#));
        let (relevance, _) = Relevance::resolve(&changed, &queries, &items);
        let left = pairs(r#"{"0":[2],"9":[]}"#).keeping(&judged, &relevance, &queries, &items);
        let left = serde_json::to_string(left.nonrelevant().unwrap()).unwrap();
        assert_eq!(left, r#"{"0":[1,77,3],"5":[3],"9":[0,1]}"#);
    }

    #[test]
    fn without_judgements_there_are_none() {
        assert_eq!(pairs(r#"{"0":[1]}"#).beside(pairs(r#"{"0":[]}"#)).nonrelevant(), None);
    }
}
