//! The conclusion: the better one of two models, a line for each direction.

use super::Comparison;
use crate::analysis::compare::ModelDifference;
use crate::analysis::conclusion::{Difference, better_first, conclusion};
use crate::analysis::per_query;
use crate::data::Direction;
use crate::evaluate::plan::richest_truth;
use crate::metric::Metric;
use crate::metric::hit::R1;
use crate::metric::map_at_r::MapAtR;

/// The heading of a report on two models: a line with the conclusion on each direction.
pub(super) fn heading(comparison: &Comparison<'_>) -> String {
    let lines = comparison.directions().map(|direction| {
        let models = [0, 1];
        let (truth, differences) = differences(comparison, models, direction);
        let sentences = conclusion(comparison.names(models), &truth, &differences).join(" ");
        format!("{direction}: {sentences}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Indices in `models` in display order: the better model first, by the conclusion on the last direction.
pub(super) fn display_order(comparison: &Comparison<'_>, models: [usize; 2]) -> [usize; 2] {
    let of_directions =
        comparison.directions().map(|direction| differences(comparison, models, direction).1);
    better_first(&of_directions.last().unwrap_or_default())
}

/// The name of the richest ground truth, and the differences by R@1 and mAP@R under it, or by the first metric if
/// neither was requested. Both are empty without rows.
fn differences(
    comparison: &Comparison<'_>,
    models: [usize; 2],
    direction: Direction,
) -> (String, Vec<Difference>) {
    let rows = comparison
        .rows
        .iter()
        .filter(|row| row.models == models && row.direction == direction && row.line.is_merit());
    let rows: Vec<&ModelDifference> = rows.collect();
    let truth = richest_truth(comparison.study, rows.iter().map(|row| &row.line));
    let is_under_truth = |row: &&&ModelDifference| Some(row.line.truth) == truth;
    let Some(first_row) = rows.iter().find(is_under_truth) else {
        return (String::new(), Vec::new());
    };
    let mut found: Vec<Difference> = Vec::new();
    for row in rows.iter().filter(is_under_truth) {
        let (Some(spec), Some([first, second])) = (per_query::spec(&row.line), row.paired.means())
        else {
            continue;
        };
        // A row with the same values for every query is mentioned with the first one.
        let same = row.corrected.same_as.map(|at| &comparison.rows[at].line);
        let same = same.filter(|line| line.truth == row.line.truth).and_then(per_query::spec);
        if let Some(first) = found.iter_mut().find(|other| Some(other.spec) == same) {
            first.equal = Some(spec);
            continue;
        }
        let is_tested = row.testable_estimate().is_some() || row.estimate.is_none();
        found.push(Difference {
            truth: row.line.truth,
            spec,
            mean: first - second,
            interval: row.interval(),
            is_significant: is_tested.then(|| row.is_significant()),
            equal: None,
        });
    }
    let is_main = |one: &Difference| [R1.key(), MapAtR.key()].contains(&one.spec.metric.key());
    if found.iter().any(is_main) {
        found.retain(is_main);
    } else {
        found.truncate(1);
    }
    (comparison.truth_name(first_row), found)
}
