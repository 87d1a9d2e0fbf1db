//! What the page of `annotate hits` saves: see [`crate::annotate::answers`].

use serde_json::Value;

use super::{Content, Found, Imported, Layout, imported};
use crate::annotate::answers::{Answer, FORMAT, check_format};
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Answers of the page.
pub(super) struct Page;

impl Layout for Page {
    fn key(&self) -> &'static str {
        "answers of the page"
    }

    fn unit(&self) -> &'static str {
        "answer"
    }

    fn accepts(&self, content: &Content) -> bool {
        let Content::Json(Value::Object(file)) = content else {
            return false;
        };
        file.contains_key("annotator") && file.contains_key("answers")
    }

    fn read(&self, content: &Content, source: &Source) -> Result<Vec<Found>> {
        let Content::Json(file) = content else {
            return Ok(Vec::new());
        };
        let wrong = |found: &str| Error::new(source.display(), found);
        check_format(source, file["format"].as_str().unwrap_or_default(), FORMAT)?;
        let annotator = file["annotator"].as_str().filter(|name| !name.trim().is_empty());
        let annotator = annotator.ok_or_else(|| {
            wrong("nobody's answers").expected("\"annotator\": the name of who answered")
        })?;
        let answers = file["answers"].as_array();
        let answers =
            answers.ok_or_else(|| wrong("no list of answers").expected("\"answers\": [..]"))?;
        let found = |(nth, value): (usize, &Value)| (nth, answer(annotator, value));
        Ok((1..).zip(answers).map(found).collect())
    }
}

fn answer(annotator: &str, value: &Value) -> std::result::Result<Imported, String> {
    let answer: Answer =
        serde_json::from_value(value.clone()).map_err(|error| error.to_string())?;
    Ok(Imported {
        annotator: annotator.to_owned(),
        hit: answer.hit,
        shortcomings: [answer.shortcoming, None],
        at: answer.at,
        ..imported(answer.image, answer.caption, answer.answer)
    })
}
