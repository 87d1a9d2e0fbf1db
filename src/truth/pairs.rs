//! `{id: [ids]}` as it stands in a file: order kept, ids not yet looked up.

use std::fmt;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::de::{DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

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
    codes: Codes,
    values: Vec<Id>,
    code_of: FxHashMap<Id, u32>,
    /// For each code the one that last came after it: mostly it does so again.
    after: Vec<u32>,
    last: u32,
}

/// Codes in two bytes each, or in four if there are more than two bytes can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Codes {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::Short(Vec::new())
    }
}

impl Codes {
    fn push(&mut self, code: u32) {
        match (&mut *self, u16::try_from(code)) {
            (Codes::Short(codes), Ok(code)) => codes.push(code),
            (Codes::Long(codes), _) => codes.push(code),
            (Codes::Short(codes), Err(_)) => {
                let wider = codes.iter().map(|&code| code.into());
                *self = Codes::Long(wider.chain([code]).collect());
            }
        }
    }

    fn len(&self) -> usize {
        match self {
            Codes::Short(codes) => codes.len(),
            Codes::Long(codes) => codes.len(),
        }
    }

    fn get(&self, at: usize) -> usize {
        match self {
            Codes::Short(codes) => codes[at].into(),
            Codes::Long(codes) => codes[at] as usize,
        }
    }
}

impl Pairs {
    /// Appends a query.
    pub fn push(&mut self, key: Id, positives: impl IntoIterator<Item = Id>) {
        self.keys.push(key);
        for positive in positives {
            self.push_value(positive);
        }
        self.ends.push(self.codes.len());
    }

    /// The pairs of a truth over a gallery, by id.
    pub fn of(relevance: &Relevance, queries: &IdList, items: &IdList) -> Self {
        let mut pairs = Pairs::default();
        for (place, &query) in relevance.queries().iter().enumerate() {
            let positives = relevance.positives(place).iter();
            let ids = positives.map(|item| items[item as usize].clone());
            pairs.push(queries[query as usize].clone(), ids);
        }
        pairs
    }

    fn push_value(&mut self, id: Id) {
        let after = self.after.get(self.last as usize).copied();
        let expected = after.filter(|&code| self.values[code as usize] == id);
        let code = expected.unwrap_or_else(|| self.look_up(id));
        self.codes.push(code);
        self.last = code;
    }

    /// The code of an id, a new one if need be, that comes after the last one.
    fn look_up(&mut self, id: Id) -> u32 {
        let new = self.values.len() as u32;
        let code = self.code_of.get(&id).copied().unwrap_or(new);
        if code == new {
            self.values.push(id.clone());
            self.after.push(code);
            self.code_of.insert(id, code);
        }
        self.after[self.last as usize] = code;
        code
    }

    /// The query ids.
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
        self.codes.len() == 0
    }

    /// Each query with the places of its positives in [`Pairs::values`].
    pub fn coded(
        &self,
    ) -> impl Iterator<Item = (&Id, impl ExactSizeIterator<Item = usize> + Clone)> {
        self.keys.iter().enumerate().map(|(at, key)| {
            let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
            (key, (start..self.ends[at]).map(|at| self.codes.get(at)))
        })
    }

    /// Each query with its positives.
    pub fn iter(&self) -> impl Iterator<Item = (&Id, impl ExactSizeIterator<Item = &Id> + Clone)> {
        self.coded()
            .map(|(key, codes)| (key, codes.map(|code| &self.values[code])))
    }
}

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object {query id: [ids of its positives]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
        let mut pairs = Pairs::default();
        let mut seen = Seen::default();
        while let Some(key) = map.next_key::<Id>()? {
            if !seen.is_new(&key, &pairs.keys) {
                return Err(serde::de::Error::custom(format!(
                    "query {key} stands twice"
                )));
            }
            map.next_value_seed(Append(&mut pairs))?;
            pairs.keys.push(key);
            pairs.ends.push(pairs.codes.len());
        }
        Ok(pairs)
    }
}

/// The keys met so far: while they ascend, as in files that programs write, the last one tells.
#[derive(Default)]
struct Seen(Option<FxHashSet<Id>>);

impl Seen {
    fn is_new(&mut self, key: &Id, before: &[Id]) -> bool {
        if self.0.is_none() && before.last().is_none_or(|last| last < key) {
            return true;
        }
        let all = || before.iter().cloned().collect();
        self.0.get_or_insert_with(all).insert(key.clone())
    }
}

/// Reads a list of ids straight into the flat array: no list is allocated per query.
struct Append<'a>(&'a mut Pairs);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of ids")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(id) = seq.next_element()? {
            self.0.push_value(id);
        }
        Ok(())
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.keys.len()))?;
        for (key, positives) in self.iter() {
            // JSON keys are text: a number becomes its digits.
            map.serialize_entry(&key.raw(), &List(positives))?;
        }
        map.end()
    }
}

/// What an iterator yields, as a JSON list.
struct List<I>(I);

impl<'a, I: ExactSizeIterator<Item = &'a Id> + Clone> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_lists_survive_a_round_trip() {
        let text = r#"{"9":[3,1],"2":[],"x":["y",7]}"#;
        let pairs: Pairs = serde_json::from_str(text).unwrap();
        assert_eq!(
            pairs.keys(),
            [Id::Number(9), Id::Number(2), Id::Text("x".into())]
        );
        assert_eq!(
            pairs.iter().map(|(_, p)| p.len()).collect::<Vec<_>>(),
            [2, 0, 2]
        );
        assert_eq!(serde_json::to_string(&pairs).unwrap(), text);
    }

    #[test]
    fn more_ids_than_two_bytes_can_tell() {
        let ids = |numbers: std::ops::Range<i64>| numbers.map(Id::Number);
        let mut pairs = Pairs::default();
        pairs.push(Id::Number(0), ids(0..65_530));
        assert!(matches!(pairs.codes, Codes::Short(_)));
        pairs.push(Id::Number(1), ids(65_000..65_600).chain(ids(3..5)));
        let lists: Vec<Vec<Id>> = pairs.iter().map(|(_, p)| p.cloned().collect()).collect();
        assert!(lists[0].iter().cloned().eq(ids(0..65_530)));
        let second = ids(65_000..65_600).chain(ids(3..5));
        assert!(lists[1].iter().cloned().eq(second));
        assert_eq!((pairs.values().len(), pairs.len()), (65_600, 66_132));
    }

    #[test]
    fn a_repeated_query_and_a_value_that_is_no_list_are_errors() {
        let error = serde_json::from_str::<Pairs>(r#"{"9":[3],"9":[1]}"#).unwrap_err();
        assert!(
            error.to_string().contains("query 9 stands twice"),
            "{error}"
        );
        let late = r#"{"1":[],"2":[],"3":[],"2":[]}"#;
        let error = serde_json::from_str::<Pairs>(late).unwrap_err();
        assert!(
            error.to_string().contains("query 2 stands twice"),
            "{error}"
        );
        assert!(serde_json::from_str::<Pairs>(r#"{"1":[],"3":[],"2":[]}"#).is_ok());
        let error = serde_json::from_str::<Pairs>(r#"{"9":3}"#).unwrap_err();
        assert!(error.to_string().contains("a list of ids"), "{error}");
    }
}
