//! Notes below the tables.

use std::collections::BTreeSet;

use super::Compared;
use crate::analysis::compare::ModelDifference;
use crate::analysis::inference::LEVEL;
use crate::data::text::count;
use crate::evaluate::plan::remarks;
use crate::metric::{Unit, shown_in};
use crate::study::Pool;

/// The method in one line, and reasons of missing numbers; in full also rows that are no separate test.
pub(super) fn notes(compared: &Compared<'_>) -> Vec<String> {
    let clusters = if compared.by_image { "images" } else { "queries" };
    let is_tested =
        |row: &&ModelDifference| row.corrected.same_as.is_none() && row.corrected.holm.is_some();
    let tests = compared.rows.iter().filter(is_tested).count();
    let method = format!(
        "95 % CI, p: Student's t over {clusters}; Holm over {}; * p < {LEVEL}. Method: docs/compare.md",
        count(tests, "test")
    );
    let mut lines = Vec::from_iter((!compared.rows.is_empty()).then_some(method));
    lines.extend(margin(compared));
    lines.extend(single_runs(compared));
    if compared.is_full {
        let of_rows = remarks(compared.rows.iter().map(|row| &row.line));
        lines.extend(same(compared));
        lines.extend(no_merit(compared));
        lines.extend(of_rows.into_iter().map(str::to_owned));
    }
    lines.extend(compared.rows.iter().flat_map(|row| compared.short(row)));
    lines
}

/// Units of the tables.
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

/// Distinct names in one line; `None` without any.
fn joined(names: impl Iterator<Item = String>) -> Option<String> {
    let names: BTreeSet<String> = names.collect();
    (!names.is_empty()).then(|| Vec::from_iter(names).join(", "))
}

/// Why differences to a model with one run are not tested.
fn single_runs(compared: &Compared<'_>) -> Option<String> {
    let names = compared.rows.iter().filter_map(|row| compared.single_run(row));
    let names = joined(names.map(str::to_owned))?;
    Some(format!(
        "{names}: a single run beside several is not tested; its CI takes the other's spread"
    ))
}

/// Rows that are no hypothesis.
fn no_merit(compared: &Compared<'_>) -> Option<String> {
    let rows = compared.rows.iter().filter(|row| !row.line.is_merit());
    let keys = joined(rows.map(|row| row.line.key.clone()))?;
    Some(format!("{keys}: say how much is judged, not which model is better; no wins, not tested"))
}

/// Rows of the same hypothesis.
fn same(compared: &Compared<'_>) -> Option<String> {
    let name = |row: &ModelDifference| format!("{} {}", row.line.key, row.direction);
    let same = compared.rows.iter().filter_map(|row| {
        let first = &compared.rows[row.corrected.same_as?];
        Some(format!("{} = {}", name(row), name(first)))
    });
    Some(format!("the same values for every query, one test: {}", joined(same)?))
}
