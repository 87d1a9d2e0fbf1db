//! Problems of predictions: each kind once, with a number and the first example.

use std::fmt;

use indexmap::IndexMap;

use crate::data::text::grouped;
use crate::error::Error;

/// A kind of mistake: what was found, and its effect or fix.
pub type Mistake = [&'static str; 2];

pub(super) const UNKNOWN_IMAGE: Mistake =
    ["records of images that are not in the split", "excluded; another --split, or the image's id"];
pub(super) const UNKNOWN_SENTENCE: Mistake =
    ["records of sentences that their images lack", "excluded; sentences are counted from 0"];
pub(super) const UNKNOWN_PHRASE: Mistake = [
    "records of phrases without box, or that their sentences lack",
    "excluded; phrases are counted from 0 over all of the sentence, those without box among them",
];
pub(super) const OTHER_NUMBER: Mistake = [
    "sentences without a list for each phrase that has a box",
    "its phrases count as misses; phrases without box get no list",
];
pub(super) const TWICE: Mistake = ["phrases predicted twice", "the first counts"];
pub(super) const NO_BOX: Mistake = [
    "boxes that end before they begin",
    "it keeps its place and covers nothing; --xywh where boxes are x, y, width, height",
];
pub(super) const NORMALISED: Mistake = [
    "boxes, all within one pixel: they look normalised",
    "pixels are expected: multiply x by the width of the image, and y by its height",
];
pub(super) const BEYOND: Mistake = [
    "boxes that end beyond their images",
    "pixels of the annotated image are expected, not of a resized one, nor thousandths; --xywh for x, y, width, height",
];
pub(super) const EMPTY: Mistake = ["phrases with an empty list", "counted as a miss"];
pub(super) const MISSING: Mistake = ["phrases without prediction", "counted as a miss"];

/// Number of mistakes of a file by kind, with the place of the first of each kind.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problems(IndexMap<Mistake, (usize, String)>);

impl Problems {
    /// Counts a mistake; the first of its kind is an example.
    pub(super) fn add(&mut self, mistake: Mistake, place: impl fmt::Display) {
        self.0.entry(mistake).or_insert_with(|| (0, place.to_string())).0 += 1;
    }

    /// A message for each kind of mistake; `source` is the name of the file.
    pub fn messages(&self, source: &str) -> Vec<Error> {
        let message = |([found, fix], (count, first)): (&Mistake, &(usize, String))| {
            let found = format!("{found}: {} (first: {first})", grouped(*count));
            Error::new(source, found).fix(*fix)
        };
        self.0.iter().map(message).collect()
    }

    /// Number of mistakes of a kind.
    #[cfg(test)]
    pub fn count(&self, mistake: Mistake) -> usize {
        self.0.get(&mistake).map_or(0, |(count, _)| *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_told_once_with_the_first_of_its_places() {
        let mut problems = Problems::default();
        problems.add(MISSING, "image 7");
        problems.add(MISSING, "image 8");
        problems.add(NO_BOX, "image 9");
        let told: Vec<String> = problems.messages("p.json").iter().map(Error::to_string).collect();
        assert_eq!(
            told[0],
            "p.json: phrases without prediction: 2 (first: image 7)\n  fix: counted as a miss"
        );
        assert!(
            told[1].starts_with("p.json: boxes that end before they begin: 1 (first: image 9)")
        );
        assert_eq!((problems.count(MISSING), problems.count(EMPTY)), (2, 0));
    }
}
