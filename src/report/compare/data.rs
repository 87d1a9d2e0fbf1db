//! Comparisons for programs: full precision, shares from 0 to 1.

use serde_json::{Map, Value, json};

use super::Compared;
use crate::analysis::compare::{Family, ModelDifference};
use crate::analysis::flips::{self, Between};
use crate::analysis::inference::{Effect, Estimate, LEVEL};
use crate::analysis::paired::Outcome;
use crate::analysis::sampled::ITEMS;
use crate::analysis::similarity::{DEPTHS, HEAD, Mean, Similarity, TopRank};
use crate::report::Table;
use crate::report::cell::{Cell, row};

pub(super) fn json(compared: &Compared<'_>) -> Value {
    let gallery = &compared.study.gallery;
    let family = match compared.family {
        Family::All => "all",
        Family::Pair => "pair",
    };
    let rows = compared.rows.iter().map(|row| self::row(compared, row));
    let between = flips::between(compared.rows);
    let flips = between.iter().map(|found| flip(compared, found));
    let alike = compared.similarities.iter().map(|(models, found)| {
        json!({"models": compared.names(*models), "direction": found.direction.key(),
               "means": Value::Object(measures(found))})
    });
    json!({
        "study": {"images": gallery.images.len(), "captions": gallery.captions.len()},
        "pool": compared.study.pool_name(compared.pool),
        "seed": compared.seed,
        "by_image": compared.by_image,
        "clusters": if compared.by_image { "image" } else { "query" },
        "holm_over": family,
        "level": LEVEL,
        "margin": compared.margin,
        "comparisons": rows.collect::<Vec<Value>>(),
        "flips": flips.collect::<Vec<Value>>(),
        "similarity": alike.collect::<Vec<Value>>(),
    })
}

fn row(compared: &Compared<'_>, row: &ModelDifference) -> Value {
    let mut told = Map::new();
    told.insert("models".into(), json!(compared.names(row.models)));
    told.insert("metric".into(), json!(row.line.key));
    told.insert("direction".into(), json!(row.direction.key()));
    told.extend(numbers(compared, row).map(|(key, value)| (key.to_owned(), value)));
    Value::Object(told)
}

/// The numbers of a row by their names.
fn numbers(
    compared: &Compared<'_>,
    row: &ModelDifference,
) -> impl Iterator<Item = (&'static str, Value)> {
    let margin = compared.margin(row);
    let same = row.corrected.same_as.map(|at| &compared.rows[at].line.key);
    let more = [
        ("short", json!(short(compared, row))),
        ("single_run", json!(compared.single_run(row))),
        ("same_as", json!(same)),
        ("p_tost", json!(margin.map(|of| of.equivalent))),
        ("p_non_inferior", json!(margin.map(|of| of.not_worse))),
    ];
    differences(row).into_iter().chain(tests(row)).chain(effects(row)).chain(more)
}

/// Why there are no numbers, where rankings end too early.
fn short(compared: &Compared<'_>, row: &ModelDifference) -> Option<Vec<String>> {
    let lines = compared.short(row);
    (!lines.is_empty()).then_some(lines)
}

fn differences(row: &ModelDifference) -> [(&'static str, Value); 8] {
    let means = row.paired.means();
    let end = |at: usize| row.interval().map(|ends| ends[at]);
    [
        ("queries", json!(row.paired.len())),
        ("undefined", json!(row.paired.left_out)),
        ("clusters", json!(row.clusters)),
        ("first", json!(means.map(|means| means[0]))),
        ("second", json!(means.map(|means| means[1]))),
        ("delta", json!(means.map(|[first, second]| first - second))),
        ("low", json!(end(0))),
        ("high", json!(end(1))),
    ]
}

fn tests(row: &ModelDifference) -> [(&'static str, Value); 4] {
    let tested = row.tested();
    [
        ("t", json!(tested.map(Estimate::t))),
        ("df", json!(tested.map(Estimate::df))),
        ("p_t", json!(tested.map(Estimate::p))),
        ("p_holm", json!(row.corrected.holm)),
    ]
}

fn effects(row: &ModelDifference) -> [(&'static str, Value); 11] {
    let [wins, ties, losses] = row.paired.counts(row.unit());
    let Effect { relative, standardised, odds_ratio } = row.effect;
    let detectable = row.estimate.map(Estimate::detectable);
    let spread = |model: usize| row.runs.as_ref().and_then(|runs| runs.spread[model]);
    let runs = |model: usize| row.runs.as_ref().map(|runs| runs.count[model]);
    let deviation = |model: usize| spread(model).and_then(|spread| spread.deviation);
    [
        ("wins", json!(wins)),
        ("ties", json!(ties)),
        ("losses", json!(losses)),
        ("relative", json!(relative)),
        ("standardised", json!(standardised)),
        ("odds_ratio", json!(odds_ratio.filter(|ratio| ratio.is_finite()))),
        ("detectable", json!(detectable)),
        ("first_runs", json!(runs(0))),
        ("first_sd_of_runs", json!(deviation(0))),
        ("second_runs", json!(runs(1))),
        ("second_sd_of_runs", json!(deviation(1))),
    ]
}

fn flip(compared: &Compared<'_>, found: &Between) -> Value {
    let [one, other] = found.rows.map(|at| &compared.rows[at]);
    let names = compared.names(one.models);
    let leader = |outcome: Option<Outcome>| match outcome? {
        Outcome::Win => Some(names[0]),
        Outcome::Loss => Some(names[1]),
        Outcome::Tie => None,
    };
    json!({
        "models": names,
        "direction": one.direction.key(),
        "metrics": [one.line.key, other.line.key],
        "leaders": found.leaders.map(leader),
        "queries": found.queries,
    })
}

/// Each measure's key and mean.
fn similarity(found: &Similarity) -> impl Iterator<Item = (String, Mean)> {
    let overlaps = (0..DEPTHS.len()).map(|at| {
        let mean = found.mean(|alike| alike.overlap[at]);
        (format!("overlap_at_{}", DEPTHS[at]), mean)
    });
    let tops = [("first", 0), ("second", 1)].into_iter().flat_map(|(name, model)| {
        let TopRank { all, within } = found.top_rank(model);
        let key = format!("rank_of_top_of_{name}");
        [(format!("{key}_within_{HEAD}"), within), (key, all)]
    });
    let gallery = found.mean_tau(|alike| alike.tau_gallery);
    let tau = (format!("tau_b_union_{HEAD}"), found.mean_tau(|alike| alike.tau));
    let rank_biased = ("rbo".to_owned(), found.mean(|alike| alike.rank_biased));
    let mut all = vec![tau, ("tau_b_gallery".to_owned(), gallery)];
    all.extend(overlaps);
    all.push(rank_biased);
    all.extend(tops);
    all.into_iter()
}

/// All means, and what independent rankings give.
fn measures(found: &Similarity) -> Map<String, Value> {
    let mut measures: Map<String, Value> = similarity(found)
        .map(|(key, mean)| (key, json!({"value": mean.value, "queries": mean.queries})))
        .collect();
    let drawn = (!found.is_exact).then_some(ITEMS);
    measures["tau_b_gallery"]["items_drawn_a_query"] = json!(drawn);
    let reference = found.shuffled.map(|of| {
        let [low, high] = of.range;
        json!({"value": of.value, "low": low, "high": high})
    });
    measures.insert(shuffled_key(), reference.unwrap_or_default());
    measures
}

fn shuffled_key() -> String {
    format!("tau_b_union_{HEAD}_shuffled")
}

/// The results in long form for CSV and TSV: one number a row.
pub(super) fn data<'a>(compared: &'a Compared<'_>) -> Table<'a> {
    let head = ["first", "second", "metric", "direction", "number", "value"];
    let rows = compared.rows.iter().flat_map(|row| of_row(compared, row));
    let alike = compared.similarities.iter();
    let alike = alike.flat_map(|(models, found)| of_similarity(compared.names(*models), found));
    Table::new("", head, 5, rows.chain(alike))
}

fn of_row(compared: &Compared<'_>, row: &ModelDifference) -> Vec<Vec<Cell>> {
    let [first, second] = compared.names(row.models);
    let named =
        |(key, value)| row![first, second, &row.line.key, row.direction, key, Cell::from(value)];
    numbers(compared, row).map(named).collect()
}

fn of_similarity([first, second]: [&str; 2], found: &Similarity) -> Vec<Vec<Cell>> {
    let mut rows = Vec::new();
    let mut push = |measure: &str, key: &str, value: Cell| {
        rows.push(row![first, second, measure, found.direction, key, value]);
    };
    for (measure, mean) in similarity(found) {
        push(&measure, "mean", mean.value.into());
        push(&measure, "queries", mean.queries.into());
    }
    if let Some(of) = found.shuffled {
        let [low, high] = of.range;
        for (key, value) in [("mean", of.value), ("low", low), ("high", high)] {
            push(&shuffled_key(), key, value.into());
        }
    }
    rows
}
