//! JSON: full precision, shares in 0 to 1, for programs.

use serde_json::{Map, Value as Json_, json};

use super::{Intervals, Options, Report, interval, runs, spread};
use crate::analysis::bootstrap::LEVEL;
use crate::analysis::runs::{Runs, Spread};
use crate::data::Direction;
use crate::data::json_text;
use crate::evaluate::{Evaluation, Value};
use crate::truth::conventions::Conventions;

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
            .enumerate()
            .map(|(at, (name, source, of_model))| {
                let mut told = json!({"name": name, "source": source, "metrics": values(of_model),
                    "judged": judged, "queries": queries(evaluation, of_model, options)});
                if options.intervals.is_some() {
                    told["intervals"] = intervals(evaluation, options, at);
                }
                told
            })
            .collect();
        let mut whole = json!({
            "study": {"images": evaluation.images, "captions": evaluation.captions},
            "models": models,
        });
        let Conventions {
            no_positives,
            short_lists,
        } = evaluation.conventions;
        whole["conventions"] =
            json!({"no_positives": no_positives.key(), "short_lists": short_lists.key()});
        let runs = runs(evaluation);
        if !runs.is_empty() {
            let told = runs.iter().map(|runs| of_runs(evaluation, options, runs));
            whole["runs"] = told.collect();
        }
        if let Some(Intervals {
            draws, by_image, ..
        }) = &options.intervals
        {
            let clusters = if *by_image { "image" } else { "query" };
            whole["inference"] = json!({"level": LEVEL, "clusters": clusters,
                "resamples": draws.resamples, "seed": draws.seed});
        }
        if let Some(ceiling) = &evaluation.ceiling {
            whole["ceiling"] = Json_::Object(values(ceiling));
        }
        json_text::pretty(&whole)
    }
}

/// The number of queries that entered each mean.
fn queries(evaluation: &Evaluation, values: &[Value], options: &Options) -> Json_ {
    let of_line = |value: &Value| match value {
        Value::Each(summaries) => each(&options.directions, |d| {
            summaries[d].map(|summary| json!(summary.judged))
        }),
        Value::Both(_) => Json_::Null,
    };
    by_key(evaluation, values.iter().map(of_line))
}

/// The intervals of a model's values.
fn intervals(evaluation: &Evaluation, options: &Options, model: usize) -> Json_ {
    let of_line = |(at, value): (usize, &Value)| match value {
        Value::Each(summaries) => each(&options.directions, |d| {
            summaries[d].map(|_| json!(interval(options, model, at, d)))
        }),
        Value::Both(_) => json!({"both": interval(options, model, at, Direction::I2t)}),
    };
    let values = evaluation.models[model].2.iter();
    by_key(evaluation, values.enumerate().map(of_line))
}

/// The mean and spread over runs of every line.
fn of_runs(evaluation: &Evaluation, options: &Options, runs: &Runs) -> Json_ {
    let told = |spread: Spread| {
        let Spread {
            mean,
            deviation,
            extent: [least, greatest],
        } = spread;
        json!({"mean": mean, "sd": deviation, "least": least, "greatest": greatest})
    };
    let of = |at, d| spread(evaluation, runs, at, d).map(told);
    let of_line = |(at, value): (usize, &Value)| match value {
        Value::Each(summaries) => each(&options.directions, |d| {
            summaries[d].map(|_| json!(of(at, d)))
        }),
        Value::Both(_) => json!({"both": of(at, Direction::I2t)}),
    };
    let names = runs.models.iter().map(|&model| &evaluation.models[model].0);
    let first = evaluation.models[runs.models[0]].2.iter();
    json!({"name": runs.name, "models": names.collect::<Vec<_>>(),
        "metrics": by_key(evaluation, first.enumerate().map(of_line))})
}

/// Values by the keys of their lines, what is null left out.
fn by_key(evaluation: &Evaluation, values: impl Iterator<Item = Json_>) -> Json_ {
    let keyed = evaluation.lines.iter().zip(values);
    let keyed = keyed.filter(|(_, value)| !value.is_null());
    Json_::Object(
        keyed
            .map(|(line, value)| (line.key.clone(), value))
            .collect(),
    )
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
