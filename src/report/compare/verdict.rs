//! The answer: which model is better, in at most five lines.

use super::Compared;
use crate::analysis::compare::ModelDifference;
use crate::analysis::per_query;
use crate::analysis::verdict::{Difference, better_first, verdict};
use crate::data::Direction;
use crate::data::text::wrapped;
use crate::metric::Metric;
use crate::metric::hit::R1;
use crate::metric::map_at_r::MapAtR;
use crate::truth::Kind;

/// The most lines of an answer.
const MAX_LINES: usize = 5;
/// Columns of an answer about two models.
const WIDTH: usize = 100;

/// Two models: a sentence with numbers for each direction. More of them: a line for each pair.
pub(super) fn lines(compared: &Compared<'_>) -> Vec<String> {
    let pairs = compared.pairs();
    if let [pair] = pairs.as_slice() {
        let lines = compared.directions().flat_map(|direction| {
            let said = format!("{direction}: {}", said(compared, pair.models, direction).join(" "));
            wrapped(&said, |line| line.chars().count() <= WIDTH)
        });
        return lines.collect();
    }
    let mut lines: Vec<String> = Vec::new();
    for pair in &pairs {
        let mut answers: Vec<(String, Vec<&str>)> = Vec::new();
        for direction in compared.directions() {
            let [answer, _] = said(compared, pair.models, direction);
            match answers.iter_mut().find(|(known, _)| *known == answer) {
                Some((_, directions)) => directions.push(direction.key()),
                None => answers.push((answer, vec![direction.key()])),
            }
        }
        let said = answers.into_iter().map(|(answer, of)| format!("{}: {answer}", of.join(", ")));
        lines.push(said.collect::<Vec<_>>().join(" "));
    }
    if lines.len() > MAX_LINES {
        let more = lines.split_off(MAX_LINES - 1).len();
        lines.push(format!("{more} more pairs are in the table."));
    }
    lines
}

/// Which of two models is shown first: the better one by the verdict on the last direction.
pub(super) fn sides(compared: &Compared<'_>, models: [usize; 2]) -> [usize; 2] {
    let of_directions =
        compared.directions().map(|direction| differences(compared, models, direction).1);
    better_first(&of_directions.last().unwrap_or_default())
}

fn said(compared: &Compared<'_>, models: [usize; 2], direction: Direction) -> [String; 2] {
    let (truth, differences) = differences(compared, models, direction);
    verdict(compared.names(models), &truth, &differences)
}

/// What the verdict rests on: R@1 and mAP@R under the richest ground truth, or another metric where neither was asked for.
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
    let is_rich =
        |row: &&&ModelDifference| compared.study.truths[row.line.truth].kind == Kind::Rich;
    let Some(chosen) = rows.iter().rev().find(is_rich).or(rows.first()) else {
        return (String::new(), Vec::new());
    };
    let mut found: Vec<Difference> = Vec::new();
    for row in rows.iter().filter(|row| row.line.truth == chosen.line.truth) {
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
        let is_tested = row.tested().is_some() || row.estimate.is_none();
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
