//! How far a ground truth favours those who proposed it: see [`crate::annotate::bias`].

use super::cell::{Cell, row};
use super::reuse::proposers_table;
use super::{Json, Report, Table};
use crate::annotate::bias::{Bias, Matched, Row};
use crate::data::Direction;
use crate::data::text::{grouped, shown};
use crate::metric::Unit;

/// Every model under what each proposed, and who proposed the positives.
pub fn report<'a>(truth: &'a str, bias: &'a Bias) -> Report<'a> {
    let mut tables: Vec<Table<'a>> = Vec::new();
    for direction in Direction::BOTH {
        for (metric, name) in bias.metrics().iter().enumerate() {
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
    let graded = if bias.is_graded {
        "; graded: a match is 1 for what is wholly right, 0.5 for what is partly so, so these are not R@1 and R-P of eval"
    } else {
        ""
    };
    let mut notes = vec![
        format!("in percent{graded}"),
        "queries: those with a positive in the column, over which its means are; columns may differ in queries".to_owned(),
        "own less others: under what it proposed itself, less the mean under what the others did, each over its own queries"
            .to_owned(),
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
    let rows = bias.rows.iter().filter(move |row| row.direction == direction);
    let rows = rows.map(move |one: &Row| {
        let mut cells = row![shown(&one.model)];
        let values = one.matched[metric].iter().enumerate();
        cells.extend(values.map(|(at, of)| {
            let cell = Cell::from(of.value.map(|value| Cell::Value(value, Unit::Share)));
            cell.marked(one.own == Some(at))
        }));
        let advantage = one.advantage(metric);
        cells.push(advantage.map(|value| Cell::Difference(value, Unit::Share)).into());
        cells
    });
    let counts = queries(bias, direction, metric);
    Table::new(title, head, 1, rows.chain(counts)).if_any()
}

/// How many queries the columns are over, the same for every model.
fn queries(bias: &Bias, direction: Direction, metric: usize) -> Option<Vec<Cell>> {
    let mut rows = bias.rows.iter();
    let first = rows.find(|row| row.direction == direction)?;
    let mut cells = row!["queries"];
    cells.extend(first.matched[metric].iter().map(|of| Cell::from(of.queries)));
    cells.push(Cell::Empty);
    Some(cells)
}

/// One number a row.
fn data(bias: &Bias) -> Table<'_> {
    let values = bias.rows.iter().flat_map(move |one| {
        let sources = bias.sources.iter().map(String::as_str).chain(["all"]);
        let sources: Vec<&str> = sources.collect();
        bias.metrics().into_iter().enumerate().flat_map(move |(metric, name)| {
            let each = sources.clone().into_iter().zip(&one.matched[metric]);
            each.flat_map(move |(source, of): (&str, &Matched)| {
                let line = |number: &str, cell: Cell| {
                    row![&one.model, one.direction, source, name, number, cell]
                };
                [line("value", of.value.into()), line("queries", of.queries.into())]
            })
        })
    });
    let shares = bias.sources.iter().zip(&bias.shares).flat_map(|(name, shares)| {
        Direction::BOTH.into_iter().flat_map(move |direction| {
            let of = shares[direction].unwrap_or_default();
            [("positives", of.positives), ("proposed", of.proposed), ("alone", of.alone)]
                .map(|(number, count)| row![name, direction, "", "", number, count])
        })
    });
    let head = ["model", "direction", "proposed_by", "metric", "number", "value"];
    Table::new("", head, 5, values.chain(shares))
}
