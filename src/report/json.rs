//! JSON: full precision, shares in 0 to 1, for programs.

use serde_json::{Map, Value as Json_, json};

use super::{Options, Report};
use crate::data::Direction;
use crate::metric::evaluation::{Evaluation, Value};

/// The JSON that other programs rely on.
pub struct Json;

impl Report for Json {
    fn key(&self) -> &'static str {
        "json"
    }

    fn doc(&self) -> &'static str {
        "full precision, for programs"
    }

    fn write(&self, evaluation: &Evaluation, options: &Options) -> String {
        let values = |values: &[Value]| -> Map<String, Json_> {
            let lines = evaluation.lines.iter().zip(values);
            lines
                .map(|(line, value)| (line.key.clone(), number(*value, &options.directions)))
                .collect()
        };
        let judged: Map<String, Json_> = evaluation
            .judged
            .iter()
            .map(|(name, covered)| {
                (
                    name.clone(),
                    each(&options.directions, |d| covered[d].map(|n| json!(n))),
                )
            })
            .collect();
        let models: Vec<Json_> = evaluation
            .models
            .iter()
            .map(|(name, source, of_model)| {
                json!({"name": name, "source": source, "metrics": values(of_model), "judged": judged})
            })
            .collect();
        let mut whole = json!({
            "study": {"images": evaluation.images, "captions": evaluation.captions},
            "models": models,
        });
        if let Some(ceiling) = &evaluation.ceiling {
            whole["ceiling"] = Json_::Object(values(ceiling));
        }
        format!("{whole:#}\n")
    }
}

/// `{"i2t": .., "t2i": ..}`; an undefined value is null, a direction the truth lacks is left out.
fn number(value: Value, directions: &[Direction]) -> Json_ {
    match value {
        Value::Each(summaries) => each(directions, |d| {
            summaries[d].map(|summary| json!(summary.value))
        }),
        Value::Both(sum) => json!({ "both": sum }),
    }
}

fn each(directions: &[Direction], of: impl Fn(Direction) -> Option<Json_>) -> Json_ {
    let entries = directions
        .iter()
        .filter_map(|&d| Some((d.key().to_owned(), of(d)?)));
    Json_::Object(entries.collect())
}
