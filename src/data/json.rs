//! JSON files: recognises their kind by the first keys, and parses them with line and column in errors.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::source::Source;
use crate::error::{Error, Result};

/// Kind of a JSON file, by its outermost level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `{id: [ids]}`, or `{id: number}`.
    Pairs,
    /// `{query: {item: number}}`.
    Scored,
    /// An object with `format`, `truths`, `i2t`, `t2i`, `image_ids` or `caption_ids`.
    Bundle,
    /// An object with `annotations` that have a `caption` (the first one is checked), as COCO writes.
    Coco,
    /// An object with `annotations` that have a `category_id` (the first one is checked), as COCO writes.
    Instances,
    /// An object with `images` that have `sentences` (the first one is checked), as Karpathy's splits.
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
    source.require_text("JSON")?;
    let text = str::from_utf8(source.bytes()).map_err(|error| {
        let before = &source.bytes()[..error.valid_up_to()];
        let line = before.split(|byte| *byte == b'\n').count();
        Error::new(source.display(), format!("broken JSON at line {line}: no UTF-8"))
            .fix("save it in UTF-8")
    })?;
    serde_json::from_str(text).map_err(|error| Error::json(source.display(), &error))
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

/// The kind of a file by its outermost keys. Checks that the file is not cut off.
///
/// # Errors
/// Broken JSON before the first known key; a file that is cut off.
pub fn shape(source: &Source) -> Result<Shape> {
    source.require_text("JSON")?;
    let bytes = source.bytes().trim_ascii();
    let found = match (bytes, bytes.last()) {
        ([b'{', fields @ ..], Some(b'}')) => object_shape(fields),
        ([b'[', items @ ..], Some(b']')) => Some(list_shape(items)),
        _ => None,
    };
    match found {
        Some(shape) => Ok(shape),
        None => parse(source).map(|IgnoredAny| Shape::Other("JSON whose values are no lists")),
    }
}

/// Shape of an object without fields.
const EMPTY: Shape = Shape::Other("an empty object: as a ground truth it covers no query");

/// The shape of an object by its `fields`, the text after `{`; `None` of broken JSON and of unknown values.
fn object_shape(mut fields: &[u8]) -> Option<Shape> {
    let mut fallback = EMPTY;
    while !fields.trim_ascii_start().starts_with(b"}") {
        let key: String = take_value(&mut fields)?;
        match key.as_str() {
            "format" | "truths" | "i2t" | "t2i" | "image_ids" | "caption_ids" => {
                return Some(Shape::Bundle);
            }
            "images" => {
                if read_start(fields)?.has_key("sentences") {
                    return Some(Shape::Karpathy);
                }
                fallback = Shape::Other("an object with images alone");
            }
            "annotations" => {
                let first = read_start(fields)?;
                return Some(if first.has_key("caption") {
                    Shape::Coco
                } else if first.has_key("category_id") {
                    Shape::Instances
                } else {
                    Shape::Other("annotations without caption and category_id")
                });
            }
            "info" | "licenses" | "type" | "categories" | "dataset" => {
                if fallback == EMPTY {
                    fallback = Shape::Other("an object without any telling key");
                }
            }
            _ => {
                return Some(match read_start(fields)? {
                    Start::Element(text) if text.starts_with('"') && text.contains(' ') => {
                        Shape::CaptionMap
                    }
                    Start::Element(object) if object.starts_with('{') => {
                        Shape::Other("an object whose values are no lists of ids")
                    }
                    Start::Element(_) => Shape::Pairs,
                    Start::Numbers => Shape::Scored,
                });
            }
        }
        take_value::<IgnoredAny>(&mut fields)?;
    }
    Some(fallback)
}

/// The shape of a list by its first item; `items` is the text after `[`. Broken items are still a list: the full parse
/// reports them.
fn list_shape(mut items: &[u8]) -> Shape {
    let first = take_value::<&RawValue>(&mut items).map_or("", RawValue::get);
    let is_id = first.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        || first.starts_with('"') && !first.contains(' ');
    let first = Start::Element(first);
    if ["image", "caption"].iter().all(|key| first.has_key(key)) {
        Shape::CaptionList
    } else if is_id {
        Shape::List
    } else {
        Shape::Other("a list")
    }
}

/// Removes the first value or key from `text`, with its separator, and returns it; `None` where it is broken.
fn take_value<'a, T: Deserialize<'a>>(text: &mut &'a [u8]) -> Option<T> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter();
    let value = values.next()?.ok()?;
    let rest = text[values.byte_offset()..].trim_ascii_start();
    *text = rest.strip_prefix(b",").or(rest.strip_prefix(b":")).unwrap_or(rest);
    Some(value)
}

/// Start of a list or an object, which tells its shape.
enum Start<'a> {
    /// The first item of a list as JSON text; empty for an empty list and for a number.
    Element(&'a str),
    /// An object of numbers, or an empty one.
    Numbers,
}

impl Start<'_> {
    /// Whether the first item is an object with this key.
    fn has_key(&self, key: &str) -> bool {
        let Start::Element(item) = self else { return false };
        let fields = serde_json::from_str::<Entries<String, IgnoredAny>>(item);
        fields.is_ok_and(|Entries(fields)| fields.iter().any(|(name, _)| name == key))
    }
}

/// Reads the start of the list, object or number at the start of `text`; `None` of anything else.
fn read_start(text: &[u8]) -> Option<Start<'_>> {
    let (start, inside) = text.trim_ascii_start().split_first()?;
    let mut inside = inside.trim_ascii_start();
    match (start, inside.first()?) {
        (b'[', b']') | (b'0'..=b'9' | b'-', _) => Some(Start::Element("")),
        (b'[', _) => take_value::<&RawValue>(&mut inside).map(|item| Start::Element(item.get())),
        (b'{', b'}') => Some(Start::Numbers),
        (b'{', _) => {
            take_value::<IgnoredAny>(&mut inside)?;
            take_value::<serde_json::Number>(&mut inside).map(|_| Start::Numbers)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(text: &str) -> Result<Shape> {
        shape(&Source::in_memory("t.json", text.as_bytes().to_vec()))
    }

    #[test]
    fn a_file_that_is_cut_off_is_refused() {
        let whole = r#"{"images": [], "annotations": [{"caption": "a b"}]}"#;
        assert!(shape_of(whole).is_ok());
        let cut = shape_of(&whole[..whole.len() - 6]).unwrap_err().to_string();
        assert!(cut.contains("cut off"), "{cut}");
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
            (r#"{"a": 3}"#, Shape::Pairs),
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
        assert!(matches!(shape_of(r#"{"a": true}"#).unwrap(), Shape::Other(_)));
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
