//! A person's responses as a file, saved by the page of [`super::hits`].

use serde::Deserialize;
use serde_json::Value;

use crate::data::id::Id;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::Timestamp;
use crate::truth::response::Response;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore answers 1";

/// The responses of one annotator, not yet parsed: an invalid one does not affect the others.
#[derive(Debug, Deserialize)]
pub struct Answers {
    #[serde(default)]
    format: String,
    /// Name of the annotator.
    pub annotator: String,
    /// One [`Answer`] per pair, in the order given.
    pub answers: Vec<Value>,
}

/// The response to one pair.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Answer {
    /// Name of its HIT.
    pub hit: Option<String>,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The response.
    pub answer: Response,
    /// Time of the response.
    pub at: Timestamp,
}

/// Shortcomings of a pair that is partly or mostly not relevant: key in files, and text shown.
pub const SHORTCOMINGS: [(&str, &str); 6] = [
    ("object", "an object is wrong or missing"),
    ("attribute", "a colour, size or other attribute is wrong"),
    ("number", "the number of something is wrong"),
    ("action", "what happens is wrong"),
    ("place", "the place or setting is wrong"),
    ("other", "something else"),
];

/// Reads the answers in a parsed file; `source` is the file, for errors.
///
/// # Errors
/// Another structure or format, or no name.
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

/// Checks that `found`, the format and version stated in a file, is the expected `format`.
///
/// # Errors
/// Another format or version.
pub fn check_format(source: &Source, found: &str, format: &str) -> Result<()> {
    if found == format {
        return Ok(());
    }
    Err(Error::new(source.display(), format!("the format {found:?}"))
        .expected(format!("\"format\": {format:?}"))
        .fix("name a file of this format, or use the version of itm-explore that wrote it"))
}
