//! A chart in a terminal, from the same description as exported files.

use ratatui::buffer::Buffer;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Points};

use super::{pane, text};
use crate::figure::chart::{Axis, Chart, Curve, DASHES, Shape};
use crate::tui::theme::Theme;

/// Minimum size of the plot, in columns and rows.
const MIN_SIZE: (u16, u16) = (16, 4);
/// Braille dots per terminal cell, across and down.
const CELL_DOTS: [f32; 2] = [2.0, 4.0];
/// Braille dots per unit of a length in [`DASHES`].
const DOTS_PER_DASH_UNIT: f32 = 1.5;
/// Legend samples of lines, by index in [`DASHES`].
const LINE_SAMPLES: [&str; DASHES.len()] = ["──", "╌╌", "┈┈", "─┈"];
/// Legend samples of points: full with the first pattern of [`DASHES`], else empty.
const POINT_SAMPLES: [&str; 2] = ["• ", "◦ "];
/// Maximum number of points that are drawn two dots wide and high.
const MAX_LARGE_POINTS: usize = 60;
/// Maximum height of the legend, in percent of the chart.
const MAX_LEGEND_PERCENT: usize = 40;

/// Draws a chart with its axes and legend.
pub fn draw(chart: &Chart, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let legend = legend_rows(chart, theme, area);
    let widest = chart.y.labels().map(|(_, label)| text::width(&label)).max().unwrap_or(0) as u16;
    // Below the plot: numbers and title of the x axis, and the legend.
    let rows =
        [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(2 + legend.len() as u16)];
    let [title, middle, below] = area.layout(&Layout::vertical(rows));
    let columns = [Constraint::Length(widest + 1), Constraint::Fill(1), Constraint::Length(1)];
    let [_, plot, _] = middle.layout(&Layout::horizontal(columns));
    if plot.width < MIN_SIZE.0 || plot.height < MIN_SIZE.1 {
        let words = "a larger terminal shows the chart";
        buf.set_stringn(area.x, area.y, words, area.width.into(), theme.dim);
        return;
    }
    buf.set_string(title.x, title.y, text::fit(&chart.y.title, title.width.into()), theme.dim);
    for (number, label) in chart.y.labels() {
        let row = cell_at(1.0 - chart.y.position(number), plot.height, CELL_DOTS[1]);
        let label = text::pad_left(&label, widest.into());
        buf.set_string(area.x, plot.y + row, label, theme.dim);
    }
    draw_x_axis(&chart.x, theme, plot, buf);
    draw_curves(chart, theme, plot, buf);
    draw_point_names(chart, theme, plot, buf);
    for (line, y) in legend.iter().zip(below.y + 2..area.bottom()) {
        buf.set_line(area.x, y, line, area.width);
    }
}

/// Index of the cell at `share`, from 0 to 1, of an axis of `cells` cells with `dots` dots each.
fn cell_at(share: f32, cells: u16, dots: f32) -> u16 {
    let last_dot = f32::from(cells) * dots - 1.0;
    ((share * last_dot).round() / dots) as u16
}

/// Draws the numbers of the x axis below the plot, as many as fit, and its title.
fn draw_x_axis(axis: &Axis, theme: &Theme, plot: Rect, buf: &mut Buffer) {
    let mut free_x = plot.x;
    for (number, label) in axis.labels() {
        let middle = cell_at(axis.position(number), plot.width, CELL_DOTS[0]);
        let width = text::width(&label) as u16;
        let x = (plot.x + middle).saturating_sub(width / 2);
        let x = x.clamp(plot.x, plot.right().saturating_sub(width).max(plot.x));
        if x >= free_x {
            buf.set_string(x, plot.bottom(), label, theme.dim);
            free_x = x + width + 1;
        }
    }
    let title = text::fit(&axis.title, plot.width.into());
    let title = Line::from(Span::styled(title, theme.dim)).centered();
    title.render(Rect { y: plot.bottom() + 1, height: 1, ..plot }, buf);
}

/// Whether the name of a curve is drawn beside its only point, and not in the legend.
fn has_point_label(line: &Curve) -> bool {
    line.shape == Shape::Dots && line.points.len() == 1 && !line.name.is_empty()
}

/// Draws the name of each single point beside it, at the side with more room.
fn draw_point_names(chart: &Chart, theme: &Theme, plot: Rect, buf: &mut Buffer) {
    for line in chart.lines.iter().filter(|line| has_point_label(line)) {
        let [x, y] = line.points[0];
        let column = cell_at(chart.x.position(x), plot.width, CELL_DOTS[0]);
        let row = cell_at(1.0 - chart.y.position(y), plot.height, CELL_DOTS[1]);
        let right = plot.width - column - 1;
        let name = text::fit(&line.name, usize::from(right.max(column)).saturating_sub(2));
        let width = text::width(&name) as u16;
        let x = if width + 2 <= right || column <= right { column + 2 } else { column - width - 1 };
        buf.set_string(plot.x + x, plot.y + row, name, curve_style(line, theme));
    }
}

/// Draws the grid, then each curve over it.
fn draw_curves(chart: &Chart, theme: &Theme, plot: Rect, buf: &mut Buffer) {
    let grid = grid_dots(chart, plot);
    let background = Style::from(theme.base).bg.unwrap_or(Color::Reset);
    Canvas::default()
        .marker(Marker::Braille)
        .background_color(background)
        .x_bounds([0.0, 1.0])
        .y_bounds([0.0, 1.0])
        .paint(|context| {
            let mut paint = |coords: &[(f64, f64)], style: Style| {
                let color = style.fg.unwrap_or(Color::Reset);
                context.draw(&Points { coords, color });
                context.layer();
            };
            paint(&grid, theme.border.into());
            for line in &chart.lines {
                paint(&curve_dots(chart, line, plot), curve_style(line, theme));
            }
        })
        .render(plot, buf);
}

/// Dots of the horizontal grid lines at the numbers of the y axis, as x and y from 0 to 1: the first dot of every other
/// column.
fn grid_dots(chart: &Chart, plot: Rect) -> Vec<(f64, f64)> {
    let last = 2.0 * f64::from(plot.width) - 1.0;
    let line_at = |y: f64| (0..plot.width).step_by(2).map(move |x| (2.0 * f64::from(x) / last, y));
    let numbers = chart.y.labels();
    numbers.flat_map(|(number, _)| line_at(f64::from(chart.y.position(number)))).collect()
}

/// Colour of a curve and of its name.
fn curve_style(line: &Curve, theme: &Theme) -> Style {
    if line.is_background { theme.dim.into() } else { theme.phrase(line.hue) }
}

/// Dots of a curve as x and y from 0 to 1 of the plot.
fn curve_dots(chart: &Chart, line: &Curve, plot: Rect) -> Vec<(f64, f64)> {
    let size = [f32::from(plot.width) * CELL_DOTS[0], f32::from(plot.height) * CELL_DOTS[1]];
    let to_dot = |point: &[f64; 2]| {
        let (x, y) = (chart.x.position(point[0]), chart.y.position(point[1]));
        [x * size[0], y * size[1]]
    };
    let dots = match line.shape {
        Shape::Line => {
            let points: Vec<[f32; 2]> = line.points.iter().map(to_dot).collect();
            dashed_line(&points, line.dashes)
        }
        // Two by two if there are few: a single dot is lost among the axis numbers.
        Shape::Dots if line.points.len() <= MAX_LARGE_POINTS => {
            let quad = |[x, y]: [f32; 2]| [[x, y], [x + 1.0, y], [x, y + 1.0], [x + 1.0, y + 1.0]];
            line.points.iter().map(to_dot).flat_map(quad).collect()
        }
        Shape::Dots => line.points.iter().map(to_dot).collect(),
    };
    let to_share = |[x, y]: [f32; 2]| (f64::from(x / size[0]), f64::from(y / size[1]));
    dots.into_iter().map(to_share).collect()
}

/// Dots of the line through `points`, without the gaps between its dashes. `pattern`: index in [`DASHES`].
fn dashed_line(points: &[[f32; 2]], pattern: usize) -> Vec<[f32; 2]> {
    let mut dots: Vec<[f32; 2]> = points.first().copied().into_iter().collect();
    let mut length = 0.0;
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let steps = x.abs().max(y.abs()).ceil().max(1.0) as usize;
        for step in 1..=steps {
            let part = step as f32 / steps as f32;
            if is_in_dash(length + part * x.hypot(y), pattern) {
                dots.push([from[0] + part * x, from[1] + part * y]);
            }
        }
        length += x.hypot(y);
    }
    dots
}

/// Whether a line is drawn, not in a gap, `distance` dots from its start. `pattern`: index in [`DASHES`].
fn is_in_dash(distance: f32, pattern: usize) -> bool {
    let dashes = DASHES[pattern % DASHES.len()];
    let period: f32 = dashes.iter().sum();
    let mut rest = if period > 0.0 { (distance / DOTS_PER_DASH_UNIT) % period } else { 0.0 };
    for (at, length) in dashes.iter().enumerate() {
        if rest < *length {
            return at % 2 == 0;
        }
        rest -= length;
    }
    true
}

/// The legend sample of a curve, two columns wide.
fn legend_sample(line: &Curve) -> &'static str {
    match line.shape {
        Shape::Line => LINE_SAMPLES[line.dashes % LINE_SAMPLES.len()],
        Shape::Dots => POINT_SAMPLES[usize::from(!line.dashes.is_multiple_of(DASHES.len()))],
    }
}

/// Rows of the legend: each name after its sample, in at most [`MAX_LEGEND_PERCENT`] of the area.
fn legend_rows(chart: &Chart, theme: &Theme, area: Rect) -> Vec<Line<'static>> {
    let room = usize::from(area.width);
    let mut rows: Vec<Line<'static>> = Vec::new();
    for line in chart.lines.iter().filter(|line| !line.name.is_empty() && !has_point_label(line)) {
        let name = text::fit(&line.name, room.saturating_sub(3));
        let width = 3 + text::width(&name);
        let name = Span::styled(format!(" {name}   "), theme.base);
        let entry = [Span::styled(legend_sample(line), curve_style(line, theme)), name];
        match rows.last_mut() {
            Some(row) if row.width() + width <= room => row.spans.extend(entry),
            _ => rows.push(Line::from_iter(entry)),
        }
    }
    pane::clip(rows, (usize::from(area.height) * MAX_LEGEND_PERCENT / 100).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solid lines have every dot, dashed ones fewer; the ends of a level line are those of the axis.
    #[test]
    fn a_dashed_line_has_fewer_dots_than_a_solid_one() {
        let line = |dashes| Curve::line("", [0, dashes], vec![[0.0, 50.0], [10.0, 50.0]]);
        let chart = Chart {
            title: String::new(),
            x: Axis::new("", [0.0, 10.0], 5.0),
            y: Axis::new("", [0.0, 100.0], 50.0),
            lines: Vec::new(),
            note: String::new(),
        };
        let plot = Rect::new(0, 0, 40, 10);
        let [whole, dashed] = [0, 1].map(|dashes| curve_dots(&chart, &line(dashes), plot));
        assert_eq!(whole.len(), 81);
        assert!(dashed.len() > 40 && dashed.len() < 70, "{}", dashed.len());
        assert_eq!((whole[0], whole[80]), ((0.0, 0.5), (1.0, 0.5)));
    }
    /// The name of a single dot is at its right, or at its left without room.
    #[test]
    fn a_single_dot_has_its_name_beside_it() {
        let (_, theme) = Theme::bundled(0);
        let dot = |name: &str, x| Curve::new(Shape::Dots, name, [0, 0], vec![[x, 50.0]]);
        let chart = Chart {
            title: String::new(),
            x: Axis::new("", [0.0, 100.0], 50.0),
            y: Axis::new("", [0.0, 100.0], 50.0),
            lines: vec![dot("first", 10.0), dot("second", 95.0)],
            note: String::new(),
        };
        let area = Rect::new(0, 0, 40, 12);
        let mut buf = Buffer::empty(area);
        draw(&chart, &theme, area, &mut buf);
        let row = |y: u16| (0..area.width).map(|x| buf[(x, y)].symbol()).collect::<String>();
        let named: Vec<String> =
            (0..area.height).map(row).filter(|row| row.contains("first")).collect();
        // Neither is in a legend.
        assert_eq!(named.len(), 1, "{buf:?}");
        assert!(named[0].find("first") < named[0].find("second"), "{named:?}");
    }
}
