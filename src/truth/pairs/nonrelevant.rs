//! Items of which a file says that they are not relevant: judged, which is not the same as not listed; and those
//! that were in a pool and that nobody judged.

use rustc_hash::FxHashSet;

use super::Pairs;
use crate::data::id::{Id, IdList};
use crate::truth::relevance::{Beyond, Relevance};

impl Pairs {
    /// These lists, beside items judged not relevant, by query.
    #[must_use]
    pub fn beside(self, nonrelevant: Pairs) -> Self {
        Pairs {
            nonrelevant: (!nonrelevant.is_empty()).then(|| Box::new(nonrelevant)),
            ..self
        }
    }

    /// These lists, beside items that were in a pool and that nobody judged, by query.
    #[must_use]
    pub fn with_pooled(self, pooled: Pairs) -> Self {
        Pairs {
            pooled: (!pooled.is_empty()).then(|| Box::new(pooled)),
            ..self
        }
    }

    /// Items that were in a pool and that nobody judged, by query; `None` where the file tells none.
    pub fn pooled(&self) -> Option<&Pairs> {
        self.pooled.as_deref()
    }

    /// Items judged not relevant, by query; `None` where the file tells none.
    pub fn nonrelevant(&self) -> Option<&Pairs> {
        self.nonrelevant.as_deref()
    }

    /// The judgements of `before` that these changed lists, over the same queries, leave: what became a
    /// positive is no longer judged not relevant, nor without an answer.
    #[must_use]
    pub(super) fn keeping(self, before: &Pairs) -> Self {
        let left = |of: Option<&Pairs>| of.map(|of| self.without_positives(of));
        let (nonrelevant, pooled) = (left(before.nonrelevant()), left(before.pooled()));
        self.beside(nonrelevant.unwrap_or_default())
            .with_pooled(pooled.unwrap_or_default())
    }

    /// Lists without the positives of these.
    fn without_positives(&self, lists: &Pairs) -> Pairs {
        let pairs = self
            .iter()
            .flat_map(|(query, items)| items.map(move |item| (query, item)));
        let listed: FxHashSet<(&Id, &Id)> = pairs.collect();
        let left = lists.iter().map(|(query, items)| {
            let left = items.filter(|item| !listed.contains(&(query, item)));
            (query.clone(), left.cloned().collect::<Vec<Id>>())
        });
        left.collect()
    }

    /// The judgements over gallery indices, but those of `relevance`'s positives; items that the gallery lacks
    /// are counted.
    pub(in crate::truth) fn beyond(
        &self,
        relevance: &Relevance,
        queries: &IdList,
        items: &IdList,
    ) -> Beyond {
        let mut beyond = Beyond::default();
        for (lists, is_judged) in [(self.nonrelevant(), true), (self.pooled(), false)] {
            for (query, ids) in lists.into_iter().flat_map(Pairs::iter) {
                let Some(query) = queries.find(query) else {
                    continue;
                };
                for id in ids {
                    match items.find(id) {
                        Some(item)
                            if relevance.contains(query.into(), item.into()) == Some(true) => {}
                        Some(item) => beyond.add(query, item, is_judged),
                        None if is_judged => beyond.add_outside(query),
                        None => {}
                    }
                }
            }
        }
        beyond.finish()
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
        let left = pairs(r#"{"0":[2],"9":[]}"#).keeping(&judged);
        let left = serde_json::to_string(left.nonrelevant().unwrap()).unwrap();
        assert_eq!(left, r#"{"0":[1,77],"5":[3],"9":[0]}"#);
    }

    #[test]
    fn without_judgements_there_are_none() {
        assert_eq!(
            pairs(r#"{"0":[1]}"#)
                .beside(pairs(r#"{"0":[]}"#))
                .nonrelevant(),
            None
        );
    }
}
