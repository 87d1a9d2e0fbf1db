//! The table of metrics by models and directions, under headings of ground truths.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, Pane, TABLE};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::tui::screens::queries;
use crate::tui::signs;
use crate::tui::state::metrics_table::{Cell, Column, Measure, Row, describe_rank};
use crate::tui::ui::list::{self, ColumnGroup, ListView};
use crate::tui::ui::{pane, text};

/// Minimum terminal columns of the name of a metric.
const MIN_NAME_COLUMNS: usize = 18;
/// Terminal columns of a value.
const VALUE_COLUMNS: usize = 7;
/// Sign after the best value of a row.
const BEST_SIGN: &str = "*";
/// Terminal columns of a value with its sign.
const CELL_COLUMNS: usize = VALUE_COLUMNS + BEST_SIGN.len();
/// Number of lines with models and directions above the rows.
const TITLE_LINES: usize = 2;

/// Row index of each line of the table; `None` for the heading before the rows of a ground truth.
pub(super) fn lines(rows: &[Row]) -> Vec<Option<usize>> {
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let truth = |row: &Row| (row.truth, row.is_mine);
        if at == 0 || truth(&rows[at - 1]) != truth(row) {
            lines.push(None);
        }
        lines.push(Some(at));
    }
    lines
}

/// Preferred terminal columns of the table with its frame.
pub(super) fn preferred_width(cx: Cx<'_>) -> u16 {
    let width = MIN_NAME_COLUMNS + 2 * (CELL_COLUMNS + 1) * cx.model.numbers.len() + 2;
    u16::try_from(width).unwrap_or(u16::MAX)
}

impl Cx<'_> {
    /// The selected row; `None` if the table is empty.
    pub fn row(self) -> Option<Row> {
        let rows = self.model.metrics_rows();
        rows.get(self.state.row_index(self.model)).copied()
    }

    /// The selected column; the column of the view if none is selected, or if it no longer exists.
    pub fn column(self) -> Column {
        let view = self.model.view;
        let exists = |column: &Column| column.model.get() < self.model.numbers.len();
        let column_of_view = Column { model: view.model, direction: view.direction };
        self.state.column.filter(exists).unwrap_or(column_of_view)
    }

    /// The columns of the table, in order.
    pub fn columns(self) -> Vec<Column> {
        let of_model = |model| Direction::both(|direction| Column { model, direction });
        ModelIx::all(&self.model.numbers).flat_map(of_model).collect()
    }
}

/// Draws the table.
pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Table;
    let inner = pane::draw_frame("metrics", "", focus, cx.theme, area, buf);
    queries::draw_condition(cx, queries::UNFILTERED, area, buf);
    let rows = cx.model.metrics_rows();
    let lines = lines(&rows);
    let row = |line: usize| lines[line].map(|at| rows[at]);
    let columns = cx.columns();
    let selected_column = columns.iter().position(|column| *column == cx.column()).unwrap_or(0);
    let name = |line: usize, _| {
        row(line).map_or(String::new(), |row| format!("  {}", row.measure.title()))
    };
    let values = columns.iter().enumerate().map(|(at, &column)| {
        let value =
            move |line: usize, _| row(line).map_or("".into(), |row| value_line(cx, row, column));
        let style = if at == selected_column { cx.theme.title } else { cx.theme.dim };
        let title = text::pad_left(column.direction.key(), VALUE_COLUMNS);
        // The columns of a model are dropped together.
        let distance = (at / 2).abs_diff(selected_column / 2);
        list::Column::new(Span::styled(title, style), CELL_COLUMNS, value).keep_near(distance)
    });
    let selected_row = cx.state.row_index(cx.model);
    let heading = |line: usize| {
        // A heading precedes a row.
        lines[line].is_none().then(|| row(line + 1).map(|first| heading_line(cx, first)))?
    };
    let models = ModelIx::all(&cx.model.numbers).map(|model| -> ColumnGroup<'_> {
        let is_in_view = model == cx.model.view.model;
        let style = if is_in_view { cx.theme.key } else { cx.theme.title };
        let name = move |room| Line::styled(signs::model_name(&cx.model.study, model, room), style);
        (Direction::BOTH.len(), Box::new(name))
    });
    let list = ListView {
        id: TABLE,
        columns: std::iter::once(list::Column::rest("", name)).chain(values).collect(),
        groups: models.collect(),
        len: lines.len(),
        selected: lines.iter().position(|line| *line == Some(selected_row)),
        cell: Some(selected_column + 1),
        focus,
        min_rest: MIN_NAME_COLUMNS,
        heading: Some(Box::new(heading)),
        has_cells: true,
        ..ListView::default()
    };
    if cx.state.row.is_none() {
        // Start at the heading of the current ground truth, or at the top if too few lines follow.
        let first = list.selected.map_or(0, |line| line.saturating_sub(1));
        let page = usize::from(inner.height).saturating_sub(TITLE_LINES);
        let is_last_page = first + page > lines.len();
        cx.state.table.scroll_to(if is_last_page && first < page { 0 } else { first });
    }
    list.draw(&cx.state.table, cx.ui, inner, buf);
}

/// Heading of the rows of a ground truth: its name and number of covered queries. `first` is the first of these rows.
fn heading_line(cx: Cx<'_>, first: Row) -> Line<'static> {
    let (study, view) = (&cx.model.study, cx.model.view);
    let truth = &study.truths[first.truth];
    let judged = Direction::both(|direction| {
        let column = Column { model: view.model, direction };
        match cx.model.cell(first, column) {
            Cell::Known(summary, _) => Some(format!("{} {direction}", grouped(summary.judged))),
            Cell::Absent | Cell::Waiting => None,
        }
    });
    let judged: Vec<String> = judged.into_iter().flatten().collect();
    let name =
        if first.is_mine { study.name_with_judgments(&truth.name) } else { truth.name.clone() };
    let is_in_view = first.truth == view.truth && first.is_mine == cx.model.is_view_edited();
    let style = if is_in_view { cx.theme.key } else { cx.theme.title };
    Line::from(vec![
        Span::styled(format!(" {name}{}", cx.model.describe_threshold(truth)), style),
        Span::styled(format!("  queries: {}", judged.join(", ")), cx.theme.dim),
    ])
}

/// The value of a row in a column, with a sign if it is the best one.
fn value_line(cx: Cx<'_>, row: Row, column: Column) -> Line<'static> {
    // The sum over both directions is shown only once.
    if matches!(row.measure, Measure::Sum(_)) && column.direction == Direction::I2t {
        return Line::styled(text::pad_left("both", VALUE_COLUMNS), cx.theme.dim);
    }
    let unit = row.measure.unit();
    let cell = cx.model.cell(row, column);
    let (value, style) = match cell {
        Cell::Absent => (String::new(), Style::default()),
        Cell::Waiting => ("···".into(), cx.theme.dim.into()),
        Cell::Known(summary, _) => (unit.format(summary.value), Style::default()),
    };
    let best = cx.model.best_value(row, column.direction);
    let is_best = best.is_some() && cell.value() == best;
    let (sign, style) = if is_best { (BEST_SIGN, cx.theme.up.into()) } else { (" ", style) };
    Line::styled(text::pad_left(&value, VALUE_COLUMNS) + sign, style)
}

/// Title and lines of the details of the selected cell: metric, value, upper bound, queries, rank; key and definition.
pub(super) fn detail(cx: Cx<'_>) -> (String, Vec<Line<'static>>) {
    let Some(row) = cx.row() else {
        return ("metric".into(), Vec::new());
    };
    let column = cx.column();
    let key = cx.model.metrics_key(row).unwrap_or_default();
    let model = &cx.model.study.models[column.model].name;
    let truth = &cx.model.study.truths[row.truth].name;
    let direction = match row.measure {
        Measure::Metric(_) => column.direction.key(),
        Measure::Sum(_) => "both directions",
    };
    let unit = row.measure.unit();
    let mut words = vec![Span::styled(row.measure.title(), cx.theme.title)];
    match cx.model.cell(row, column) {
        Cell::Absent => words.push("  not in this direction".into()),
        Cell::Waiting => words.push(format!("  {}", cx.model.files.placeholder()).into()),
        Cell::Known(summary, ceiling) => {
            let (bound, judged) = (unit.format(ceiling), grouped(summary.judged));
            words.push(Span::styled(format!("  {}", unit.format(summary.value)), cx.theme.key));
            words.push(format!("  upper bound {bound}  {judged} queries").into());
            if let Some(shortage) = summary.shortage {
                words.push(Span::styled(format!("  undefined: {shortage}"), cx.theme.warning));
            }
        }
    }
    if let Some(rank) = cx.model.published_rank(row, column.model) {
        words.push(format!("  mean of both: {}", describe_rank(rank)).into());
    }
    let doc = Line::from(vec![
        Span::styled(format!("{key}: "), cx.theme.key),
        Span::styled(row.measure.doc(), cx.theme.dim),
    ]);
    let title = format!("{} of {model}, {direction}, {truth}", row.measure.title());
    (title, vec![Line::from(words), doc])
}
