//! Winner flips between metrics, and similarity of rankings; shown with `--full`.

use serde_json::{Map, Value, json};

use super::Comparison;
use crate::analysis::flips::{self, RowFlips};
use crate::analysis::paired_values::Outcome;
use crate::analysis::similarity::{DEPTHS, Mean, Similarity, TOP_K};
use crate::data::text::UNDEFINED;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// The tables of [`flip_sections`] for people and for programs, and that of similarities.
pub(super) fn sections(comparison: &Comparison<'_>) -> [Section; 3] {
    let [table, data] = flip_sections(comparison);
    [table, data, similarity(comparison)]
}

/// Pairs of rows with their winner flips: for people, a table of the pairs for which the winner of a query or of the
/// mean flips; for programs, a list of all pairs.
fn flip_sections(comparison: &Comparison<'_>) -> [Section; 2] {
    let all = flips::row_flips(comparison.rows);
    let row = |found: &RowFlips, at: usize| &comparison.rows[found.rows[at]];
    let names = |found: &RowFlips| comparison.names(row(found, 0).models);
    let leader = |found: &RowFlips, at: usize| match found.leaders[at]? {
        Outcome::Win => Some(names(found)[0]),
        Outcome::Loss => Some(names(found)[1]),
        Outcome::Tie => None,
    };
    let has_flip = |found: &&RowFlips| found.queries > 0 || found.leaders[0] != found.leaders[1];
    let title = "queries whose winner flips between two metrics";
    let mut table = List::new("", title, all.iter().filter(has_flip));
    if comparison.pairs().len() > 1 {
        table = table.display("models", |found| names(found).join(", "));
    }
    let key = |at| move |found: &&RowFlips| &row(found, at).line.key;
    let favours = |at| {
        move |found: &&RowFlips| match found.leaders[at] {
            None => UNDEFINED,
            _ => leader(found, at).unwrap_or("both"),
        }
    };
    let table = table
        .display("metric 1", key(0))
        .display("metric 2", key(1))
        .display("", |found| row(found, 0).direction)
        .display("1 favours", favours(0))
        .display("2 favours", favours(1))
        .display("queries", |found| found.queries)
        .section();
    let data = List::new("flips", "", all.iter())
        .data("models", |found| json!(names(found)))
        .data("direction", |found| row(found, 0).direction)
        .data("metrics", |found| json!([0, 1].map(|at| &row(found, at).line.key)))
        .data("leaders", |found| json!([0, 1].map(|at| leader(found, at))))
        .data("queries", |found| found.queries);
    [table, data.section()]
}

/// A measure of the similarity of two rankings: its mean over queries, or its value for independent rankings.
struct Measure {
    key: String,
    title: String,
    value: Option<f64>,
    /// Number of queries in the mean; `None` for independent rankings.
    queries: Option<usize>,
    /// The central range of values for independent rankings.
    range: Option<[f64; 2]>,
    /// Decimals shown.
    digits: usize,
}

impl Measure {
    fn new(key: impl Into<String>, title: impl Into<String>, mean: Mean, digits: usize) -> Self {
        let (key, title) = (key.into(), title.into());
        Measure { key, title, value: mean.value, queries: Some(mean.queries), range: None, digits }
    }

    /// JSON of a mean and its number of queries, or of the value and range for independent rankings; null if unknown.
    fn json(&self) -> Value {
        match (self.queries, self.range) {
            (Some(queries), _) => json!({"value": self.value, "queries": queries}),
            (None, Some([low, high])) => json!({"value": self.value, "low": low, "high": high}),
            (None, None) => Value::Null,
        }
    }
}

/// The table of similarities: a row for each two models, direction and measure.
fn similarity(comparison: &Comparison<'_>) -> Section {
    let records = comparison.similarities.iter().flat_map(|(models, found)| {
        let names = comparison.names(*models);
        let measures = measures(comparison, *models, found).into_iter();
        let known = measures.filter(|measure| measure.value.is_some());
        known.map(move |measure| (names, found.direction, measure))
    });
    let models = |names: &[&str; 2]| Cell::List(names.map(str::to_owned).into());
    let mut list = List::new("similarity", "similarity of rankings, means over queries", records)
        .data("models", move |(names, ..)| models(names));
    if comparison.pairs().len() > 1 {
        list = list.display("models", |(names, ..)| names.join(", "));
    }
    list.column("direction", "", |(_, direction, _)| *direction)
        .display("measure", |(.., measure)| measure.title.clone())
        .data("measure", |(.., measure)| measure.key.clone())
        .column("value", "mean", |(.., one)| one.value.map(|value| Cell::Number(value, one.digits)))
        .column("queries", "queries", |(.., one)| one.queries.map_or(Cell::Empty, Cell::from))
        .data("low", |(.., measure)| measure.range.map(|[low, _]| low))
        .data("high", |(.., measure)| measure.range.map(|[_, high]| high))
        .section()
}

/// The JSON of [`similarity`]: the measures of a pair and direction by their keys.
pub(super) fn similarity_json(comparison: &Comparison<'_>) -> Value {
    let object = |(models, found): &([usize; 2], Similarity)| {
        let measures = measures(comparison, *models, found).into_iter();
        let means: Map<String, Value> = measures.map(|one| (one.key.clone(), one.json())).collect();
        let direction = found.direction.key();
        json!({"models": comparison.names(*models), "direction": direction, "means": means})
    };
    comparison.similarities.iter().map(object).collect()
}

/// All measures of the similarity of the rankings of two models, given by their indices.
fn measures(comparison: &Comparison<'_>, models: [usize; 2], found: &Similarity) -> Vec<Measure> {
    let tau = format!("tau-b, union of the first {TOP_K}");
    let key = format!("tau_b_union_{TOP_K}");
    let mean = found.mean_tau(|query| query.tau);
    let mut all = vec![Measure::new(&key, &tau, mean, 3)];
    for (at, k) in DEPTHS.into_iter().enumerate() {
        let mean = found.mean(|query| query.overlap[at]);
        all.push(Measure::new(format!("overlap_at_{k}"), format!("overlap@{k}"), mean, 3));
    }
    let title = format!("rank-biased overlap, depth {TOP_K}, p = 0.9");
    all.push(Measure::new("rbo", title, found.mean(|query| query.rank_biased), 3));
    let names = comparison.names(models);
    for (model, side) in ["first", "second"].into_iter().enumerate() {
        let [all_queries, top_k] = found.mean_top_rank(model);
        let key = format!("rank_of_top_of_{side}");
        let title = format!("top-1 of {}: rank in {}", names[model], names[1 - model]);
        let within = format!("{title}, if within {TOP_K}");
        all.push(Measure::new(format!("{key}_within_{TOP_K}"), within, top_k, 1));
        all.push(Measure::new(key, title, all_queries, 1));
    }
    all.push(Measure {
        key: format!("{key}_shuffled"),
        title: found.shuffled.map_or_else(String::new, |shuffled| {
            let [low, high] = shuffled.range;
            format!("tau-b of independent rankings: {low:.3} to {high:.3}")
        }),
        value: found.shuffled.map(|shuffled| shuffled.value),
        queries: None,
        range: found.shuffled.map(|shuffled| shuffled.range),
        digits: 3,
    });
    all
}
