//! Differences of models: for people in display order, shares in percent; for programs first minus second, in full
//! precision.

use super::{Compared, Pair};
use crate::analysis::compare::ModelDifference;
use crate::analysis::inference::Estimate;
use crate::report::cell::Cell;
use crate::report::list::{List, Section};

/// A difference, and its two models in display order.
type Row<'a> = (Pair, &'a ModelDifference);

/// The differences, and with `--full` counts.
pub(super) fn sections(compared: &Compared<'_>) -> Vec<Section> {
    let mut sections = vec![differences(compared)];
    if compared.is_full {
        sections.push(counts(compared));
    }
    sections
}

/// All rows under a title. With several pairs, the first column names the pair.
fn list<'a>(
    compared: &'a Compared<'_>,
    key: &'static str,
    title: impl Into<String>,
) -> List<'a, Row<'a>> {
    let pairs = compared.pairs();
    let pair_of = |row: &ModelDifference| {
        let pair = pairs.iter().find(|pair| pair.models == row.models);
        *pair.expect("every row is of a pair")
    };
    let mut list = List::new(key, title, compared.rows.iter().map(|row| (pair_of(row), row)));
    if pairs.len() > 1 {
        list = list.shown("A - B", |(pair, _)| compared.ordered_names(*pair).join(" - "));
    }
    list.shown("metric", |(_, row)| row.line.title())
        .shown("ground truth", |(_, row)| compared.truth(row))
        .shown("", |(_, row)| row.direction)
}

/// Headings of the two sides: names of models, or `A` and `B` if there are several pairs.
fn sides(compared: &Compared<'_>) -> [String; 2] {
    match compared.pairs().as_slice() {
        [pair] => compared.ordered_names(*pair).map(str::to_owned),
        _ => ["A", "B"].map(str::to_owned),
    }
}

/// The means, their difference, interval and test.
fn differences(compared: &Compared<'_>) -> Section {
    let [first, second] = sides(compared);
    let units = compared.rows.iter().map(ModelDifference::unit);
    let order = if compared.margin.is_some() { "as named" } else { "better minus worse" };
    let title = format!("{first} - {second} ({order}), {}", super::notes::units(compared, units));
    let means = |row: &ModelDifference| row.paired.means();
    let shown = |(pair, row): &Row<'_>, side: usize| {
        let means = row.paired.means().map(|means| pair.ordered(means));
        means.map(|means| Cell::Value(means[side], row.unit()))
    };
    let difference = |row: &ModelDifference, value| Cell::Difference(value, row.unit());
    let end = |row: &ModelDifference, at: usize| row.interval().map(|ends| ends[at]);
    let mut list = list(compared, "comparisons", title)
        .data("models", |(_, row)| Cell::List(compared.names(row.models).map(Into::into).into()))
        .data("metric", |(_, row)| &row.line.key)
        .data("direction", |(_, row)| row.direction)
        .data("queries", |(_, row)| row.paired.len())
        .data("undefined", |(_, row)| row.paired.left_out)
        .data("clusters", |(_, row)| row.clusters)
        .shown(first, move |of| shown(of, 0))
        .shown(second, move |of| shown(of, 1))
        .shown("difference", move |(pair, row)| {
            means(row).map(|[one, other]| difference(row, pair.signed(one - other)))
        })
        .shown("95 % CI", move |(pair, row)| {
            let ends = row.interval().map(|ends| pair.ordered(ends));
            ends.map(|ends| Cell::interval(ends, |end| difference(row, pair.signed(end))))
        })
        .data("first", move |(_, row)| means(row).map(|means| means[0]))
        .data("second", move |(_, row)| means(row).map(|means| means[1]))
        .data("delta", move |(_, row)| means(row).map(|[first, second]| first - second))
        .data("low", move |(_, row)| end(row, 0))
        .data("high", move |(_, row)| end(row, 1))
        .data("t", |(_, row)| row.testable_estimate().map(Estimate::t))
        .data("df", |(_, row)| row.testable_estimate().map(Estimate::df))
        .data("p_t", |(_, row)| row.testable_estimate().map(Estimate::p))
        .column("p_holm", "Holm p", |(_, row)| row.corrected.holm.map(Cell::corrected));
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
            Some(compared.short(row)).filter(|lines| !lines.is_empty()).map(Cell::List)
        })
        .data("single_run", |(_, row)| compared.single_run(row))
        .data("same_as", |(_, row)| row.corrected.same_as.map(|at| &compared.rows[at].line.key));
    let within = |at: usize| {
        move |(_, row): &Row<'_>| compared.margin(row).map(|p_values| Cell::P(p_values[at]))
    };
    let (equivalent, not_worse) = (within(0), within(1));
    list = list.data("p_tost", equivalent).data("p_non_inferior", not_worse);
    if compared.margin.is_some() {
        list = list.shown("p TOST", equivalent).shown("p non-inferior", not_worse);
    }
    list.section()
}

/// Queries, clusters, queries won by each model, and the spread of its runs.
fn counts(compared: &Compared<'_>) -> Section {
    let [first, second] = sides(compared).map(|name| format!("{name} wins"));
    let mut list = list(compared, "", "wins and ties")
        .shown("queries", |(_, row)| row.paired.len())
        .shown("clusters", |(_, row)| row.clusters);
    for (at, head) in [first, "ties".into(), second].into_iter().enumerate() {
        list = list.shown(head, move |(pair, row)| {
            if !row.line.is_merit() {
                return Cell::Empty;
            }
            let [wins, ties, losses] = row.paired.counts(row.unit());
            let [first, second] = pair.ordered([wins, losses]);
            [first, ties, second][at].into()
        });
    }
    if compared.rows.iter().any(|row| row.runs.is_some()) {
        for (side, name) in sides(compared).into_iter().enumerate() {
            list = list.shown(format!("sd of {name}'s runs"), move |(pair, row)| {
                deviation(row, pair.sides[side]).map(|sd| Cell::Value(sd, row.unit()))
            });
        }
    }
    list.section()
}

/// The standard deviation between a model's runs.
fn deviation(row: &ModelDifference, model: usize) -> Option<f64> {
    row.runs.as_ref()?.spread[model]?.deviation
}
