//! A comparison as papers print it: means, the best in bold, and which models each is better than.

use super::{Compared, differences};
use crate::analysis::compare::ModelDifference;
use crate::analysis::per_query;
use crate::data::Direction;
use crate::metric::rsum::{RECALLS, Sum};
use crate::metric::{Metric, Unit, best};
use crate::report::cell::Cell;
use crate::report::paper::{self, Column, counted};
use crate::report::{Paper, Table};

/// What a letter at a number means.
const LETTERS: &str = "; a letter at a number: better than the model of that letter by a paired test (Holm-adjusted p \
                       below 0.05)";

/// A table for each ground truth, and how its letters came about.
pub(super) fn paper<'a>(compared: &'a Compared<'_>) -> Paper<'a> {
    let tables = tables(compared);
    let is_sum = |head: &String| head == Sum::Recalls.title();
    let has_sum = tables.iter().any(|table| table.head.iter().any(is_sum));
    let mut notes = vec![caption(compared, has_sum)];
    notes.extend(differences::of_letters(compared));
    Paper { tables, notes }
}

/// The signs that stand in the tables, in a sentence for a caption.
fn caption(compared: &Compared<'_>, has_sum: bool) -> String {
    let has_letters = compared.rows.iter().any(ModelDifference::is_significant);
    let letters = if has_letters { LETTERS } else { "" };
    let sum = if has_sum { "; RSUM is not tested" } else { "" };
    let shares = differences::shares(compared);
    format!("for the caption: {shares}; bold: best model{letters}{sum}.")
}

/// A row for each model, with the letter that stands for it.
fn tables<'a>(compared: &'a Compared<'_>) -> Vec<Table<'a>> {
    let names = compared.models.iter().enumerate();
    let names: Vec<String> = names
        .map(|(at, runs)| match runs.models.len() {
            1 => format!("{} ({})", runs.name, letter(at)),
            count => format!("{}, {count} runs ({})", runs.name, letter(at)),
        })
        .collect();
    let mut columns: Vec<Column> = Vec::new();
    let mut recalls: Vec<Recall> = Vec::new();
    let mut seen: Vec<(&str, _)> = Vec::new();
    for row in compared.rows {
        let is_it = |other: &&ModelDifference| {
            other.line.key == row.line.key && other.direction == row.direction
        };
        let key = (row.line.key.as_str(), row.direction);
        if seen.contains(&key) {
            continue;
        }
        seen.push(key);
        let rows: Vec<&ModelDifference> = compared.rows.iter().filter(is_it).collect();
        let means = means(compared.models.len(), &rows);
        let cells = cells(&means, &rows, row.unit());
        let column = Column::new(&row.line, Some(row.direction), cells);
        let column = column.counted(foot(&rows, compared.by_image));
        recalls.extend(recall(row, columns.len(), means));
        columns.push(column);
    }
    let sums = sums(&columns, &recalls);
    columns.extend(sums);
    paper::tables(&names, columns)
}

/// A column of one of the metrics that RSUM is of: its place, and the mean of each model.
struct Recall {
    column: usize,
    key: &'static str,
    means: Vec<Option<f64>>,
}

fn recall(row: &ModelDifference, column: usize, means: Vec<Option<f64>>) -> Option<Recall> {
    let key = per_query::spec(&row.line)?.metric.key();
    let is_one = RECALLS.iter().any(|metric| metric.key() == key);
    is_one.then_some(Recall { column, key, means })
}

/// RSUM of each model for each table that has all that it is the sum of. It has no value of a query, so nothing tests it.
fn sums(columns: &[Column], recalls: &[Recall]) -> Vec<Column> {
    let mut sums: Vec<Column> = Vec::new();
    for recall in recalls {
        let beside = &columns[recall.column];
        let of_table = recalls.iter().filter(|one| columns[one.column].of == beside.of);
        let all: Vec<&Recall> = of_table.collect();
        let in_both = |metric: &&dyn Metric| {
            let of_metric = all.iter().filter(|of| of.key == metric.key());
            of_metric.count() == Direction::BOTH.len()
        };
        if sums.iter().all(|sum| sum.of != beside.of) && RECALLS.iter().all(in_both) {
            sums.push(beside.sum_beside(Sum::Recalls, sum(&all)));
        }
    }
    sums
}

/// The sum over columns of each model's means, in percent.
fn sum(all: &[&Recall]) -> Vec<Cell> {
    let models = 0..all[0].means.len();
    let of_model = |model: usize| all.iter().map(|of| of.means[model]).sum::<Option<f64>>();
    let sums: Vec<Option<f64>> = models.map(of_model).collect();
    let best = best::marks(&sums, Unit::Sum);
    let cell = |(sum, best): (&Option<f64>, bool)| {
        let cell = sum.map(|sum| Cell::Decimal(100.0 * sum, Unit::Sum).marked(best));
        cell.unwrap_or(Cell::Undefined)
    };
    sums.iter().zip(best).map(cell).collect()
}

/// How many queries the differences of a column are of, and how many images where those are drawn.
fn foot(rows: &[&ModelDifference], by_image: bool) -> Vec<(&'static str, Cell)> {
    let count = |of: fn(&ModelDifference) -> usize| {
        counted(rows.iter().map(|row| of(row))).unwrap_or(Cell::Undefined)
    };
    let (queries, images) = (count(|row| row.paired.len()), count(|row| row.clusters));
    let images = by_image.then_some(("Images (clusters)", images));
    [("Queries", queries)].into_iter().chain(images).collect()
}

/// The mean of each model, as the first row with it has it.
fn means(models: usize, rows: &[&ModelDifference]) -> Vec<Option<f64>> {
    let mean = |model: usize| {
        let mut of_model = rows.iter().filter_map(|row| {
            let side = row.models.iter().position(|one| *one == model)?;
            Some(row.paired.means()?[side])
        });
        of_model.next()
    };
    (0..models).map(mean).collect()
}

/// The means, the best marked, each with the letters of the models that it is better than.
fn cells(means: &[Option<f64>], rows: &[&ModelDifference], unit: Unit) -> Vec<Cell> {
    let marks = best::marks(means, unit);
    let is_merit = rows.iter().all(|row| row.line.is_merit());
    let cell = |(model, mean): (usize, &Option<f64>)| {
        let shown = mean.map(|mean| Cell::Decimal(mean, unit).marked(is_merit && marks[model]));
        let beaten = beaten(model, rows, unit);
        match shown {
            Some(shown) if !beaten.is_empty() => Cell::Raised(Box::new(shown), beaten),
            shown => shown.unwrap_or(Cell::Undefined),
        }
    };
    means.iter().enumerate().map(cell).collect()
}

/// The letters of the models that one is better than beyond doubt.
fn beaten(model: usize, rows: &[&ModelDifference], unit: Unit) -> String {
    let beats = |row: &&&ModelDifference| {
        let means = row.paired.means();
        let first_is_better =
            means.is_some_and(|[one, other]| (one > other) != unit.is_lower_better());
        let winner = usize::from(!first_is_better);
        row.is_significant() && row.models[winner] == model
    };
    let of_model = rows.iter().filter(beats);
    let loser = |row: &&ModelDifference| row.models[usize::from(row.models[0] == model)];
    let mut losers: Vec<usize> = of_model.map(loser).collect();
    losers.sort_unstable();
    losers.into_iter().map(letter).collect()
}

/// a, b, c ..
fn letter(model: usize) -> char {
    char::from(b'a' + (model % 26) as u8)
}
