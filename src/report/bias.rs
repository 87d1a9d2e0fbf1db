//! Bias of a ground truth to its proposers: see [`crate::annotate::bias`].

use super::Report;
use super::cell::Cell;
use super::list::{List, Section};
use super::reuse::proposers;
use crate::annotate::bias::{Bias, Row};
use crate::data::Direction;
use crate::data::text::{grouped, shown};

/// Every model under the positives of each proposer, and the proposers.
pub fn report<'a>(truth: &str, bias: &'a Bias) -> Report<'a> {
    let mut sections = vec![values(bias)];
    for direction in Direction::BOTH {
        for (metric, name) in bias.metrics().iter().enumerate() {
            let title = format!("{name}, {direction}: {} by who proposed it", shown(truth));
            sections.push(by_source(bias, title, direction, metric));
        }
    }
    let shares = bias.sources.iter().zip(&bias.shares);
    sections.push(proposers(shares.flat_map(|(name, of)| {
        let of_direction = |direction| Some((&**name, direction, of[direction]?));
        Direction::BOTH.into_iter().filter_map(of_direction)
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
    if bias.of_nobody > 0 {
        let count = grouped(bias.of_nobody);
        notes.push(format!(
            "{count} positives that no model proposed count under all alone (--base NAME: what was known before counts under each)"
        ));
    }
    Report { notes, best: Some("the model's own proposals"), ..Report::from_sections(sections) }
}

fn sources(bias: &Bias) -> impl Iterator<Item = &str> {
    bias.sources.iter().map(String::as_str).chain(["all"])
}

fn values(bias: &Bias) -> Section {
    let each = bias.rows.iter().flat_map(|one| {
        bias.metrics().into_iter().zip(&one.matched).flat_map(move |(metric, matched)| {
            sources(bias).zip(matched).map(move |(source, of)| (one, metric, source, of))
        })
    });
    List::new("values", "", each)
        .data("model", |(one, ..)| &one.model)
        .data("direction", |(one, ..)| one.direction)
        .data("metric", |(_, metric, ..)| *metric)
        .data("proposed_by", |(_, _, source, _)| *source)
        .data("value", |(.., of)| of.value)
        .data("queries", |(.., of)| of.queries)
        .section()
}

/// A column for each proposer, with its queries.
fn by_source(bias: &Bias, title: String, direction: Direction, metric: usize) -> Section {
    let of_direction = |one: &&Row| one.direction == direction;
    let rows: Vec<&Row> = bias.rows.iter().filter(of_direction).collect();
    let queries = rows.first().into_iter().flat_map(|one| &one.matched[metric]);
    let queries: Vec<usize> = queries.map(|of| of.queries).collect();
    let mut list = List::new("", title, rows).shown("model", |one| shown(&one.model));
    for (at, (source, queries)) in sources(bias).zip(queries).enumerate() {
        let head = format!("{} (n {})", shown(source), grouped(queries));
        list = list.shown(head, move |one| {
            let value = one.matched[metric][at].value.map(Cell::share);
            Cell::from(value).marked(one.own == Some(at))
        });
    }
    list.shown("own less others", move |one| one.advantage(metric).map(Cell::points)).section()
}
