//! The table: metrics by models and directions, under headings of ground truths.

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
use crate::tui::ui::list::{self, Group, ListView};
use crate::tui::ui::{pane, text};

/// Minimum columns of the name of a metric.
const NAME: usize = 18;
/// Columns of a value, and of the sign of the best one.
const VALUE: usize = 7;
const BEST: &str = "*";
/// Lines of models and directions above the rows.
const HEADS: usize = 2;

/// Lines of the table by row index; a heading, `None`, precedes the rows of its truth.
pub(super) fn lines(rows: &[Row]) -> Vec<Option<usize>> {
    let mut lines = Vec::new();
    for (place, row) in rows.iter().enumerate() {
        let of = |row: &Row| (row.truth, row.is_mine);
        if place == 0 || of(&rows[place - 1]) != of(row) {
            lines.push(None);
        }
        lines.push(Some(place));
    }
    lines
}

/// Preferred width of the table with its frame.
pub(super) fn wanted_width(cx: Cx<'_>) -> u16 {
    let cell = VALUE + BEST.len() + 1;
    let wanted = NAME + 2 * cell * cx.model.numbers.len() + 2;
    u16::try_from(wanted).unwrap_or(u16::MAX)
}

impl Cx<'_> {
    /// The selected row.
    pub fn row(self) -> Option<Row> {
        let rows = self.model.metrics_rows();
        rows.get(self.state.place(self.model)).copied()
    }

    /// The selected column.
    pub fn column(self) -> Column {
        let view = self.model.view;
        let here = self.state.column;
        here.filter(|column| column.model.get() < self.model.numbers.len())
            .unwrap_or(Column { model: view.model, direction: view.direction })
    }

    /// The columns of the table, in order.
    pub fn columns(self) -> Vec<Column> {
        let of_model = |model| Direction::both(|direction| Column { model, direction });
        ModelIx::all(&self.model.numbers).flat_map(of_model).collect()
    }
}

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    let focus = cx.state.pane == Pane::Table;
    let inner = pane::frame("metrics", "", focus, cx.theme, area, buf);
    queries::condition(cx, queries::UNFILTERED, area, buf);
    let rows = cx.model.metrics_rows();
    let lines = lines(&rows);
    let row = |line: usize| lines[line].map(|place| rows[place]);
    let columns = cx.columns();
    let here = columns.iter().position(|column| *column == cx.column()).unwrap_or(0);
    let name = |line: usize, _| {
        row(line).map_or(String::new(), |row| format!("  {}", row.measure.title()))
    };
    let values = columns.iter().enumerate().map(|(at, &column)| {
        let value =
            move |line: usize, _| row(line).map_or(Line::default(), |row| value(cx, row, column));
        let style = if at == here { cx.theme.title } else { cx.theme.dim };
        let title = text::pad_left(column.direction.key(), VALUE);
        // Columns of a model drop together.
        let distance = (at / 2).abs_diff(here / 2);
        list::Column::new(Span::styled(title, style), VALUE + BEST.len(), value).near(distance)
    });
    let selected = cx.state.place(cx.model);
    let heading = |line: usize| {
        // A heading precedes a row.
        lines[line].is_none().then(|| row(line + 1).map(|first| heading(cx, first)))?
    };
    let models = ModelIx::all(&cx.model.numbers).map(|model| -> Group<'_> {
        let is_in_view = model == cx.model.view.model;
        let style = if is_in_view { cx.theme.key } else { cx.theme.title };
        let name = move |room| Line::styled(signs::model(&cx.model.study, model, room), style);
        (Direction::BOTH.len(), Box::new(name))
    });
    let list = ListView {
        id: TABLE,
        columns: std::iter::once(list::Column::rest("", name)).chain(values).collect(),
        groups: models.collect(),
        len: lines.len(),
        selected: lines.iter().position(|line| *line == Some(selected)),
        cell: Some(here + 1),
        focus,
        least: NAME,
        heading: Some(Box::new(heading)),
        has_cells: true,
        ..ListView::default()
    };
    if cx.state.row.is_none() {
        // Start at the heading of the current ground truth, or at the top if too few lines follow.
        let first = list.selected.map_or(0, |line| line.saturating_sub(1));
        let page = usize::from(inner.height).saturating_sub(HEADS);
        let is_last_page = first + page > lines.len();
        cx.state.table.scroll_to(if is_last_page && first < page { 0 } else { first });
    }
    list.draw(&cx.state.table, cx.ui, inner, buf);
}

/// Ground truth of rows, with its number of covered queries.
fn heading(cx: Cx<'_>, first: Row) -> Line<'static> {
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
    let is_in_view = first.truth == view.truth && first.is_mine == cx.model.is_judged();
    let style = if is_in_view { cx.theme.key } else { cx.theme.title };
    Line::from(vec![
        Span::styled(format!(" {name}{}", cx.model.dial_words(truth)), style),
        Span::styled(format!("  queries: {}", judged.join(", ")), cx.theme.dim),
    ])
}

/// A value, with the sign if best.
fn value(cx: Cx<'_>, row: Row, column: Column) -> Line<'static> {
    // A sum over both directions, shown once.
    if matches!(row.measure, Measure::Sum(_)) && column.direction == Direction::I2t {
        return Line::styled(text::pad_left("both", VALUE), cx.theme.dim);
    }
    let unit = row.measure.unit();
    let cell = cx.model.cell(row, column);
    let (value, style) = match cell {
        Cell::Absent => (String::new(), Style::default()),
        Cell::Waiting => ("···".into(), cx.theme.dim.into()),
        Cell::Known(summary, _) => (unit.shown(summary.value), Style::default()),
    };
    let best = cx.model.best_of(row, column.direction);
    let is_best = best.is_some() && cell.value() == best;
    let (sign, style) = if is_best { (BEST, cx.theme.up.into()) } else { (" ", style) };
    Line::styled(text::pad_left(&value, VALUE) + sign, style)
}

/// The metric under the cursor: title, value, upper bound, queries, mean rank; its key and the definition.
pub(super) fn detail(cx: Cx<'_>) -> (String, Vec<Line<'static>>) {
    let Some(row) = cx.row() else {
        return ("metric".into(), Vec::new());
    };
    let column = cx.column();
    let key = cx.model.metrics_key(row).unwrap_or_default();
    let model = &cx.model.study.models[column.model].name;
    let truth = &cx.model.study.truths[row.truth].name;
    let of = match row.measure {
        Measure::Metric(_) => column.direction.key(),
        Measure::Sum(_) => "both directions",
    };
    let unit = row.measure.unit();
    let mut words = vec![Span::styled(row.measure.title(), cx.theme.title)];
    match cx.model.cell(row, column) {
        Cell::Absent => words.push("  not in this direction".into()),
        Cell::Waiting => words.push(format!("  {}", cx.model.files.waiting()).into()),
        Cell::Known(summary, ceiling) => {
            let (bound, judged) = (unit.shown(ceiling), grouped(summary.judged));
            words.push(Span::styled(format!("  {}", unit.shown(summary.value)), cx.theme.key));
            words.push(format!("  upper bound {bound}  {judged} judged").into());
            if let Some(shortage) = summary.shortage {
                words.push(Span::styled(format!("  undefined: {shortage}"), cx.theme.warning));
            }
        }
    }
    if let Some(place) = cx.model.place(row, column.model) {
        words.push(format!("  mean of both: {}", describe_rank(place)).into());
    }
    let doc = Line::from(vec![
        Span::styled(format!("{key}: "), cx.theme.key),
        Span::styled(row.measure.doc(), cx.theme.dim),
    ]);
    (format!("{} of {model}, {of}, {truth}", row.measure.title()), vec![Line::from(words), doc])
}
