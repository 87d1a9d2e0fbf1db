//! Ids of images and captions, as the files write them.

mod list;

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

pub use list::{DistinctIds, IdList, IdTable, IdUnion};

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

    /// The id as files write it, not sanitized for display.
    pub fn raw(&self) -> String {
        match self {
            Id::Number(number) => number.to_string(),
            Id::Text(text) => text.to_string(),
        }
    }

    /// The id of an image from its file name: the number in COCO's names (with or without folder and extension), else
    /// the name without folder and image extension.
    pub fn from_file_name(name: &str) -> Self {
        let base = text_after(name, b"/\\");
        let stem = image_stem(base).unwrap_or(base);
        let digits = text_after(stem, b"_");
        let is_coco = stem.len() == digits.len() || stem.starts_with("COCO_");
        if is_coco && digits.len() == COCO_DIGITS && digits.bytes().all(|b| b.is_ascii_digit()) {
            return digits.parse().map_or_else(|_| Id::parse(stem), Id::Number);
        }
        Id::parse(stem)
    }

    /// The id that another file may use for `text`: the image id for a file name, the number for leading zeros; else
    /// `None`.
    pub fn other_spelling(text: &str) -> Option<Self> {
        if Id::is_image_file(text) || text.starts_with("COCO_") {
            return Some(Id::from_file_name(text));
        }
        let is_padded = text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit());
        is_padded.then(|| text.parse().map_or_else(|_| Id::Text(text.into()), Id::Number))
    }

    /// Whether a file name is that of an image.
    pub fn is_image_file(name: &str) -> bool {
        image_stem(name).is_some()
    }
}

/// The name of an image file without its extension; `None` for other files.
fn image_stem(name: &str) -> Option<&str> {
    let (stem, extension) = name.rsplit_once('.')?;
    let is_image = IMAGE_EXTENSIONS.iter().any(|known| extension.eq_ignore_ascii_case(known));
    is_image.then_some(stem)
}

/// The text after the last of some ASCII characters; all of it without one.
pub(in crate::data) fn text_after<'a>(text: &'a str, separators: &[u8]) -> &'a str {
    let last = text.as_bytes().iter().rposition(|b| separators.contains(b));
    &text[last.map_or(0, |at| at + 1)..]
}

/// Extensions of image files.
const IMAGE_EXTENSIONS: [&str; 8] = ["jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff"];
/// Number of digits in COCO's file names.
const COCO_DIGITS: usize = 12;
/// The number of an id; `None` if `text` is no plain decimal integer.
pub(in crate::data) fn plain_number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| is_plain(text))
}

/// Whether `text` is how an integer prints: no plus sign, no leading zero, no "-0".
fn is_plain(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    digits == "0" && text.len() == 1
        || digits.bytes().next().is_some_and(|b| (b'1'..=b'9').contains(&b))
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Id::Number(number) => number.fmt(f),
            Id::Text(text) => crate::data::text::shown(text).fmt(f),
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
    fn names_of_image_files_give_ids() {
        for (name, id) in [
            ("val2014/COCO_val2014_000000391895.jpg", Id::Number(391895)),
            ("COCO_val2014_000000000009", Id::Number(9)),
            ("000000000139.jpg", Id::Number(139)),
            ("flickr30k-images/1007129816.jpg", Id::Number(1007129816)),
            ("dog_000000000009.PNG", Id::Text("dog_000000000009".into())),
            ("v1.5", Id::Text("v1.5".into())),
        ] {
            assert_eq!(Id::from_file_name(name), id, "{name}");
        }
    }
}
