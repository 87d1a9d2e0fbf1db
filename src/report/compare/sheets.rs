//! Comparisons for people: shares in percent, p-values to four decimals.

use super::Compared;
use super::differences::{self, dash};
use crate::analysis::flips::{self, Between};
use crate::analysis::paired::Outcome;
use crate::analysis::sampled::{ITEMS, WHOLE_BELOW};
use crate::analysis::shuffled::Reference;
use crate::analysis::similarity::{DEPTHS, HEAD, Mean, Similarity};
use crate::data::text::grouped;
use crate::report::sheet::{self, Sheet};

pub(super) fn text(compared: &Compared<'_>) -> String {
    sheet::text(&sheets(compared), &legend(compared))
}

pub(super) fn markdown(compared: &Compared<'_>) -> String {
    sheet::markdown(&sheets(compared), &legend(compared))
}

pub(super) fn latex(compared: &Compared<'_>) -> String {
    sheet::latex(&sheets(compared), &legend(compared))
}

/// What the columns are, once below all tables.
fn legend(compared: &Compared<'_>) -> Vec<String> {
    let mut lines = differences::legend(compared);
    lines.extend(of_similarity(compared));
    lines
}

/// What the two taus are, whose zeros differ.
fn of_similarity(compared: &Compared<'_>) -> Vec<String> {
    let found = || compared.similarities.iter().map(|(_, found)| found);
    let mut lines = Vec::new();
    if found().any(|found| found.shuffled.is_some()) {
        lines.push(
            "tau-b, union: items of one head alone are discordant by construction, so independent rankings \
             give less than 0"
                .to_owned(),
        );
    }
    if found().any(|found| !found.is_exact) {
        lines.push(format!(
            "tau, whole gallery: 0 for independent rankings; estimated from {ITEMS} items a query where \
             {WHOLE_BELOW} or more compete"
        ));
    }
    lines
}

fn sheets(compared: &Compared<'_>) -> Vec<Sheet> {
    let mut sheets = Vec::new();
    for pair in compared.pairs() {
        sheets.push(differences::differences(compared, pair));
        sheets.push(differences::effects(compared, pair));
        sheets.extend(flips(compared, pair));
        sheets.extend(similarity(compared, pair));
    }
    sheets
}

/// Rows between which the winner of a query or of the mean flips; `None` where there are none.
fn flips(compared: &Compared<'_>, pair: [usize; 2]) -> Option<Sheet> {
    let names = compared.names(pair);
    let between = flips::between(compared.rows);
    let is_told = |found: &&Between| {
        let is_of_pair = compared.rows[found.rows[0]].models == pair;
        is_of_pair && (found.queries > 0 || found.leaders[0] != found.leaders[1])
    };
    let of_pair = between.iter().filter(is_told);
    let row = |found: &Between| {
        let [one, other] = found.rows.map(|at| &compared.rows[at]);
        let [first, second] = found.leaders.map(|leader| leads(leader, names));
        vec![
            one.line.key.clone(),
            other.line.key.clone(),
            one.direction.to_string(),
            first.to_owned(),
            second.to_owned(),
            grouped(found.queries),
        ]
    };
    let rows: Vec<Vec<String>> = of_pair.map(row).collect();
    let head = [
        "metric 1",
        "metric 2",
        "",
        "mean favours (1)",
        "mean favours (2)",
        "queries",
    ];
    (!rows.is_empty()).then(|| Sheet {
        title: format!(
            "queries that {} wins by one metric and {} by the other (R@1 and mAP@R; others with --list flips)",
            names[0], names[1]
        ),
        head: head.map(str::to_owned).to_vec(),
        rows,
        words: 5,
    })
}

fn leads(leader: Option<Outcome>, names: [&str; 2]) -> &str {
    match leader {
        Some(Outcome::Win) => names[0],
        Some(Outcome::Loss) => names[1],
        Some(Outcome::Tie) => "both",
        None => "-",
    }
}

/// A row for each measure, two columns for each direction; `None` where nothing was compared.
fn similarity(compared: &Compared<'_>, pair: [usize; 2]) -> Option<Sheet> {
    let of_pair = compared
        .similarities
        .iter()
        .filter(|(models, _)| *models == pair);
    let found: Vec<&Similarity> = of_pair.map(|(_, found)| found).collect();
    let columns: Vec<Vec<(String, Mean, usize)>> = found
        .iter()
        .map(|found| measures(found, compared.names(pair)))
        .collect();
    let first = columns.first()?;
    let row = |at: usize| {
        let mut cells = vec![first[at].0.clone()];
        for column in &columns {
            let (_, mean, digits) = &column[at];
            cells.push(
                mean.value
                    .map_or_else(dash, |value| format!("{value:.digits$}")),
            );
            cells.push(grouped(mean.queries));
        }
        cells
    };
    // The reference stands below the tau-b that it is of.
    let mut rows: Vec<Vec<String>> = (0..first.len()).map(row).collect();
    rows.splice(1..1, shuffled(&found));
    let heads = found
        .iter()
        .flat_map(|found| [found.direction.to_string(), "queries".to_owned()]);
    Some(Sheet {
        title: "similarity of rankings, means over queries (overlaps 0 to 1, tau-b -1 to 1)"
            .to_owned(),
        head: std::iter::once("measure".to_owned()).chain(heads).collect(),
        rows,
        words: 1,
    })
}

/// What independent rankings give in each direction: the mean, and its range.
fn shuffled(found: &[&Similarity]) -> [Vec<String>; 2] {
    let mean = |of: Reference| format!("{:.3}", of.value);
    let range = |of: Reference| format!("{:.3} to {:.3}", of.range[0], of.range[1]);
    let row = |name: &str, cell: &dyn Fn(Reference) -> String| {
        let mut cells = vec![name.to_owned()];
        for found in found {
            cells.push(found.shuffled.map_or_else(dash, cell));
            cells.push(String::new());
        }
        cells
    };
    [
        row("  the same for independent rankings", &mean),
        row("  and 95 % range of that mean", &range),
    ]
}

/// Each measure's name, mean, and digits to show.
fn measures(found: &Similarity, names: [&str; 2]) -> Vec<(String, Mean, usize)> {
    let tau = found.mean(|alike| alike.tau);
    let mut measures = vec![(
        format!("Kendall's tau-b, union of the first {HEAD}"),
        tau,
        3,
    )];
    let gallery = found.mean(|alike| alike.tau_gallery);
    measures.push(("Kendall's tau, whole gallery".to_owned(), gallery, 3));
    for (at, k) in DEPTHS.into_iter().enumerate() {
        let overlap = found.mean(|alike| alike.overlap[at]);
        measures.push((format!("overlap at {k}"), overlap, 3));
    }
    let rank_biased = found.mean(|alike| alike.rank_biased);
    measures.push((
        format!("rank-biased overlap, p = 0.9, depth {HEAD}"),
        rank_biased,
        3,
    ));
    for (model, other) in [(0, 1), (1, 0)] {
        let (top, other) = (found.top_rank(model), names[other]);
        let name = format!("{}'s first item: its rank in {other}", names[model]);
        measures.push((format!("{name}, where within {HEAD}"), top.within, 1));
        measures.push((name, top.all, 1));
    }
    measures
}
