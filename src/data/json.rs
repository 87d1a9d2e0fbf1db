//! JSON files: what kind one is, told from its first keys, and errors with line and column.

use std::fmt;

use serde::de::{self, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use super::binary;
use super::outline::{Outline, first_value};
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
        (None, Ok(())) => Ok(Shape::Other("an object without any telling key")),
        (None, Err(e)) => Err(Error::json(source.display(), &e)),
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
        let mut without = Some(EMPTY);
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
                    without = without.filter(|shape| *shape != EMPTY);
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
        let is_captions =
            first.as_ref().is_some_and(|first| first.has("image") && first.has("caption"));
        self.settle(match first {
            _ if is_captions => Shape::CaptionList,
            Some(first) if first.is_id() => Shape::List,
            _ => Shape::Other("a list"),
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
