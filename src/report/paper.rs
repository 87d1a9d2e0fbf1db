//! Tables as papers print them: a row for each model, the metrics of each direction side by side.

use std::collections::BTreeSet;

use super::Table;
use super::cell::Cell;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::Line;

/// A column: its metric of one direction, or of both together.
pub(super) struct Column {
    /// The ground truth and the pool: the part of the key before the metric's.
    pub of: String,
    /// The direction; `None` of both.
    pub direction: Option<Direction>,
    head: String,
    /// A cell for each model.
    pub cells: Vec<Cell>,
    /// What stands in small letters below each; nothing where nothing does.
    below: Vec<Cell>,
    /// What stands at the foot of the table, by its word.
    foot: Vec<(&'static str, Cell)>,
}

impl Column {
    /// A line in a direction.
    pub(super) fn new(line: &Line, direction: Option<Direction>, cells: Vec<Cell>) -> Self {
        Column {
            of: line.of().to_owned(),
            direction,
            head: line.title(),
            cells,
            below: Vec::new(),
            foot: Vec::new(),
        }
    }

    /// The same over cells in small letters.
    pub(super) fn over(self, below: Vec<Cell>) -> Self {
        Column { below, ..self }
    }

    /// The same with what stands at the foot: as much in every column of a table.
    pub(super) fn counted(self, foot: Vec<(&'static str, Cell)>) -> Self {
        Column { foot, ..self }
    }
}

/// One count, or the least and the greatest of several; `None` of none.
pub(super) fn counted(of: impl Iterator<Item = usize> + Clone) -> Option<Cell> {
    let (least, most) = (of.clone().min()?, of.max()?);
    Some(if least < most {
        Cell::Text(format!("{} to {}", grouped(least), grouped(most)))
    } else {
        Cell::Count(most as u64)
    })
}

/// One table: ground truths side by side in the order of their first columns, in each the columns of a direction
/// together, those of both at the end.
pub(super) fn tables<'a>(models: &[String], mut columns: Vec<Column>) -> Vec<Table<'a>> {
    let mut groups: Vec<String> = columns.iter().map(|column| column.of.clone()).collect();
    let mut seen = BTreeSet::new();
    groups.retain(|group| seen.insert(group.clone()));
    columns.sort_by_key(|column| {
        let group = groups.iter().position(|group| *group == column.of);
        (group, column.direction.map_or(2, |one| one as usize))
    });
    if columns.is_empty() {
        return Vec::new();
    }
    let head = columns.iter().map(|column| column.head.clone());
    let head = std::iter::once("Model".to_owned()).chain(head);
    let rows = models.iter().enumerate();
    let rows: Vec<Vec<Cell>> = rows.flat_map(|(at, model)| lines(at, model, &columns)).collect();
    vec![Table { over: over(&columns), foot: foot(&columns), ..Table::new("", head, 1, rows) }]
}

/// A model's cells, and below them those in small letters, if there are any.
fn lines(at: usize, model: &str, columns: &[Column]) -> Vec<Vec<Cell>> {
    let line = |first: Cell, cells: &dyn Fn(&Column) -> Cell| {
        std::iter::once(first).chain(columns.iter().map(cells)).collect()
    };
    let below = |column: &Column| column.below.get(at).cloned().unwrap_or(Cell::Empty);
    let mut lines = vec![line(model.into(), &|column| column.cells[at].clone())];
    if columns.iter().any(|column| below(column) != Cell::Empty) {
        lines.push(line(Cell::Empty, &below));
    }
    lines
}

/// A row for each word at the foot of the columns.
fn foot(columns: &[Column]) -> Vec<Vec<Cell>> {
    let words = columns[0].foot.iter().enumerate();
    let row = |(at, (word, _)): (usize, &(&str, Cell))| {
        let cells = columns.iter().map(|column| column.foot[at].1.clone());
        std::iter::once(Cell::from(*word)).chain(cells).collect()
    };
    words.map(row).collect()
}

/// What stands over the heads: ground truths, and below them directions.
fn over(columns: &[Column]) -> Vec<Vec<(String, usize)>> {
    let of_level = |title: &dyn Fn(&Column) -> String,
                    is_same: &dyn Fn(&Column, &Column) -> bool| {
        let groups = columns.chunk_by(|one, other| is_same(one, other));
        let groups = groups.map(|group| (title(&group[0]), group.len()));
        std::iter::once((String::new(), 1)).chain(groups).collect()
    };
    vec![
        of_level(&|column| truth_title(&column.of), &|one, other| one.of == other.of),
        of_level(
            &|column| column.direction.map_or("", direction_title).to_owned(),
            &|one, other| one.of == other.of && one.direction == other.direction,
        ),
    ]
}

fn direction_title(direction: Direction) -> &'static str {
    match direction {
        Direction::I2t => "I2T",
        Direction::T2i => "T2I",
    }
}

/// Ground truths as papers call them, by the part of a key before the metric.
const TITLES: [(&str, &str); 6] = [
    ("coco_5k", "COCO 5K"),
    ("coco_1k", "COCO 1K"),
    ("cxc", "CxC"),
    ("eccv", "ECCV Caption"),
    ("original", "Original"),
    ("pm", "Plausible Match"),
];

/// The title of a ground truth, with its pool in parentheses: of `eccv@folds` it is `ECCV Caption (folds)`.
pub fn truth_title(of: &str) -> String {
    let (truth, pool) = of.split_once('@').unwrap_or((of, ""));
    let name = truth.split('+').next().unwrap_or(truth);
    let known = TITLES.iter().find(|(key, _)| *key == name);
    let title = known.map_or(name, |(_, title)| title).to_owned() + &truth[name.len()..];
    if pool.is_empty() { title } else { format!("{title} ({pool})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ground_truths_have_the_titles_of_papers() {
        for (of, title) in [
            ("coco_5k", "COCO 5K"),
            ("eccv@folds", "ECCV Caption (folds)"),
            ("eccv+mine", "ECCV Caption+mine"),
            ("rich", "rich"),
        ] {
            assert_eq!(truth_title(of), title);
        }
    }
}
