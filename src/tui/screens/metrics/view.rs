//! Draws the metrics screen: table, chart, and what the cursor is on.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

use super::{Cx, Pane, Plot, Side, chart_view, table_view};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::tui::model::metrics_table::{Cell, Measure, Row};
use crate::tui::signs;
use crate::tui::widgets::{pane, text};

/// Draws the screen.
pub(super) fn draw(cx: Cx<'_>, buf: &mut Buffer) {
    let areas = cx.areas();
    table_view::draw(cx, areas.table, buf);
    chart_view::draw(cx, areas.chart, buf);
    draw_detail(cx, areas.detail, buf);
}

fn draw_detail(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let width = usize::from(area.width).saturating_sub(4);
    let (title, mut lines) = match cx.state.pane {
        Pane::Table => of_cell(cx, width),
        Pane::Chart => of_quadrant(cx, width),
    };
    lines.extend(cx.model.placed_models().map(|model| place_line(cx, model)));
    if let (Pane::Table, Some(row)) = (cx.state.pane, cx.row()) {
        let room = usize::from(area.height.saturating_sub(2)).saturating_sub(lines.len());
        let defined = defined(row.measure.doc(), width, room).into_iter();
        lines.extend(defined.map(|line| Line::styled(format!(" {line}"), cx.theme.dim)));
    }
    let note = source(cx, area.width);
    let inner = pane::frame(&title, note, false, cx.theme, area, buf);
    let lines = pane::fitting(lines, inner.height.into());
    pane::lines(&lines, 0, inner, buf);
}

/// A definition in lines: as many of its first sentences as so many rows have room for, the first one at the least.
fn defined(doc: &str, width: usize, rows: usize) -> Vec<String> {
    let is_end = |at: &usize| doc[at + 2..].starts_with(char::is_uppercase);
    let ends = doc.match_indices(". ").map(|(at, _)| at).filter(is_end);
    let mut ends: Vec<usize> = ends.map(|at| at + 1).collect();
    ends.push(doc.len());
    let mut ways = ends.iter().rev().map(|&end| text::wrap(&doc[..end], width));
    let fitting = ways.find(|lines| lines.len() <= rows);
    fitting.unwrap_or_else(|| text::wrap(&doc[..ends[0]], width))
}

/// Where the published numbers are from, where any are told.
fn source(cx: Cx<'_>, width: u16) -> &'static str {
    match cx.model.placed_models().next() {
        None => "",
        Some(_) if width < 130 => "places among 25 of arXiv:2204.03359",
        Some(_) => {
            "places of the means of i2t and t2i among the 25 models of Chun et al. 2022, arXiv:2204.03359"
        }
    }
}

/// The number under the cursor: value, ceiling, queries, and its place on average.
fn of_cell(cx: Cx<'_>, width: usize) -> (String, Vec<Line<'static>>) {
    let Some(row) = cx.row() else {
        return ("metric".into(), Vec::new());
    };
    let column = cx.column();
    let key = cx.model.metrics_key(row).unwrap_or_default();
    let model = &cx.model.study.models[column.model].name;
    let title = match row.measure {
        Measure::Of(_) => format!("{key} of {model}, {}", column.direction),
        Measure::Sum(_) => format!("{key} of {model}, both directions"),
    };
    let unit = row.measure.unit();
    let mut spans = vec![Span::styled(format!(" {}  ", row.measure.title()), cx.theme.title)];
    match cx.model.cell(row, column) {
        Cell::Absent => spans.push(Span::raw("no number: no list in this direction")),
        Cell::Waiting => spans.push(Span::styled(cx.model.files.waiting(), cx.theme.dim)),
        Cell::Known(summary, ceiling) => {
            spans.push(Span::styled(unit.shown(summary.value), cx.theme.key));
            let judged = grouped(summary.judged);
            let best =
                ceiling.map_or(String::new(), |_| format!("  upper bound {}", unit.shown(ceiling)));
            spans.push(Span::raw(format!("{best}  {judged} judged")));
            if let Some(shortage) = summary.shortage {
                let words = format!("  undefined: {shortage}");
                spans.push(Span::styled(words, cx.theme.warning));
            }
        }
    }
    if unit.is_lower_better() {
        spans.push(Span::styled("  lower is better", cx.theme.dim));
    }
    let mut lines = vec![Line::from(spans)];
    let places = average_places(cx, row);
    // A place that is cut is another place.
    let left = width.saturating_sub(lines[0].width());
    match places.iter().find(|words| text::width(words) <= left) {
        Some(words) => lines[0].push_span(words.clone()),
        None => lines.push(places[0].clone().into()),
    }
    (title, lines)
}

/// The places of the mean of both directions, in ever fewer words; nothing where no such means were published.
fn average_places(cx: Cx<'_>, row: Row) -> [String; 2] {
    let place = cx.model.place(row, cx.column().model, None);
    ["mean of i2t and t2i", "mean of both"].map(|mean| {
        place.map_or(String::new(), |place| {
            format!("  {mean}: {}", crate::tui::model::metrics_table::words(place))
        })
    })
}

/// Where a model stands among the published ones.
fn place_line(cx: Cx<'_>, model: ModelIx) -> Line<'static> {
    let name = signs::model(&cx.model.study, model, 24);
    Line::from(vec![
        Span::styled(format!(" {name}  "), cx.theme.title),
        Span::raw(cx.model.place_words(model)),
    ])
}

/// What is said below a chart of the study.
fn of_study(cx: Cx<'_>, at: usize, width: usize) -> (String, Vec<Line<'static>>) {
    let made = cx.model.chart(at).and_then(Result::ok);
    let note = made.map_or_else(String::new, |of| of.note.clone());
    let lines = text::wrap(&note, width).into_iter();
    let lines = lines.map(|line| Line::styled(format!(" {line}"), cx.theme.dim));
    ("chart of all models".into(), lines.collect())
}

/// The queries of the selected quadrant, and the condition that lists them.
fn of_quadrant(cx: Cx<'_>, width: usize) -> (String, Vec<Line<'static>>) {
    if let Some(at) = cx.study_chart() {
        return of_study(cx, at, width);
    }
    if cx.plot() == Plot::Steps {
        return ("best steps".into(), cx.course_lines());
    }
    let Some([x, y]) = cx.axis_names() else {
        let [x, y] = cx.model.header.titles();
        let words = format!(" {x} under the original ground truth, {y} under the one looked at");
        let line = Line::styled(words, cx.theme.dim);
        return ("models, means of both directions".into(), vec![line]);
    };
    let side = |side: Side| match side {
        Side::Low => "at most",
        Side::High => "above",
    };
    let [right, up] = cx.state.quadrant;
    let title = format!("AP@R {} 50 with {x}, {} 50 with {y}", side(right), side(up));
    let counts =
        cx.cloud().map_or([format!(" {}", cx.model.files.waiting()), String::new()], |cloud| {
            let (count, all) = (cloud.count(cx.state.quadrant), cloud.points.len());
            let [above, below] = cloud.beside;
            let equal = all - above - below;
            [
                format!(
                    " {} of {} queries; each corner counts those of its quarter",
                    grouped(count),
                    grouped(all)
                ),
                format!(
                    " of all: {} higher with {y}, {} with {x}, {} equal",
                    grouped(above),
                    grouped(below),
                    grouped(equal)
                ),
            ]
        });
    let condition = cx.quadrant_condition().unwrap_or_default();
    let key: Style = cx.theme.key.into();
    let [count, beside] = counts;
    let mut lines = vec![Line::styled(count, key), Line::raw(beside)];
    // A condition that is cut is another condition.
    let condition = text::wrap(&condition, width).into_iter();
    lines.extend(condition.map(|line| Line::styled(format!(" {line}"), cx.theme.dim)));
    (title, lines)
}
