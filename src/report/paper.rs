//! Tables as papers print them: a row for each model, the metrics of each direction side by side.

use super::cell::Cell;
use super::{Paper, Table};
use crate::data::Direction;
use crate::data::text::grouped;
use crate::evaluate::plan::Line;

/// A column: its metric of one direction, or of both together.
pub(super) struct Column {
    /// The part of the key before the metric's: tables are by it.
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

impl Paper<'_> {
    /// The words over the columns of numbers of all tables, then those over several columns: the name of a table, where
    /// it has one, and the directions. Each once.
    pub fn heads(&self) -> Vec<String> {
        let columns = self.tables.iter().flat_map(|table| &table.head[1..]);
        let over = self.tables.iter().flat_map(|table| &table.over);
        let over = over.map(|(words, _)| words);
        let mut each: Vec<String> = Vec::new();
        for head in columns.chain(over).filter(|head| !head.is_empty()) {
            if !each.contains(head) {
                each.push(head.clone());
            }
        }
        each
    }

    /// Puts other words in the place of headings that have some.
    pub fn head(&mut self, words: impl Fn(&str) -> Option<String>) {
        for table in &mut self.tables {
            let over = table.over.iter_mut().map(|(words, _)| words);
            for head in table.head[1..].iter_mut().chain(over) {
                if let Some(words) = words(head) {
                    *head = words;
                }
            }
        }
    }
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

/// A table for each ground truth and pool.
pub(super) fn tables<'a>(models: &[String], columns: Vec<Column>) -> Vec<Table<'a>> {
    let mut groups: Vec<Vec<Column>> = Vec::new();
    for column in columns {
        match groups.iter_mut().find(|group| group[0].of == column.of) {
            Some(group) => group.push(column),
            None => groups.push(vec![column]),
        }
    }
    let are_several = groups.len() > 1;
    groups.into_iter().map(|group| table(models, group, are_several)).collect()
}

/// The columns of each direction together, those of both at the end. Its name stands in it where there are others.
fn table<'a>(models: &[String], mut columns: Vec<Column>, is_named: bool) -> Table<'a> {
    columns.sort_by_key(|column| column.direction.map_or(2, |one| one as usize));
    let title = columns[0].of.clone();
    let head = columns.iter().map(|column| column.head.clone());
    let head = std::iter::once("Model".to_owned()).chain(head);
    let rows = models.iter().enumerate();
    let rows: Vec<Vec<Cell>> = rows.flat_map(|(at, model)| lines(at, model, &columns)).collect();
    Table {
        over: over(&columns, if is_named { &title } else { "" }),
        foot: foot(&columns),
        ..Table::new(title, head, 1, rows)
    }
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

/// What stands over the heads: the name of the table, if it is to be told from others, then the directions.
fn over(columns: &[Column], name: &str) -> Vec<(String, usize)> {
    let mut over = vec![(name.to_owned(), 1)];
    for same in columns.chunk_by(|one, other| one.direction == other.direction) {
        let words = match same[0].direction {
            Some(Direction::I2t) => "Image-to-text",
            Some(Direction::T2i) => "Text-to-image",
            None => "",
        };
        over.push((words.to_owned(), same.len()));
    }
    over
}
