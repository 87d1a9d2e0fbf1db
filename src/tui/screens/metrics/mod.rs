//! The metrics screen: a table of every metric under every ground truth, charts, and details of the cursor.

mod chart;
mod table;

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::text::Line;

use crate::figure::charts::{CHARTS, over_alpha, steps};
use crate::tui::action::Action;
use crate::tui::context::{Context, Ui};
use crate::tui::screen::{Hint, Reply, Screen, enabled_hints};
use crate::tui::state::Model;
use crate::tui::state::compare::NO_STEPS;
use crate::tui::state::metrics_table::{Cell, Column, Row};
use crate::tui::state::results::Demand;
use crate::tui::state::what_if::NEEDS_TWO_MODELS;
use crate::tui::ui::hits::{ListId, Target};
use crate::tui::ui::list::ScrollState;
use crate::tui::ui::{pane, text};

/// Id of the table.
const TABLE: ListId = "metrics";
/// Id of the chart.
const CHART: ListId = "chart";

/// Focused pane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The table.
    #[default]
    Table,
    /// The chart.
    Chart,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Metrics {
    /// Focused pane.
    pub pane: Pane,
    /// Index of the selected row among those without headings; `None`: the first row of the current ground truth.
    pub row: Option<usize>,
    /// The selected column. If it is `None` or does not exist any more, that of the view is selected.
    pub column: Option<Column>,
    /// Index of the chosen chart in [`CHARTS`].
    plot: usize,
    /// Scroll position of the table.
    table: ScrollState,
}

type Cx<'a> = Context<'a, Metrics>;

/// Minimum columns of the screen for the chart beside the table; else one of them is shown.
const MIN_WIDTH_BESIDE: u16 = 110;
/// Minimum columns of a chart.
const MIN_CHART_WIDTH: u16 = 46;
/// Minimum rows of the screen for the details and the sentence.
const MIN_HEIGHT_WITH_DETAIL: u16 = 12;
/// Minimum rows of the details, without the frame.
const MIN_DETAIL_ROWS: usize = 3;

/// Areas of the table, the chart, the details, and the sentence above all; those of no size are not shown.
/// `table_width` and `detail_rows`: preferred sizes.
fn areas(body: Rect, pane: Pane, table_width: u16, detail_rows: u16) -> [Rect; 4] {
    let has_detail = body.height >= MIN_HEIGHT_WITH_DETAIL;
    let below = if has_detail { detail_rows.min(body.height / 2) } else { 0 };
    let rows = [u16::from(has_detail), body.height - below - u16::from(has_detail), below];
    let [sentence, above, detail] = body.layout(&Layout::vertical(rows.map(Constraint::Length)));
    let columns = match pane {
        _ if body.width >= MIN_WIDTH_BESIDE => {
            [Constraint::Length(table_width.min(body.width - MIN_CHART_WIDTH)), Constraint::Fill(1)]
        }
        Pane::Table => [Constraint::Fill(1), Constraint::Length(0)],
        Pane::Chart => [Constraint::Length(0), Constraint::Fill(1)],
    };
    let [table, chart] = above.layout(&Layout::horizontal(columns));
    [table, chart, detail, sentence]
}

impl Cx<'_> {
    /// Areas of the table, the chart, the details, and the sentence at the current size.
    fn areas(self) -> [Rect; 4] {
        let body = self.ui.frame().body;
        let lines = match self.state.pane {
            Pane::Table => table::detail(self).1,
            Pane::Chart => Vec::new(),
        };
        // Wrapped, so that a definition is shown in full.
        let rows = |line| text::wrap_line(line, usize::from(body.width).saturating_sub(4), 0).len();
        let row_count = lines.iter().map(rows).sum::<usize>().max(MIN_DETAIL_ROWS);
        areas(body, self.state.pane, table::preferred_width(self), row_count as u16 + 2)
    }

    /// Draws the details of the selected cell or of the chart.
    fn draw_detail(self, area: Rect, buf: &mut Buffer) {
        let (title, lines) = match self.state.pane {
            Pane::Table => table::detail(self),
            Pane::Chart => chart::detail(self),
        };
        let is_published = self.model.has_published_ranks();
        let note = if is_published { "places with the 25 of arXiv:2204.03359" } else { "" };
        let inner = pane::draw_frame(title, note, false, self.theme, area, buf);
        pane::draw_wrapped(lines.into_iter().map(|line| (line, 0)), inner, buf);
    }

    /// Whether a chart is visible.
    fn shows_chart(self) -> bool {
        self.areas()[1].area() > 0
    }
}

impl Screen for Metrics {
    fn tab(&self) -> Hint {
        (Action::Metrics, "Metrics")
    }

    fn demand(&self) -> Demand {
        Demand { all_views: true, chart: Some(self.plot), ..Demand::default() }
    }

    fn owns(&self, action: Action) -> bool {
        matches!(action, Action::Define | Action::Curve | Action::Steps)
    }

    fn update(&mut self, model: &mut Model, ui: &Ui, action: Action) -> Reply {
        match (action, self.pane) {
            (Action::NextPane | Action::PreviousPane, Pane::Table) => self.pane = Pane::Chart,
            (Action::NextPane | Action::PreviousPane, Pane::Chart) => self.pane = Pane::Table,
            (Action::Define, _) => self.select_view(model),
            (Action::Steps, _) if model.study.steps.is_empty() => {
                model.message = Some(NO_STEPS.into());
            }
            (Action::Curve, _) if model.mix_or_next().is_none() => {
                model.message = Some(NEEDS_TWO_MODELS.into());
            }
            (Action::Steps, _) => {
                (self.plot, self.pane) = (chart::chart_index(steps::CHART.key), Pane::Chart);
            }
            (Action::Curve, _) => {
                (self.plot, self.pane) = (chart::chart_index(over_alpha::CHART.key), Pane::Chart);
            }
            // If only the table is visible, the chart is shown before it changes.
            (Action::Plot, _) if !self.cx(model, ui).shows_chart() => {
                self.pane = Pane::Chart;
            }
            (Action::Plot, _) => {
                let next = model.possible_chart(self.plot) + 1;
                self.plot = model.possible_chart(next % CHARTS.len());
            }
            (Action::Export, _) => return self.open_export(model, ui),
            (Action::Detail, Pane::Table) => return self.open_cell(model, ui),
            (Action::Left, Pane::Table) => self.move_column(model, ui, -1),
            (Action::Right, Pane::Table) => self.move_column(model, ui, 1),
            (other, pane) => match other.lines(self.table.page()) {
                Some(by) if pane == Pane::Table => self.move_row(model, by),
                Some(_) => {}
                None => return Reply::Idle,
            },
        }
        Reply::Done
    }

    /// [`Action::Export`] exports the chart if it is visible.
    fn overrides(&self, model: &Model, ui: &Ui, action: Action) -> bool {
        action == Action::Export && self.cx(model, ui).shows_chart()
    }

    fn hints(&self, model: &Model, ui: &Ui) -> Vec<Hint> {
        let cx = self.cx(model, ui);
        let is_table = self.pane == Pane::Table;
        enabled_hints([
            (true, Action::Down, "move"),
            (true, Action::NextPane, if is_table { "chart" } else { "table" }),
            (is_table, Action::Detail, "list queries"),
            (true, Action::Plot, "other chart"),
            (cx.shows_chart(), Action::Export, "write chart"),
            (true, Action::Direction, "direction"),
            (true, Action::NextTruth, "truth"),
            (true, Action::NextModel, "model"),
            (true, Action::Filter, "filter"),
            (true, Action::Undo, "undo"),
        ])
    }

    fn click(&mut self, model: &mut Model, ui: &Ui, target: Target) {
        self.pane = match target {
            Target::List(CHART) => Pane::Chart,
            _ => Pane::Table,
        };
        if let Target::Cell(TABLE, line, _) | Target::Row(TABLE, line) = target {
            let lines = table::lines(&model.metrics_rows());
            self.row = lines.get(line).copied().flatten().or(self.row);
        }
        if let Target::Cell(TABLE, _, at) = target {
            // Column 0 has the keys.
            let columns = self.cx(model, ui).columns();
            self.column = columns.get(at.wrapping_sub(1)).copied().or(self.column);
        }
    }

    fn wheel(&mut self, model: &mut Model, _ui: &Ui, list: ListId, by: isize) {
        if list == TABLE {
            self.move_row(model, by);
        }
    }

    fn draw(&self, model: &Model, ui: &Ui, _body: Rect, buf: &mut Buffer) {
        let cx = self.cx(model, ui);
        let [table, chart, detail, sentence] = cx.areas();
        if sentence.area() > 0 {
            let words = model.all_queries_prefix().to_owned() + &model.describe_model_ranks();
            let line = Line::styled(format!(" {words}"), ui.theme.title);
            pane::draw_line(&line, false, sentence, buf);
        }
        if table.area() > 0 {
            table::draw(cx, table, buf);
        }
        if chart.area() > 0 {
            chart::draw(cx, chart, buf);
        }
        if detail.area() > 0 {
            cx.draw_detail(detail, buf);
        }
    }
}

/// Whether a row is under the ground truth of the view, after judgments if these change the view.
fn has_view_truth(model: &Model, row: &Row) -> bool {
    row.truth == model.view.truth && row.is_mine == model.is_view_edited()
}

impl Metrics {
    /// Selects the column of the view, and the row of the selected metric under the ground truth of the view.
    fn select_view(&mut self, model: &Model) {
        let rows = model.metrics_rows();
        let measure = rows.get(self.row_index(model)).map(|row| row.measure);
        let is_same = |row: &Row| has_view_truth(model, row) && Some(row.measure) == measure;
        (self.pane, self.column, self.row) = (Pane::Table, None, rows.iter().position(is_same));
    }

    /// Index of the selected row.
    fn row_index(&self, model: &Model) -> usize {
        let rows = model.metrics_rows();
        let row_of_view = || rows.iter().position(|row| has_view_truth(model, row)).unwrap_or(0);
        self.row.unwrap_or_else(row_of_view).min(rows.len().saturating_sub(1))
    }

    /// Selects the row `by` rows below the selected one.
    fn move_row(&mut self, model: &Model, by: isize) {
        let last = model.metrics_rows().len().saturating_sub(1);
        self.row = Some(self.row_index(model).saturating_add_signed(by).min(last));
    }

    /// Selects the column `by` columns right of the selected one.
    fn move_column(&mut self, model: &Model, ui: &Ui, by: isize) {
        let columns = self.cx(model, ui).columns();
        let current = self.cx(model, ui).column();
        let at = columns.iter().position(|column| *column == current);
        let next = at.unwrap_or(0).saturating_add_signed(by);
        self.column = columns.get(next).copied().or(Some(current));
    }

    /// Switches to the view of the selected cell, and shows its queries; no effect if the cell has no value.
    fn open_cell(&self, model: &mut Model, ui: &Ui) -> Reply {
        let column = self.cx(model, ui).column();
        let row = self.cx(model, ui).row();
        let Some(row) = row.filter(|row| model.cell(*row, column) != Cell::Absent) else {
            return Reply::Idle;
        };
        model.change(|facts| facts.view = row.view(column));
        if !row.is_mine && model.is_truth_edited(row.truth) {
            let judged = model.study.name_with_judgments(&model.study.truths[row.truth].name);
            model.message = Some(format!("shown with your judgments: {judged}"));
        }
        Reply::Act(Action::Browse)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::screens::frame;

    /// At every size the parts lie inside the body, and fill it.
    #[test]
    fn the_parts_tile_the_body() {
        for width in [40, 80, 109, 110, 140, 300] {
            for height in [8, 12, 14, 24, 40, 100] {
                for pane in [Pane::Table, Pane::Chart] {
                    for (wanted, told) in [(20, 5), (64, 8), (900, 40)] {
                        let body = frame((width, height)).body;
                        let parts = areas(body, pane, wanted, told);
                        let [table, chart, detail, _] = parts;
                        let area = parts.iter().map(|part| part.area()).sum::<u32>();
                        assert_eq!(area, body.area(), "{width}x{height}");
                        for part in parts {
                            let inside = part.intersection(body);
                            assert_eq!(inside.area(), part.area(), "{width}x{height}");
                        }
                        assert!(!table.intersects(chart) && !table.intersects(detail));
                    }
                }
            }
        }
    }
}
