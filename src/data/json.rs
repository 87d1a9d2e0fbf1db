//! JSON files: what kind one is, told from its first keys, and errors with line and column.

use std::fmt;

use serde::de::{self, DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::source::Source;
use crate::error::{Error, Result};

/// What a JSON file is, as far as its outermost level tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{id: [ids]}`.
    Pairs,
    /// An object with `format`, `truths`, `i2t` or `t2i`.
    Bundle,
    /// An object with `annotations`, the first of which has a `caption`, as COCO writes.
    Coco,
    /// An object with `annotations`, the first of which has a `category_id`, as COCO writes.
    Instances,
    /// An object with `images`, the first of which has `sentences`, as Karpathy's splits.
    Karpathy,
    /// `{file stem: [captions]}`: a list's first value is text with blanks.
    CaptionMap,
    /// `[{"image": .., "caption": [..]}]`, as ALBEF and BLIP write.
    CaptionList,
    /// Anything else, described.
    Other(&'static str),
}

/// Parses a whole file.
///
/// # Errors
/// Broken JSON or another structure, with line and column.
pub fn parse<T: DeserializeOwned>(source: &Source) -> Result<T> {
    serde_json::from_slice(source.bytes()).map_err(|e| Error::json(source.display(), &e))
}

/// Looks at the outermost keys only.
///
/// # Errors
/// Broken JSON before the first telling key.
pub fn shape(source: &Source) -> Result<Shape> {
    let mut found = None;
    let mut json = serde_json::Deserializer::from_slice(source.bytes());
    let read = json.deserialize_any(Peek(&mut found));
    match (found, read) {
        (Some(shape), _) => Ok(shape),
        (None, Ok(())) => Ok(Shape::Other("an object without any telling key")),
        (None, Err(e)) => Err(Error::json(source.display(), &e)),
    }
}

/// Leaves the file as soon as it knows: the shape goes out by the side, through an early error.
struct Peek<'a>(&'a mut Option<Shape>);

impl Peek<'_> {
    fn settle<E: de::Error>(self, shape: Shape) -> std::result::Result<(), E> {
        *self.0 = Some(shape);
        Err(E::custom("seen enough"))
    }
}

impl<'de> Visitor<'de> for Peek<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut without = None;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "format" | "truths" | "i2t" | "t2i" | "image_ids" | "caption_ids" => {
                    return self.settle(Shape::Bundle);
                }
                "images" => {
                    if first_value(&mut map, true)?.has("sentences") {
                        return self.settle(Shape::Karpathy);
                    }
                    without = Some(Shape::Other("an object with images alone"));
                }
                "annotations" => return self.settle(first_value(&mut map, false)?.annotations()),
                "info" | "licenses" | "type" | "categories" | "dataset" => {
                    map.next_value::<IgnoredAny>()?;
                }
                _ => return self.settle(first_value(&mut map, false)?.of_map()),
            }
        }
        if let Some(shape) = without {
            return self.settle(shape);
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        // What cannot be read is still a list; whoever reads all of it says what is broken.
        let first = seq.next_element::<Outline>().ok().flatten();
        let is_captions = first.is_some_and(|first| first.has("image") && first.has("caption"));
        self.settle(if is_captions {
            Shape::CaptionList
        } else {
            Shape::Other("a list")
        })
    }

    fn visit_str<E: de::Error>(self, _: &str) -> std::result::Result<(), E> {
        self.settle(Shape::Other("a string"))
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> std::result::Result<(), E> {
        self.settle(Shape::Other("a number"))
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> std::result::Result<(), E> {
        self.settle(Shape::Other("a number"))
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> std::result::Result<(), E> {
        self.settle(Shape::Other("a number"))
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> std::result::Result<(), E> {
        self.settle(Shape::Other("a truth value"))
    }

    fn visit_unit<E: de::Error>(self) -> std::result::Result<(), E> {
        self.settle(Shape::Other("null"))
    }
}

/// The outline of a value, without its content.
enum Outline {
    /// The keys of an object.
    Keys(Vec<String>),
    /// A text, and whether it has blanks, as a caption has and an id has not.
    Text(bool),
    Else,
}

impl Outline {
    fn has(&self, key: &str) -> bool {
        matches!(self, Outline::Keys(keys) if keys.iter().any(|k| k == key))
    }
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        if raw.starts_with('{') {
            let keys: Fields = serde_json::from_str(raw).map_err(de::Error::custom)?;
            return Ok(Outline::Keys(keys.into_keys().collect()));
        }
        Ok(if raw.starts_with('"') {
            Outline::Text(raw.contains(' '))
        } else {
            Outline::Else
        })
    }
}

type Fields<'a> = std::collections::BTreeMap<String, &'a RawValue>;

/// The outline of a list's first value; the others are skipped.
enum First {
    Of(Outline),
    EmptyList,
    NoList,
}

impl First {
    fn has(&self, key: &str) -> bool {
        matches!(self, First::Of(outline) if outline.has(key))
    }

    /// What a file with such annotations is.
    fn annotations(&self) -> Shape {
        if self.has("caption") {
            Shape::Coco
        } else if self.has("category_id") {
            Shape::Instances
        } else {
            Shape::Other("annotations without caption and category_id")
        }
    }

    /// What an object is whose first unknown key has such a value.
    fn of_map(&self) -> Shape {
        match self {
            First::Of(Outline::Text(true)) => Shape::CaptionMap,
            First::Of(Outline::Keys(_)) => {
                Shape::Other("an object whose values are no lists of ids")
            }
            First::Of(_) | First::EmptyList => Shape::Pairs,
            First::NoList => Shape::Other("an object whose values are no lists"),
        }
    }
}

/// Looks at the first value of the list that comes next. Without `whole` the rest is not read, and
/// nothing may be asked of `map` afterwards: it stands in the middle of the list.
fn first_value<'de, A: MapAccess<'de>>(
    map: &mut A,
    whole: bool,
) -> std::result::Result<First, A::Error> {
    let mut first = None;
    let read = map.next_value_seed(Look {
        first: &mut first,
        whole,
    });
    match first {
        Some(First::Of(_)) if !whole => {}
        _ => read?,
    }
    Ok(first.unwrap_or(First::NoList))
}

/// Takes the first element; the result goes out by the side, as in [`Peek`].
struct Look<'a> {
    first: &'a mut Option<First>,
    whole: bool,
}

impl<'de> de::DeserializeSeed<'de> for Look<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Look<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(text: &str) -> Result<Shape> {
        shape(&Source::in_memory("t.json", text.as_bytes().to_vec()))
    }

    #[test]
    fn the_first_telling_key_decides() {
        assert_eq!(shape_of(r#"{"38": [1, 2]}"#).unwrap(), Shape::Pairs);
        assert_eq!(shape_of(r#"{"i2t": {}}"#).unwrap(), Shape::Bundle);
        assert_eq!(
            shape_of(r#"{"info": {"x": [1]}, "images": [], "annotations": [{"caption": "a b"}]}"#)
                .unwrap(),
            Shape::Coco
        );
        let shapes = [
            (
                r#"{"annotations": [{"id": 1, "category_id": 3}, 5]}"#,
                Shape::Instances,
            ),
            (
                r#"{"dataset": "coco", "images": [{"sentences": []}]}"#,
                Shape::Karpathy,
            ),
            (
                r#"{"COCO_val2014_000000452113": ["a dog"]}"#,
                Shape::CaptionMap,
            ),
            (r#"{"a": ["b", "c"]}"#, Shape::Pairs),
            (r#"{"a": []}"#, Shape::Pairs),
            (
                r#"[{"image": "a.jpg", "caption": ["x"]}]"#,
                Shape::CaptionList,
            ),
        ];
        for (text, shape) in shapes {
            assert_eq!(shape_of(text).unwrap(), shape, "{text}");
        }
        assert!(matches!(
            shape_of(r#"{"images": []}"#).unwrap(),
            Shape::Other(_)
        ));
        assert!(matches!(shape_of("[1]").unwrap(), Shape::Other(_)));
        assert!(matches!(shape_of(r#"{"a": 3}"#).unwrap(), Shape::Other(_)));
    }

    #[test]
    fn broken_json_names_line_and_column() {
        let error = shape_of("{\n\"info\": }").unwrap_err().to_string();
        assert!(
            error.contains("t.json: broken JSON at line 2, column 9"),
            "{error}"
        );
    }
}
