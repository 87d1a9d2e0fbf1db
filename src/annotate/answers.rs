//! What a person answered, as a file: the page that [`super::hits`] make saves one.

use serde::{Deserialize, Serialize};

use crate::data::id::Id;
use crate::data::json;
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::session::Timestamp;
use crate::truth::response::Response;

/// The value of `format` in files of this version.
pub const FORMAT: &str = "itm-explore answers 1";

/// The answers of one annotator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answers {
    /// [`FORMAT`].
    pub format: String,
    /// Who answered.
    pub annotator: String,
    /// One for each pair that was answered, in the order of the answers.
    pub answers: Vec<Answer>,
}

/// What was said of one pair.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The HIT in which it was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hit: Option<String>,
    /// Id of the image.
    pub image: Id,
    /// Id of the caption.
    pub caption: Id,
    /// The answer.
    pub answer: Response,
    /// What falls short in a pair that is not wholly relevant, one of [`SHORTCOMINGS`]; only where it was asked.
    #[serde(default)]
    pub shortcoming: Option<String>,
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
/// Broken JSON with its place, another structure or another format.
pub fn read(source: &Source) -> Result<Answers> {
    let answers: Answers = json::parse(source)
        .map_err(|error| error.expected("a file that the page of `annotate hits --html` saved"))?;
    check_format(source, &answers.format, FORMAT)?;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::verdict::Verdict;

    const SAVED: &str = r#"{"format":"itm-explore answers 1","annotator":"mk","answers":[{"hit":"t2i-3-1","image":9,"caption":3,"answer":"partial","shortcoming":"number","at":"2026-11-22T10:00:00Z"},{"image":"a b","caption":4,"answer":"cant-tell","shortcoming":null,"at":"2026-11-22T10:00:01Z"}]}"#;

    fn of(text: &str) -> Result<Answers> {
        read(&Source::in_memory("anna.json", text.into()))
    }

    #[test]
    fn answers_read_back() {
        let answers = of(SAVED).unwrap();
        assert_eq!(answers.answers[0].answer, Response::Verdict(Verdict::Partial));
        assert_eq!(answers.answers[1].hit, None);
        assert_eq!(serde_json::to_string(&answers).unwrap(), SAVED);
    }

    #[test]
    fn what_is_no_file_of_answers_is_said_with_its_place() {
        for (text, said) in [
            (SAVED.replace("answers 1", "answers 2"), "the format \"itm-explore answers 2\""),
            (SAVED.replace("partial", "perhaps"), "\"perhaps\" is no answer"),
            (SAVED[..90].to_owned(), "broken JSON at line 1"),
        ] {
            let error = of(&text).unwrap_err().to_string();
            assert!(error.starts_with("anna.json") && error.contains(said), "{error}");
        }
    }
}
