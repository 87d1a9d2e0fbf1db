//! JSON files: what kind one is, told from its first keys, and errors with line and column.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::binary;
use super::source::Source;
use crate::error::{Error, Result};

/// What a JSON file is, as far as its outermost level tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{id: [ids]}`.
    Pairs,
    /// `{query: {item: number}}`.
    Scored,
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
    /// A list of numbers or text, as lists of ids are.
    List,
    /// Anything else, described.
    Other(&'static str),
}

/// Parses a whole file.
///
/// # Errors
/// Broken JSON or another structure, with line and column.
pub fn parse<'a, T: Deserialize<'a>>(source: &'a Source) -> Result<T> {
    binary::refuse(source, "JSON")?;
    serde_json::from_slice(source.bytes()).map_err(|e| Error::json(source.display(), &e))
}

/// The entries of an object in the order of the file, repeated keys among them.
pub struct Entries<K, V>(pub Vec<(K, V)>);

impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Deserialize<'de> for Entries<K, V> {
    fn deserialize<D: Deserializer<'de>>(json: D) -> std::result::Result<Self, D::Error> {
        struct InOrder<K, V>(PhantomData<(K, V)>);

        impl<'de, K: Deserialize<'de>, V: Deserialize<'de>> Visitor<'de> for InOrder<K, V> {
            type Value = Entries<K, V>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }
        json.deserialize_map(InOrder(PhantomData))
    }
}

/// Looks at the outermost keys only.
///
/// # Errors
/// Broken JSON before the first telling key.
pub fn shape(source: &Source) -> Result<Shape> {
    binary::refuse(source, "JSON")?;
    let mut found = None;
    let mut json = serde_json::Deserializer::from_slice(source.bytes());
    let read = json.deserialize_any(Peek(&mut found));
    match (found, read) {
        (Some(shape), _) => Ok(shape),
        (None, Err(error)) if !error.is_data() => Err(Error::json(source.display(), &error)),
        (None, _) => Ok(Shape::Other("JSON whose values are no lists")),
    }
}

/// What a truth without any query looks like.
const EMPTY: Shape = Shape::Other("an empty object: as a ground truth it judges no query");

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
        let mut without = EMPTY;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "format" | "truths" | "i2t" | "t2i" | "image_ids" | "caption_ids" => {
                    return self.settle(Shape::Bundle);
                }
                "images" => {
                    if first_value(&mut map, true)?.has("sentences") {
                        return self.settle(Shape::Karpathy);
                    }
                    without = Shape::Other("an object with images alone");
                }
                "annotations" => {
                    let first = first_value(&mut map, false)?;
                    return self.settle(if first.has("caption") {
                        Shape::Coco
                    } else if first.has("category_id") {
                        Shape::Instances
                    } else {
                        Shape::Other("annotations without caption and category_id")
                    });
                }
                "info" | "licenses" | "type" | "categories" | "dataset" => {
                    if without == EMPTY {
                        without = Shape::Other("an object without any telling key");
                    }
                    map.next_value::<IgnoredAny>()?;
                }
                _ => {
                    let first = first_value(&mut map, false)?;
                    return self.settle(match first {
                        First::Element(Outline::Text { has_blanks: true }) => Shape::CaptionMap,
                        First::Element(Outline::Keys(_)) => {
                            Shape::Other("an object whose values are no lists of ids")
                        }
                        First::Element(_) | First::EmptyList => Shape::Pairs,
                        First::Numbers => Shape::Scored,
                    });
                }
            }
        }
        self.settle(without)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        // What cannot be read is still a list; whoever reads all of it says what is broken.
        let first = seq.next_element::<Outline>().ok().flatten();
        self.settle(match first {
            Some(Outline::Keys(keys))
                if ["image", "caption"].iter().all(|key| keys.iter().any(|one| one == key)) =>
            {
                Shape::CaptionList
            }
            Some(Outline::Text { has_blanks: false } | Outline::Number) => Shape::List,
            _ => Shape::Other("a list"),
        })
    }
}

/// A value without its content.
enum Outline {
    Keys(Vec<String>),
    /// A caption has blanks, an id has none.
    Text {
        has_blanks: bool,
    },
    Number,
    Else,
}

impl<'de> Deserialize<'de> for Outline {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?.get();
        Ok(match raw.as_bytes() {
            [b'{', ..] => {
                let fields: Entries<String, IgnoredAny> =
                    serde_json::from_str(raw).map_err(de::Error::custom)?;
                Outline::Keys(fields.0.into_iter().map(|(key, _)| key).collect())
            }
            [b'"', ..] => Outline::Text { has_blanks: raw.contains(' ') },
            [b'-' | b'0'..=b'9', ..] => Outline::Number,
            _ => Outline::Else,
        })
    }
}

/// How a list or an object begins.
enum First {
    Element(Outline),
    EmptyList,
    /// An object of numbers, or an empty one.
    Numbers,
}

impl First {
    fn has(&self, key: &str) -> bool {
        matches!(self, First::Element(Outline::Keys(keys)) if keys.iter().any(|one| one == key))
    }
}

/// Looks at the first value of the list or object that comes next. Without `whole` the rest is not read, and
/// nothing may be asked of `map` afterwards: it stands in the middle of the list.
fn first_value<'de, A: MapAccess<'de>>(
    map: &mut A,
    whole: bool,
) -> std::result::Result<First, A::Error> {
    let mut first = None;
    let read = map.next_value_seed(FirstValue { first: &mut first, whole });
    match first {
        Some(first) if !whole => Ok(first),
        first => read.and(first.ok_or_else(|| de::Error::custom("no list"))),
    }
}

/// Takes the first value; the result goes out by the side, as for the shape of the file.
struct FirstValue<'a> {
    first: &'a mut Option<First>,
    whole: bool,
}

impl<'de> de::DeserializeSeed<'de> for FirstValue<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for FirstValue<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> std::result::Result<(), A::Error> {
        *self.first = Some(seq.next_element()?.map_or(First::EmptyList, First::Element));
        while self.whole && seq.next_element::<IgnoredAny>()?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        match map.next_entry::<IgnoredAny, Outline>()? {
            None | Some((_, Outline::Number)) => *self.first = Some(First::Numbers),
            Some(_) => return Err(de::Error::custom("no numbers")),
        }
        while self.whole && map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
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
            (r#"{"annotations": [{"id": 1, "category_id": 3}, 5]}"#, Shape::Instances),
            (r#"{"dataset": "coco", "images": [{"sentences": []}]}"#, Shape::Karpathy),
            (r#"{"COCO_val2014_000000452113": ["a dog"]}"#, Shape::CaptionMap),
            (r#"{"a": ["b", "c"]}"#, Shape::Pairs),
            (r#"{"a": []}"#, Shape::Pairs),
            (r#"{"q": {"a": 0.5}}"#, Shape::Scored),
            (r#"{"q": {}, "r": {"a": 1}}"#, Shape::Scored),
            (r#"[{"image": "a.jpg", "caption": ["x"]}]"#, Shape::CaptionList),
        ];
        for (text, shape) in shapes {
            assert_eq!(shape_of(text).unwrap(), shape, "{text}");
        }
        assert!(matches!(shape_of(r#"{"images": []}"#).unwrap(), Shape::Other(_)));
        assert_eq!(shape_of("[1]").unwrap(), Shape::List);
        assert!(matches!(shape_of("[[1]]").unwrap(), Shape::Other(_)));
        assert!(matches!(shape_of(r#"{"a": 3}"#).unwrap(), Shape::Other(_)));
    }

    #[test]
    fn broken_json_names_line_and_column() {
        let error = shape_of("{\n\"info\": }").unwrap_err().to_string();
        assert!(error.contains("t.json: broken JSON at line 2, column 9"), "{error}");
        let cut = shape_of("{\"info\": [1").unwrap_err().to_string();
        assert!(cut.contains("broken JSON at line 1, column 11: the end within a list"), "{cut}");
        assert!(cut.contains("fix: write or copy the file once more: it is cut off"));
    }
}
