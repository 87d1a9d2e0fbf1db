//! What the metrics screen makes of keys and the mouse.

use super::chart::{self, Side};
use super::grid::{self, Grid};
use super::{Beside, Cell, Column, Order, Pane};
use crate::tui::action::Action;
use crate::tui::app::{App, Effect};
use crate::tui::history::Change;
use crate::tui::screens::layout::follow;
use crate::tui::screens::{Hint, Page, Screen};

/// The metrics screen.
pub struct Measuring;

impl Page for Measuring {
    fn act(&self, app: &mut App, action: Action) -> Option<Effect> {
        match (action, app.metrics.pane) {
            (Action::NextPane | Action::PreviousPane, pane) => {
                app.metrics.pane = match pane {
                    Pane::Table => Pane::Chart,
                    Pane::Chart => Pane::Table,
                };
            }
            (Action::Beside, _) => app.next_beside(),
            // Where there is room for one of them, the chart comes first.
            (Action::Plot, _) if app.metrics_areas().chart.area() == 0 => {
                app.metrics.pane = Pane::Chart;
            }
            (Action::Plot, _) => app.next_plot(),
            (Action::Sort, _) => app.order_models(),
            (Action::Copy, _) => return app.copy_row().map(Effect::Copy),
            (Action::Detail, Pane::Table) => app.open_cell(),
            (Action::Detail, Pane::Chart) => app.open_quadrant(),
            (movement, Pane::Table) => app.metrics_move(movement),
            (movement, Pane::Chart) => app.move_quadrant(movement),
        }
        app.metrics_follow();
        None
    }

    fn hints(&self, app: &App) -> Vec<Hint> {
        let mut hints = vec![
            (Action::Help, "help"),
            (Action::Quit, "quit"),
            (Action::Down, "move"),
        ];
        hints.extend(match app.metrics.pane {
            Pane::Table => vec![
                (Action::NextPane, "chart"),
                (Action::Detail, "look at it"),
                (Action::Define, "definition"),
            ],
            Pane::Chart if app.axes().is_some() => vec![
                (Action::NextPane, "table"),
                (Action::Detail, "list queries"),
                (Action::Plot, "other chart"),
            ],
            Pane::Chart => vec![(Action::NextPane, "table"), (Action::Plot, "other chart")],
        });
        hints.extend([
            (Action::Sort, "sort models"),
            (Action::Beside, "ceilings, places"),
        ]);
        if app.metrics.pane == Pane::Table {
            hints.push((Action::Plot, "other chart"));
        }
        hints.extend([
            (Action::Direction, "direction"),
            (Action::NextTruth, "truth"),
            (Action::NextModel, "model"),
            (Action::Copy, "copy row"),
            (Action::Filter, "filter"),
            (Action::Undo, "undo"),
        ]);
        hints
    }

    fn click(&self, app: &mut App, x: u16, y: u16) {
        let areas = app.metrics_areas();
        let offset = app.metrics.offset;
        if let Some((row, column)) = Grid::of(app, areas.table).at(areas.table, offset, x, y) {
            app.metrics.pane = Pane::Table;
            app.metrics.row = row;
            app.metrics.column = column.or(app.metrics.column);
        } else if areas.chart.contains((x, y).into()) {
            app.metrics.pane = Pane::Chart;
            let quadrant = chart::quadrant_at(areas.chart, x, y);
            app.metrics.quadrant = quadrant.unwrap_or(app.metrics.quadrant);
        }
    }

    fn wheel(&self, app: &mut App, x: u16, y: u16, by: isize) {
        if app.metrics_areas().table.contains((x, y).into()) {
            app.move_row(by);
            app.metrics_follow();
        }
    }

    fn follow(&self, app: &mut App) {
        app.metrics_follow();
    }

    fn shows_all(&self) -> bool {
        true
    }
}

impl App {
    fn metrics_move(&mut self, action: Action) {
        let page = grid::shown(self.metrics_areas().table).max(1) as isize;
        match action {
            Action::Down => self.move_row(1),
            Action::Up => self.move_row(-1),
            Action::PageDown => self.move_row(page),
            Action::PageUp => self.move_row(-page),
            Action::First => self.move_row(isize::MIN / 2),
            Action::Last => self.move_row(isize::MAX / 2),
            Action::Left => self.move_column(-1),
            Action::Right => self.move_column(1),
            _ => {}
        }
    }

    fn move_row(&mut self, by: isize) {
        let last = self.metrics_rows().len().saturating_sub(1);
        let row = self.metrics.row.min(last);
        self.metrics.row = row.saturating_add_signed(by).min(last);
    }

    fn move_column(&mut self, by: isize) {
        let columns = self.metrics_columns();
        let here = self.metrics_column();
        let at = columns.iter().position(|column| *column == here);
        let to = at.unwrap_or(0).saturating_add_signed(by);
        self.metrics.column = columns.get(to).copied().or(Some(here));
    }

    fn move_quadrant(&mut self, action: Action) {
        let [x, y] = &mut self.metrics.quadrant;
        match action {
            Action::Left => *x = Side::Low,
            Action::Right => *x = Side::High,
            Action::Down => *y = Side::Low,
            Action::Up => *y = Side::High,
            _ => {}
        }
    }

    /// Scrolls the table so that the selected row is in sight, and the heading of its truth where there
    /// is room for both.
    fn metrics_follow(&mut self) {
        let area = self.metrics_areas().table;
        let grid = Grid::of(self, area);
        let line = grid.line_of(self.metrics.row);
        let is_first = line > 0 && matches!(grid.lines[line - 1], grid::Line::Truth(_));
        let shown = grid::shown(area);
        let offset = follow(self.metrics.offset, line, shown);
        let heading = line - usize::from(is_first && shown > 1);
        self.metrics.offset = offset.min(heading);
    }

    fn next_beside(&mut self) {
        let has_places = self.placed_models().next().is_some();
        self.metrics.beside = match self.metrics.beside {
            Beside::Nothing => Beside::Ceiling,
            Beside::Ceiling if has_places => Beside::Place,
            Beside::Ceiling | Beside::Place => Beside::Nothing,
        };
    }

    /// Orders models by the cell under the cursor, the best first; once more: as they were loaded.
    fn order_models(&mut self) {
        let order = self.metrics_row().map(|row| Order {
            row,
            direction: self.metrics_column().direction,
        });
        let is_so = self.metrics.order == order;
        self.metrics.column = Some(self.metrics_column());
        self.metrics.order = order.filter(|_| !is_so);
    }

    /// Looks at what the cell under the cursor is of, and shows its queries.
    fn open_cell(&mut self) {
        let Some(row) = self.metrics_row() else {
            return;
        };
        let column = self.metrics_column();
        if self.cell(row, column) == Cell::Absent {
            self.message = Some("there is nothing to look at".into());
            return;
        }
        let (before, after) = (self.view, row.view(column));
        if before != after {
            self.make(Change::View { before, after });
        }
        self.show(Screen::Browse);
    }

    /// The selected row as text: the key, then model, direction and value of every column.
    fn copy_row(&mut self) -> Option<String> {
        let row = self.metrics_row()?;
        let key = self.metrics_key(row)?;
        let unit = row.measure.unit();
        let cell = |column: Column| {
            let model = &self.study.models[column.model].name;
            let value = unit.shown(self.cell(row, column).value());
            format!("\t{model} {}\t{value}", column.direction)
        };
        let cells: String = self.metrics_columns().into_iter().map(cell).collect();
        Some(self.copied(key + &cells))
    }
}
