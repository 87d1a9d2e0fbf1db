//! Ids of images and captions, as the files write them.

use std::fmt;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::gallery::fingerprint;

/// An external id: a number, or any other text.
///
/// JSON keys are always text and JSON values mostly numbers, so the text of a plain decimal number
/// *is* that number: `"38"` and `38` are one id, `"038"` is another.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Id {
    /// A decimal integer.
    Number(i64),
    /// Anything else, such as a file name.
    Text(Box<str>),
}

impl Id {
    /// Reads an id from text.
    pub fn parse(text: &str) -> Self {
        plain_number(text).map_or_else(|| Id::Text(text.into()), Id::Number)
    }
}

/// The number that an id written as `text` is; `None` where it is a text.
pub(super) fn plain_number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| is_plain(text))
}

/// Whether `text` is how an integer prints itself: no plus sign, no leading zero, no "-0".
fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits == "0" && text.len() == 1
        || digits
            .bytes()
            .next()
            .is_some_and(|b| (b'1'..=b'9').contains(&b))
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(number) => number.fmt(f),
            Id::Text(text) => super::text::shown(text).fmt(f),
        }
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Id::Number(number) => serializer.serialize_i64(*number),
            Id::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(IdVisitor)
    }
}

struct IdVisitor;

impl de::Visitor<'_> for IdVisitor {
    type Value = Id;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an id (an integer or a string)")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Id, E> {
        Ok(Id::Number(value))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Id, E> {
        Ok(i64::try_from(value).map_or_else(|_| Id::Text(value.to_string().into()), Id::Number))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Id, E> {
        Ok(Id::parse(value))
    }
}

/// Ids in matrix order, with the way back from an id to its index.
#[derive(Debug, Clone, Default)]
pub struct IdList {
    ids: Vec<Id>,
    index: FxHashMap<Id, u32>,
    fingerprint: OnceLock<u64>,
}

impl IdList {
    /// Builds the list.
    ///
    /// # Errors
    /// The first id that stands twice, with both positions.
    pub fn new(ids: Vec<Id>) -> Result<Self, (Id, usize, usize)> {
        let mut index = FxHashMap::with_capacity_and_hasher(ids.len(), rustc_hash::FxBuildHasher);
        for (at, id) in ids.iter().enumerate() {
            if let Some(first) = index.insert(id.clone(), at as u32) {
                return Err((id.clone(), first as usize, at));
            }
        }
        Ok(IdList {
            ids,
            index,
            fingerprint: OnceLock::new(),
        })
    }

    /// Ids `0..n`: what holds where no file names any.
    pub fn counted(n: usize) -> Self {
        let ids: Vec<Id> = (0..n as i64).map(Id::Number).collect();
        let index = ids.iter().cloned().zip(0..).collect();
        IdList {
            ids,
            index,
            fingerprint: OnceLock::new(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The matrix index of an id.
    pub fn find(&self, id: &Id) -> Option<u32> {
        self.index.get(id).copied()
    }

    /// The [`fingerprint`] of the ids, computed once: a list never changes.
    pub fn fingerprint(&self) -> u64 {
        *self.fingerprint.get_or_init(|| fingerprint(&self.ids))
    }

    /// All ids, in matrix order.
    pub fn as_slice(&self) -> &[Id] {
        &self.ids
    }
}

impl std::ops::Index<usize> for IdList {
    type Output = Id;

    fn index(&self, at: usize) -> &Id {
        &self.ids[at]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_decimal_text_is_the_number() {
        assert_eq!(Id::parse("38"), Id::Number(38));
        assert_eq!(Id::parse("-3"), Id::Number(-3));
        assert_eq!(Id::parse("0"), Id::Number(0));
        for text in ["038", "+38", "-0", "3.0", "", "COCO_38"] {
            assert_eq!(Id::parse(text), Id::Text(text.into()), "{text}");
        }
    }

    #[test]
    fn json_keys_and_values_meet() {
        let ids: Vec<Id> =
            serde_json::from_str(r#"[38, "38", "x", 18446744073709551615]"#).unwrap();
        assert_eq!(ids[0], ids[1]);
        assert_eq!(ids[3], Id::parse("18446744073709551615"));
    }

    #[test]
    fn a_repeated_id_is_named_with_both_places() {
        let twice = vec![Id::Number(5), Id::Number(6), Id::Number(5)];
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(5), 0, 2));
    }
}
