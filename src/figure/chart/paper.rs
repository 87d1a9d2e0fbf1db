//! Drawing of a chart on a page.

use super::{BACKGROUND, Chart, Curve, DASHES, HUES, Shape};
use crate::error::Result;
use crate::figure::options::Options;
use crate::figure::page::{Area, Drawing, Fill, Mark, Sheet};
use crate::figure::style::{Frame, INK, RULE};

/// Height of the plot area, relative to its width.
const PLOT_HEIGHT: f32 = 0.6;
/// Radius of a dot, relative to the text size.
const DOT_RADIUS: f32 = 0.32;

/// Draws a chart as a page for any figure format.
///
/// # Errors
/// Invalid options, a font that the system lacks.
pub fn draw_chart(chart: &Chart, options: &Options) -> Result<Drawing> {
    Drawing::new([&chart.title, "the chart"], options, |sheet, area| draw(sheet, chart, area))
}

impl Curve {
    fn colour(&self) -> &'static str {
        if self.is_background { BACKGROUND } else { HUES[self.hue % HUES.len()] }
    }

    fn style(&self) -> Frame {
        Frame {
            colour: self.colour(),
            width: if self.is_background { 0.7 } else { 1.1 },
            dashes: DASHES[self.dashes % DASHES.len()],
            double: false,
        }
    }
}

/// Draws titles, axes, curves, legend and note. Returns the y of their lower edge.
fn draw(sheet: &mut Sheet<'_>, chart: &Chart, whole: Area) -> f32 {
    let (bold, small, gap) = (sheet.bold(), sheet.small(), sheet.gap());
    let y = sheet.write(&chart.title, whole.x, whole.y, whole.width, bold);
    let y = sheet.write(&chart.y.title, whole.x, y, whole.width, small) + gap;
    let labels = chart.y.labels().map(|(_, label)| sheet.text_width(&label, small));
    let left = labels.fold(0.0, f32::max) + gap * 0.5;
    let width = whole.width - left - sheet.size;
    let plot = Area { x: whole.x + left, y, width, height: width * PLOT_HEIGHT };
    draw_axes(sheet, chart, plot);
    for line in &chart.lines {
        sheet.page.marks.extend(curve_marks(chart, line, plot, sheet.size));
    }
    let below = plot.y + plot.height + small.leading() * 1.1;
    let title_width = sheet.text_width(&chart.x.title, small);
    let x = plot.x + (plot.width - title_width).max(0.0) / 2.0;
    let y = sheet.write(&chart.x.title, x, below, plot.width, small);
    let y = draw_legend(sheet, chart, Area { y: y + gap * 0.5, ..whole });
    sheet.write(&chart.note, whole.x, y, whole.width, small)
}

/// Converts a point in the units of the axes to a point on the page.
fn page_point(chart: &Chart, plot: Area, x: f64, y: f64) -> [f32; 2] {
    let (across, up) = (chart.x.position(x), chart.y.position(y));
    [plot.x + plot.width * across, plot.y + plot.height * (1.0 - up)]
}

/// The marks of a curve: a line, or a dot for each point. `size` is the text size in points.
fn curve_marks(chart: &Chart, line: &Curve, plot: Area, size: f32) -> Vec<Mark> {
    let point = |[x, y]: &[f64; 2]| page_point(chart, plot, *x, *y);
    match line.shape {
        Shape::Line => {
            vec![Mark::Line { points: line.points.iter().map(point).collect(), line: line.style() }]
        }
        Shape::Dots => line.points.iter().map(|xy| dot(line, point(xy), size)).collect(),
    }
}

/// A dot of a curve: translucent if it is a background, a ring if its dashes are not the first.
fn dot(line: &Curve, [x, y]: [f32; 2], size: f32) -> Mark {
    let fill = match line.dashes.is_multiple_of(DASHES.len()) {
        true if line.is_background => Fill::Half,
        true => Fill::Whole,
        false => Fill::Ring,
    };
    Mark::Dot { x, y, radius: size * DOT_RADIUS, colour: line.colour(), fill }
}

/// Draws both axes, their labels, and a thin horizontal line at each label of the y axis.
fn draw_axes(sheet: &mut Sheet<'_>, chart: &Chart, plot: Area) {
    let small = sheet.small();
    let rule = |colour, points: Vec<[f32; 2]>| Mark::Line {
        points,
        line: Frame { colour, width: 0.5, dashes: &[], double: false },
    };
    let (right, bottom) = (plot.x + plot.width, plot.y + plot.height);
    for (value, label) in chart.y.labels() {
        let [_, y] = page_point(chart, plot, chart.x.ends[0], value);
        let width = sheet.text_width(&label, small);
        let x = plot.x - width - sheet.gap() * 0.5;
        sheet.write(&label, x, y - small.leading() * 0.5, width * 1.1 + 1.0, small);
        sheet.page.marks.push(rule(RULE, vec![[plot.x, y], [right, y]]));
    }
    let mut free_x = f32::NEG_INFINITY;
    for (value, label) in chart.x.labels() {
        let [x, _] = page_point(chart, plot, value, chart.y.ends[0]);
        let width = sheet.text_width(&label, small);
        let tick = small.leading() * 0.1;
        let left = x - width / 2.0;
        // Skips a label that would overlap the one before.
        if left >= free_x {
            sheet.write(&label, left, bottom + tick, width * 1.1 + 1.0, small);
            free_x = left + width + small.size * 0.25;
        }
        sheet.page.marks.push(rule(INK, vec![[x, bottom], [x, bottom + tick]]));
    }
    sheet.page.marks.push(rule(INK, vec![[plot.x, plot.y], [plot.x, bottom], [right, bottom]]));
}

/// Draws the name of each curve beside a sample of it. Returns the y of the lower edge.
fn draw_legend(sheet: &mut Sheet<'_>, chart: &Chart, area: Area) -> f32 {
    let look = sheet.small();
    let (mut x, mut y) = (area.x, area.y);
    for line in chart.lines.iter().filter(|line| !line.name.is_empty()) {
        let sample_width = sheet.size * if line.shape == Shape::Line { 2.4 } else { 0.8 };
        let width = sample_width + sheet.gap() + sheet.text_width(&line.name, look);
        if x > area.x && x + width > area.x + area.width {
            (x, y) = (area.x, y + look.leading());
        }
        let middle = y + look.leading() * 0.5;
        let sample = legend_sample(line, [x, middle], sample_width, sheet.size);
        sheet.page.marks.push(sample);
        sheet.write(&line.name, x + sample_width + sheet.gap() * 0.5, y, area.width, look);
        x += width + sheet.size;
    }
    y + look.leading() * 1.2
}

/// A sample of a curve for the legend: a piece of a line, or a dot, that begins at `x`, at the height `middle`.
fn legend_sample(line: &Curve, [x, middle]: [f32; 2], width: f32, size: f32) -> Mark {
    match line.shape {
        Shape::Line => {
            Mark::Line { points: vec![[x, middle], [x + width, middle]], line: line.style() }
        }
        Shape::Dots => dot(line, [x + width / 2.0, middle], size),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::chart::Axis;
    use crate::figure::svg;

    fn drawn() -> Drawing {
        let line = |name: &str, hue, points| Curve::line(name, [hue, hue], points);
        let of = Chart {
            title: "Recall <of> phrases".into(),
            x: Axis::new("IoU", [0.0, 1.0], 0.25),
            y: Axis::new("recall in percent", [0.0, 100.0], 50.0),
            lines: vec![
                line("one", 0, vec![[0.0, 100.0], [0.5, 50.0], [1.0, 0.0]]),
                line("two", 1, vec![[0.0, 200.0]]),
            ],
            note: "two beyond the axis".into(),
        };
        draw_chart(&of, &Options::default()).unwrap()
    }

    #[test]
    fn points_stand_where_the_axes_say() {
        let drawn = drawn();
        let lines: Vec<&Vec<[f32; 2]>> = drawn
            .page
            .marks
            .iter()
            .filter_map(|mark| match mark {
                Mark::Line { points, line } if line.width > 1.0 => Some(points),
                _ => None,
            })
            .collect();
        // Two lines, and a sample of each below.
        assert_eq!(lines.len(), 4);
        let [[left, top], [middle, half], [right, bottom]] = lines[0][..] else {
            panic!("three points")
        };
        assert!((middle - f32::midpoint(left, right)).abs() < 0.01);
        assert!((half - f32::midpoint(top, bottom)).abs() < 0.01);
        assert!(((bottom - top) / (right - left) - PLOT_HEIGHT).abs() < 0.01);
        // A point beyond an axis is put at its end.
        assert!((lines[1][0][1] - top).abs() < 0.01);
        assert!(right < drawn.page.width && bottom < drawn.page.height);
    }

    #[test]
    fn a_dot_stands_at_its_point() {
        let points = vec![[0.2, 100.0], [0.8, 50.0]];
        let of = Chart {
            title: "Dots".into(),
            x: Axis::new("x", [0.0, 1.0], 0.5),
            y: Axis::new("y", [0.0, 100.0], 50.0),
            lines: vec![Curve::new(Shape::Dots, "", [0, 0], points)],
            note: String::new(),
        };
        let drawn = draw_chart(&of, &Options::default()).unwrap();
        let dots = drawn.page.marks.iter().filter_map(|mark| match mark {
            Mark::Dot { x, y, .. } => Some([*x, *y]),
            _ => None,
        });
        let dots: Vec<[f32; 2]> = dots.collect();
        let [[left, high], [right, low]] = dots[..] else { panic!("two dots: {dots:?}") };
        assert!(((low - high) / (right - left) - 0.5 / 0.6 * PLOT_HEIGHT).abs() < 1e-3);
    }

    #[test]
    fn a_chart_is_a_whole_svg_with_all_its_words() {
        let svg = svg::svg(&drawn(), true);
        let document = resvg::usvg::roxmltree::Document::parse(&svg).unwrap();
        let texts: Vec<&str> = document
            .descendants()
            .filter(|node| node.has_tag_name("text"))
            .filter_map(|node| node.text())
            .collect();
        for words in
            ["Recall <of> phrases", "IoU", "0.25", "100", "one", "two", "two beyond the axis"]
        {
            assert!(texts.contains(&words), "{words}: {texts:?}");
        }
        assert!(svg.contains("stroke-dasharray=\"4 2\""));
    }
}
