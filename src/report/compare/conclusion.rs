//! The conclusion: the better one of two models, in at most five lines.

use super::Compared;
use crate::analysis::compare::{ModelDifference, richest};
use crate::analysis::conclusion::{Difference, better_first, conclusion};
use crate::analysis::per_query;
use crate::data::Direction;
use crate::data::text::wrapped;
use crate::metric::Metric;
use crate::metric::hit::R1;
use crate::metric::map_at_r::MapAtR;

/// Width of the conclusion in columns.
const WIDTH: usize = 100;

/// A sentence with numbers for each direction.
pub(super) fn lines(compared: &Compared<'_>) -> String {
    let lines = compared.directions().flat_map(|direction| {
        let sentences = sentences(compared, [0, 1], direction).join(" ");
        wrapped(&format!("{direction}: {sentences}"), |line| line.chars().count() <= WIDTH)
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Model indices in display order: better one first, by the conclusion on the last direction.
pub(super) fn display_order(compared: &Compared<'_>, models: [usize; 2]) -> [usize; 2] {
    let of_directions =
        compared.directions().map(|direction| differences(compared, models, direction).1);
    better_first(&of_directions.last().unwrap_or_default())
}

fn sentences(compared: &Compared<'_>, models: [usize; 2], direction: Direction) -> [String; 2] {
    let (truth, differences) = differences(compared, models, direction);
    conclusion(compared.names(models), &truth, &differences)
}

/// Basis of the conclusion: R@1 and mAP@R under the richest ground truth, or another metric if neither was requested.
fn differences(
    compared: &Compared<'_>,
    models: [usize; 2],
    direction: Direction,
) -> (String, Vec<Difference>) {
    let rows = compared
        .rows
        .iter()
        .filter(|row| row.models == models && row.direction == direction && row.line.is_merit());
    let rows: Vec<&ModelDifference> = rows.collect();
    let truth = richest(compared.study, rows.iter().map(|row| &row.line));
    let is_chosen = |row: &&&ModelDifference| Some(row.line.truth) == truth;
    let Some(chosen) = rows.iter().find(is_chosen) else {
        return (String::new(), Vec::new());
    };
    let mut found: Vec<Difference> = Vec::new();
    for row in rows.iter().filter(is_chosen) {
        let (Some(spec), Some([first, second])) = (per_query::spec(&row.line), row.paired.means())
        else {
            continue;
        };
        let same = row.corrected.same_as.map(|at| &compared.rows[at].line);
        let same = same.filter(|line| line.truth == row.line.truth).and_then(per_query::spec);
        if let Some(known) = found.iter_mut().find(|known| Some(known.spec) == same) {
            known.equal = Some(spec);
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
    let is_usual = |of: &Difference| [R1.key(), MapAtR.key()].contains(&of.spec.metric.key());
    if found.iter().any(is_usual) {
        found.retain(is_usual);
    } else {
        found.truncate(1);
    }
    (compared.truth(chosen), found)
}
