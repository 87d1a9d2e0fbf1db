//! What a person answered, as a file: the page that [`super::hits`] make saves one.

use serde::Deserialize;
use serde_json::Value;

use crate::data::id::Id;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::Timestamp;
use crate::truth::response::Response;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore answers 1";

/// The answers of one annotator, each apart: one that is broken leaves the others.
#[derive(Debug, Deserialize)]
pub struct Answers {
    #[serde(default)]
    format: String,
    /// Who answered.
    pub annotator: String,
    /// One for each pair that was answered, in the order of the answers: an [`Answer`].
    pub answers: Vec<Value>,
}

/// What was said of one pair.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Answer {
    /// The HIT in which it was asked.
    pub hit: Option<String>,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The answer.
    pub answer: Response,
    /// When.
    pub at: Timestamp,
}

/// What may fall short in a pair that is partly or mostly not relevant: the word in files, and what people are shown.
pub const SHORTCOMINGS: [(&str, &str); 6] = [
    ("object", "an object is wrong or missing"),
    ("attribute", "a colour, size or other attribute is wrong"),
    ("number", "the number of something is wrong"),
    ("action", "what happens is wrong"),
    ("place", "the place or setting is wrong"),
    ("other", "something else"),
];

/// Reads a file of answers.
///
/// # Errors
/// Another structure or format, nobody's name.
pub fn read(file: Value, source: &Source) -> Result<Answers> {
    let answers: Answers =
        serde_json::from_value(file).map_err(|error| Error::json(source.display(), &error))?;
    check_format(source, &answers.format, FORMAT)?;
    if answers.annotator.trim().is_empty() {
        return Err(Error::new(source.display(), "nobody's answers")
            .expected("\"annotator\": the name of who answered"));
    }
    Ok(answers)
}

/// Checks that a file is of the format and version that this program reads.
///
/// # Errors
/// Another format or version.
pub fn check_format(source: &Source, found: &str, format: &str) -> Result<()> {
    if found == format {
        return Ok(());
    }
    Err(Error::new(source.display(), format!("the format {found:?}"))
        .expected(format!("\"format\": {format:?}"))
        .mend("name a file of this format, or use the version of itm-explore that wrote it"))
}
