//! Notes below the tables of a comparison.

use std::collections::BTreeSet;

use super::Comparison;
use crate::analysis::compare::ModelDifference;
use crate::analysis::inference::LEVEL;
use crate::evaluate::plan::remarks;
use crate::metric::{Unit, describe_units};
use crate::study::Pool;

/// The method in one line, and why numbers are missing; with `--full` also which rows are no separate test.
pub(super) fn notes(comparison: &Comparison<'_>) -> Vec<String> {
    let clusters = if comparison.by_image { "images" } else { "queries" };
    let method = format!(
        "95 % CI, p: Student's t over {clusters}; Holm over all rows; * p < {LEVEL}. Method: docs/compare.md"
    );
    let mut lines = Vec::from_iter((!comparison.rows.is_empty()).then_some(method));
    lines.extend(margin_note(comparison));
    lines.extend(single_run_note(comparison));
    if comparison.is_full {
        lines.extend(same_values_note(comparison));
        lines.extend(untested_metrics_note(comparison));
        let remarks = remarks(comparison.rows.iter().map(|row| &row.line));
        lines.extend(remarks.into_iter().map(str::to_owned));
    }
    lines.extend(comparison.rows.iter().flat_map(|row| comparison.shortages(row)));
    lines
}

/// Names the units of a table, and says if values are means over folds.
pub(super) fn units(comparison: &Comparison<'_>, units: impl Iterator<Item = Unit>) -> String {
    let means = match comparison.pool {
        Pool::Folds => ", means over folds",
        _ => "",
    };
    format!("{}{means}", describe_units(units))
}

/// How the tests within the margin are done; `None` without a margin.
fn margin_note(comparison: &Comparison<'_>) -> Option<String> {
    let margin = comparison.margin?;
    Some(format!(
        "margin {margin} (points or ranks): TOST of |difference| below it (90 % CI); non-inferior: worse by less than it; \
         p not adjusted"
    ))
}

/// Sorts and joins distinct names; `None` without any.
fn join_distinct(names: impl Iterator<Item = String>) -> Option<String> {
    let names: BTreeSet<String> = names.collect();
    (!names.is_empty()).then(|| Vec::from_iter(names).join(", "))
}

/// Why differences of a model with one run to one with several are not tested; `None` if there are none.
fn single_run_note(comparison: &Comparison<'_>) -> Option<String> {
    let names = comparison.rows.iter().filter_map(|row| comparison.single_run_model(row));
    let names = join_distinct(names.map(str::to_owned))?;
    Some(format!(
        "{names}: a single run beside several is not tested; its CI takes the other's spread"
    ))
}

/// Which metrics are not tested, because they do not rate models; `None` if all are tested.
fn untested_metrics_note(comparison: &Comparison<'_>) -> Option<String> {
    let rows = comparison.rows.iter().filter(|row| !row.line.is_merit());
    let keys = join_distinct(rows.map(|row| row.line.key.clone()))?;
    Some(format!("{keys}: say how much is judged, not which model is better; no wins, not tested"))
}

/// Which rows have the same values for every query and are thus one test; `None` if no two rows have.
fn same_values_note(comparison: &Comparison<'_>) -> Option<String> {
    let name = |row: &ModelDifference| format!("{} {}", row.line.key, row.direction);
    let same = comparison.rows.iter().filter_map(|row| {
        let first = &comparison.rows[row.corrected.same_as?];
        Some(format!("{} = {}", name(row), name(first)))
    });
    Some(format!("the same values for every query, one test: {}", join_distinct(same)?))
}
