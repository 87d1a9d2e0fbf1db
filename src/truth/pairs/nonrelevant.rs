//! Items of which a file says that they are not relevant: judged, which is not the same as not listed.

use rustc_hash::FxHashSet;

use super::Pairs;
use crate::data::id::{Id, IdList};
use crate::truth::relevance::Relevance;

impl Pairs {
    /// These lists, beside items judged not relevant, by query.
    #[must_use]
    pub fn beside(self, nonrelevant: Pairs) -> Self {
        Pairs {
            nonrelevant: (!nonrelevant.is_empty()).then(|| Box::new(nonrelevant)),
            ..self
        }
    }

    /// Items judged not relevant, by query; `None` where the file tells none.
    pub fn nonrelevant(&self) -> Option<&Pairs> {
        self.nonrelevant.as_deref()
    }

    /// The judgements of `before` that these changed lists, over the same queries, leave: what became a
    /// positive is no longer judged not relevant.
    #[must_use]
    pub(super) fn keeping(self, before: &Pairs) -> Self {
        let Some(nonrelevant) = before.nonrelevant() else {
            return self;
        };
        let listed: FxHashSet<(&Id, &Id)> = self
            .iter()
            .flat_map(|(query, items)| items.map(move |item| (query, item)))
            .collect();
        let left = nonrelevant.iter().map(|(query, items)| {
            let left = items.filter(|item| !listed.contains(&(query, item)));
            (query.clone(), left.cloned().collect::<Vec<Id>>())
        });
        let left: Pairs = left.collect();
        self.beside(left)
    }

    /// The judgements as pairs of gallery indices, query before item, but those of `relevance`'s positives;
    /// ids that the gallery lacks are left out.
    pub(in crate::truth) fn nonrelevant_in(
        &self,
        relevance: &Relevance,
        queries: &IdList,
        items: &IdList,
    ) -> FxHashSet<(u32, u32)> {
        let mut nonrelevant = FxHashSet::default();
        for (query, ids) in self.nonrelevant().into_iter().flat_map(Pairs::iter) {
            let Some(query) = queries.find(query) else {
                continue;
            };
            let found = ids.filter_map(|id| items.find(id));
            let is_positive = |item: u32| relevance.contains(query.into(), item.into());
            nonrelevant.extend(
                found
                    .filter(|&item| is_positive(item) != Some(true))
                    .map(|item| (query, item)),
            );
        }
        nonrelevant
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
