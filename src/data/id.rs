//! Ids of images and captions, as the files write them.

use std::fmt;
use std::sync::{Arc, OnceLock};

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

    /// The id as files write it, nothing made safe to show.
    pub fn raw(&self) -> String {
        match self {
            Id::Number(number) => number.to_string(),
            Id::Text(text) => text.to_string(),
        }
    }

    /// The id of an image from the name of its file: the number in COCO's names (with or without
    /// folder and ending), else the name without folder and the ending of a picture.
    pub fn of_file(name: &str) -> Self {
        let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
        let stem = match base.rsplit_once('.') {
            Some((stem, _)) if Id::is_picture(base) => stem,
            _ => base,
        };
        let digits = stem.rsplit('_').next().unwrap_or(stem);
        let is_coco = stem.len() == digits.len() || stem.starts_with("COCO_");
        if is_coco && digits.len() == COCO_DIGITS && digits.bytes().all(|b| b.is_ascii_digit()) {
            return digits.parse().map_or_else(|_| Id::parse(stem), Id::Number);
        }
        Id::parse(stem)
    }

    /// The id of an image, if `text` is the name of its file.
    pub fn of_name(text: &str) -> Option<Self> {
        let is_name = Id::is_picture(text) || text.starts_with("COCO_");
        is_name.then(|| Id::of_file(text))
    }

    /// Whether a name ends as that of a picture.
    pub fn is_picture(name: &str) -> bool {
        let ending = name.rsplit_once('.').map(|(_, ending)| ending);
        ending.is_some_and(|ending| {
            PICTURES
                .iter()
                .any(|known| ending.eq_ignore_ascii_case(known))
        })
    }
}

/// Endings of pictures.
const PICTURES: [&str; 8] = ["jpg", "jpeg", "png", "webp", "gif", "bmp", "tif", "tiff"];
/// Digits of the number in the file names of COCO.
const COCO_DIGITS: usize = 12;
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
    ids: Arc<Vec<Id>>,
    /// Places of all ids but those that are their own place: a million counted ids need no index.
    index: FxHashMap<Id, u32>,
    fingerprint: OnceLock<u64>,
}

impl IdList {
    /// Builds the list.
    ///
    /// # Errors
    /// The first id that stands twice, with both positions.
    pub fn new(ids: impl Into<Arc<Vec<Id>>>) -> Result<Self, (Id, usize, usize)> {
        let ids = ids.into();
        let mut index = FxHashMap::default();
        for (at, id) in ids.iter().enumerate() {
            let before = match at_home(&ids, id) {
                Some(place) if place as usize == at => None,
                Some(place) => Some(place),
                None => index.insert(id.clone(), at as u32),
            };
            if let Some(other) = before {
                let (first, second) = (at.min(other as usize), at.max(other as usize));
                return Err((id.clone(), first, second));
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
        IdList {
            ids: Arc::new((0..n as i64).map(Id::Number).collect()),
            ..IdList::default()
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

    /// The matrix index of an id; the file name of a picture stands for the image's id.
    pub fn find(&self, id: &Id) -> Option<u32> {
        let known = |id: &Id| at_home(&self.ids, id).or_else(|| self.index.get(id).copied());
        known(id).or_else(|| match id {
            Id::Text(name) => known(&Id::of_name(name)?),
            Id::Number(_) => None,
        })
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

/// The place of an id that is the number of its own place.
fn at_home(ids: &[Id], id: &Id) -> Option<u32> {
    let &Id::Number(number) = id else {
        return None;
    };
    let place = u32::try_from(number).ok()?;
    (ids.get(place as usize) == Some(id)).then_some(place)
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
    fn file_names_of_pictures_give_ids() {
        for (name, id) in [
            ("val2014/COCO_val2014_000000391895.jpg", Id::Number(391895)),
            ("COCO_val2014_000000000009", Id::Number(9)),
            ("000000000139.jpg", Id::Number(139)),
            ("flickr30k-images/1007129816.jpg", Id::Number(1007129816)),
            ("dog_000000000009.PNG", Id::Text("dog_000000000009".into())),
            ("v1.5", Id::Text("v1.5".into())),
        ] {
            assert_eq!(Id::of_file(name), id, "{name}");
        }
    }

    #[test]
    fn every_id_is_found_at_its_place() {
        let ids = [3, 1, 0, -1, 7].map(Id::Number).to_vec();
        let list = IdList::new(ids.clone()).unwrap();
        for (at, id) in (0..).zip(&ids) {
            assert_eq!(list.find(id), Some(at), "{id}");
        }
        for other in [2, 4, 5] {
            assert_eq!(list.find(&Id::Number(other)), None);
        }
        assert_eq!(IdList::counted(3).find(&Id::Number(2)), Some(2));
        assert_eq!(IdList::counted(3).find(&Id::Number(3)), None);
    }

    #[test]
    fn a_file_name_finds_the_image() {
        let ids = IdList::new(vec![Id::Number(42), Id::Text("x.png".into())]).unwrap();
        assert_eq!(
            ids.find(&Id::parse("COCO_val2014_000000000042.jpg")),
            Some(0)
        );
        assert_eq!(ids.find(&Id::parse("x.png")), Some(1));
        assert_eq!(ids.find(&Id::parse("COCO_val2014_000000000043.jpg")), None);
    }

    #[test]
    fn a_repeated_id_is_named_with_both_places() {
        let twice = vec![Id::Number(5), Id::Number(6), Id::Number(5)];
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(5), 0, 2));
        let twice = [2, 0, 2, 3].map(Id::Number).to_vec();
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(2), 0, 2));
        let twice = [9, 1, 1].map(Id::Number).to_vec();
        assert_eq!(IdList::new(twice).unwrap_err(), (Id::Number(1), 1, 2));
    }
}
