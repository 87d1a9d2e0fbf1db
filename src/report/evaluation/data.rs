//! An evaluation for programs: the JSON that others rely on, and one number a row.

use serde_json::{Map, Value as Json, json};

use super::{Evaluated, Intervals};
use crate::analysis::inference::LEVEL;
use crate::analysis::runs::{Runs, Spread};
use crate::data::index::ModelIx;
use crate::data::{Direction, PerDirection};
use crate::evaluate::Value;
use crate::metric::Summary;
use crate::report::Table;
use crate::report::cell::{Cell, row};
use crate::truth::conventions::Conventions;
use crate::truth::rule::key;

impl Evaluated<'_> {
    pub(super) fn json(&self) -> Json {
        let models = (0..self.evaluation.models.len()).map(ModelIx::new);
        let mut whole = json!({
            "study": {"images": self.evaluation.images, "captions": self.evaluation.captions},
            "models": models.map(|model| self.model(model)).collect::<Vec<Json>>(),
        });
        let Conventions { no_positives, short_lists } = self.evaluation.conventions;
        whole["conventions"] =
            json!({"no_positives": no_positives.key(), "short_lists": short_lists.key()});
        for (flag, value) in &self.evaluation.flags {
            whole["conventions"][key(flag)] = value.map_or(json!(true), |value| json!(value));
        }
        let runs = self.runs();
        if !runs.is_empty() {
            whole["runs"] = runs.iter().map(|runs| self.of_runs(runs)).collect();
        }
        if let Some(Intervals { by_image, .. }) = &self.intervals {
            let clusters = if *by_image { "image" } else { "query" };
            whole["inference"] = json!({"level": LEVEL, "clusters": clusters});
        }
        if let Some(ceiling) = &self.evaluation.ceiling {
            whole["ceiling"] = self.numbers(ceiling);
        }
        whole
    }

    fn model(&self, model: ModelIx) -> Json {
        let (name, source, values) = &self.evaluation.models[model.get()];
        let judged = self.evaluation.judged.iter().map(|(name, covered)| {
            let judged = self.each(|direction| covered[direction].map(|n| json!(n)));
            (name.clone(), judged)
        });
        let mut told = json!({"name": name, "source": source, "metrics": self.numbers(values),
            "judged": judged.collect::<Map<String, Json>>(), "queries": self.queries(values)});
        if self.intervals.is_some() {
            told["intervals"] = self.ends(model);
        }
        told
    }

    /// An undefined value is null, a direction that the truth lacks is left out.
    fn numbers(&self, values: &[Value]) -> Json {
        self.by_key(values.iter().map(|value| match value {
            Value::Each(summaries) => self.of_each(summaries, |_, summary| json!(summary.value)),
            Value::Both(sum) => json!({ "both": sum }),
        }))
    }

    /// The number of queries that entered each mean.
    fn queries(&self, values: &[Value]) -> Json {
        self.by_key(values.iter().map(|value| match value {
            Value::Each(summaries) => self.of_each(summaries, |_, summary| {
                json!(super::of_mean(summary).unwrap_or_default())
            }),
            Value::Both(_) => Json::Null,
        }))
    }

    /// The intervals of a model's values.
    fn ends(&self, model: ModelIx) -> Json {
        self.of_lines(model, |at, direction| json!(self.interval(model, at, direction)))
    }

    /// The mean and spread over runs of every line.
    fn of_runs(&self, runs: &Runs) -> Json {
        let told = |spread: Spread| {
            let Spread { mean, deviation, extent: [least, greatest] } = spread;
            json!({"mean": mean, "sd": deviation, "least": least, "greatest": greatest})
        };
        let names = runs.models.iter();
        let names = names.map(|&model| &self.evaluation.models[model.get()].0);
        json!({"name": runs.name, "models": names.collect::<Vec<_>>(),
        "metrics": self.of_lines(runs.models[0], |at, direction| {
            json!(self.spread(runs, at, direction).map(told))
        })})
    }

    /// A value for each line and direction that a model has numbers of.
    fn of_lines(&self, model: ModelIx, of: impl Fn(usize, Direction) -> Json) -> Json {
        let values = self.evaluation.models[model.get()].2.iter().enumerate();
        self.by_key(values.map(|(at, value)| match value {
            Value::Each(summaries) => self.of_each(summaries, |direction, _| of(at, direction)),
            Value::Both(_) => json!({"both": of(at, Direction::I2t)}),
        }))
    }

    /// Values by the keys of their lines, what is null left out.
    fn by_key(&self, values: impl Iterator<Item = Json>) -> Json {
        let keyed = self.evaluation.lines.iter().zip(values);
        let keyed = keyed.filter(|(_, value)| !value.is_null());
        let keyed = keyed.map(|(line, value)| (line.key.clone(), value));
        Json::Object(keyed.collect())
    }

    fn of_each(
        &self,
        summaries: &PerDirection<Option<Summary>>,
        of: impl Fn(Direction, Summary) -> Json,
    ) -> Json {
        self.each(|direction| summaries[direction].map(|summary| of(direction, summary)))
    }

    /// `{"i2t": .., "t2i": ..}`, as far as they are wanted.
    fn each(&self, of: impl Fn(Direction) -> Option<Json>) -> Json {
        let entries = self.directions.iter();
        let entries = entries.filter_map(|&d| Some((d.key().to_owned(), of(d)?)));
        Json::Object(entries.collect())
    }

    /// One number a row, in long form.
    pub(super) fn data(&self) -> Table<'_> {
        let mut head = vec!["model", "source", "metric", "direction", "value", "judged"];
        if self.intervals.is_some() {
            head.extend(["low", "high"]);
        }
        let runs = self.runs();
        if !runs.is_empty() {
            head.push("sd_of_runs");
        }
        let width = head.len();
        let mut rows = self.rows();
        for row in &mut rows {
            row.resize(width, Cell::Empty);
        }
        rows.extend(runs.iter().flat_map(|runs| self.rows_of_runs(runs, width)));
        Table::new("", head, 4, rows)
    }

    /// The values of the models and of the ceiling, with their intervals.
    fn rows(&self) -> Vec<Vec<Cell>> {
        let sources = self.evaluation.models.iter().map(|(_, source, _)| source.as_str());
        let columns = self.columns().into_iter().zip(sources.chain([""]));
        let mut rows = Vec::new();
        for (model, ((name, values), source)) in columns.enumerate() {
            // Programs have the key that JSON has.
            let is_model = model < self.evaluation.models.len();
            let name = if is_model { name } else { "ceiling" };
            for (line, &value) in values.iter().enumerate() {
                let key = &self.evaluation.lines[line].key;
                for (word, direction, number, judged) in self.cells(value) {
                    let mut row = row![name, source, key, word, number, judged];
                    if self.intervals.is_some() {
                        let ends = self.interval(ModelIx::new(model), line, direction);
                        row.extend([0, 1].map(|end| Cell::from(ends.map(|ends| ends[end]))));
                    }
                    rows.push(row);
                }
            }
        }
        rows
    }

    /// The numbers of a value: the word of the direction, the direction, the number, and over how many
    /// queries.
    fn cells(&self, value: Value) -> Vec<(&'static str, Direction, Option<f64>, Option<usize>)> {
        let Value::Each(summaries) = value else {
            let sum = super::number(value, Direction::I2t);
            return vec![("both", Direction::I2t, sum, None)];
        };
        let cell = |&direction: &Direction| {
            let summary = summaries[direction]?;
            Some((direction.key(), direction, summary.value, super::of_mean(summary)))
        };
        self.directions.iter().filter_map(cell).collect()
    }

    /// The means over runs, with the standard deviation between them.
    fn rows_of_runs(&self, runs: &Runs, width: usize) -> Vec<Vec<Cell>> {
        let first = &self.evaluation.models[runs.models[0].get()].2;
        let mut rows = Vec::new();
        for (at, line) in self.evaluation.lines.iter().enumerate() {
            for (word, direction, _, judged) in self.cells(first[at]) {
                let spread = self.spread(runs, at, direction);
                let mean = spread.map(|spread| spread.mean);
                let mut row = row![&runs.name, "", &line.key, word, mean, judged];
                row.resize(width - 1, Cell::Empty);
                row.push(spread.and_then(|spread| spread.deviation).into());
                rows.push(row);
            }
        }
        rows
    }
}
