//! Winner flips between metrics, and similarity of rankings; shown with `--full`.

use serde_json::{Map, Value, json};

use super::Compared;
use crate::analysis::flips::{self, Between};
use crate::analysis::paired_values::Outcome;
use crate::analysis::similarity::{DEPTHS, HEAD, Mean, Similarity};
use crate::data::text::UNDEFINED;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// Flips and similarities.
pub(super) fn sections(compared: &Compared<'_>) -> [Section; 3] {
    let [told, all] = flips(compared);
    [told, all, similarity(compared)]
}

/// All flips for programs; for people the rows between which the winner of a query or of the mean flips.
fn flips(compared: &Compared<'_>) -> [Section; 2] {
    let all = flips::between(compared.rows);
    let row = |found: &Between, at: usize| &compared.rows[found.rows[at]];
    let names = |found: &Between| compared.names(row(found, 0).models);
    let leader = |found: &Between, at: usize| match found.leaders[at]? {
        Outcome::Win => Some(names(found)[0]),
        Outcome::Loss => Some(names(found)[1]),
        Outcome::Tie => None,
    };
    let is_told = |found: &&Between| found.queries > 0 || found.leaders[0] != found.leaders[1];
    let mut told =
        List::new("", "queries whose winner flips between two metrics", all.iter().filter(is_told));
    if compared.pairs().len() > 1 {
        told = told.shown("models", |found| names(found).join(", "));
    }
    let key = |at| move |found: &&Between| &row(found, at).line.key;
    let favours = |at| {
        move |found: &&Between| match found.leaders[at] {
            None => UNDEFINED,
            _ => leader(found, at).unwrap_or("both"),
        }
    };
    let told = told
        .shown("metric 1", key(0))
        .shown("metric 2", key(1))
        .shown("", |found| row(found, 0).direction)
        .shown("1 favours", favours(0))
        .shown("2 favours", favours(1))
        .shown("queries", |found| found.queries)
        .section();
    let all = List::new("flips", "", all.iter())
        .data("models", |found| json!(names(found)))
        .data("direction", |found| row(found, 0).direction)
        .data("metrics", |found| json!([0, 1].map(|at| &row(found, at).line.key)))
        .data("leaders", |found| json!([0, 1].map(|at| leader(found, at))))
        .data("queries", |found| found.queries);
    [told, all.section()]
}

/// Mean similarity of two rankings over queries, or that of independent rankings.
struct Measure {
    key: String,
    title: String,
    value: Option<f64>,
    queries: Option<usize>,
    /// The central range of independent rankings.
    range: Option<[f64; 2]>,
    /// Decimals shown.
    digits: usize,
}

impl Measure {
    fn new(key: impl Into<String>, title: impl Into<String>, of: Mean, digits: usize) -> Self {
        let (key, title) = (key.into(), title.into());
        Measure { key, title, value: of.value, queries: Some(of.queries), range: None, digits }
    }

    fn tree(&self) -> Value {
        match (self.queries, self.range) {
            (Some(queries), _) => json!({"value": self.value, "queries": queries}),
            (None, Some([low, high])) => json!({"value": self.value, "low": low, "high": high}),
            (None, None) => Value::Null,
        }
    }
}

/// A row for each pair, direction and measure.
fn similarity(compared: &Compared<'_>) -> Section {
    let each = compared.similarities.iter().flat_map(|(models, found)| {
        let names = compared.names(*models);
        let known = measures(compared, *models, found).into_iter().filter(|of| of.value.is_some());
        known.map(move |of| (names, found.direction, of))
    });
    let models = |names: &[&str; 2]| Cell::List(names.map(str::to_owned).into());
    let mut list = List::new("similarity", "similarity of rankings, means over queries", each)
        .data("models", move |(names, ..)| models(names));
    if compared.pairs().len() > 1 {
        list = list.shown("models", |(names, ..)| names.join(", "));
    }
    list.column("direction", "", |(_, direction, _)| *direction)
        .shown("measure", |(.., of)| of.title.clone())
        .data("measure", |(.., of)| of.key.clone())
        .column("value", "mean", |(.., of)| of.value.map(|value| Cell::Number(value, of.digits)))
        .column("queries", "queries", |(.., of)| of.queries.map_or(Cell::Empty, Cell::from))
        .data("low", |(.., of)| of.range.map(|[low, _]| low))
        .data("high", |(.., of)| of.range.map(|[_, high]| high))
        .section()
}

/// The JSON of [`similarity`]: the measures of a pair and direction by their keys.
pub(super) fn similarity_tree(compared: &Compared<'_>) -> Value {
    let of = |(models, found): &([usize; 2], Similarity)| {
        let measures = measures(compared, *models, found).into_iter();
        let means: Map<String, Value> = measures.map(|of| (of.key.clone(), of.tree())).collect();
        let direction = found.direction.key();
        json!({"models": compared.names(*models), "direction": direction, "means": means})
    };
    compared.similarities.iter().map(of).collect()
}

fn measures(compared: &Compared<'_>, models: [usize; 2], found: &Similarity) -> Vec<Measure> {
    let tau = format!("tau-b, union of the first {HEAD}");
    let key = format!("tau_b_union_{HEAD}");
    let of_union = found.mean_tau(|alike| alike.tau);
    let mut all = vec![Measure::new(&key, &tau, of_union, 3)];
    for (at, k) in DEPTHS.into_iter().enumerate() {
        let mean = found.mean(|alike| alike.overlap[at]);
        all.push(Measure::new(format!("overlap_at_{k}"), format!("overlap@{k}"), mean, 3));
    }
    let title = format!("rank-biased overlap, depth {HEAD}, p = 0.9");
    all.push(Measure::new("rbo", title, found.mean(|alike| alike.rank_biased), 3));
    let names = compared.names(models);
    for (model, side) in ["first", "second"].into_iter().enumerate() {
        let [all_queries, top_k] = found.top_rank(model);
        let key = format!("rank_of_top_of_{side}");
        let title = format!("top-1 of {}: rank in {}", names[model], names[1 - model]);
        let within = format!("{title}, if within {HEAD}");
        all.push(Measure::new(format!("{key}_within_{HEAD}"), within, top_k, 1));
        all.push(Measure::new(key, title, all_queries, 1));
    }
    all.push(Measure {
        key: format!("{key}_shuffled"),
        title: found.shuffled.map_or_else(String::new, |of| {
            let [low, high] = of.range;
            format!("tau-b of independent rankings: {low:.3} to {high:.3}")
        }),
        value: found.shuffled.map(|of| of.value),
        queries: None,
        range: found.shuffled.map(|of| of.range),
        digits: 3,
    });
    all
}
