//! An evaluation for programs: the stable JSON, and one number per row.

use serde_json::{Map, Value as Json, json};

use super::{EvalReport, Intervals, Number};
use crate::analysis::inference::LEVEL;
use crate::analysis::runs::Spread;
use crate::evaluate::plan::Line;
use crate::report::list::{List, Section};
use crate::truth::conventions::Conventions;
use crate::truth::rule::key;

impl EvalReport<'_> {
    /// The JSON of the whole evaluation.
    pub(super) fn json(&self) -> Json {
        let models = self.evaluation.models.len();
        let mut whole = json!({
            "study": {"images": self.evaluation.images, "captions": self.evaluation.captions},
            "models": (0..models).map(|model| self.model_json(model)).collect::<Vec<Json>>(),
        });
        let Conventions { no_positives, short_lists } = self.evaluation.conventions;
        whole["conventions"] =
            json!({"no_positives": no_positives.key(), "short_lists": short_lists.key()});
        for (flag, value) in &self.evaluation.flags {
            whole["conventions"][key(flag)] = value.map_or(json!(true), |value| json!(value));
        }
        if !self.runs.is_empty() {
            let first = self.rows.len() - self.runs.len();
            whole["runs"] = (0..self.runs.len()).map(|at| self.runs_json(at, first + at)).collect();
        }
        if let Some(Intervals { by_image, .. }) = &self.intervals {
            let clusters = if *by_image { "image" } else { "query" };
            whole["inference"] = json!({"level": LEVEL, "clusters": clusters});
        }
        if self.evaluation.ceiling.is_some() {
            whole["ceiling"] = self.by_key(models, |_, number| Some(json!(number.value)));
        }
        whole
    }

    /// The JSON of the model in a row.
    fn model_json(&self, row: usize) -> Json {
        let (name, source, _) = &self.evaluation.models[row];
        let judged = self.evaluation.covered.iter().map(|(name, covered)| {
            let counts = self.directions.iter().filter_map(|&direction| {
                Some((direction.key().to_owned(), json!(covered[direction]?)))
            });
            (name.clone(), Json::Object(counts.collect()))
        });
        let query_count = |line: &Line, number: &Number| {
            (!line.is_sum()).then(|| json!(number.queries.unwrap_or_default()))
        };
        let mut model = json!({
            "name": name,
            "source": source,
            "metrics": self.by_key(row, |_, number| Some(json!(number.value))),
            "judged": judged.collect::<Map<String, Json>>(),
            "queries": self.by_key(row, query_count),
        });
        if self.intervals.is_some() {
            model["intervals"] = self.by_key(row, |_, number| Some(json!(number.interval)));
        }
        model
    }

    /// The JSON of a model with several runs: `at` is its index in `runs`, and `row` has its means.
    fn runs_json(&self, at: usize, row: usize) -> Json {
        let spread = |spread: Spread| {
            let Spread { mean, deviation, extent: [least, greatest] } = spread;
            json!({"mean": mean, "sd": deviation, "least": least, "greatest": greatest})
        };
        let runs = &self.runs[at];
        let names = runs.models.iter().map(|model| &self.rows[model.get()].name);
        json!({
            "name": runs.name,
            "models": names.collect::<Vec<_>>(),
            "metrics": self.by_key(row, |_, number| Some(json!(number.spread.map(spread)))),
        })
    }

    /// `{key: {"i2t": .., "t2i": ..}}` of a row, with the JSON that `value` returns for each number. Directions are
    /// absent if the ground truth lacks them or `value` returns `None`; sums are absent if it returns `None`.
    fn by_key(&self, row: usize, value: impl Fn(&Line, &Number) -> Option<Json>) -> Json {
        let mut keyed = Map::new();
        for line in self.evaluation.lines.iter().filter(|line| self.is_for_programs(line)) {
            let values = self.line_columns(line).filter_map(|column| {
                let number = column.numbers[row].as_ref()?;
                Some((column.direction_key().to_owned(), value(line, number)?))
            });
            let values: Map<String, Json> = values.collect();
            if !line.is_sum() || !values.is_empty() {
                keyed.insert(line.key.clone(), Json::Object(values));
            }
        }
        Json::Object(keyed)
    }

    /// Whether JSON and data tables include a line: sums only if metrics were requested.
    fn is_for_programs(&self, line: &Line) -> bool {
        !(self.is_default && line.is_sum())
    }

    /// The table for data frames, with one number per row.
    pub(super) fn data(&self) -> Section {
        let records = self.rows.iter().enumerate().flat_map(|(at, row)| {
            let columns = self.columns.iter().filter(|column| self.is_for_programs(column.line));
            columns.filter_map(move |column| Some((row, column, column.numbers[at]?)))
        });
        let mut list = List::new("", "", records)
            .data("model", |(row, ..)| &row.name)
            .data("source", |(row, ..)| row.source)
            .data("metric", |(_, column, _)| &column.line.key)
            .data("direction", |(_, column, _)| column.direction_key())
            .data("value", |(.., number)| number.value)
            .data("judged", |(.., number)| number.queries);
        if self.intervals.is_some() {
            for (at, key) in ["low", "high"].into_iter().enumerate() {
                list = list.data(key, move |(.., number)| number.interval.map(|ends| ends[at]));
            }
        }
        if !self.runs.is_empty() {
            list = list.data("sd_of_runs", |(.., number)| number.deviation());
        }
        list.section()
    }
}
