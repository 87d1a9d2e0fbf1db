//! Values of a JSON file in outline: enough to tell what the file is, without reading all of it.

use std::fmt;

use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::json::Shape;

/// The outline of a value, without its content.
pub(super) enum Outline {
    /// The keys of an object.
    Keys(Vec<String>),
    /// A text, and whether it has blanks, as a caption has and an id has not.
    Text(bool),
    Number,
    Else,
}

impl Outline {
    pub(super) fn has(&self, key: &str) -> bool {
        matches!(self, Outline::Keys(keys) if keys.iter().any(|k| k == key))
    }

    /// Whether it may be an id.
    pub(super) fn is_id(&self) -> bool {
        matches!(self, Outline::Text(false) | Outline::Number)
    }
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        if raw.starts_with('{') {
            let keys: Fields = serde_json::from_str(raw).map_err(de::Error::custom)?;
            return Ok(Outline::Keys(keys.into_keys().collect()));
        }
        Ok(match raw.as_bytes() {
            [b'"', ..] => Outline::Text(raw.contains(' ')),
            [b'-' | b'0'..=b'9', ..] => Outline::Number,
            _ => Outline::Else,
        })
    }
}

type Fields<'a> = std::collections::BTreeMap<String, &'a RawValue>;

/// The outline of a list's first value; the others are skipped.
pub(super) enum First {
    Of(Outline),
    EmptyList,
    /// An object of numbers, or an empty one.
    Numbers,
    NoList,
}

impl First {
    pub(super) fn has(&self, key: &str) -> bool {
        matches!(self, First::Of(outline) if outline.has(key))
    }

    /// What a file with such annotations is.
    pub(super) fn annotations(&self) -> Shape {
        if self.has("caption") {
            Shape::Coco
        } else if self.has("category_id") {
            Shape::Instances
        } else {
            Shape::Other("annotations without caption and category_id")
        }
    }

    /// What an object is whose first unknown key has such a value.
    pub(super) fn of_map(&self) -> Shape {
        match self {
            First::Of(Outline::Text(true)) => Shape::CaptionMap,
            First::Of(Outline::Keys(_)) => {
                Shape::Other("an object whose values are no lists of ids")
            }
            First::Of(_) | First::EmptyList => Shape::Pairs,
            First::Numbers => Shape::Scored,
            First::NoList => Shape::Other("an object whose values are no lists"),
        }
    }
}

/// Looks at the first value of the list that comes next. Without `whole` the rest is not read, and
/// nothing may be asked of `map` afterwards: it stands in the middle of the list.
pub(super) fn first_value<'de, A: MapAccess<'de>>(
    map: &mut A,
    whole: bool,
) -> std::result::Result<First, A::Error> {
    let mut first = None;
    let read = map.next_value_seed(FirstElement { first: &mut first, whole });
    match first {
        Some(First::Of(_) | First::Numbers) if !whole => {}
        _ => read?,
    }
    Ok(first.unwrap_or(First::NoList))
}

/// Takes the first element; the result goes out by the side, as for the shape of the file.
struct FirstElement<'a> {
    first: &'a mut Option<First>,
    whole: bool,
}

impl<'de> de::DeserializeSeed<'de> for FirstElement<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FirstElement<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        let first = seq.next_element()?;
        *self.first = Some(first.map_or(First::EmptyList, First::Of));
        while self.whole && seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let first = map.next_entry::<IgnoredAny, Outline>()?;
        if first.is_none_or(|(_, value)| matches!(value, Outline::Number)) {
            *self.first = Some(First::Numbers);
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> std::result::Result<(), E> {
        Ok(())
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<(), E> {
        Ok(())
    }
}
