//! Where the cells of the table are: the same for drawing, paging and the mouse.

use ratatui::layout::Rect;

use super::{Beside, Cx};
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::tui::model::metrics_table::{Column, Row};
use crate::tui::screens::layout::{row_at, rows};
use crate::tui::widgets::text;

/// Lines of column names: the models, and who asks whom.
pub(super) const NAMES: u16 = 2;
/// Columns of a value with a blank before it.
pub(super) const VALUE: usize = 8;
/// Columns of the sign of the best.
pub(super) const SIGN: usize = 1;
/// Columns of a key: it has the words of `eval`.
const KEY: std::ops::RangeInclusive<usize> = 14..=28;

/// Columns of the frame, and a blank before it.
pub(super) const FRAME: usize = 3;

/// A line of the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Line {
    /// The truth that the rows below are of, and whether verdicts are laid over it.
    Truth(TruthIx, bool),
    /// A row, by its place.
    Row(usize, Row),
}

/// The table as it fits an area.
pub(super) struct Grid {
    /// The lines, headings among them.
    pub lines: Vec<Line>,
    /// The columns shown, both of a model or none.
    pub columns: Vec<Column>,
    /// Columns of the terminal for keys.
    pub key: usize,
    /// Whether keys have room for their ground truth and pool, which heading and header name too.
    is_whole: bool,
    /// Columns of the terminal for a cell.
    pub cell: usize,
}

/// Columns of what stands beside a value.
pub(super) fn beside(beside: Beside) -> usize {
    match beside {
        Beside::Nothing => 0,
        Beside::Ceiling => 8,
        Beside::Place => 6,
    }
}

impl Grid {
    /// The part of the table that an area shows: the models around the selected column.
    pub fn of(cx: Cx<'_>, area: Rect) -> Self {
        let (is_whole, key, cell) = widths(cx);
        let room = usize::from(area.width.saturating_sub(2)).saturating_sub(key);
        let fit = (room / (2 * cell)).max(1);
        let all = cx.models();
        let column = cx.column();
        let here = all.iter().position(|&model| model == column.model);
        let first = (here.unwrap_or(0) + 1).saturating_sub(fit);
        let models = all.iter().copied().skip(first).take(fit);
        let of_model = |model| Direction::both(|direction| Column { model, direction });
        Grid {
            lines: lines(&cx.model.metrics_rows()),
            columns: models.flat_map(of_model).collect(),
            key,
            is_whole,
            cell,
        }
    }

    /// The name of a row: what `eval` calls it, or the metric alone.
    pub fn name(&self, cx: Cx<'_>, row: Row) -> String {
        name(cx, row, self.is_whole)
    }

    /// Columns of the terminal that the table takes with its frame, where it has so many: room for as
    /// many models as fit.
    pub fn wanted_width(cx: Cx<'_>, most: u16) -> u16 {
        let (_, key, cell) = widths(cx);
        let other = key + FRAME;
        let fit = usize::from(most).saturating_sub(other) / (2 * cell);
        let width = other + 2 * cell * fit.clamp(1, cx.model.numbers.len());
        u16::try_from(width).unwrap_or(u16::MAX)
    }

    /// The line of a row.
    pub fn line_of(&self, place: usize) -> usize {
        let is_it = |line: &Line| matches!(line, Line::Row(at, _) if *at == place);
        self.lines.iter().position(is_it).unwrap_or(0)
    }

    /// The row and the column at a place of the terminal, the column where the place is on one.
    pub fn at(&self, area: Rect, offset: usize, x: u16, y: u16) -> Option<(usize, Option<Column>)> {
        let line = self.lines.get(offset + row_at(area, NAMES, x, y)?)?;
        let Line::Row(place, _) = *line else {
            return None;
        };
        Some((place, self.column_at(area, x)))
    }

    /// The column whose name is at a place of the terminal.
    pub fn heading_at(&self, area: Rect, x: u16, y: u16) -> Option<Column> {
        let names =
            Rect { y: area.y + 1, height: NAMES.min(area.height.saturating_sub(1)), ..area };
        names.contains((x, y).into()).then(|| self.column_at(area, x))?
    }

    fn column_at(&self, area: Rect, x: u16) -> Option<Column> {
        let within = usize::from(x).checked_sub(usize::from(area.x) + 1 + self.key)?;
        self.columns.get(within / self.cell).copied()
    }
}

/// Whether keys have room as a whole, and columns of the terminal for keys and for a cell.
fn widths(cx: Cx<'_>) -> (bool, usize, usize) {
    let rows = cx.model.metrics_rows();
    let longest = |is_whole: bool| {
        let names = rows.iter().map(|&row| name(cx, row, is_whole));
        names.map(|name| text::width(&name)).max().unwrap_or(0) + 2
    };
    let whole = longest(true);
    let is_whole = whole <= *KEY.end();
    let key = if is_whole { whole } else { longest(false) };
    let key = key.clamp(*KEY.start(), *KEY.end());
    (is_whole, key, VALUE + SIGN + beside(cx.state.beside))
}

fn name(cx: Cx<'_>, row: Row, is_whole: bool) -> String {
    if is_whole { cx.model.metrics_key(row).unwrap_or_default() } else { row.measure.key() }
}

/// Rows with a heading before those of each truth.
pub(super) fn lines(rows: &[Row]) -> Vec<Line> {
    let mut lines = Vec::new();
    for (place, &row) in rows.iter().enumerate() {
        let of = |row: Row| (row.truth, row.is_mine);
        if place == 0 || of(rows[place - 1]) != of(row) {
            lines.push(Line::Truth(row.truth, row.is_mine));
        }
        lines.push(Line::Row(place, row));
    }
    lines
}

/// Lines of the table that an area shows.
pub(super) fn shown(area: Rect) -> usize {
    rows(area, NAMES)
}
