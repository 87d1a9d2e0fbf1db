//! CSV: one number a row, full precision.

use super::{Options, Report};
use crate::metric::evaluation::{Evaluation, Value};

/// Long form, for data frames.
pub struct Csv;

impl Report for Csv {
    fn key(&self) -> &'static str {
        "csv"
    }

    fn doc(&self) -> &'static str {
        "one number a row, full precision, for data frames"
    }

    fn write(&self, evaluation: &Evaluation, options: &Options) -> String {
        let mut rows: Vec<[String; 6]> = Vec::new();
        let mut push = |row: [&str; 6]| rows.push(row.map(str::to_owned));
        push(["model", "source", "metric", "direction", "value", "judged"]);
        let named = |values: &Vec<Value>| ("ceiling".to_owned(), String::new(), values.clone());
        let ceiling = evaluation.ceiling.as_ref().map(named);
        for (name, source, values) in evaluation.models.iter().chain(&ceiling) {
            for (line, value) in evaluation.lines.iter().zip(values) {
                match value {
                    Value::Both(sum) => {
                        push([name, source, &line.key, "both", &full(*sum), ""]);
                    }
                    Value::Each(summaries) => {
                        for &direction in &options.directions {
                            let Some(summary) = summaries[direction] else {
                                continue;
                            };
                            let (value, judged) = (full(summary.value), summary.judged.to_string());
                            push([name, source, &line.key, direction.key(), &value, &judged]);
                        }
                    }
                }
            }
        }
        lines(rows)
    }
}

/// Rows as text, quoted where it must be.
pub(super) fn lines<const N: usize>(rows: impl IntoIterator<Item = [String; N]>) -> String {
    let mut lines = csv::Writer::from_writer(Vec::new());
    for row in rows {
        lines.write_record(row).expect("memory takes every record");
    }
    let bytes = lines.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("all fields are text")
}

/// The shortest digits that read back as the same number; nothing for an undefined value.
pub(super) fn full(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
