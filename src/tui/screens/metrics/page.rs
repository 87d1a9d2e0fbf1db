//! What the metrics screen makes of keys and the mouse.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use serde_json::{Map, Value};

use super::grid::{self, Grid};
use super::{Beside, Cx, Metrics, Order, Pane, Plot, Side, chart, view};
use crate::tui::action::Action;
use crate::tui::model::Model;
use crate::tui::model::dirty::Demand;
use crate::tui::model::item_list::Common;
use crate::tui::model::metrics_table::{Cell, Column};
use crate::tui::popup::Popup;
use crate::tui::popups::define;
use crate::tui::popups::items::ItemList;
use crate::tui::screen::{Call, Hint, Reply, Screen, tell_idle};
use crate::tui::ui::Ui;

/// The selected row of the table, as a session has it.
const ROW: &str = "metrics_row";

impl Screen for Metrics {
    fn shown_by(&self) -> Action {
        Action::Metrics
    }

    fn title(&self) -> &'static str {
        "Metrics"
    }

    fn demand(&self) -> Demand {
        let chart = match self.plot {
            Plot::OfStudy(at) => Some(at),
            _ => None,
        };
        Demand { all_views: true, chart, ..Demand::default() }
    }

    fn is_called_by(&self, action: Action) -> Option<Call> {
        (action == Action::Beside).then_some(Call::Shows)
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        let mut reply = Reply::Done;
        match (action, self.pane) {
            (Action::NextPane | Action::PreviousPane, pane) => {
                self.pane = match pane {
                    Pane::Table => Pane::Chart,
                    Pane::Chart => Pane::Table,
                };
            }
            (Action::Beside, _) => {
                self.next_beside(model);
                model.message = Some(self.beside.words().into());
            }
            // Where there is room for one of them, the chart comes first.
            (Action::Plot, _) if self.cx(model, ui).areas().chart.area() == 0 => {
                self.pane = Pane::Chart;
            }
            (Action::Plot, _) => self.next_plot(model, ui),
            (Action::Sort, _) => {
                self.order_models(model, ui);
                model.message = Some(self.order_words(model));
            }
            (Action::Export, _) => reply = self.export_chart(model, ui),
            (Action::Copy, _) => {
                let line = self.cx(model, ui).copied();
                reply = Reply::copy(model, line);
            }
            (Action::Detail, Pane::Table) => reply = self.open_cell(model, ui),
            (Action::Items, Pane::Table) => reply = self.open_items(model, ui),
            (Action::Items, Pane::Chart) => reply = self.open_quadrant_items(model, ui),
            (Action::Detail, Pane::Chart) => reply = self.open_quadrant(model, ui),
            (Action::NextPositive | Action::PreviousPositive | Action::Arrange, _) => {
                tell_idle(model, ui, action);
            }
            (movement, Pane::Table) => self.step(model, ui, movement),
            (movement, Pane::Chart) => self.move_quadrant(movement),
        }
        self.follow(model, ui);
        reply
    }

    /// Items are those of the cell or the quadrant under the cursor; a chart is what is written, where it is in sight.
    fn takes(&self, model: &Model, ui: &Ui, action: Action) -> bool {
        match action {
            Action::Items => true,
            Action::Export => self.cx(model, ui).has_chart_to_write(),
            _ => false,
        }
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        let mut hints =
            vec![(Action::Help, "help"), (Action::Quit, "quit"), (Action::Down, "move")];
        hints.extend(match self.pane {
            Pane::Table => vec![
                (Action::NextPane, "chart"),
                (Action::Detail, "its queries"),
                (Action::Items, "its items"),
                (Action::Define, "definition"),
            ],
            Pane::Chart if self.cx(model, ui).axes().is_some() => vec![
                (Action::NextPane, "table"),
                (Action::Detail, "list queries"),
                (Action::Items, "list items"),
                (Action::Plot, "other chart"),
            ],
            Pane::Chart => vec![(Action::NextPane, "table"), (Action::Plot, "other chart")],
        });
        if self.cx(model, ui).has_chart_to_write() {
            hints.push((Action::Export, "write chart"));
        }
        hints.extend([(Action::Sort, "sort models"), (Action::Beside, "upper bounds, places")]);
        if self.pane == Pane::Table {
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

    fn point(&mut self, _model: &mut Model, _ui: &Ui, _target: crate::tui::widgets::hits::Target) {}

    fn wheel(
        &mut self,
        _model: &mut Model,
        _ui: &Ui,
        _list: crate::tui::widgets::hits::ListId,
        _by: isize,
    ) {
    }
    fn words(&self) -> Map<String, Value> {
        Map::from_iter([(ROW.to_owned(), self.row.into())])
    }

    fn restore(&mut self, view: &Map<String, Value>) {
        let row = view.get(ROW).and_then(Value::as_u64);
        self.row = row.map_or(self.row, |row| row as usize);
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        view::draw(self.cx(model, ui), buf);
    }

    /// The metric under the cursor of the table, or all of what is looked at.
    fn open(&self, model: &Model, ui: &Ui, action: Action) -> Option<Box<dyn Popup>> {
        if action != Action::Define {
            return None;
        }
        let cx = self.cx(model, ui);
        let row = cx.row().filter(|_| self.pane == Pane::Table);
        let view = row.map_or(model.view, |row| row.view(cx.column()));
        Some(Box::new(define::sheet(model, ui, view, row)))
    }
}

impl Metrics {
    fn step(&mut self, model: &Model, ui: &Ui, action: Action) {
        let page = grid::shown(self.cx(model, ui).areas().table).max(1) as isize;
        match action {
            Action::Left => self.move_column(model, ui, -1),
            Action::Right => self.move_column(model, ui, 1),
            movement => {
                if let Some(by) = movement.lines(page) {
                    self.move_row(model, by);
                }
            }
        }
    }

    fn move_row(&mut self, model: &Model, by: isize) {
        let last = model.metrics_rows().len().saturating_sub(1);
        let row = self.row.min(last);
        self.row = row.saturating_add_signed(by).min(last);
    }

    fn move_column(&mut self, model: &Model, ui: &Ui, by: isize) {
        let columns = self.cx(model, ui).columns();
        let here = self.cx(model, ui).column();
        let at = columns.iter().position(|column| *column == here);
        let to = at.unwrap_or(0).saturating_add_signed(by);
        self.column = columns.get(to).copied().or(Some(here));
    }

    fn move_quadrant(&mut self, action: Action) {
        let [x, y] = &mut self.quadrant;
        match action {
            Action::Left => *x = Side::Low,
            Action::Right => *x = Side::High,
            Action::Down => *y = Side::Low,
            Action::Up => *y = Side::High,
            _ => {}
        }
    }

    fn next_beside(&mut self, model: &Model) {
        let has_places = model.placed_models().next().is_some();
        self.beside = match self.beside {
            Beside::Nothing => Beside::Ceiling,
            Beside::Ceiling if has_places => Beside::Place,
            Beside::Ceiling | Beside::Place => Beside::Nothing,
        };
    }

    /// Orders models by the cell under the cursor, the best first; once more: as they were loaded.
    fn order_models(&mut self, model: &Model, ui: &Ui) {
        let order = self
            .cx(model, ui)
            .row()
            .map(|row| Order { row, direction: self.cx(model, ui).column().direction });
        let is_so = self.order == order;
        let column = self.cx(model, ui).column();
        self.column = Some(column);
        self.order = order.filter(|_| !is_so);
        // The best one is looked at, wherever its column is.
        if self.order.is_some()
            && let Some(&best) = self.cx(model, ui).models().first()
        {
            self.column = Some(Column { model: best, ..column });
        }
    }

    /// The order of the models, in words.
    fn order_words(&self, model: &Model) -> String {
        let key = self.order.and_then(|order| model.metrics_key(order.row));
        let direction = self.order.map(|order| order.direction);
        match key.zip(direction) {
            Some((key, direction)) => format!("models sorted: best {key} {direction} first"),
            None => "models as loaded".into(),
        }
    }

    /// Lists the first items of all queries that the cell under the cursor is of.
    fn open_items(&self, model: &mut Model, ui: &Ui) -> Reply {
        let cx = self.cx(model, ui);
        let view = cx.row().map(|row| row.view(cx.column()));
        let Some((view, queries)) = view.and_then(|view| Some((view, model.judged_queries(view)?)))
        else {
            model.message = Some("there is nothing to look at".into());
            return Reply::Done;
        };
        Reply::Open(Box::new(ItemList::new(
            model,
            view,
            &queries,
            Common { expression: Some(String::new()), ..Common::default() },
        )))
    }

    /// Looks at what the cell under the cursor is of, and shows its queries.
    fn open_cell(&self, model: &mut Model, ui: &Ui) -> Reply {
        let Some(row) = self.cx(model, ui).row() else {
            return Reply::Done;
        };
        let column = self.cx(model, ui).column();
        if model.cell(row, column) == Cell::Absent {
            model.message = Some("there is nothing to look at".into());
            return Reply::Done;
        }
        let after = row.view(column);
        model.change(|facts| facts.view = after);
        if !row.is_mine && model.is_changed(after.truth) {
            let truth = &model.study.truths[after.truth].name;
            let judged = model.study.name_with_verdicts(truth);
            model.message = Some(format!("{truth} with your verdicts: {judged}"));
        }
        Reply::Act(Action::Browse)
    }
}

impl Cx<'_> {
    /// Whether a chart is in sight, which can be written to a file.
    fn has_chart_to_write(self) -> bool {
        self.areas().chart.area() > 0
    }

    /// The selected row as text: the key, then model, direction and value of every column.
    fn copied(self) -> Option<String> {
        let row = self.row()?;
        let key = self.model.metrics_key(row)?;
        let unit = row.measure.unit();
        let cell = |column: Column| {
            let model = &self.model.study.models[column.model].name;
            let value = unit.shown(self.model.cell(row, column).value());
            format!("\t{model} {}\t{value}", column.direction)
        };
        let cells: String = self.columns().into_iter().map(cell).collect();
        Some(key + &cells)
    }
}

impl Metrics {
    /// Scrolls the table so that the selected row is in sight, and the heading of its truth where there
    /// is room for both.
    fn follow(&mut self, model: &mut Model, ui: &Ui) {
        let area = self.cx(model, ui).areas().table;
        let grid = Grid::of(self.cx(model, ui), area);
        let last = model.metrics_rows().len().saturating_sub(1);
        let line = grid.line_of(self.row.min(last));
        let is_first = line > 0 && matches!(grid.lines[line - 1], grid::Line::Truth(..));
        let shown = grid::shown(area);
        let offset = ui.follow(self.offset, line, shown);
        let heading = line - usize::from(is_first && shown > 1);
        self.offset = offset.min(heading);
    }
}
