//! Bias of a ground truth to its proposers: see [`crate::annotate::bias`].

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::reuse::proposer_section;
use crate::annotate::bias::{Bias, BiasRow};
use crate::data::Direction;
use crate::data::text::{grouped, shown};

/// The values of every model under the positives of each proposer, and how much each proposed.
pub fn report<'a>(truth: &str, bias: &'a Bias) -> Report<'a> {
    let mut sections = vec![value_records(bias)];
    for direction in Direction::BOTH {
        for (metric, name) in bias.metric_names().iter().enumerate() {
            let title = format!("{name}, {direction}: {} by who proposed it", shown(truth));
            sections.push(source_table(bias, title, direction, metric));
        }
    }
    let proposals = bias.sources.iter().zip(&bias.proposals);
    sections.push(proposer_section(proposals.flat_map(|(name, counts)| {
        let record = |direction| Some((&**name, direction, counts[direction]?));
        Direction::BOTH.into_iter().filter_map(record)
    })));
    let graded = if bias.is_graded {
        "; graded: a match is 1 for what is wholly right, 0.5 for what is partly so, so these are not R@1 and R-P of eval"
    } else {
        ""
    };
    let mut notes = vec![
        format!("in percent{graded}"),
        "n: queries with a positive in the column, over which its means are; own less others: less the mean of the others' columns"
            .to_owned(),
    ];
    if bias.unproposed > 0 {
        let count = grouped(bias.unproposed);
        notes.push(format!(
            "{count} positives that no model proposed count under all alone (--base NAME: what was known before counts under each)"
        ));
    }
    Report { notes, best: Some("the model's own proposals"), ..Report::from_sections(sections) }
}

/// Names of the proposers, then `all`: the columns of the values.
fn source_names(bias: &Bias) -> impl Iterator<Item = &str> {
    bias.sources.iter().map(String::as_str).chain(["all"])
}

/// For programs, a record for each model, direction, metric and proposer.
fn value_records(bias: &Bias) -> Section {
    let records = bias.rows.iter().flat_map(|row| {
        bias.metric_names().into_iter().zip(&row.matched).flat_map(move |(metric, matched)| {
            source_names(bias).zip(matched).map(move |(source, mean)| (row, metric, source, mean))
        })
    });
    List::new("values", "", records)
        .data("model", |(row, ..)| &row.model)
        .data("direction", |(row, ..)| row.direction)
        .data("metric", |(_, metric, ..)| *metric)
        .data("proposed_by", |(_, _, source, _)| *source)
        .data("value", |(.., mean)| mean.value)
        .data("queries", |(.., mean)| mean.queries)
        .section()
}

/// For people, the values by one metric, given by its index, in one direction: a row for each model, a column for each
/// proposer.
fn source_table(bias: &Bias, title: String, direction: Direction, metric: usize) -> Section {
    let has_direction = |row: &&BiasRow| row.direction == direction;
    let rows: Vec<&BiasRow> = bias.rows.iter().filter(has_direction).collect();
    let queries = rows.first().into_iter().flat_map(|row| &row.matched[metric]);
    let queries: Vec<usize> = queries.map(|mean| mean.queries).collect();
    let mut list = List::new("", title, rows).display("model", |row| shown(&row.model));
    for (at, (source, queries)) in source_names(bias).zip(queries).enumerate() {
        let head = format!("{} (n {})", shown(source), grouped(queries));
        list = list.display(head, move |row| {
            let value = row.matched[metric][at].value.map(Cell::share);
            Cell::from(value).mark_best(row.own == Some(at))
        });
    }
    list.display("own less others", move |row| row.advantage(metric).map(Cell::points)).section()
}
