//! What the cursor is on: a number with its metric, or a chart with its selected quadrant; and the places of models.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use super::{Cx, Pane, Plot};
use crate::data::text::grouped;
use crate::tui::model::metrics_table::describe_rank;
use crate::tui::model::metrics_table::{Cell, Measure};
use crate::tui::signs;
use crate::tui::widgets::{pane, text};

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let (title, mut lines, below) = match cx.state.pane {
        Pane::Table => of_cell(cx),
        Pane::Chart => of_chart(cx),
    };
    lines.extend(cx.model.placed_models().map(|model| {
        let name = signs::model(&cx.model.study, model, 24);
        Line::from(vec![
            Span::styled(format!(" {name}  "), cx.theme.title),
            Span::raw(cx.model.place_words(model)),
        ])
    }));
    let width = usize::from(area.width).saturating_sub(4);
    let wrapped = below.lines().flat_map(|text| text::wrap(text, width));
    lines.extend(wrapped.map(|line| Line::styled(format!(" {line}"), cx.theme.dim)));
    let is_placed = cx.model.placed_models().next().is_some();
    let note = if is_placed { "places among 25 of arXiv:2204.03359" } else { "" };
    let inner = pane::frame(&title, note, false, cx.theme, area, buf);
    pane::lines(&pane::fitting(lines, inner.height.into()), 0, inner, buf);
}

/// Title, lines, and text to be wrapped below them.
type Parts = (String, Vec<Line<'static>>, String);

/// The number under the cursor: value, ceiling, queries, and its place on average.
fn of_cell(cx: Cx<'_>) -> Parts {
    let Some(row) = cx.row() else {
        return ("metric".into(), Vec::new(), String::new());
    };
    let column = cx.column();
    let key = cx.model.metrics_key(row).unwrap_or_default();
    let model = &cx.model.study.models[column.model].name;
    let title = match row.measure {
        Measure::Of(_) => format!("{key} of {model}, {}", column.direction),
        Measure::Sum(_) => format!("{key} of {model}, both directions"),
    };
    let unit = row.measure.unit();
    let mut spans = vec![Span::styled(format!(" {}", row.measure.title()), cx.theme.title)];
    match cx.model.cell(row, column) {
        Cell::Absent => spans.push(Span::raw("  no number: no list in this direction")),
        Cell::Waiting => {
            spans.push(Span::styled(format!("  {}", cx.model.files.waiting()), cx.theme.dim));
        }
        Cell::Known(summary, ceiling) => {
            spans.push(Span::styled(format!("  {}", unit.shown(summary.value)), cx.theme.key));
            if ceiling.is_some() {
                spans.push(Span::raw(format!("  upper bound {}", unit.shown(ceiling))));
            }
            spans.push(Span::raw(format!("  {} judged", grouped(summary.judged))));
            if let Some(shortage) = summary.shortage {
                spans.push(Span::styled(format!("  undefined: {shortage}"), cx.theme.warning));
            }
        }
    }
    if unit.is_lower_better() {
        spans.push(Span::styled("  lower is better", cx.theme.dim));
    }
    if let Some(place) = cx.model.place(row, column.model, None) {
        spans.push(Span::raw(format!("  mean of both: {}", describe_rank(place))));
    }
    (title, vec![Line::from(spans)], row.measure.doc().to_owned())
}

/// The queries of the selected quadrant and the condition that lists them; best steps; or what is said below a chart.
fn of_chart(cx: Cx<'_>) -> Parts {
    if cx.plot() == Plot::Steps {
        return ("best steps".into(), cx.course_lines(), String::new());
    }
    let Some([x, y]) = cx.axis_names() else {
        let charts = cx.charts().unwrap_or_default();
        let note = charts.first().map(|chart| chart.note.clone());
        return ("chart of all models".into(), Vec::new(), note.unwrap_or_default());
    };
    let mut lines = Vec::new();
    let title = match cx.cloud() {
        None => cx.model.files.waiting().to_owned(),
        Some(cloud) => {
            let all = cloud.points.len();
            let [above, below] = cloud.beside;
            let [higher, lower, equal] = [above, below, all - above - below].map(grouped);
            let words =
                format!(" of all: {higher} higher with {y}, {lower} with {x}, {equal} equal");
            lines.push(Line::from(words));
            let count = grouped(cloud.count(cx.state.quadrant));
            format!("{count} of {} queries in the selected quarter", grouped(all))
        }
    };
    (title, lines, cx.quadrant_condition().unwrap_or_default())
}
