//! A chart on paper.

use super::{BACKGROUND, Chart, Curve, DASHES, HUES, Shape};
use crate::error::Result;
use crate::figure::options::Options;
use crate::figure::page::{Area, Drawing, Fill, Mark, Sheet};
use crate::figure::style::{Frame, INK, RULE};

/// Height of the plot area, relative to width.
const HEIGHT: f32 = 0.6;
/// Radius of a dot, relative to the text size.
const DOT: f32 = 0.32;

/// Draws a chart.
///
/// # Errors
/// Invalid options, a font that the system lacks.
pub fn chart(chart: &Chart, options: &Options) -> Result<Drawing> {
    Drawing::new([&chart.title, "the chart"], options, |sheet, area| arranged(sheet, chart, area))
}

impl Curve {
    fn colour(&self) -> &'static str {
        if self.is_background { BACKGROUND } else { HUES[self.hue % HUES.len()] }
    }

    fn look(&self) -> Frame {
        Frame {
            colour: self.colour(),
            width: if self.is_background { 0.7 } else { 1.1 },
            dashes: DASHES[self.dashes % DASHES.len()],
            double: false,
        }
    }
}

/// Lays out the chart; returns its end.
fn arranged(sheet: &mut Sheet<'_>, chart: &Chart, whole: Area) -> f32 {
    let (bold, small, gap) = (sheet.bold(), sheet.small(), sheet.gap());
    let y = sheet.text(&chart.title, whole.x, whole.y, whole.width, bold);
    let y = sheet.text(&chart.up.title, whole.x, y, whole.width, small) + gap;
    let labels = chart.up.numbers().map(|(_, label)| sheet.width_of(&label, small));
    let left = labels.fold(0.0, f32::max) + gap * 0.5;
    let width = whole.width - left - sheet.size;
    let area = Area { x: whole.x + left, y, width, height: width * HEIGHT };
    axes(sheet, chart, area);
    for line in &chart.lines {
        sheet.page.marks.extend(marks(chart, line, area, sheet.size));
    }
    let below = area.y + area.height + small.leading() * 1.1;
    let title = sheet.width_of(&chart.across.title, small);
    let x = area.x + (area.width - title).max(0.0) / 2.0;
    let y = sheet.text(&chart.across.title, x, below, area.width, small);
    let y = legend(sheet, chart, Area { y: y + gap * 0.5, ..whole });
    sheet.text(&chart.note, whole.x, y, whole.width, small)
}

/// A point of the axes on the page.
fn at(chart: &Chart, area: Area, x: f64, y: f64) -> [f32; 2] {
    [area.x + area.width * chart.across.place(x), area.y + area.height * (1.0 - chart.up.place(y))]
}

/// A line or its dots.
fn marks(chart: &Chart, line: &Curve, area: Area, size: f32) -> Vec<Mark> {
    let point = |[x, y]: &[f64; 2]| at(chart, area, *x, *y);
    match line.shape {
        Shape::Line => {
            vec![Mark::Line { points: line.points.iter().map(point).collect(), line: line.look() }]
        }
        Shape::Dots => line.points.iter().map(|at| dot(line, point(at), size)).collect(),
    }
}

fn dot(line: &Curve, [x, y]: [f32; 2], size: f32) -> Mark {
    let fill = match line.dashes.is_multiple_of(DASHES.len()) {
        true if line.is_background => Fill::Half,
        true => Fill::Whole,
        false => Fill::Ring,
    };
    Mark::Dot { x, y, radius: size * DOT, colour: line.colour(), fill }
}

/// Thin lines at each step, with numbers, and both axes.
fn axes(sheet: &mut Sheet<'_>, chart: &Chart, area: Area) {
    let small = sheet.small();
    let thin = |colour, points: Vec<[f32; 2]>| Mark::Line {
        points,
        line: Frame { colour, width: 0.5, dashes: &[], double: false },
    };
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    for (number, label) in chart.up.numbers() {
        let [_, y] = at(chart, area, chart.across.ends[0], number);
        let width = sheet.width_of(&label, small);
        let x = area.x - width - sheet.gap() * 0.5;
        sheet.text(&label, x, y - small.leading() * 0.5, width * 1.1 + 1.0, small);
        sheet.page.marks.push(thin(RULE, vec![[area.x, y], [right, y]]));
    }
    let mut free = f32::NEG_INFINITY;
    for (number, label) in chart.across.numbers() {
        let [x, _] = at(chart, area, number, chart.up.ends[0]);
        let width = sheet.width_of(&label, small);
        let tick = small.leading() * 0.1;
        let left = x - width / 2.0;
        // Of overlapping labels, as many as fit.
        if left >= free {
            sheet.text(&label, left, bottom + tick, width * 1.1 + 1.0, small);
            free = left + width + small.size * 0.25;
        }
        sheet.page.marks.push(thin(INK, vec![[x, bottom], [x, bottom + tick]]));
    }
    sheet.page.marks.push(thin(INK, vec![[area.x, area.y], [area.x, bottom], [right, bottom]]));
}

/// The name of each line beside a sample of it; returns its end.
fn legend(sheet: &mut Sheet<'_>, chart: &Chart, area: Area) -> f32 {
    let look = sheet.small();
    let (mut x, mut y) = (area.x, area.y);
    for line in chart.lines.iter().filter(|line| !line.name.is_empty()) {
        let sample = sheet.size * if line.shape == Shape::Line { 2.4 } else { 0.8 };
        let wide = sample + sheet.gap() + sheet.width_of(&line.name, look);
        if x > area.x && x + wide > area.x + area.width {
            (x, y) = (area.x, y + look.leading());
        }
        let middle = y + look.leading() * 0.5;
        let piece = piece(line, [x, middle], sample, sheet.size);
        sheet.page.marks.push(piece);
        sheet.text(&line.name, x + sample + sheet.gap() * 0.5, y, area.width, look);
        x += wide + sheet.size;
    }
    y + look.leading() * 1.2
}

/// A piece of a line or a dot, from `x` on, around a line of text.
fn piece(line: &Curve, [x, middle]: [f32; 2], width: f32, size: f32) -> Mark {
    match line.shape {
        Shape::Line => {
            Mark::Line { points: vec![[x, middle], [x + width, middle]], line: line.look() }
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
            across: Axis::new("IoU", [0.0, 1.0], 0.25),
            up: Axis::new("recall in percent", [0.0, 100.0], 50.0),
            lines: vec![
                line("one", 0, vec![[0.0, 100.0], [0.5, 50.0], [1.0, 0.0]]),
                line("two", 1, vec![[0.0, 200.0]]),
            ],
            note: "two beyond the axis".into(),
        };
        chart(&of, &Options::default()).unwrap()
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
        assert!(((bottom - top) / (right - left) - HEIGHT).abs() < 0.01);
        // A point beyond an axis is put at its end.
        assert!((lines[1][0][1] - top).abs() < 0.01);
        assert!(right < drawn.page.width && bottom < drawn.page.height);
    }

    #[test]
    fn a_dot_stands_at_its_point() {
        let points = vec![[0.2, 100.0], [0.8, 50.0]];
        let of = Chart {
            title: "Dots".into(),
            across: Axis::new("x", [0.0, 1.0], 0.5),
            up: Axis::new("y", [0.0, 100.0], 50.0),
            lines: vec![Curve::new(Shape::Dots, "", [0, 0], points)],
            note: String::new(),
        };
        let drawn = chart(&of, &Options::default()).unwrap();
        let dots = drawn.page.marks.iter().filter_map(|mark| match mark {
            Mark::Dot { x, y, .. } => Some([*x, *y]),
            _ => None,
        });
        let dots: Vec<[f32; 2]> = dots.collect();
        let [[left, high], [right, low]] = dots[..] else { panic!("two dots: {dots:?}") };
        assert!(((low - high) / (right - left) - 0.5 / 0.6 * HEIGHT).abs() < 1e-3);
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
