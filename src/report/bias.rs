//! How far a ground truth favours those who proposed it: see [`crate::annotate::bias`].

use super::cell::{Cell, row};
use super::reuse::proposers_table;
use super::{Json, Report, Table};
use crate::annotate::bias::{Bias, METRICS, Matched, Row};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::metric::Unit;

/// Every model under what each proposed, and who proposed the positives.
pub fn report<'a>(truth: &'a str, bias: &'a Bias) -> Report<'a> {
    let mut tables: Vec<Table<'a>> = Vec::new();
    for direction in Direction::BOTH {
        for (metric, name) in METRICS.iter().enumerate() {
            let title = format!("{name}, {direction}: {} by who proposed it", shown(truth));
            tables.extend(matched(bias, title, direction, metric));
        }
    }
    let shares = bias.sources.iter().zip(&bias.shares);
    let shares = shares.flat_map(|(name, of)| {
        let of_direction = |direction| Some((&**name, direction, of[direction]?));
        Direction::BOTH.into_iter().filter_map(of_direction)
    });
    tables.extend(proposers_table(shares));
    let mut notes = vec![
        "in percent; a match is 1 for what is wholly right, 0.5 for what is partly so; over the queries with a positive there"
            .to_owned(),
        "own less others: under what it proposed itself, less the mean under what the others did".to_owned(),
    ];
    if bias.of_nobody > 0 {
        let count = grouped(bias.of_nobody);
        notes.push(format!(
            "{count} positives that no model proposed count under all alone (--base NAME: what was known before counts under each)"
        ));
    }
    Report {
        notes,
        best: Some("the model's own proposals"),
        ..Report::new(tables, data(bias), Json::Rows)
    }
}

fn matched(bias: &Bias, title: String, direction: Direction, metric: usize) -> Option<Table<'_>> {
    let sources = bias.sources.iter().map(|name| shown(name));
    let head = std::iter::once("model".to_owned()).chain(sources);
    let head = head.chain(["all", "own less others"].map(str::to_owned));
    let rows = bias
        .rows
        .iter()
        .filter(move |row| row.direction == direction);
    let rows = rows.map(move |one: &Row| {
        let mut cells = row![shown(&one.model)];
        let values = one.matched[metric].iter().enumerate();
        cells.extend(values.map(|(at, of)| {
            let cell = Cell::from(of.value.map(|value| Cell::Value(value, Unit::Share)));
            cell.marked(one.own == Some(at))
        }));
        let advantage = one.advantage(metric);
        cells.push(
            advantage
                .map(|value| Cell::Difference(value, Unit::Share))
                .into(),
        );
        cells
    });
    Table::new(title, head, 1, rows).if_any()
}

/// One number a row.
fn data(bias: &Bias) -> Table<'_> {
    let values = bias.rows.iter().flat_map(move |one| {
        let sources = bias.sources.iter().map(String::as_str).chain(["all"]);
        let sources: Vec<&str> = sources.collect();
        (0..METRICS.len()).flat_map(move |metric| {
            let each = sources.clone().into_iter().zip(&one.matched[metric]);
            each.flat_map(move |(source, of): (&str, &Matched)| {
                let line = |number: &str, cell: Cell| {
                    row![
                        &one.model,
                        one.direction,
                        source,
                        METRICS[metric],
                        number,
                        cell
                    ]
                };
                [
                    line("value", of.value.into()),
                    line("queries", of.queries.into()),
                ]
            })
        })
    });
    let shares = bias
        .sources
        .iter()
        .zip(&bias.shares)
        .flat_map(|(name, shares)| {
            Direction::BOTH.into_iter().flat_map(move |direction| {
                let of = shares[direction].unwrap_or_default();
                [
                    ("positives", of.positives),
                    ("proposed", of.proposed),
                    ("alone", of.alone),
                ]
                .map(|(number, count)| row![name, direction, "", "", number, count])
            })
        });
    let head = [
        "model",
        "direction",
        "proposed_by",
        "metric",
        "number",
        "value",
    ];
    Table::new("", head, 5, values.chain(shares))
}
