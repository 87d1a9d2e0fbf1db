//! The bundle `{"format": "itm-explore/1", ..}`: ids, captions and several truths in one file; and
//! the plain `{"i2t": {..}, "t2i": {..}}` of one truth.

use std::collections::BTreeSet;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::SerializeMap};

use super::pairs::{ById, Pairs};
use super::{Format, Listed, Parts};
use crate::data::id::Id;
use crate::data::json::{self, Shape};
use crate::data::source::Source;
use crate::data::text::shown;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore/1";

/// What a file tells of the gallery.
#[derive(Debug, Default)]
pub struct GalleryParts {
    /// Ids of the images, in row order.
    pub image_ids: Option<Vec<Id>>,
    /// Ids of the captions, in column order.
    pub caption_ids: Option<Vec<Id>>,
    /// Text of each caption.
    pub captions: Option<Vec<String>>,
    /// File name of each image.
    pub file_names: Option<Vec<String>>,
}

/// A bundle, or one truth in both directions.
pub struct Bundle;

impl Format for Bundle {
    fn key(&self) -> &'static str {
        "bundle"
    }

    fn doc(&self) -> &'static str {
        "ids, captions and ground truths in one file, as `itm-explore convert` writes it; or {\"i2t\": {..}, \"t2i\": {..}}"
    }

    fn accepts(&self, _source: &Source, shape: Option<Shape>) -> bool {
        shape == Some(Shape::Bundle)
    }

    fn read(&self, source: &Source) -> Result<Parts> {
        let mut file: BundleFile = json::parse(source)?;
        if let Some(format) = file.format.as_deref().filter(|&format| format != FORMAT) {
            return Err(Error::new(source.display(), format!("a bundle of format {format:?}"))
                .expected(format!("{FORMAT:?}"))
                .mend(
                    "make it again with `itm-explore convert`, or use the version that wrote it",
                ));
        }
        let plain = PerDirection { i2t: file.i2t.take(), t2i: file.t2i.take() };
        if plain.i2t.is_some() || plain.t2i.is_some() {
            file.truths.0.push((source.stem(), plain));
        }
        let mut truths = Vec::new();
        for (name, mut directions) in file.truths.0 {
            let name = shown(&name);
            for direction in Direction::BOTH {
                if let Some(pairs) = directions[direction].take() {
                    let file = source.display();
                    truths.push(Listed {
                        name: name.clone(),
                        direction: Some(direction),
                        pairs,
                        file,
                    });
                }
            }
        }
        let gallery = GalleryParts {
            image_ids: file.image_ids,
            caption_ids: file.caption_ids,
            captions: file.captions,
            file_names: file.file_names,
        };
        Ok(Parts { gallery, truths })
    }
}

/// The file, field by field; what `convert` writes.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BundleFile {
    /// [`FORMAT`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// Ids of the images, in row order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub image_ids: Option<Vec<Id>>,
    /// Ids of the captions, in column order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caption_ids: Option<Vec<Id>>,
    /// Text of each caption.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub captions: Option<Vec<String>>,
    /// File name of each image.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file_names: Option<Vec<String>>,
    /// Truths by name.
    #[serde(default)]
    pub truths: Truths,
    /// Image queries of the one truth of a plain file.
    #[serde(skip_serializing)]
    pub i2t: Option<Pairs>,
    /// Caption queries of the one truth of a plain file.
    #[serde(skip_serializing)]
    pub t2i: Option<Pairs>,
}

/// The ground truths of a bundle by name, in the order of the file.
#[derive(Debug, Default)]
pub struct Truths(pub Vec<(String, PerDirection<Option<Pairs>>)>);

impl Serialize for Truths {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, directions) in &self.0 {
            map.serialize_entry(name, &Directions(directions))?;
        }
        map.end()
    }
}

struct Directions<'a>(&'a PerDirection<Option<Pairs>>);

/// Grades of a truth, beside its lists of positives; optional, and nothing to readers without grades.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct GradesFile {
    /// The least grade of a positive.
    relevant_from: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    i2t: Option<ById>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t2i: Option<ById>,
}

impl GradesFile {
    /// Those of a truth; `None` where it has none.
    fn of(directions: &PerDirection<Option<Pairs>>) -> Option<Self> {
        let graded = |direction| directions[direction].as_ref().and_then(Pairs::by_id);
        let [i2t, t2i] = Direction::both(graded);
        let pairs = Direction::BOTH.into_iter();
        let pairs = pairs.filter_map(|direction| directions[direction].as_ref());
        let from = pairs.filter(|pairs| pairs.greatest().is_some()).map(Pairs::relevant_from);
        Some(GradesFile { relevant_from: from.max()?, i2t, t2i })
    }
}

/// Lists that stand beside the positives.
type ListsOf = fn(&Pairs) -> Option<&Pairs>;

impl Serialize for Directions<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for direction in Direction::BOTH {
            if let Some(pairs) = &self.0[direction] {
                map.serialize_entry(direction.key(), pairs)?;
            }
        }
        if let Some(grades) = GradesFile::of(self.0) {
            map.serialize_entry("grades", &grades)?;
        }
        let beside: [(&str, ListsOf); 2] =
            [("nonrelevant", Pairs::nonrelevant), ("pooled", Pairs::pooled)];
        for (key, of) in beside {
            let lists = BothFile::of(self.0, of);
            if lists.i2t.is_some() || lists.t2i.is_some() {
                map.serialize_entry(key, &lists)?;
            }
        }
        map.end()
    }
}

/// Pairs of a truth that are no positives: judged not relevant, or pooled and not judged; optional.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BothFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    i2t: Option<Pairs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t2i: Option<Pairs>,
}

impl BothFile {
    fn of(
        directions: &PerDirection<Option<Pairs>>,
        lists: impl Fn(&Pairs) -> Option<&Pairs>,
    ) -> Self {
        let of_one = |direction| lists(directions[direction].as_ref()?).cloned();
        let [i2t, t2i] = Direction::both(of_one);
        BothFile { i2t, t2i }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OneTruth {
    i2t: Option<Pairs>,
    t2i: Option<Pairs>,
    grades: Option<GradesFile>,
    nonrelevant: Option<BothFile>,
    pooled: Option<BothFile>,
}

impl OneTruth {
    /// Its lists, with the grades and what was judged not relevant beside them.
    fn directions(self) -> PerDirection<Option<Pairs>> {
        let grades = self.grades.unwrap_or_default();
        let from = grades.relevant_from.max(1);
        let graded = |pairs: Option<Pairs>, grades: Option<ById>| match grades {
            Some(by_id) => Some(pairs.unwrap_or_default().graded_by(by_id, from)),
            None => pairs,
        };
        let nonrelevant = self.nonrelevant.unwrap_or_default();
        let beside = |pairs: Option<Pairs>, nonrelevant: Option<Pairs>| match nonrelevant {
            Some(nonrelevant) => Some(pairs.unwrap_or_default().beside(nonrelevant)),
            None => pairs,
        };
        let pooled = self.pooled.unwrap_or_default();
        let with_pooled = |pairs: Option<Pairs>, pooled: Option<Pairs>| match pooled {
            Some(pooled) => Some(pairs.unwrap_or_default().with_pooled(pooled)),
            None => pairs,
        };
        let i2t = beside(graded(self.i2t, grades.i2t), nonrelevant.i2t);
        let t2i = beside(graded(self.t2i, grades.t2i), nonrelevant.t2i);
        PerDirection { i2t: with_pooled(i2t, pooled.i2t), t2i: with_pooled(t2i, pooled.t2i) }
    }
}

impl<'de> Deserialize<'de> for Truths {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct TruthsVisitor;
        impl<'de> Visitor<'de> for TruthsVisitor {
            type Value = Truths;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("an object {name: {\"i2t\": {..}, \"t2i\": {..}}}")
            }

            fn visit_map<A: MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Truths, A::Error> {
                let mut truths = Truths::default();
                let mut seen = BTreeSet::new();
                while let Some(name) = map.next_key::<String>()? {
                    if !seen.insert(name.clone()) {
                        return Err(serde::de::Error::custom(format!(
                            "ground truth {name:?} stands twice"
                        )));
                    }
                    let one: OneTruth = map.next_value()?;
                    truths.0.push((name, one.directions()));
                }
                Ok(truths)
            }
        }
        deserializer.deserialize_map(TruthsVisitor)
    }
}
