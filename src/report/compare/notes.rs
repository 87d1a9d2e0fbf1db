//! Notes below the tables: the method in one line, or in full.

use std::collections::BTreeSet;

use super::Compared;
use crate::analysis::compare::{Family, ModelDifference};
use crate::analysis::inference::{LEVEL, OF_DIFFERENCES};
use crate::analysis::sampled::{ITEMS, WHOLE_BELOW};
use crate::analysis::similarity::HEAD;
use crate::data::text::count;
use crate::evaluate::plan::remarks;
use crate::metric::{Unit, shown_in};
use crate::study::Pool;

/// The method in one line, and why numbers are missing.
pub(super) fn brief(compared: &Compared<'_>) -> Vec<String> {
    let clusters = if compared.by_image { "images" } else { "queries" };
    let method = format!(
        "95 % CI, p: Student's t over {clusters}; Holm over {}; * p < {LEVEL}. Method: docs/compare.md",
        family(compared)
    );
    let mut lines = vec![method];
    lines.extend(margin(compared));
    lines.extend(single_runs(compared));
    lines.extend(compared.rows.iter().flat_map(|row| compared.short(row)));
    lines
}

/// What all columns are.
pub(super) fn all(compared: &Compared<'_>) -> Vec<String> {
    let clusters =
        if compared.by_image { "images with all their queries" } else { "single queries" };
    let has_runs = compared.rows.iter().any(|row| row.runs.is_some());
    let models = if has_runs { "models with a single run" } else { "trained models" };
    let mut lines = vec![
        format!("95 % CI of one row at a time, two-sided p: {OF_DIFFERENCES}"),
        format!("clusters are {clusters}; the gallery and {models} are held fixed"),
        format!("Holm p: adjusted over {}; * below {LEVEL}", family(compared)),
        "queries: with both values; wins: better by 1e-9 or more".to_owned(),
    ];
    lines.extend(margin(compared));
    lines.extend(single_runs(compared));
    lines.extend(same(compared));
    lines.extend(no_merit(compared));
    lines.extend(remarks(compared.rows.iter().map(|row| &row.line)).into_iter().map(str::to_owned));
    lines.extend(
        [
            "relative: difference over the second mean; d_z: difference over the sd of the differences by query",
            "odds ratio: wins of the first over wins of the second, of values 0 and 1",
            "detectable: smallest difference found at 5 %, two-sided, with 80 % power",
        ]
        .map(str::to_owned),
    );
    if has_runs {
        lines.push("several runs (seeds) of a model: their mean; CI and p include the variance between runs; rankings of the first run".into());
    }
    lines.extend(similarity(compared));
    lines.extend(compared.rows.iter().flat_map(|row| compared.short(row)));
    lines
}

/// What the numbers of the tables are.
pub(super) fn units(compared: &Compared<'_>, units: impl Iterator<Item = Unit>) -> String {
    let means = match compared.pool {
        Pool::Folds => ", means over folds",
        _ => "",
    };
    format!("{}{means}", shown_in(units))
}

fn margin(compared: &Compared<'_>) -> Option<String> {
    let margin = compared.margin?;
    Some(format!(
        "margin {margin} (points or ranks): TOST of |difference| below it (90 % CI); non-inferior: worse by less than it; \
         p not adjusted"
    ))
}

/// Each name once, in one line; `None` without any.
fn joined(names: impl Iterator<Item = String>) -> Option<String> {
    let names: BTreeSet<String> = names.collect();
    (!names.is_empty()).then(|| Vec::from_iter(names).join(", "))
}

/// Why differences from a model with a single run are not tested.
fn single_runs(compared: &Compared<'_>) -> Option<String> {
    let names = compared.rows.iter().filter_map(|row| compared.single_run(row));
    let names = joined(names.map(str::to_owned))?;
    Some(format!(
        "{names}: a single run beside several is not tested; its CI takes the other's spread"
    ))
}

/// What p-values are corrected over.
fn family(compared: &Compared<'_>) -> String {
    let is_tested =
        |row: &&ModelDifference| row.corrected.same_as.is_none() && row.corrected.holm.is_some();
    match compared.family {
        Family::Pair => "the tests of each pair".to_owned(),
        Family::All => count(compared.rows.iter().filter(is_tested).count(), "test"),
    }
}

/// Rows that are no hypothesis.
fn no_merit(compared: &Compared<'_>) -> Option<String> {
    let rows = compared.rows.iter().filter(|row| !row.line.is_merit());
    let keys = joined(rows.map(|row| row.line.key.clone()))?;
    Some(format!("{keys}: say how much is judged, not which model is better; no wins, not tested"))
}

/// Rows that are the same hypothesis.
fn same(compared: &Compared<'_>) -> Option<String> {
    let name = |row: &ModelDifference| format!("{} {}", row.line.key, row.direction);
    let same = compared.rows.iter().filter_map(|row| {
        let first = &compared.rows[row.corrected.same_as?];
        Some(format!("{} = {}", name(row), name(first)))
    });
    Some(format!("the same values for every query, one test: {}", joined(same)?))
}

/// What the two taus are, whose zeros differ.
fn similarity(compared: &Compared<'_>) -> Vec<String> {
    let found = || compared.similarities.iter().map(|(_, found)| found);
    let mut lines = Vec::new();
    if found().any(|found| found.shuffled.is_some()) {
        lines.push(format!(
            "tau-b: over the items in either first {HEAD}; below 0 for independent rankings (docs/compare.md)"
        ));
    }
    if found().any(|found| found.mean(|alike| alike.tau).value.is_none()) {
        lines.push("tau: undefined where one model does not rank an item of the other".to_owned());
    }
    if found().any(|found| !found.is_exact) {
        lines.push(format!(
            "Kendall's tau: estimated from {ITEMS} items a query where {WHOLE_BELOW} or more compete"
        ));
    }
    lines
}
