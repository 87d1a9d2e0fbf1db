//! What Argilla 2 exports with `dataset.records.to_json`: a list of records with the responses of people.
//!
//! The ids of the pair stand in the record's metadata or fields, as `image_id` and `caption_id` (or `iid` and `cid`, or
//! `image` and `caption`), the HIT as `hit`; the question that is the answer is named `answer`, or is the only one.

use serde_json::{Map, Value};

use super::words::{self, pair};
use super::{Content, Found, Imported, Layout, imported};
use crate::data::source::Source;
use crate::error::Result;

/// Records of Argilla.
pub(super) struct Argilla;

impl Layout for Argilla {
    fn key(&self) -> &'static str {
        "Argilla"
    }

    fn unit(&self) -> &'static str {
        "record"
    }

    fn accepts(&self, content: &Content) -> bool {
        let Content::Json(Value::Array(records)) = content else {
            return false;
        };
        records.iter().any(|record| record["responses"].is_object())
    }

    fn read(&self, content: &Content, _: &Source) -> Result<Vec<Found>> {
        let Content::Json(Value::Array(records)) = content else {
            return Ok(Vec::new());
        };
        Ok((1..).zip(records).flat_map(of_record).collect())
    }
}

fn of_record((nth, record): (usize, &Value)) -> Vec<Found> {
    let Some(questions) = record["responses"].as_object() else {
        return vec![(nth, Err("a record without responses".to_owned()))];
    };
    let Some(responses) = question(questions) else {
        let found = "several questions, and none of them named answer";
        return vec![(nth, Err(found.to_owned()))];
    };
    let answer = |response| (nth, answer(record, response));
    responses.as_array().into_iter().flatten().map(answer).collect()
}

fn question(questions: &Map<String, Value>) -> Option<&Value> {
    let only = || questions.values().next().filter(|_| questions.len() == 1);
    let nobody = (questions.is_empty()).then_some(&Value::Null);
    questions.get("answer").or_else(only).or(nobody)
}

fn answer(record: &Value, response: &Value) -> std::result::Result<Imported, String> {
    let field = |name: &str| {
        let metadata = record["metadata"].get(name);
        metadata.or_else(|| record["fields"].get(name))
    };
    let [image, caption] = pair(field)?;
    let user = response.get("user_id").and_then(words::name);
    Ok(Imported {
        annotator: user.ok_or("a response of nobody: no user_id")?,
        hit: field("hit").and_then(words::name),
        ..imported(image, caption, words::response_of(&response["value"])?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::truth::verdict::Verdict;

    #[test]
    fn records_hold_answers_of_several_people() {
        let text = r#"[{"id": "r1", "fields": {"caption": "a dog"}, "metadata": {"image_id": 9, "caption_id": 3}, "suggestions": {},
            "responses": {"answer": [{"value": "yes", "user_id": "u-1"}, {"value": 7, "user_id": "u-2"}], "why": [{"value": "x", "user_id": "u-1"}]}},
            {"id": "r2", "metadata": {}, "responses": {"answer": [{"value": "no", "user_id": "u-1"}]}},
            {"id": "r3", "metadata": {}, "responses": {}},
            {"id": "r4", "metadata": {}, "responses": {"one": [], "two": []}}]"#;
        let content = Content::Json(serde_json::from_str(text).unwrap());
        assert!(Argilla.accepts(&content));
        let source = Source::in_memory("argilla.json", Vec::new());
        let found = Argilla.read(&content, &source).unwrap();
        let (1, Ok(first)) = &found[0] else { panic!("{found:?}") };
        assert_eq!((&first.annotator[..], first.response.verdict()), ("u-1", Some(Verdict::Yes)));
        let told: Vec<_> =
            found[1..].iter().map(|(nth, one)| (*nth, one.clone().unwrap_err())).collect();
        assert_eq!(told.len(), 3);
        assert!(told[0].1.contains("\"7\" is no answer"), "{told:?}");
        assert_eq!(told[1], (2, "no id: none of image_id, iid, image".into()));
        assert_eq!(told[2].0, 4);
    }
}
