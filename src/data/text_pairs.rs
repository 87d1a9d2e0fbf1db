//! A model's scores of images with a correct and a wrong text, as JSON lines.

use std::cmp::Ordering;

use serde::Deserialize;

use super::id::Id;
use super::source::Source;
use crate::error::{Error, Result};

/// A model's scores of one image with a correct and a wrong text.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TextPair {
    /// The image: its id or the name of its file.
    #[serde(alias = "filename", alias = "image_id")]
    pub image: Id,
    /// The score of the text that describes the image.
    #[serde(alias = "positive")]
    pub right: f64,
    /// The score of the wrong text.
    #[serde(alias = "negative")]
    pub wrong: f64,
    /// Kind of change in the wrong text, for example a colour; `None` if the file names none.
    pub kind: Option<String>,
    /// The correct text.
    pub caption: Option<String>,
    /// The wrong text.
    pub negative_caption: Option<String>,
}

/// Expected form of a line, for errors.
const EXPECTED: &str = r#"a JSON object a line: {"image": "a.jpg", "right": 0.31, "wrong": 0.27}, and if known "kind", "caption", "negative_caption""#;

impl TextPair {
    /// Whether the correct text scores higher: a tie is no success.
    pub fn is_right(&self) -> bool {
        self.right > self.wrong
    }

    /// Whether both texts have the same score.
    pub fn is_tie(&self) -> bool {
        self.right.partial_cmp(&self.wrong) == Some(Ordering::Equal)
    }
}

/// Reads the pairs of a file, one a line; blank lines are skipped.
///
/// # Errors
/// A line of another form, with its number; an empty file.
pub fn read(source: &Source) -> Result<Vec<TextPair>> {
    let lines = (1..).zip(source.bytes().split(|&byte| byte == b'\n'));
    let lines = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    let pairs: Vec<TextPair> =
        lines.map(|(number, line)| parse_line(source, number, line)).collect::<Result<_>>()?;
    if pairs.is_empty() {
        return Err(Error::new(source.display(), "no pair in it").expected(EXPECTED));
    }
    Ok(pairs)
}

/// Parses the line of this number.
fn parse_line(source: &Source, number: usize, line: &[u8]) -> Result<TextPair> {
    let place = || format!("{}: line {number}", source.display());
    if line.trim_ascii().starts_with(b"[") {
        return Err(Error::new(place(), "a JSON list")
            .expected(EXPECTED)
            .fix("jq -c '.[]' FILE > NEW writes the items of a list one a line"));
    }
    serde_json::from_slice(line).map_err(|error| Error::json(place(), &error).expected(EXPECTED))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Vec<TextPair>> {
        read(&Source::in_memory("s.jsonl", text.into()))
    }

    #[test]
    fn lines_are_read_under_the_names_that_benchmarks_use() {
        let text = "{\"image\": 7, \"right\": 1, \"wrong\": 0.5, \"kind\": \"colour\"}\n\n\
            {\"filename\": \"a.jpg\", \"positive\": 0.5, \"negative\": 0.5, \"caption\": \"x\"}\r\n";
        let pairs = parse(text).unwrap();
        assert_eq!((pairs.len(), &pairs[0].image), (2, &Id::Number(7)));
        assert!(pairs[0].is_right() && !pairs[0].is_tie());
        assert!(!pairs[1].is_right() && pairs[1].is_tie());
        assert_eq!(pairs[1].caption.as_deref(), Some("x"));
    }

    #[test]
    fn a_line_of_another_form_is_named() {
        for (text, said) in [
            (
                "{\"image\": 1, \"right\": 1, \"wrong\": 0}\n{\"image\": 2}",
                "line 2: JSON of another form",
            ),
            ("{\"image\": 1, \"right\": NaN, \"wrong\": 0}", "line 1: broken JSON"),
            ("{\"image\": 1, \"right\": 1, \"wrong\": -Infinity}", "line 1: broken JSON"),
            ("{\"image\": 1, \"right\": null, \"wrong\": 0}", "line 1: JSON of another form"),
            (
                "{\"image\": 1, \"right\": \"0.3\", \"wrong\": 0}",
                "string \"0.3\", expected a number",
            ),
            ("{\"image\": 1, \"right\": 1,}", "line 1: broken JSON"),
            ("[{\"image\": 1}]", "line 1: a JSON list"),
            ("[1, 2]", "jq -c"),
            ("\n", "no pair in it"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(said), "{error}");
        }
    }
}
