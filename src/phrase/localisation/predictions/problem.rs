//! What is wrong with predictions: each kind once, with a number and the first example.

use std::collections::BTreeMap;
use std::fmt;

use crate::data::text::grouped;
use crate::error::Error;

/// A kind of mistake, and what becomes of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// An image that the split lacks.
    UnknownImage,
    /// A caption that the image lacks.
    UnknownSentence,
    /// A phrase or a chain that the caption lacks, or that has no box.
    UnknownPhrase,
    /// Another number of lists than of phrases.
    OtherNumber,
    /// A phrase, or a caption, for the second time.
    Twice,
    /// A box that ends before it begins, or has no four numbers.
    NoBox,
    /// A score that is no number.
    NoScore,
    /// Another number of scores than of boxes.
    OtherScores,
    /// Scores that ascend somewhere.
    Ascending,
    /// A box within one pixel, as all of the file are.
    Normalised,
    /// A box that ends beyond its image.
    Beyond,
    /// A phrase with an empty list.
    Empty,
    /// A phrase of which nothing is said.
    Missing,
}

impl Kind {
    /// What was found: of one, and of several.
    fn found(self) -> [&'static str; 2] {
        match self {
            Kind::UnknownImage => [
                "record of an image that is not in the split",
                "records of images that are not in the split",
            ],
            Kind::UnknownSentence => [
                "record of a sentence that the image lacks",
                "records of sentences that their images lack",
            ],
            Kind::UnknownPhrase => [
                "record of a phrase without box, or that the sentence lacks",
                "records of phrases without box, or that their sentences lack",
            ],
            Kind::OtherNumber => [
                "sentence without a list for each phrase that has a box",
                "sentences without a list for each phrase that has a box",
            ],
            Kind::Twice => ["phrase predicted twice", "phrases predicted twice"],
            Kind::NoBox => [
                "box that ends before it begins, or lacks a number",
                "boxes that end before they begin, or lack a number",
            ],
            Kind::NoScore => ["score that is no number", "scores that are no numbers"],
            Kind::OtherScores => [
                "phrase with another number of scores than of boxes",
                "phrases with another number of scores than of boxes",
            ],
            Kind::Ascending => [
                "phrase whose scores ascend, though its best box stands first",
                "phrases whose scores ascend, though their best boxes stand first",
            ],
            Kind::Normalised => [
                "box, which lies within one pixel",
                "boxes, all within one pixel: they look normalised",
            ],
            Kind::Beyond => {
                ["box that ends beyond its image", "boxes that end beyond their images"]
            }
            Kind::Empty => ["phrase with an empty list", "phrases with an empty list"],
            Kind::Missing => ["phrase without prediction", "phrases without prediction"],
        }
    }

    /// What becomes of it, and how it is mended.
    fn mend(self) -> &'static str {
        match self {
            Kind::UnknownImage => "left out; another --split, or the image's id",
            Kind::UnknownSentence => "left out; sentences are counted from 0",
            Kind::UnknownPhrase => {
                "left out; phrases are counted from 0 over all of the sentence, those without box among them"
            }
            Kind::OtherNumber => "its phrases count as misses; phrases without box get no list",
            Kind::Twice => "the first counts",
            Kind::NoBox => {
                "it keeps its place and covers nothing; --xywh where boxes are x, y, width, height"
            }
            Kind::NoScore => "the box keeps its place; with --by-score it comes last",
            Kind::OtherScores => "the scores are left out",
            Kind::Ascending => "the order of the file is taken; --by-score sorts by score",
            Kind::Normalised => {
                "pixels are expected: multiply x by the width of the image, and y by its height"
            }
            Kind::Beyond => {
                "pixels of the annotated image are expected, not of a resized one, nor thousandths; --xywh where boxes \
                 are x, y, width, height"
            }
            Kind::Empty | Kind::Missing => "counted as a miss",
        }
    }
}

/// Mistakes of a file, counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Problems(BTreeMap<Kind, (usize, String)>);

impl Problems {
    /// Counts a mistake; the first of its kind is told by its place.
    pub fn add(&mut self, kind: Kind, place: impl fmt::Display) {
        let first = || (0, place.to_string());
        self.0.entry(kind).or_insert_with(first).0 += 1;
    }

    /// Adds mistakes of other kinds.
    pub(super) fn extend(&mut self, others: Problems) {
        self.0.extend(others.0);
    }

    /// How often there was a mistake.
    pub fn count(&self, kind: Kind) -> usize {
        self.0.get(&kind).map_or(0, |(count, _)| *count)
    }

    /// A message for each kind.
    pub fn messages(&self, source: &str) -> Vec<Error> {
        let told = self.0.iter().map(|(kind, (count, first))| {
            let [one, several] = kind.found();
            let found = match count {
                1 => format!("1 {one}: {first}"),
                _ => format!("{} {several}, the first: {first}", grouped(*count)),
            };
            Error::new(source, found).mend(kind.mend())
        });
        told.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_told_once_with_the_first_of_its_places() {
        let mut problems = Problems::default();
        problems.add(Kind::Missing, "image 7");
        problems.add(Kind::Missing, "image 8");
        problems.add(Kind::NoBox, "image 9");
        let told: Vec<String> = problems.messages("p.json").iter().map(Error::to_string).collect();
        assert_eq!(
            told[1],
            "p.json: 2 phrases without prediction, the first: image 7\n  fix: counted as a miss"
        );
        assert!(
            told[0].starts_with(
                "p.json: 1 box that ends before it begins, or lacks a number: image 9"
            )
        );
        assert_eq!((problems.count(Kind::Missing), problems.count(Kind::Empty)), (2, 0));
    }
}
