//! Draws the chart: queries by AP@R in two views, or models by R@1 and mAP@R.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::Line;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Context, Points};

use super::chart::{self, CUT, LEVELS};
use super::cloud::{Cloud, Field};
use super::{Cx, Pane, Plot, corners_view, steps_view};
use crate::data::index::ModelIx;
use crate::data::text::grouped;
use crate::figure::charts::CHARTS;
use crate::figure::charts::scatter::of_query;
use crate::metric::Unit;
use crate::tui::screens::filtered_view::{self, Of};
use crate::tui::signs;
use crate::tui::theme::ThemeStyle;
use crate::tui::widgets::{self, pane, text};

/// Columns of the frame that neither title nor note have: corners, and blanks around both.
const FRAME: usize = 6;
/// A chart that is worth drawing, in columns and rows.
const LEAST: (u16, u16) = (16, 4);
/// Part of an axis that is left free at both ends of a chart of models.
pub(super) const MARGIN: f64 = 0.08;

pub(super) fn draw(cx: Cx<'_>, area: Rect, buf: &mut Buffer) {
    if area.area() == 0 {
        return;
    }
    let focus = cx.state.pane == Pane::Chart;
    let (title, note) = words(cx);
    let left = usize::from(area.width).saturating_sub(text::width(&title) + FRAME);
    let note = if cx.axes().is_some() { counted(&note, left) } else { note };
    let inner = pane::frame(&title, &note, focus, cx.theme, area, buf);
    let of = if cx.study_chart().is_none() && cx.axes().is_some() { Of::Its } else { Of::All };
    filtered_view::draw(cx, of, area, buf);
    if let Some(at) = cx.study_chart() {
        of_study(cx, at, inner, buf);
        return;
    }
    let plot = chart::plot_area(inner);
    if plot.width < LEAST.0 || plot.height < LEAST.1 {
        return;
    }
    if cx.plot() == Plot::Steps {
        steps_view::draw(cx, plot, buf);
    } else if cx.axes().is_none() {
        models(cx, plot, buf);
    } else if let Some(cloud) = cx.cloud() {
        queries(cx, &cloud, plot, buf);
    } else {
        buf.set_string(plot.x, plot.y, cx.model.files.waiting(), cx.theme.dim);
    }
}

/// What the chart is of, and what its numbers count; where there is no room for both the latter, as the header has the
/// former.
fn counted(note: &str, left: usize) -> String {
    let ways = [
        format!("{note}, in the corners: queries"),
        "in the corners: queries".into(),
        "corners: queries".into(),
    ];
    let fitting = ways.into_iter().find(|way| text::width(way) <= left);
    fitting.unwrap_or_else(|| note.to_owned())
}

/// A chart of the study, once it is made, or why there is none.
fn of_study(cx: Cx<'_>, at: usize, inner: Rect, buf: &mut Buffer) {
    let (words, style) = match cx.model.chart(at) {
        Some(Ok(of)) => return widgets::chart::draw(of, cx.theme, inner, buf),
        Some(Err(error)) => (error.to_string(), cx.theme.error),
        None => (cx.model.files.waiting().into(), cx.theme.dim),
    };
    let room = usize::from(inner.width);
    let wrapped = words.lines().flat_map(|line| text::wrap(line, room));
    let lines: Vec<Line<'_>> = wrapped.map(|line| Line::styled(line, style)).collect();
    pane::lines(&lines, 0, inner, buf);
}

/// What the chart is of.
fn words(cx: Cx<'_>) -> (String, String) {
    if let Some(at) = cx.study_chart() {
        let made = cx.model.chart(at).and_then(Result::ok);
        let title = made.map_or(CHARTS[at].title, |of| &of.title);
        return (title.to_owned(), String::new());
    }
    let direction = cx.model.view.direction;
    let truth = &cx.model.name_in_force(cx.model.view.truth);
    let (Some([x, y]), Some(axes)) = (cx.axis_names(), cx.axes()) else {
        let [x, y] = cx.field_specs().map(|spec| spec.title());
        if cx.plot() == Plot::Steps {
            let title = if cx.has_one_axis() {
                format!("{x} and {y} over the steps")
            } else {
                format!("{x} (left), {y} (right) over the steps")
            };
            return (title, format!("{truth} {direction}"));
        }
        let title = format!("{y} (up) over {x} (right) of models");
        return (title, String::new());
    };
    let [across, up] = axes.map(|view| of_query(cx.spec_of(view)));
    let title = if across == up {
        format!("{up}: {y} (up) over {x} (right)")
    } else {
        format!("{up} by {y} (up) over {across} by {x} (right)")
    };
    let of_models = axes[0].model != axes[1].model;
    let model = &cx.model.study.models[cx.model.view.model].name;
    let what = if of_models { truth } else { model };
    (title, format!("{what} {direction}"))
}

pub(super) fn colour(style: ThemeStyle) -> Color {
    Style::from(style).fg.unwrap_or(Color::Reset)
}

/// Dots of one colour.
pub(super) fn dots(context: &mut Context<'_>, coords: &[(f64, f64)], style: ThemeStyle) {
    let color = colour(style);
    context.draw(&Points { coords, color });
    context.layer();
}

/// Values at both ends of both axes, in percent.
fn axes(
    cx: Cx<'_>,
    bounds: [[f64; 2]; 2],
    [x_unit, y_unit]: [Unit; 2],
    plot: Rect,
    buf: &mut Buffer,
) {
    let width = usize::from(LEVELS) - 1;
    let [[left, right], [bottom, top]] = bounds;
    let x = plot.x - LEVELS;
    let mut say = |x: u16, y: u16, words: String| buf.set_string(x, y, words, cx.theme.dim);
    say(x, plot.y, text::pad_left(&y_unit.shown(Some(top)), width));
    say(x, plot.bottom() - 1, text::pad_left(&y_unit.shown(Some(bottom)), width));
    say(plot.x, plot.bottom(), x_unit.shown(Some(left)));
    let right = x_unit.shown(Some(right));
    let end = plot.right().saturating_sub(text::width(&right) as u16);
    say(end, plot.bottom(), right);
}

fn queries(cx: Cx<'_>, cloud: &Cloud, plot: Rect, buf: &mut Buffer) {
    let step = |at: u16, length: u16| f64::from(at) / f64::from(length.max(1));
    let upright = (0..=plot.height).map(|at| (CUT, step(at, plot.height)));
    let level = (0..=plot.width / 2).map(|at| (step(2 * at, plot.width), CUT));
    let cut: Vec<(f64, f64)> = upright.chain(level).collect();
    let longest = 2 * plot.width;
    let equal = (0..=longest).map(|at| (step(at, longest), step(at, longest)));
    let equal: Vec<(f64, f64)> = equal.collect();
    let paint = |context: &mut Context<'_>| {
        dots(context, &cut, cx.theme.border);
        dots(context, &equal, cx.theme.dim);
        dots(context, &cloud.points, cx.theme.line_map);
    };
    Canvas::default()
        .marker(Marker::Braille)
        .background_color(colour_behind(cx))
        .x_bounds([0.0, 1.0])
        .y_bounds([0.0, 1.0])
        .paint(paint)
        .render(plot, buf);
    axes(cx, [[0.0, 1.0]; 2], [Unit::Share; 2], plot, buf);
    beside_diagonal(cx, cloud, plot, buf);
    corners_view::draw(cx, cloud, plot, buf);
}

/// How many queries are on either side of the diagonal, between the numbers of the axis below.
fn beside_diagonal(cx: Cx<'_>, cloud: &Cloud, plot: Rect, buf: &mut Buffer) {
    let [above, below] = cloud.beside.map(grouped);
    let long = format!("{above} above the diagonal, {below} below");
    let short = format!("{above} above, {below} below");
    let room = usize::from(plot.width).saturating_sub(2 * usize::from(LEVELS) + 2);
    let words = [long, short].into_iter().find(|words| text::width(words) <= room);
    if let Some(words) = words {
        let x = plot.x + (plot.width - text::width(&words) as u16) / 2;
        buf.set_string(x, plot.bottom(), words, cx.theme.dim);
    }
}

/// The background that dots are drawn on.
pub(super) fn colour_behind(cx: Cx<'_>) -> Color {
    Style::from(cx.theme.base).bg.unwrap_or(Color::Reset)
}

fn models(cx: Cx<'_>, plot: Rect, buf: &mut Buffer) {
    let field = cx.field();
    let bounds = [0, 1].map(|axis| range(&field, axis));
    let published: Vec<(f64, f64)> = field.published.iter().map(|&[x, y]| (x, y)).collect();
    let loaded: Vec<(f64, f64)> = field.loaded.iter().map(|&(_, x, y)| (x, y)).collect();
    let paint = |context: &mut Context<'_>| {
        dots(context, &published, cx.theme.dim);
        if !cx.model.study.steps.is_empty() {
            steps_view::strokes(context, &loaded, cx.theme.line_map);
        }
        dots(context, &loaded, cx.theme.key);
    };
    Canvas::default()
        .marker(Marker::Dot)
        .background_color(colour_behind(cx))
        .x_bounds(bounds[0])
        .y_bounds(bounds[1])
        .paint(paint)
        .render(plot, buf);
    let units = cx.field_specs().map(|spec| spec.metric.unit());
    axes(cx, bounds, units, plot, buf);
    for &(model, x, y) in field.loaded.iter().filter(|of| is_named(cx, of.0)) {
        let share = |value: f64, [low, high]: [f64; 2]| (value - low) / (high - low);
        let column = (share(x, bounds[0]) * f64::from(plot.width - 1)).round() as u16;
        let row = ((1.0 - share(y, bounds[1])) * f64::from(plot.height - 1)).round() as u16;
        let room = usize::from(plot.width - column - 1);
        let name = format!(" {} ", signs::model(&cx.model.study, model, room.max(12) - 2));
        let width = text::width(&name) as u16;
        let is_left = usize::from(width) > room;
        let at = plot.x + if is_left { column.saturating_sub(width) } else { column + 1 };
        buf.set_string(at, plot.y + row, name, cx.theme.key);
    }
    let words = text::first_fitting(published_words(cx, &field), plot.width.into());
    buf.set_string(plot.x, plot.y, words, cx.theme.dim);
}

/// Whether a model has its name beside its dot: of a training the first and the last step, and the one looked at.
fn is_named(cx: Cx<'_>, model: ModelIx) -> bool {
    let steps = &cx.model.study.steps;
    let ends = [steps.first(), steps.last()];
    let mut ends = ends.into_iter().flatten();
    steps.is_empty() || model == cx.model.view.model || ends.any(|step| step.model == model)
}

/// What the dots are, in ever fewer words: what is over what, the title tells in short.
fn published_words(cx: Cx<'_>, field: &Field) -> [String; 2] {
    let [x, y] = field.rows.map(|row| cx.model.metrics_key(row).unwrap_or_default());
    let means = match field.published.len() {
        0 => "means of both directions".to_owned(),
        count => format!("means of both directions; dim: {count} published models"),
    };
    [format!("{y} over {x}, {means}"), means]
}

/// The values of an axis, with a margin.
fn range(field: &Field, axis: usize) -> [f64; 2] {
    let loaded = field.loaded.iter().map(|&(_, x, y)| [x, y][axis]);
    let published = field.published.iter().map(|point| point[axis]);
    let values = || loaded.clone().chain(published.clone());
    let low = values().fold(f64::INFINITY, f64::min);
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    if low > high {
        return [0.0, 1.0];
    }
    let unit = field.rows[axis].measure.unit();
    let (least, most) = match unit {
        Unit::Share | Unit::Residual => (0.01, 1.0),
        Unit::Sum | Unit::Rank => (1.0, f64::INFINITY),
    };
    let margin = ((high - low) * MARGIN).max(least);
    [(low - margin).max(0.0), (high + margin).min(most)]
}
