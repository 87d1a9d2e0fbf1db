//! CSV: one number a row, full precision.

use std::borrow::Cow;

use super::{Options, Report, interval, runs, spread};
use crate::analysis::runs::Runs;
use crate::data::{Direction, PerDirection};
use crate::evaluate::{Evaluation, Value};
use crate::metric::Summary;

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
        let mut rows = vec![head(evaluation, options)];
        let ceiling = evaluation.ceiling.as_ref();
        let ceiling = ceiling.map(|values| ("ceiling".to_owned(), String::new(), values.clone()));
        for (model, (name, source, values)) in evaluation.models.iter().chain(&ceiling).enumerate()
        {
            for (at, value) in values.iter().enumerate() {
                let key = &evaluation.lines[at].key;
                for (direction, of, value, judged) in cells(*value, options) {
                    let row = [name, source, key, direction, &full(value), &judged];
                    let mut row = row.map(|cell: &str| cell.to_owned()).to_vec();
                    if options.intervals.is_some() {
                        let ends = interval(options, model, at, of);
                        row.extend([0, 1].map(|end| full(ends.map(|ends| ends[end]))));
                    }
                    rows.push(row);
                }
            }
        }
        let runs = runs(evaluation);
        if !runs.is_empty() {
            rows.iter_mut()
                .skip(1)
                .for_each(|row| row.push(String::new()));
        }
        let width = rows[0].len();
        rows.extend(
            runs.iter()
                .flat_map(|runs| of_runs(evaluation, options, runs, width)),
        );
        lines(rows)
    }
}

fn head(evaluation: &Evaluation, options: &Options) -> Vec<String> {
    let mut head = vec!["model", "source", "metric", "direction", "value", "judged"];
    if options.intervals.is_some() {
        head.extend(["low", "high"]);
    }
    if !runs(evaluation).is_empty() {
        head.push("sd_of_runs");
    }
    head.into_iter().map(str::to_owned).collect()
}

/// The cells of a value: the word of the direction, the direction, the number, and over how many
/// queries.
fn cells(value: Value, options: &Options) -> Vec<(&'static str, Direction, Option<f64>, String)> {
    let each = |summaries: PerDirection<Option<Summary>>| {
        let cell = |&direction: &Direction| {
            let summary = summaries[direction]?;
            Some((
                direction.key(),
                direction,
                summary.value,
                summary.judged.to_string(),
            ))
        };
        options.directions.iter().filter_map(cell).collect()
    };
    match value {
        Value::Both(sum) => vec![("both", Direction::I2t, sum, String::new())],
        Value::Each(summaries) => each(summaries),
    }
}

/// The means over runs, with the standard deviation between them.
fn of_runs(
    evaluation: &Evaluation,
    options: &Options,
    runs: &Runs,
    width: usize,
) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    for (at, line) in evaluation.lines.iter().enumerate() {
        for (word, direction, _, judged) in cells(evaluation.models[runs.models[0]].2[at], options)
        {
            let spread = spread(evaluation, runs, at, direction);
            let mean = full(spread.map(|spread| spread.mean));
            let row = [runs.name.as_str(), "", &line.key, word, &mean, &judged];
            let mut row = row.map(str::to_owned).to_vec();
            row.resize(width - 1, String::new());
            row.push(full(spread.and_then(|spread| spread.deviation)));
            rows.push(row);
        }
    }
    rows
}

/// Rows as text, quoted where it must be, no cell a formula.
pub(super) fn lines(rows: impl IntoIterator<Item = impl AsRef<[String]>>) -> String {
    let mut lines = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let cells = row.as_ref().iter().map(|cell| harmless(cell));
        let record = lines.write_record(cells.map(Cow::into_owned));
        record.expect("memory takes every record");
    }
    let bytes = lines.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("all fields are text")
}

/// A cell that no spreadsheet takes for a formula: text that begins like one gets an apostrophe
/// before it. Nothing here is read again by this program; numbers, negative ones too, stay numbers.
pub(super) fn harmless(cell: &str) -> Cow<'_, str> {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && cell.parse::<f64>().is_err() {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The shortest digits that read back as the same number; nothing for an undefined value.
pub(super) fn full(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_a_formula_and_numbers_stay_numbers() {
        let row = [
            "=1+1", "+a", "-b, c", "@d", "\te", "\rf", "'g", "a=b", "-1.5e-3", "+2", "-inf", "",
        ];
        let text = lines([row.map(str::to_owned)]);
        let expected = "'=1+1,'+a,\"'-b, c\",'@d,'\te,\"'\rf\",'g,a=b,-1.5e-3,+2,-inf,\n";
        assert_eq!(text, expected);
    }
}
