//! Items of which a file says that they are not relevant: judged, which is not the same as not listed.

use rustc_hash::{FxHashMap, FxHashSet};

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

    /// These changed lists beside what is judged not relevant after `changed`, over the same gallery: what
    /// `before` has of that first, but what became a positive, then what is new.
    #[must_use]
    pub(super) fn keeping(
        self,
        before: &Pairs,
        changed: &Relevance,
        queries: &IdList,
        items: &IdList,
    ) -> Self {
        let mut nonrelevant = self.left_of(before.nonrelevant());
        let known = before.nonrelevant_in(changed, queries, items);
        let mut places: FxHashMap<u32, usize> = (0..)
            .zip(&nonrelevant)
            .filter_map(|(at, (query, _))| Some((queries.find(query)?, at)))
            .collect();
        let names: FxHashMap<u32, &Id> = self
            .keys()
            .iter()
            .filter_map(|id| Some((queries.find(id)?, id)))
            .collect();
        for pair in changed.nonrelevant_pairs() {
            let (query, item) = pair;
            if known.contains(&pair) {
                continue;
            }
            let place = *places.entry(query).or_insert_with(|| {
                // An image may be called otherwise here than in the gallery.
                let name = names.get(&query).copied();
                let name = name.unwrap_or(&queries[query as usize]);
                nonrelevant.push((name.clone(), Vec::new()));
                nonrelevant.len() - 1
            });
            nonrelevant[place].1.push(items[item as usize].clone());
        }
        self.beside(nonrelevant.into_iter().collect())
    }

    /// What of these judgements is no positive here.
    fn left_of(&self, nonrelevant: Option<&Pairs>) -> Vec<(Id, Vec<Id>)> {
        let Some(nonrelevant) = nonrelevant else {
            return Vec::new();
        };
        let listed: FxHashSet<(&Id, &Id)> = self
            .iter()
            .flat_map(|(query, items)| items.map(move |item| (query, item)))
            .collect();
        let left = nonrelevant.iter().map(|(query, items)| {
            let left = items.filter(|item| !listed.contains(&(query, item)));
            (query.clone(), left.cloned().collect::<Vec<Id>>())
        });
        left.collect()
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
        let changed = pairs(r#"{"0":[2],"9":[]}"#).beside(pairs(r#"{"0":[3],"9":[1]}"#));
        let (relevance, _) = Relevance::resolve(&changed, &queries, &items);
        let left = pairs(r#"{"0":[2],"9":[]}"#).keeping(&judged, &relevance, &queries, &items);
        let left = serde_json::to_string(left.nonrelevant().unwrap()).unwrap();
        assert_eq!(left, r#"{"0":[1,77,3],"5":[3],"9":[0,1]}"#);
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
