//! The bundle `{"format": "itm-explore/1", ..}`: ids, captions and several truths in one file; and
//! the plain `{"i2t": {..}, "t2i": {..}}` of one truth.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize, Serializer};

use super::pairs::{GradesById, NOT_RELEVANT, POOLED, Pairs};
use super::{Format, Listed, TruthFile};
use crate::data::id::Id;
use crate::data::json::{self, Entries, Shape};
use crate::data::source::Source;
use crate::data::text::shown;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore/1";

/// The format of bundles, and of plain files with one truth.
pub static BUNDLE: Format =
    Format { accepts: |_, shape| shape == Some(Shape::Bundle), ending: None, read };

/// Reads a bundle or a plain file.
///
/// # Errors
/// Broken JSON, an unknown field or another version.
fn read(source: &Source) -> Result<TruthFile> {
    let mut file: BundleFile = json::parse(source)?;
    if let Some(format) = file.format.as_deref().filter(|&format| format != FORMAT) {
        return Err(Error::new(source.display(), format!("a bundle of format {format:?}"))
            .expected(format!("{FORMAT:?}"))
            .fix("make it again with `itm-explore convert`, or use the version that wrote it"));
    }
    let mut named = std::mem::take(&mut file.truths.0);
    if file.i2t.is_some() || file.t2i.is_some() {
        let plain = PerDirection { i2t: file.i2t.take(), t2i: file.t2i.take() };
        named.push((source.stem(), plain));
    }
    let mut truths = Vec::new();
    for (name, mut directions) in named {
        let name = shown(&name);
        for direction in Direction::BOTH {
            if let Some(pairs) = directions[direction].take() {
                truths.push(Listed::new(&name, direction, pairs, &source.display()));
            }
        }
    }
    Ok(TruthFile { gallery: Box::new(file), truths })
}

/// The fields of a bundle, or of a plain file with one truth.
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
    /// Image queries of a plain file's single truth.
    #[serde(skip_serializing)]
    pub i2t: Option<Pairs>,
    /// Caption queries of a plain file's single truth.
    #[serde(skip_serializing)]
    pub t2i: Option<Pairs>,
}

/// The ground truths of a bundle by name, in the order of the file.
#[derive(Debug, Default, Deserialize)]
#[serde(try_from = "Entries<String, OneTruth<Pairs>>")]
pub struct Truths(pub Vec<(String, PerDirection<Option<Pairs>>)>);

impl Serialize for Truths {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, of)| (name, OneTruth::from_pairs(of))))
    }
}

/// A truth in a bundle: positives of each direction, and optional grades and judgments that readers may ignore.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct OneTruth<P> {
    #[serde(skip_serializing_if = "Option::is_none")]
    i2t: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t2i: Option<P>,
    #[serde(skip_serializing_if = "Option::is_none")]
    grades: Option<Grades>,
    /// Items judged not relevant.
    #[serde(skip_serializing_if = "Option::is_none")]
    nonrelevant: Option<PairsPerDirection>,
    /// Items pooled but not judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pooled: Option<PairsPerDirection>,
}

/// Pairs of the directions that have any.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairsPerDirection {
    #[serde(skip_serializing_if = "Option::is_none")]
    i2t: Option<Pairs>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t2i: Option<Pairs>,
}

/// Grades of the directions that have any.
#[derive(Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Grades {
    /// The lowest grade of a positive.
    relevant_from: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    i2t: Option<GradesById>,
    #[serde(skip_serializing_if = "Option::is_none")]
    t2i: Option<GradesById>,
}

impl<'a> OneTruth<&'a Pairs> {
    /// Splits the pairs of a truth into positives, grades and pairs judged not relevant or pooled.
    fn from_pairs(directions: &'a PerDirection<Option<Pairs>>) -> Self {
        let [i2t, t2i] = Direction::both(|direction| directions[direction].as_ref());
        let with_grade = |grade| {
            let [i2t, t2i] = [i2t, t2i].map(|pairs| pairs?.filter_grade(grade));
            (i2t.is_some() || t2i.is_some()).then_some(PairsPerDirection { i2t, t2i })
        };
        let graded =
            [i2t, t2i].into_iter().flatten().filter(|pairs| pairs.highest_grade().is_some());
        let grades = graded.map(Pairs::relevant_from).max().map(|relevant_from| {
            let [i2t, t2i] = [i2t, t2i].map(|pairs| pairs?.grades_by_id());
            Grades { relevant_from, i2t, t2i }
        });
        let [nonrelevant, pooled] = [NOT_RELEVANT, POOLED].map(with_grade);
        OneTruth { i2t, t2i, grades, nonrelevant, pooled }
    }
}

impl OneTruth<Pairs> {
    /// The pairs of each direction, with their grades, and pairs judged not relevant or pooled.
    fn into_pairs(self) -> PerDirection<Option<Pairs>> {
        let grades = self.grades.unwrap_or_default();
        let from = grades.relevant_from.max(1);
        let [nonrelevant, pooled] = [self.nonrelevant, self.pooled].map(Option::unwrap_or_default);
        let join = |pairs: Option<Pairs>,
                    grades: Option<GradesById>,
                    others: [Option<Pairs>; 2]| {
            let from = if grades.is_some() { from } else { 1 };
            let [nonrelevant, pooled] = &others;
            if grades.is_none() && nonrelevant.is_none() && pooled.is_none() {
                return pairs;
            }
            let none = Pairs::default();
            let ungraded = [(nonrelevant, NOT_RELEVANT), (pooled, POOLED)];
            let ungraded = ungraded.map(|(pairs, grade)| (pairs.as_ref().unwrap_or(&none), grade));
            Some(pairs.unwrap_or_default().add_grades(&grades.unwrap_or_default(), from, ungraded))
        };
        PerDirection {
            i2t: join(self.i2t, grades.i2t, [nonrelevant.i2t, pooled.i2t]),
            t2i: join(self.t2i, grades.t2i, [nonrelevant.t2i, pooled.t2i]),
        }
    }
}

impl TryFrom<Entries<String, OneTruth<Pairs>>> for Truths {
    type Error = String;

    fn try_from(
        Entries(truths): Entries<String, OneTruth<Pairs>>,
    ) -> std::result::Result<Self, String> {
        let mut seen = BTreeSet::new();
        if let Some((name, _)) = truths.iter().find(|(name, _)| !seen.insert(name)) {
            return Err(format!("ground truth {name:?} stands twice"));
        }
        Ok(Truths(truths.into_iter().map(|(name, one)| (name, one.into_pairs())).collect()))
    }
}
