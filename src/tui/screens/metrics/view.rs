//! Draws the metrics screen: table, chart, and what the cursor is on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::chart::Side;
use super::table::Measure;
use super::{Cell, Pane, Row, chart_view, table_view};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::metric::Unit;
use crate::tui::app::App;
use crate::tui::widgets::{pane, text};

/// Draws the screen.
pub fn draw(app: &App, _body: Rect, buf: &mut Buffer) {
    let areas = app.metrics_areas();
    table_view::draw(app, areas.table, buf);
    chart_view::draw(app, areas.chart, buf);
    draw_detail(app, areas.detail, buf);
}

fn draw_detail(app: &App, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let width = usize::from(area.width).saturating_sub(4);
    let (title, mut lines) = match app.metrics.pane {
        Pane::Table => of_cell(app),
        Pane::Chart => of_quadrant(app),
    };
    lines.extend(app.placed_models().map(|model| place_line(app, model)));
    if let (Pane::Table, Some(row)) = (app.metrics.pane, app.metrics_row()) {
        let wrapped = text::wrap(row.measure.doc(), width).into_iter();
        lines.extend(wrapped.map(|line| Line::styled(format!(" {line}"), app.theme.dim)));
    }
    let note = source(app, area.width);
    let inner = pane::frame(&title, note, false, &app.theme, area, buf);
    pane::lines(&lines, 0, inner, buf);
}

/// Where the published numbers are from, where any are told.
fn source(app: &App, width: u16) -> &'static str {
    match app.placed_models().next() {
        None => "",
        Some(_) if width < 110 => "places: arXiv:2204.03359",
        Some(_) => "places among the 25 models of Chun et al. 2022, arXiv:2204.03359",
    }
}

/// The number under the cursor: value, ceiling, queries, and its place on average.
fn of_cell(app: &App) -> (String, Vec<Line<'static>>) {
    let Some(row) = app.metrics_row() else {
        return ("metric".into(), Vec::new());
    };
    let column = app.metrics_column();
    let key = app.metrics_key(row).unwrap_or_default();
    let model = &app.study.models[column.model].name;
    let title = match row.measure {
        Measure::Of(_) => format!("{key} of {model}, {}", column.direction),
        Measure::Sum => format!("{key} of {model}, both directions"),
    };
    let unit = row.measure.unit();
    let mut spans = vec![Span::styled(
        format!(" {}  ", row.measure.title()),
        app.theme.title,
    )];
    match app.cell(row, column) {
        Cell::Absent => spans.push(Span::raw("no number: no list in this direction")),
        Cell::Waiting => spans.push(Span::styled("counting …", app.theme.dim)),
        Cell::Known(summary, ceiling) => {
            spans.push(Span::styled(unit.shown(summary.value), app.theme.key));
            let judged = grouped(summary.judged);
            let best = ceiling.map_or(String::new(), |_| {
                format!("  upper bound {}", unit.shown(ceiling))
            });
            spans.push(Span::raw(format!("{best}  {judged} judged")));
            if let Some(shortage) = summary.shortage {
                let words = format!("  undefined: {shortage}");
                spans.push(Span::styled(words, app.theme.warning));
            }
        }
    }
    spans.push(Span::raw(average_places(app, row)));
    if unit == Unit::Rank {
        spans.push(Span::styled("  lower is better", app.theme.dim));
    }
    (title, vec![Line::from(spans)])
}

/// The places of the mean of both directions, where such means were published.
fn average_places(app: &App, row: Row) -> String {
    let column = app.metrics_column();
    let place = app.place(row, column.model, None);
    place.map_or(String::new(), |place| {
        format!("  {} on average", super::places::words(place))
    })
}

/// Where a model stands among the published ones.
fn place_line(app: &App, model: ModelIx) -> Line<'static> {
    let name = text::fit_middle(&app.study.models[model].name, 24);
    Line::from(vec![
        Span::styled(format!(" {name}  "), app.theme.title),
        Span::raw(app.place_words(model)),
    ])
}

/// The queries of the selected quadrant, and the condition that lists them.
fn of_quadrant(app: &App) -> (String, Vec<Line<'static>>) {
    let Some([x, y]) = app.axis_names() else {
        let words = " R@1 under the original truth, mAP@R under the truth looked at";
        let line = Line::styled(words, app.theme.dim);
        return ("models, means of both directions".into(), vec![line]);
    };
    let side = |side: Side| match side {
        Side::Low => "at most",
        Side::High => "above",
    };
    let [right, up] = app.metrics.quadrant;
    let title = format!("AP@R {} 50 with {x}, {} 50 with {y}", side(right), side(up));
    let count = app.cloud().map_or("counting …".into(), |cloud| {
        let (count, all) = (cloud.count(app.metrics.quadrant), cloud.points.len());
        format!(" {} of {} queries", grouped(count), grouped(all))
    });
    let condition = app.quadrant_condition().unwrap_or_default();
    let key: Style = app.theme.key.into();
    let lines = vec![
        Line::styled(count, key),
        Line::styled(format!(" {condition}"), app.theme.dim),
    ];
    (title, lines)
}
