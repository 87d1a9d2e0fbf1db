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
        let mut rows = csv::Writer::from_writer(Vec::new());
        let mut push = |row: [&str; 6]| rows.write_record(row).expect("memory takes every record");
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
        let bytes = rows.into_inner().expect("memory takes every record");
        String::from_utf8(bytes).expect("all fields are text")
    }
}

/// The shortest digits that read back as the same number; nothing for an undefined value.
fn full(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
