//! What a union of ground truths is made of, and what it changes for models.

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::inference::{Estimate, OF_DIFFERENCES};
use crate::annotate::effect::Effect;
use crate::data::text::{grouped, shown};
use crate::data::{Direction, PerDirection};
use crate::metric::Unit;
use crate::truth::union::UnionCounts;

/// The union of these truths under a name, and each model before (under `base`) and after.
pub fn report<'a>(
    name: &'a str,
    truths: &'a [String],
    counts: &'a PerDirection<Option<UnionCounts>>,
    (base, effects): (&'a str, &'a [Effect]),
) -> Report<'a> {
    let mut tables = vec![parts(name, truths, counts)];
    let title = format!("models under {} and under {}", shown(base), shown(name));
    tables.extend(effects_table(title, [base, name], effects));
    let mut notes = vec![
        "disagreed: positives that another part judges not relevant; invalid: positives that the lists of invalid items name"
            .to_owned(),
    ];
    if !effects.is_empty() {
        notes.push(legend());
    }
    Report { notes, ..Report::new(tables, data(name, truths, counts, effects), Json::Rows) }
}

/// How the intervals and p-values of effects are computed.
pub(super) fn legend() -> String {
    format!(
        "over the queries that have a value under both, captions clustered by image; 95 % CI and p, two-sided and not adjusted \
         for several: {OF_DIFFERENCES}"
    )
}

fn parts<'a>(
    name: &str,
    truths: &'a [String],
    counts: &'a PerDirection<Option<UnionCounts>>,
) -> Table<'a> {
    let mut head = vec![String::new()];
    let found = Direction::BOTH.into_iter().filter_map(|one| Some((one, counts[one].as_ref()?)));
    let found: Vec<(Direction, &UnionCounts)> = found.collect();
    head.extend(found.iter().map(|(direction, _)| direction.key().to_owned()));
    let line = |words: String, of: &dyn Fn(&UnionCounts) -> usize| {
        let mut cells = row![words];
        cells.extend(found.iter().map(|(_, counts)| Cell::from(of(counts))));
        cells
    };
    let mut rows = vec![
        line("queries".into(), &|counts| counts.queries),
        line("positives".into(), &|counts| counts.positives),
    ];
    for (part, truth) in truths.iter().enumerate() {
        rows.push(line(format!("listed by {}", shown(truth)), &|counts| counts.of_parts[part]));
        rows.push(line(format!("by {} alone", shown(truth)), &|counts| counts.alone[part]));
    }
    rows.extend([
        line("disagreed".into(), &|counts| counts.disagreed),
        line("judged not relevant".into(), &|counts| counts.nonrelevant),
        line("pooled, not judged".into(), &|counts| counts.pooled),
        line("invalid queries".into(), &|counts| counts.invalid_queries),
        line("invalid positives".into(), &|counts| counts.invalid_positives),
    ]);
    Table::new(format!("{}: {} united", shown(name), grouped(truths.len())), head, 1, rows)
}

/// Effects as a table; `None` where there are none.
pub(super) fn effects_table<'a>(
    title: String,
    [before, after]: [&str; 2],
    effects: &'a [Effect],
) -> Option<Table<'a>> {
    let head =
        ["model", "", "metric", "queries", before, after, "change", "95 % CI", "p", "left out"];
    let rows = effects.iter().map(|one| {
        let unit = one.metric.metric.unit();
        let value = |at: usize| one.means.map(|means| Cell::Value(means[at], unit));
        let change = one.means.map(|[before, after]| Cell::Difference(after - before, unit));
        let interval = one
            .estimate
            .map(Estimate::interval)
            .map(|ends| Cell::interval(ends, |end| Cell::Difference(end, unit)));
        row![
            shown(&one.model),
            one.direction,
            one.metric.title(),
            one.queries,
            value(0),
            value(1),
            change,
            interval,
            one.estimate.map(|of| Cell::P(of.p())),
            one.left_out
        ]
    });
    Table::new(title, head.map(shown), 3, rows).if_any()
}

/// The rows of effects, one number each: model, direction, metric, number, value.
pub(super) fn effect_rows(one: &Effect) -> Vec<Vec<Cell>> {
    let numbers = [
        ("before", one.means.map(|means| means[0])),
        ("after", one.means.map(|means| means[1])),
        ("change", one.means.map(|[before, after]| after - before)),
        ("low", one.estimate.map(|of| of.interval()[0])),
        ("high", one.estimate.map(|of| of.interval()[1])),
        ("p", one.estimate.map(Estimate::p)),
        ("queries", Some(one.queries as f64)),
        ("left_out", Some(one.left_out as f64)),
    ];
    let line = |(number, value): (&str, Option<f64>)| {
        row![&one.model, one.direction, one.metric.to_string(), number, value]
    };
    numbers.into_iter().map(line).collect()
}

/// One number a row.
fn data<'a>(
    name: &'a str,
    truths: &'a [String],
    counts: &'a PerDirection<Option<UnionCounts>>,
    effects: &'a [Effect],
) -> Table<'a> {
    let of = move |direction: Direction| {
        let Some(counts) = &counts[direction] else {
            return Vec::new();
        };
        let whole = [
            ("queries", counts.queries),
            ("positives", counts.positives),
            ("disagreed", counts.disagreed),
            ("nonrelevant", counts.nonrelevant),
            ("pooled", counts.pooled),
            ("invalid_queries", counts.invalid_queries),
            ("invalid_positives", counts.invalid_positives),
        ];
        let mut rows: Vec<Vec<Cell>> =
            whole.map(|(number, count)| row![name, direction, "", number, count]).into();
        for (part, truth) in truths.iter().enumerate() {
            rows.push(row![truth, direction, "", "positives", counts.of_parts[part]]);
            rows.push(row![truth, direction, "", "alone", counts.alone[part]]);
        }
        rows
    };
    let rows = Direction::BOTH.into_iter().flat_map(of);
    let head = ["name", "direction", "metric", "number", "value"];
    Table::new("", head, 4, rows.chain(effects.iter().flat_map(effect_rows)))
}

/// A share, in percent for people.
pub(super) fn share(part: usize, of: usize) -> Option<Cell> {
    (of > 0).then(|| Cell::Value(part as f64 / of as f64, Unit::Share))
}
