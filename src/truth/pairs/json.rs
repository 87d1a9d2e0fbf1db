//! Pairs from and to JSON.

use std::fmt;

use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

use super::Pairs;
use super::builder::Builder;
use crate::data::id::Id;

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PairsVisitor)
    }
}

/// Reads `{query id: [item ids]}`, or a number in place of a list.
struct PairsVisitor;

impl<'de> Visitor<'de> for PairsVisitor {
    type Value = Pairs;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object {query id: [ids of its positives]}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
        let mut builder = Builder::default();
        while let Some(key) = map.next_key::<Id>()? {
            if !builder.record_query(&key) {
                return Err(serde::de::Error::custom(format!("query {key} stands twice")));
            }
            map.next_value_seed(Append(&mut builder))?;
            builder.end_query(key);
        }
        Ok(builder.finish())
    }
}

/// Reads a list of ids straight into the flat array: no list is allocated per query.
struct Append<'a>(&'a mut Builder);

impl<'de> DeserializeSeed<'de> for Append<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Append<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of ids")
    }

    fn visit_u64<E: serde::de::Error>(self, id: u64) -> Result<(), E> {
        self.0.push_item(Id::deserialize(id.into_deserializer())?);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while let Some(id) = seq.next_element()? {
            self.0.push_item(id);
        }
        Ok(())
    }
}

impl Serialize for Pairs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.keys.len()))?;
        for (key, positives) in self.positives().iter() {
            // JSON keys are text: a number becomes its digits.
            map.serialize_entry(&key.raw(), &List(positives))?;
        }
        map.end()
    }
}

/// Serializes an iterator as a JSON list.
struct List<I>(I);

impl<'a, I: Iterator<Item = &'a Id> + Clone> Serialize for List<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.clone())
    }
}
