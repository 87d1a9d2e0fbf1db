//! The tables for people: differences, and with `--full` winner flips and similarity of rankings.

use super::Compared;
use super::differences;
use crate::analysis::flips::{self, Between};
use crate::analysis::paired::Outcome;
use crate::analysis::shuffled::Reference;
use crate::analysis::similarity::{DEPTHS, HEAD, Mean, Similarity};
use crate::data::text::UNDEFINED;
use crate::report::Table;
use crate::report::cell::{Cell, row};
use crate::study::Pool;

/// Among what items are ranked.
fn whole(compared: &Compared<'_>) -> &'static str {
    if compared.pool == Pool::All { "whole gallery" } else { "whole pool" }
}

pub(super) fn tables<'a>(compared: &'a Compared<'_>) -> Vec<Table<'a>> {
    let mut tables = vec![differences::differences(compared)];
    if compared.is_full {
        tables.push(differences::counts(compared));
        tables.push(differences::effects(compared));
        for pair in compared.pairs() {
            tables.extend(flips(compared, pair.models));
            tables.extend(similarity(compared, pair.models));
        }
    }
    tables
}

/// Rows between which the winner of a query or of the mean flips; `None` where there are none.
fn flips<'a>(compared: &'a Compared<'_>, pair: [usize; 2]) -> Option<Table<'a>> {
    let names = compared.names(pair);
    let is_told = |found: &Between| {
        let is_of_pair = compared.rows[found.rows[0]].models == pair;
        is_of_pair && (found.queries > 0 || found.leaders[0] != found.leaders[1])
    };
    let mut told = flips::between(compared.rows);
    told.retain(is_told);
    let row = move |found: Between| {
        let [one, other] = found.rows.map(|at| &compared.rows[at]);
        let [first, second] = found.leaders.map(|leader| leads(leader, names));
        row![&one.line.key, &other.line.key, one.direction, first, second, found.queries]
    };
    let head = ["metric 1", "metric 2", "", "1 favours", "2 favours", "queries"];
    let title = format!("queries that {} wins by one metric, {} by the other", names[0], names[1]);
    Table::new(title, head, 5, told.into_iter().map(row)).if_any()
}

fn leads(leader: Option<Outcome>, names: [&str; 2]) -> &str {
    match leader {
        Some(Outcome::Win) => names[0],
        Some(Outcome::Loss) => names[1],
        Some(Outcome::Tie) => "both",
        None => UNDEFINED,
    }
}

/// A row for each measure, two columns for each direction; `None` where nothing was compared.
fn similarity<'a>(compared: &'a Compared<'_>, pair: [usize; 2]) -> Option<Table<'a>> {
    let of_pair = compared.similarities.iter();
    let of_pair = of_pair.filter(|(models, _)| *models == pair);
    let found: Vec<&Similarity> = of_pair.map(|(_, found)| found).collect();
    let columns: Vec<Vec<(String, Mean, usize)>> =
        found.iter().map(|found| measures(found, compared.names(pair), whole(compared))).collect();
    let first = columns.first()?;
    let row = |at: usize| {
        let mut cells = row![&first[at].0];
        for column in &columns {
            let (_, mean, digits) = &column[at];
            let value = mean.value.map(|value| Cell::Number(value, *digits));
            cells.extend(row![value, mean.queries]);
        }
        cells
    };
    // The reference stands below the tau-b that it is of.
    let mut rows: Vec<Vec<Cell>> = (0..first.len()).map(row).collect();
    rows.splice(1..1, shuffled(&found));
    let mut head = vec!["measure".to_owned()];
    head.extend(found.iter().flat_map(|found| [found.direction.to_string(), "queries".to_owned()]));
    let title = format!("rankings of {}, means over queries", compared.names(pair).join(" and "));
    Some(Table::new(title, head, 1, rows))
}

/// What independent rankings give in each direction: the mean, and its range.
fn shuffled(found: &[&Similarity]) -> [Vec<Cell>; 2] {
    let three = |value| Cell::Number(value, 3);
    let row = |name: &str, cell: &dyn Fn(Reference) -> Cell| {
        let mut cells = row![name];
        for found in found {
            cells.extend([found.shuffled.map(cell).into(), Cell::Empty]);
        }
        cells
    };
    [
        row("  if rankings were independent", &|of| three(of.value)),
        row("  95 % range of that", &|of| Cell::interval(of.range, three)),
    ]
}

/// Each measure's name, mean, and digits to show.
fn measures(found: &Similarity, names: [&str; 2], whole: &str) -> Vec<(String, Mean, usize)> {
    let tau = found.mean_tau(|alike| alike.tau);
    let mut measures = vec![(format!("tau-b, union of the first {HEAD}"), tau, 3)];
    let gallery = found.mean_tau(|alike| alike.tau_gallery);
    measures.push((format!("Kendall's tau, {whole}"), gallery, 3));
    for (at, k) in DEPTHS.into_iter().enumerate() {
        let overlap = found.mean(|alike| alike.overlap[at]);
        measures.push((format!("overlap@{k}"), overlap, 3));
    }
    let rank_biased = found.mean(|alike| alike.rank_biased);
    measures.push((format!("rank-biased overlap, depth {HEAD}, p = 0.9"), rank_biased, 3));
    for (model, other) in [(0, 1), (1, 0)] {
        let (top, other) = (found.top_rank(model), names[other]);
        let name = format!("top-1 of {}: rank in {other}", names[model]);
        measures.push((format!("{name}, if within {HEAD}"), top.within, 1));
        measures.push((name, top.all, 1));
    }
    measures
}
