//! JSON export of Label Studio: a list of tasks, each with data and annotations.
//!
//! Ids of the pair are in the task's data, as `image_id` and `caption_id` (or `iid` and `cid`, or `image` and
//! `caption`), the HIT as `hit`; the response is the first choice of an annotation.
//! Source: the task format of <https://labelstud.io/guide/task_format>.

use serde_json::Value;

use super::{NumberedEntry, ParsedAnswer, parse_response};
use crate::data::id::Id;
use crate::session::{JudgmentEntry, Timestamp};

/// Field names of the ids of the image, and of the caption.
const ID_FIELDS: [[&str; 3]; 2] = [["image_id", "iid", "image"], ["caption_id", "cid", "caption"]];

/// Reads the annotations of all tasks, numbered by task.
pub(super) fn read(tasks: &[Value]) -> Vec<NumberedEntry> {
    let mut found = Vec::new();
    for (nth, task) in (1..).zip(tasks) {
        match task["annotations"].as_array() {
            Some(all) => found.extend(all.iter().map(|one| (nth, parse(&task["data"], one)))),
            None => found.push((nth, Err("a task without annotations".to_owned()))),
        }
    }
    found
}

/// Parses an annotation of a task with this data; an error text if it is no valid response.
fn parse(data: &Value, annotation: &Value) -> Result<ParsedAnswer, String> {
    if annotation["was_cancelled"] == true {
        return Err("a task that was skipped".to_owned());
    }
    let id = |names: &[&str; 3]| -> Result<Id, String> {
        let found = names.iter().find_map(|name| data.get(name));
        let id = found.and_then(|value| serde_json::from_value(value.clone()).ok());
        id.ok_or_else(|| format!("no id: none of {}", names.join(", ")))
    };
    let (image, caption) = (id(&ID_FIELDS[0])?, id(&ID_FIELDS[1])?);
    let results = annotation["result"].as_array().into_iter().flatten();
    let mut choices = results.filter_map(|result| text(result["value"]["choices"].get(0)?));
    let choice = choices.next().ok_or("an annotation without a choice")?;
    let by = &annotation["completed_by"];
    let person = text(by).or_else(|| text(by.get("email").or_else(|| by.get("id"))?));
    let time = annotation.get("updated_at").or_else(|| annotation.get("created_at"));
    let time = time.and_then(Value::as_str).and_then(|text| text.parse().ok());
    let (judgment, at) =
        (parse_response(&choice)?.judgment(), time.unwrap_or(Timestamp::from_seconds(0)));
    let person = person.ok_or("an annotation of nobody: no completed_by")?;
    Ok(ParsedAnswer {
        hit: data.get("hit").and_then(text),
        ..JudgmentEntry::new(image, caption, judgment, at, &person).into()
    })
}

/// A JSON string or number, as text; `None` for other values.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;
    use crate::truth::judgment::Judgment;

    #[test]
    fn tasks_may_have_answers_of_several_people() {
        let text = r#"[{"id": 7, "data": {"image": "http://x/1.jpg", "image_id": 9, "caption_id": 3, "hit": "h1"}, "annotations": [
            {"id": 1, "completed_by": {"id": 4, "email": "bo@example.org"}, "was_cancelled": false, "updated_at": "2026-11-22T10:00:00.500000Z",
             "result": [{"from_name": "answer", "to_name": "image", "type": "choices", "value": {"choices": ["mostly no"]}},
                        {"from_name": "why", "to_name": "image", "type": "choices", "value": {"choices": ["number"]}}]},
            {"id": 2, "completed_by": 5, "was_cancelled": true, "result": []},
            {"id": 3, "completed_by": 6, "result": [{"type": "choices", "value": {"choices": ["maybe"]}}]}]},
            {"id": 8, "data": {}}]"#;
        let tasks: Vec<Value> = serde_json::from_str(text).unwrap();
        let found = read(&tasks);
        let (1, Ok(first)) = &found[0] else { panic!("{found:?}") };
        let entry = &first.entry;
        assert_eq!((&entry.image, &entry.caption), (&Id::Number(9), &Id::Number(3)));
        assert_eq!(entry.judgment, Some(Judgment::MostlyNo));
        assert_eq!((&entry.by[..], first.hit.as_deref()), ("bo@example.org", Some("h1")));
        let told: Vec<_> =
            found[1..].iter().map(|(nth, one)| (*nth, one.clone().unwrap_err())).collect();
        assert_eq!(told[0], (1, "a task that was skipped".into()));
        assert!(told[1].1.contains("\"maybe\" is no answer"));
        assert_eq!(told[2], (2, "a task without annotations".into()));
    }
}
