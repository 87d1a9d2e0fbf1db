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

/// Minimum size of a chart, in columns and rows.
const MIN_SIZE: (u16, u16) = (16, 4);
/// Dots per column and per row.
const DOTS: [f32; 2] = [2.0, 4.0];
/// Dots per unit of dashes.
const DASH: f32 = 1.5;
/// Legend samples by dash pattern; dots are full or empty.
const SAMPLES: [&str; DASHES.len()] = ["──", "╌╌", "┈┈", "─┈"];
const DOT_SAMPLES: [&str; 2] = ["• ", "◦ "];
/// Limit of few dots.
const FEW: usize = 60;
/// Maximum height of the legend, in percent of the chart.
const MAX_LEGEND_PERCENT: usize = 40;

/// Draws a chart with its axes and legend.
pub fn draw(chart: &Chart, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let legend = legend(chart, theme, area);
    let widest = chart.up.numbers().map(|(_, label)| text::width(&label)).max().unwrap_or(0) as u16;
    // Below the dots: axis numbers and labels.
    let rows =
        [Constraint::Length(1), Constraint::Fill(1), Constraint::Length(2 + legend.len() as u16)];
    let [title, dots, below] = area.layout(&Layout::vertical(rows));
    let columns = [Constraint::Length(widest + 1), Constraint::Fill(1), Constraint::Length(1)];
    let [_, plot, _] = dots.layout(&Layout::horizontal(columns));
    if plot.width < MIN_SIZE.0 || plot.height < MIN_SIZE.1 {
        let words = "a larger terminal shows the chart";
        buf.set_stringn(area.x, area.y, words, area.width.into(), theme.dim);
        return;
    }
    buf.set_string(title.x, title.y, text::fit(&chart.up.title, title.width.into()), theme.dim);
    for (number, label) in chart.up.numbers() {
        let row = cell(1.0 - chart.up.place(number), plot.height, DOTS[1]);
        let label = text::pad_left(&label, widest.into());
        buf.set_string(area.x, plot.y + row, label, theme.dim);
    }
    draw_below(&chart.across, theme, plot, buf);
    draw_lines(chart, theme, plot, buf);
    draw_point_names(chart, theme, plot, buf);
    for (line, y) in legend.iter().zip(below.y + 2..area.bottom()) {
        buf.set_line(area.x, y, line, area.width);
    }
}

/// The cell, of `cells` with `dots` each, at a share of the axis.
fn cell(share: f32, cells: u16, dots: f32) -> u16 {
    let last = f32::from(cells) * dots - 1.0;
    ((share * last).round() / dots) as u16
}

/// Axis numbers below, as many as fit, and the label.
fn draw_below(axis: &Axis, theme: &Theme, plot: Rect, buf: &mut Buffer) {
    let mut free = plot.x;
    for (number, label) in axis.numbers() {
        let middle = cell(axis.place(number), plot.width, DOTS[0]);
        let width = text::width(&label) as u16;
        let x = (plot.x + middle).saturating_sub(width / 2);
        let x = x.clamp(plot.x, plot.right().saturating_sub(width).max(plot.x));
        if x >= free {
            buf.set_string(x, plot.bottom(), label, theme.dim);
            free = x + width + 1;
        }
    }
    let title = text::fit(&axis.title, plot.width.into());
    let title = Line::from(Span::styled(title, theme.dim)).centered();
    title.render(Rect { y: plot.bottom() + 1, height: 1, ..plot }, buf);
}

/// Whether the name is beside the only point, not in the legend.
fn is_at_point(line: &Curve) -> bool {
    line.shape == Shape::Dots && line.points.len() == 1 && !line.name.is_empty()
}

fn draw_point_names(chart: &Chart, theme: &Theme, plot: Rect, buf: &mut Buffer) {
    for line in chart.lines.iter().filter(|line| is_at_point(line)) {
        let [x, y] = line.points[0];
        let column = cell(chart.across.place(x), plot.width, DOTS[0]);
        let row = cell(1.0 - chart.up.place(y), plot.height, DOTS[1]);
        // At the side with more room.
        let right = plot.width - column - 1;
        let name = text::fit(&line.name, usize::from(right.max(column)).saturating_sub(2));
        let width = text::width(&name) as u16;
        let x = if width + 2 <= right || column <= right { column + 2 } else { column - width - 1 };
        buf.set_string(plot.x + x, plot.y + row, name, style(line, theme));
    }
}

fn draw_lines(chart: &Chart, theme: &Theme, plot: Rect, buf: &mut Buffer) {
    let grid = grid(chart, plot);
    let behind = Style::from(theme.base).bg.unwrap_or(Color::Reset);
    Canvas::default()
        .marker(Marker::Braille)
        .background_color(behind)
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
                paint(&dots(chart, line, plot), style(line, theme));
            }
        })
        .render(plot, buf);
}

/// Dotted lines at the numbers of the y axis, through the first dot of every other column.
fn grid(chart: &Chart, plot: Rect) -> Vec<(f64, f64)> {
    let last = 2.0 * f64::from(plot.width) - 1.0;
    let across = |up: f64| (0..plot.width).step_by(2).map(move |x| (2.0 * f64::from(x) / last, up));
    let numbers = chart.up.numbers();
    numbers.flat_map(|(number, _)| across(f64::from(chart.up.place(number)))).collect()
}

fn style(line: &Curve, theme: &Theme) -> Style {
    if line.is_background { theme.dim.into() } else { theme.phrase(line.hue) }
}

/// Dots of a line or of points, from 0 to 1 across and up.
fn dots(chart: &Chart, line: &Curve, plot: Rect) -> Vec<(f64, f64)> {
    let size = [f32::from(plot.width) * DOTS[0], f32::from(plot.height) * DOTS[1]];
    let place = |point: &[f64; 2]| {
        let (x, y) = (chart.across.place(point[0]), chart.up.place(point[1]));
        [x * size[0], y * size[1]]
    };
    let dots = match line.shape {
        Shape::Line => {
            let points: Vec<[f32; 2]> = line.points.iter().map(place).collect();
            stroke(&points, line.dashes)
        }
        // Two by two if there are few: a single dot is lost among the axis numbers.
        Shape::Dots if line.points.len() <= FEW => {
            let wide = |[x, y]: [f32; 2]| [[x, y], [x + 1.0, y], [x, y + 1.0], [x + 1.0, y + 1.0]];
            line.points.iter().map(place).flat_map(wide).collect()
        }
        Shape::Dots => line.points.iter().map(place).collect(),
    };
    let unit = |[x, y]: [f32; 2]| (f64::from(x / size[0]), f64::from(y / size[1]));
    dots.into_iter().map(unit).collect()
}

/// A line as dots, without the gaps between dashes.
fn stroke(points: &[[f32; 2]], dashes: usize) -> Vec<[f32; 2]> {
    let mut dots: Vec<[f32; 2]> = points.first().copied().into_iter().collect();
    let mut run = 0.0;
    for pair in points.windows(2) {
        let [from, to] = [pair[0], pair[1]];
        let (x, y) = (to[0] - from[0], to[1] - from[1]);
        let steps = x.abs().max(y.abs()).ceil().max(1.0) as usize;
        for step in 1..=steps {
            let part = step as f32 / steps as f32;
            if is_drawn(run + part * x.hypot(y), dashes) {
                dots.push([from[0] + part * x, from[1] + part * y]);
            }
        }
        run += x.hypot(y);
    }
    dots
}

/// Whether a line has a dot at a distance.
fn is_drawn(run: f32, dashes: usize) -> bool {
    let dashes = DASHES[dashes % DASHES.len()];
    let whole: f32 = dashes.iter().sum();
    let mut rest = if whole > 0.0 { (run / DASH) % whole } else { 0.0 };
    for (place, length) in dashes.iter().enumerate() {
        if rest < *length {
            return place % 2 == 0;
        }
        rest -= length;
    }
    true
}

/// A legend sample, two columns wide.
fn sample(line: &Curve) -> &'static str {
    let is_empty = usize::from(!line.dashes.is_multiple_of(DASHES.len()));
    match line.shape {
        Shape::Line => SAMPLES[line.dashes % SAMPLES.len()],
        Shape::Dots => DOT_SAMPLES[is_empty],
    }
}

/// The legend: each name with its sample, in as many rows as needed or available.
fn legend(chart: &Chart, theme: &Theme, area: Rect) -> Vec<Line<'static>> {
    let room = usize::from(area.width);
    let mut rows: Vec<Line<'static>> = Vec::new();
    for line in chart.lines.iter().filter(|line| !line.name.is_empty() && !is_at_point(line)) {
        let name = text::fit(&line.name, room.saturating_sub(3));
        let width = 3 + text::width(&name);
        let name = Span::styled(format!(" {name}   "), theme.base);
        let named = [Span::styled(sample(line), style(line, theme)), name];
        match rows.last_mut() {
            Some(row) if row.width() + width <= room => row.spans.extend(named),
            _ => rows.push(Line::from_iter(named)),
        }
    }
    pane::fitting(rows, (usize::from(area.height) * MAX_LEGEND_PERCENT / 100).max(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Solid lines have every dot, dashed ones fewer; the ends of a level line are those of the axis.
    #[test]
    fn lines_are_dots_along_them() {
        let line = |dashes| Curve::line("", [0, dashes], vec![[0.0, 50.0], [10.0, 50.0]]);
        let chart = Chart {
            title: String::new(),
            across: Axis::new("", [0.0, 10.0], 5.0),
            up: Axis::new("", [0.0, 100.0], 50.0),
            lines: Vec::new(),
            note: String::new(),
        };
        let plot = Rect::new(0, 0, 40, 10);
        let [whole, dashed] = [0, 1].map(|dashes| dots(&chart, &line(dashes), plot));
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
            across: Axis::new("", [0.0, 100.0], 50.0),
            up: Axis::new("", [0.0, 100.0], 50.0),
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
