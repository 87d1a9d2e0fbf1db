//! The JSON export of Label Studio: a list of tasks, each with its data and the annotations of people.
//!
//! The ids of the pair stand in the task's data, as `image_id` and `caption_id` (or `iid` and `cid`, or `image` and
//! `caption`), the HIT as `hit`; the answer is the first choice of an annotation.
//! Source: the task format of <https://labelstud.io/guide/task_format>.

use serde_json::Value;

use super::words::{self, pair};
use super::{Content, Found, Imported, Layout, imported};
use crate::data::source::Source;
use crate::error::Result;

/// Tasks of Label Studio.
pub(super) struct LabelStudio;

impl Layout for LabelStudio {
    fn key(&self) -> &'static str {
        "Label Studio"
    }

    fn unit(&self) -> &'static str {
        "task"
    }

    fn accepts(&self, content: &Content) -> bool {
        let Content::Json(Value::Array(tasks)) = content else {
            return false;
        };
        tasks.iter().any(|task| task["annotations"].is_array())
    }

    fn read(&self, content: &Content, _: &Source) -> Result<Vec<Found>> {
        let Content::Json(Value::Array(tasks)) = content else {
            return Ok(Vec::new());
        };
        Ok((1..).zip(tasks).flat_map(of_task).collect())
    }
}

fn of_task((nth, task): (usize, &Value)) -> Vec<Found> {
    let Some(annotations) = task["annotations"].as_array() else {
        return vec![(nth, Err("a task without annotations".to_owned()))];
    };
    let answer = |annotation| (nth, answer(&task["data"], annotation));
    annotations.iter().map(answer).collect()
}

fn answer(data: &Value, annotation: &Value) -> std::result::Result<Imported, String> {
    if annotation["was_cancelled"] == true {
        return Err("a task that was skipped".to_owned());
    }
    let [image, caption] = pair(|name| data.get(name))?;
    let results = annotation["result"].as_array().into_iter().flatten();
    let mut choices = results.filter_map(|result| result["value"]["choices"].get(0));
    let choice = choices.next().ok_or("an annotation without a choice")?;
    let time = annotation.get("updated_at").or_else(|| annotation.get("created_at"));
    Ok(Imported {
        annotator: person(&annotation["completed_by"])
            .ok_or("an annotation of nobody: no completed_by")?,
        hit: data.get("hit").and_then(words::name),
        shortcomings: [choices.next().and_then(words::name), None],
        at: words::time(time),
        ..imported(image, caption, words::response_of(choice)?)
    })
}

/// Who annotated: an address, or a number.
fn person(value: &Value) -> Option<String> {
    match value {
        Value::Object(of) => of.get("email").or_else(|| of.get("id")).and_then(words::name),
        other => words::name(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::id::Id;
    use crate::truth::verdict::Verdict;

    #[test]
    fn tasks_hold_answers_of_several_people() {
        let text = r#"[{"id": 7, "data": {"image": "http://x/1.jpg", "image_id": 9, "caption_id": 3, "hit": "h1"}, "annotations": [
            {"id": 1, "completed_by": {"id": 4, "email": "bo@example.org"}, "was_cancelled": false, "updated_at": "2026-11-22T10:00:00.500000Z",
             "result": [{"from_name": "answer", "to_name": "image", "type": "choices", "value": {"choices": ["mostly no"]}},
                        {"from_name": "why", "to_name": "image", "type": "choices", "value": {"choices": ["number"]}}]},
            {"id": 2, "completed_by": 5, "was_cancelled": true, "result": []},
            {"id": 3, "completed_by": 6, "result": [{"type": "choices", "value": {"choices": ["maybe"]}}]}]},
            {"id": 8, "data": {}}]"#;
        let content = Content::Json(serde_json::from_str(text).unwrap());
        assert!(LabelStudio.accepts(&content));
        let source = Source::in_memory("ls.json", Vec::new());
        let found = LabelStudio.read(&content, &source).unwrap();
        let (1, Ok(first)) = &found[0] else { panic!("{found:?}") };
        assert_eq!((&first.image, &first.caption), (&Id::Number(9), &Id::Number(3)));
        assert_eq!(first.response.verdict(), Some(Verdict::MostlyNo));
        assert_eq!((&first.annotator[..], first.hit.as_deref()), ("bo@example.org", Some("h1")));
        assert_eq!(first.shortcomings[0].as_deref(), Some("number"));
        let told: Vec<_> =
            found[1..].iter().map(|(nth, one)| (*nth, one.clone().unwrap_err())).collect();
        assert_eq!(told[0], (1, "a task that was skipped".into()));
        assert!(told[1].1.contains("\"maybe\" is no answer"));
        assert_eq!(told[2], (2, "a task without annotations".into()));
    }
}
