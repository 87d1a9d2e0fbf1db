//! Differences of two models: for people in display order, for programs first minus second in input order.

use super::{Comparison, Pair};
use crate::analysis::compare::ModelDifference;
use crate::analysis::inference::Estimate;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// A difference, and its two models in display order.
type Row<'a> = (Pair, &'a ModelDifference);

/// The table of differences, and with `--full` that of counts.
pub(super) fn sections(comparison: &Comparison<'_>) -> Vec<Section> {
    let mut sections = vec![differences(comparison)];
    if comparison.is_full {
        sections.push(counts(comparison));
    }
    sections
}

/// A list of all rows, with columns that identify a row: the pair if there are several, metric, truth and direction.
fn row_list<'a>(
    comparison: &'a Comparison<'_>,
    key: &'static str,
    title: impl Into<String>,
) -> List<'a, Row<'a>> {
    let pairs = comparison.pairs();
    let pair_of = |row: &ModelDifference| {
        let pair = pairs.iter().find(|pair| pair.models == row.models);
        *pair.expect("every row is of a pair")
    };
    let mut list = List::new(key, title, comparison.rows.iter().map(|row| (pair_of(row), row)));
    if pairs.len() > 1 {
        list = list.display("A - B", |(pair, _)| comparison.ordered_names(*pair).join(" - "));
    }
    list.display("metric", |(_, row)| row.line.title())
        .display("ground truth", |(_, row)| comparison.truth_name(row))
        .display("", |(_, row)| row.direction)
}

/// Headings of the two models in display order: their names, or `A` and `B` if there are several pairs.
fn model_heads(comparison: &Comparison<'_>) -> [String; 2] {
    match comparison.pairs().as_slice() {
        [pair] => comparison.ordered_names(*pair).map(str::to_owned),
        _ => ["A", "B"].map(str::to_owned),
    }
}

/// The table of differences: the means, their difference, interval and test.
fn differences(comparison: &Comparison<'_>) -> Section {
    let [first, second] = model_heads(comparison);
    let units = comparison.rows.iter().map(ModelDifference::unit);
    let order = if comparison.margin.is_some() { "as named" } else { "better minus worse" };
    let title = format!("{first} - {second} ({order}), {}", super::notes::units(comparison, units));
    let means = |row: &ModelDifference| row.paired.means();
    let mean = move |(pair, row): &Row<'_>, place: usize| {
        let ordered = means(row).map(|means| pair.arrange(means));
        ordered.map(|means| Cell::Value(means[place], row.unit()))
    };
    let difference = |row: &ModelDifference, value| Cell::Difference(value, row.unit());
    let interval_end = |row: &ModelDifference, at: usize| row.interval().map(|ends| ends[at]);
    let mut list = row_list(comparison, "comparisons", title)
        .data("models", |(_, row)| Cell::List(comparison.names(row.models).map(Into::into).into()))
        .data("metric", |(_, row)| &row.line.key)
        .data("direction", |(_, row)| row.direction)
        .data("queries", |(_, row)| row.paired.len())
        .data("undefined", |(_, row)| row.paired.left_out)
        .data("clusters", |(_, row)| row.clusters)
        .display(first, move |record| mean(record, 0))
        .display(second, move |record| mean(record, 1))
        .display("difference", move |(pair, row)| {
            means(row).map(|[one, other]| difference(row, pair.orient(one - other)))
        })
        .display("95 % CI", move |(pair, row)| {
            let ends = row.interval().map(|ends| pair.arrange(ends));
            ends.map(|ends| Cell::interval(ends, |end| difference(row, pair.orient(end))))
        })
        .data("first", move |(_, row)| means(row).map(|means| means[0]))
        .data("second", move |(_, row)| means(row).map(|means| means[1]))
        .data("delta", move |(_, row)| means(row).map(|[first, second]| first - second))
        .data("low", move |(_, row)| interval_end(row, 0))
        .data("high", move |(_, row)| interval_end(row, 1))
        .data("t", |(_, row)| row.testable_estimate().map(Estimate::t))
        .data("df", |(_, row)| row.testable_estimate().map(Estimate::df))
        .data("p_t", |(_, row)| row.testable_estimate().map(Estimate::p))
        .column("p_holm", "Holm p", |(_, row)| row.corrected.holm.map(Cell::corrected_p));
    for (at, key) in ["wins", "ties", "losses"].into_iter().enumerate() {
        list = list.data(key, move |(_, row)| row.paired.counts(row.unit())[at]);
    }
    for (model, name) in ["first", "second"].into_iter().enumerate() {
        list = list
            .data(format!("{name}_runs"), move |(_, row)| {
                row.runs.as_ref().map(|runs| runs.count[model])
            })
            .data(format!("{name}_sd_of_runs"), move |(_, row)| deviation(row, model));
    }
    list = list
        .data("short", |(_, row)| {
            Some(comparison.shortages(row)).filter(|lines| !lines.is_empty()).map(Cell::List)
        })
        .data("single_run", |(_, row)| comparison.single_run_model(row))
        .data("same_as", |(_, row)| row.corrected.same_as.map(|at| &comparison.rows[at].line.key));
    let margin_p =
        |at: usize| move |(_, row): &Row<'_>| Some(Cell::P(comparison.margin_p_values(row)?[at]));
    let (equivalent, not_worse) = (margin_p(0), margin_p(1));
    list = list.data("p_tost", equivalent).data("p_non_inferior", not_worse);
    if comparison.margin.is_some() {
        list = list.display("p TOST", equivalent).display("p non-inferior", not_worse);
    }
    list.section()
}

/// The table of counts: queries, clusters, queries won by each model, and the spread of its runs.
fn counts(comparison: &Comparison<'_>) -> Section {
    let [first, second] = model_heads(comparison).map(|name| format!("{name} wins"));
    let mut list = row_list(comparison, "", "wins and ties")
        .display("queries", |(_, row)| row.paired.len())
        .display("clusters", |(_, row)| row.clusters);
    for (at, head) in [first, "ties".into(), second].into_iter().enumerate() {
        list = list.display(head, move |(pair, row)| {
            if !row.line.is_merit() {
                return Cell::Empty;
            }
            let [wins, ties, losses] = row.paired.counts(row.unit());
            let [first, second] = pair.arrange([wins, losses]);
            [first, ties, second][at].into()
        });
    }
    if comparison.rows.iter().any(|row| row.runs.is_some()) {
        for (place, name) in model_heads(comparison).into_iter().enumerate() {
            list = list.display(format!("sd of {name}'s runs"), move |(pair, row)| {
                deviation(row, pair.order[place]).map(|sd| Cell::Value(sd, row.unit()))
            });
        }
    }
    list.section()
}

/// The standard deviation between the runs of a model, the first (0) or the second (1) of a row; `None` for one run.
fn deviation(row: &ModelDifference, model: usize) -> Option<f64> {
    row.runs.as_ref()?.spread[model]?.deviation
}
