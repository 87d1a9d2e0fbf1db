//! `{id: [ids]}` as it stands in a file: order kept, ids not yet looked up.

mod builder;
mod graded;
mod json;
mod nonrelevant;

pub use graded::ById;
use rustc_hash::FxHashSet;

pub use graded::without_grades;

use self::builder::Builder;
use super::relevance::Relevance;
use crate::data::id::{Id, IdList};

/// Queries with their positives, in file order (the order in which means are summed).
///
/// A positive's id is kept once and named by a short code from then on: Plausible Match files list
/// 25,000 ids twenty million times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pairs {
    keys: Vec<Id>,
    ends: Vec<usize>,
    codes: Vec<u32>,
    values: Vec<Id>,
    /// One for each positive, where the file has any.
    graded: Option<Box<graded::Graded>>,
    /// Items that somebody judged not relevant, by query; `None` where the file tells none.
    nonrelevant: Option<Box<Pairs>>,
    /// Items that were in a pool and that nobody judged, by query; `None` where the file tells none.
    pooled: Option<Box<Pairs>>,
}

/// Collects each query with its positives.
impl<P: IntoIterator<Item = Id>> FromIterator<(Id, P)> for Pairs {
    fn from_iter<I: IntoIterator<Item = (Id, P)>>(queries: I) -> Self {
        let mut builder = Builder::default();
        for (key, positives) in queries {
            positives.into_iter().for_each(|id| builder.positive(id));
            builder.end(key);
        }
        builder.finish()
    }
}

impl Pairs {
    /// The pairs of a truth over a gallery, by id.
    pub fn of(relevance: &Relevance, queries: &IdList, items: &IdList) -> Self {
        let each = relevance.queries().iter().enumerate();
        each.map(|(place, &query)| {
            let positives = relevance.positives(place).iter();
            let ids = positives.map(|item| items[item as usize].clone());
            (queries[query as usize].clone(), ids)
        })
        .collect()
    }

    /// These lists with the positives of another truth over the same queries, and with its grades where it has any. What
    /// the gallery lacks stays, so that R stays the same; what is new stands at the end of its list. So it is with what
    /// is judged not relevant.
    #[must_use]
    pub fn with(&self, changed: &Relevance, queries: &IdList, items: &IdList) -> Pairs {
        let found = items.find_all(&self.values);
        let lists = self.coded().enumerate().map(|(at, (query, codes))| {
            let place = queries.find(query).and_then(|query| changed.place(query as usize));
            let after = place.map(|place| changed.graded(place));
            let grade_after = |after: &Vec<(u32, u32)>, item| {
                let at = after.binary_search_by_key(&item, |(item, _)| *item);
                at.map_or(0, |at| after[at].1)
            };
            let grades = self.grades(at);
            let mut before = FxHashSet::default();
            let mut list = Vec::new();
            for (nth, code) in codes.enumerate() {
                let own = grades.map_or(1, |grades| grades[nth]);
                let grade = match (&after, found[code]) {
                    (_, Some(item)) if !before.insert(item) => 0,
                    (Some(after), Some(item)) => grade_after(after, item),
                    _ => own,
                };
                list.extend((grade > 0).then(|| (self.values[code].clone(), grade)));
            }
            let new = after.into_iter().flatten().filter(|(item, _)| !before.contains(item));
            list.extend(new.map(|(item, grade)| (items[item as usize].clone(), grade)));
            (query.clone(), list)
        });
        let pairs = match changed.grades() {
            Some(_) => Pairs::with_grades(lists, self.relevant_from()),
            None => lists.map(|(query, list)| (query, without_grades(list))).collect(),
        };
        pairs.keeping(self, changed, queries, items)
    }

    /// The ids of the queries, each once, in file order.
    pub fn keys(&self) -> &[Id] {
        &self.keys
    }

    /// The positives' ids, each once, in the order of their first appearance.
    pub fn values(&self) -> &[Id] {
        &self.values
    }

    /// Number of positives of all queries.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether no query has a positive.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Each query with the places of its positives in [`Pairs::values`].
    pub fn coded(
        &self,
    ) -> impl Iterator<Item = (&Id, impl ExactSizeIterator<Item = usize> + Clone)> {
        self.keys.iter().enumerate().map(|(at, key)| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            (key, self.codes[start..self.ends[at]].iter().map(|&code| code as usize))
        })
    }

    /// Each query with its positives.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, impl ExactSizeIterator<Item = &Id> + Clone)> {
        self.coded().map(|(key, codes)| (key, codes.map(|code| &self.values[code])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_lists_survive_a_round_trip() {
        let text = r#"{"9":[3,1],"2":[],"x":["y",7]}"#;
        let pairs: Pairs = serde_json::from_str(text).unwrap();
        assert_eq!(pairs.keys(), [Id::Number(9), Id::Number(2), Id::Text("x".into())]);
        assert_eq!(pairs.iter().map(|(_, p)| p.len()).collect::<Vec<_>>(), [2, 0, 2]);
        assert_eq!(serde_json::to_string(&pairs).unwrap(), text);
    }

    #[test]
    fn changed_lists_keep_their_order_and_what_the_gallery_lacks() {
        let text = r#"{"2":[3,99,1],"77":[3,3],"0":[],"1":[0]}"#;
        let pairs: Pairs = serde_json::from_str(text).unwrap();
        let (queries, items) = (IdList::counted(3), IdList::counted(4));
        let (same, _) = Relevance::resolve(&pairs, &queries, &items);
        assert_eq!(pairs.with(&same, &queries, &items).iter().count(), 4);
        let text = r#"{"2":[0,1,2],"1":[],"0":[1]}"#;
        let wanted: Pairs = serde_json::from_str(text).unwrap();
        let (changed, _) = Relevance::resolve(&wanted, &queries, &items);
        let changed = pairs.with(&changed, &queries, &items);
        assert_eq!(
            serde_json::to_string(&changed).unwrap(),
            r#"{"2":[99,1,0,2],"77":[3],"0":[1],"1":[]}"#
        );
    }

    #[test]
    fn a_repeated_query_and_a_value_that_is_no_list_are_errors() {
        let error = serde_json::from_str::<Pairs>(r#"{"9":[3],"9":[1]}"#).unwrap_err();
        assert!(error.to_string().contains("query 9 stands twice"), "{error}");
        let late = r#"{"1":[],"2":[],"3":[],"2":[]}"#;
        let error = serde_json::from_str::<Pairs>(late).unwrap_err();
        assert!(error.to_string().contains("query 2 stands twice"), "{error}");
        assert!(serde_json::from_str::<Pairs>(r#"{"1":[],"3":[],"2":[]}"#).is_ok());
        let error = serde_json::from_str::<Pairs>(r#"{"9":3}"#).unwrap_err();
        assert!(error.to_string().contains("a list of ids"), "{error}");
    }
}
