//! Charts: lines over two axes.

use super::images::FigureImages;
use super::options::Options;
use super::page::{Area, Mark, Sheet};
use super::style::{Frame, INK, RULE};
use super::{Drawing, arrange};
use crate::error::Result;

/// A chart of lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// One line above it.
    pub title: String,
    /// From left to right.
    pub across: Axis,
    /// From below upwards.
    pub up: Axis,
    /// The lines, in the order of the legend.
    pub lines: Vec<Curve>,
    /// What is said below it.
    pub note: String,
}

/// An axis, with a number at each step.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it is, with its unit.
    pub title: String,
    /// Where it begins and ends.
    pub ends: [f64; 2],
    /// From number to number.
    pub step: f64,
    /// Decimals of the numbers.
    pub decimals: usize,
}

/// A line of a chart. Two lines differ in hue, in dashes or in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name; empty where it is a further piece of a line that the legend has.
    pub name: String,
    /// Place of its hue among [`HUES`], counted round.
    pub hue: usize,
    /// Place of its dashes among [`DASHES`], counted round.
    pub dashes: usize,
    /// Across and up, in the units of the axes.
    pub points: Vec<[f64; 2]>,
}

/// Hues of lines, of Okabe and Ito, *Color Universal Design* (2008).
pub const HUES: [&str; 6] = [
    "#0072b2", "#d55e00", "#009e73", "#aa4a83", "#8a6d00", "#1a1a1a",
];
/// Dashes of lines; the first is a whole one.
pub const DASHES: [&[f32]; 4] = [&[], &[4.0, 2.0], &[1.2, 1.8], &[6.0, 2.0, 1.2, 2.0]];

/// The height of the area of lines, of its width.
const HEIGHT: f32 = 0.6;

impl Axis {
    /// An axis with as many decimals as its step has.
    pub fn new(title: impl Into<String>, ends: [f64; 2], step: f64) -> Self {
        let is_whole = |places: &i32| {
            let scaled = step * 10_f64.powi(*places);
            (scaled - scaled.round()).abs() < 1e-6
        };
        Axis {
            title: title.into(),
            ends,
            step,
            decimals: (0..6).find(is_whole).unwrap_or(6) as usize,
        }
    }

    /// An axis over these values, with about six round numbers.
    pub fn over(title: impl Into<String>, [least, greatest]: [f64; 2]) -> Self {
        let rough = ((greatest - least) / 6.0).max(f64::MIN_POSITIVE);
        let magnitude = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|of| of * magnitude);
        let step = round.into_iter().find(|step| *step >= rough * (1.0 - 1e-9));
        let step = step.unwrap_or(10.0 * magnitude);
        let ends = [
            (least / step).floor() * step,
            (greatest / step).ceil() * step,
        ];
        Axis::new(title, ends, step)
    }

    /// The numbers at it.
    pub fn numbers(&self) -> impl Iterator<Item = (f64, String)> {
        let [start, end] = self.ends;
        let count = ((end - start) / self.step).round() as usize;
        (0..=count).map(move |at| {
            let number = start + at as f64 * self.step;
            (number, format!("{number:.*}", self.decimals))
        })
    }

    /// Where a number stands, from 0 to 1.
    pub fn place(&self, number: f64) -> f32 {
        let [start, end] = self.ends;
        ((number - start) / (end - start)).clamp(0.0, 1.0) as f32
    }
}

impl Curve {
    fn look(&self) -> Frame {
        Frame {
            colour: HUES[self.hue % HUES.len()],
            width: 1.1,
            dashes: DASHES[self.dashes % DASHES.len()],
            double: false,
        }
    }
}

/// The place of a value among the different ones, in the order in which they come: the hue of its line, or the dashes.
pub fn place<T: PartialEq>(all: impl Iterator<Item = T>, wanted: &T) -> usize {
    let mut different: Vec<T> = Vec::new();
    for one in all {
        if !different.contains(&one) {
            different.push(one);
        }
    }
    let mut different = different.iter();
    different.position(|one| one == wanted).unwrap_or(0)
}

/// Draws a chart.
///
/// # Errors
/// Options that cannot be drawn, a font that the system lacks.
pub fn chart(chart: &Chart, options: &Options) -> Result<Drawing> {
    Drawing::new(
        [&chart.title, "the chart"],
        options,
        FigureImages::default,
        |sheet| arranged(sheet, chart),
    )
}

/// Places everything; gives where it ends.
fn arranged(sheet: &mut Sheet<'_>, chart: &Chart) -> f32 {
    let (bold, small, gap) = (sheet.bold(), sheet.small(), sheet.gap());
    let whole = arrange::inner(&sheet.page);
    let y = sheet.text(&chart.title, whole.x, whole.y, whole.width, bold);
    let y = sheet.text(&chart.up.title, whole.x, y, whole.width, small) + gap;
    let labels = chart
        .up
        .numbers()
        .map(|(_, label)| sheet.width_of(&label, small));
    let left = labels.fold(0.0, f32::max) + gap * 0.5;
    let width = whole.width - left - sheet.size;
    let area = Area {
        x: whole.x + left,
        y,
        width,
        height: width * HEIGHT,
    };
    axes(sheet, chart, area);
    for line in &chart.lines {
        let point = |[x, y]: &[f64; 2]| at(chart, area, *x, *y);
        sheet.page.marks.push(Mark::Line {
            points: line.points.iter().map(point).collect(),
            line: line.look(),
        });
    }
    let below = area.y + area.height + small.leading() * 1.1;
    let title = sheet.width_of(&chart.across.title, small);
    let x = area.x + (area.width - title).max(0.0) / 2.0;
    let y = sheet.text(&chart.across.title, x, below, area.width, small);
    let y = legend(
        sheet,
        chart,
        Area {
            y: y + gap * 0.5,
            ..whole
        },
    );
    sheet.text(&chart.note, whole.x, y, whole.width, small)
}

/// A point of the axes on the page.
fn at(chart: &Chart, area: Area, x: f64, y: f64) -> [f32; 2] {
    [
        area.x + area.width * chart.across.place(x),
        area.y + area.height * (1.0 - chart.up.place(y)),
    ]
}

/// Thin lines at each step, with numbers, and both axes.
fn axes(sheet: &mut Sheet<'_>, chart: &Chart, area: Area) {
    let small = sheet.small();
    let thin = |colour, points: Vec<[f32; 2]>| Mark::Line {
        points,
        line: Frame {
            colour,
            width: 0.5,
            dashes: &[],
            double: false,
        },
    };
    let (right, bottom) = (area.x + area.width, area.y + area.height);
    for (number, label) in chart.up.numbers() {
        let [_, y] = at(chart, area, 0.0, number);
        let width = sheet.width_of(&label, small);
        let x = area.x - width - sheet.gap() * 0.5;
        sheet.text(
            &label,
            x,
            y - small.leading() * 0.5,
            width * 1.1 + 1.0,
            small,
        );
        sheet
            .page
            .marks
            .push(thin(RULE, vec![[area.x, y], [right, y]]));
    }
    for (number, label) in chart.across.numbers() {
        let [x, _] = at(chart, area, number, 0.0);
        let width = sheet.width_of(&label, small);
        let tick = small.leading() * 0.1;
        sheet.text(
            &label,
            x - width / 2.0,
            bottom + tick,
            width * 1.1 + 1.0,
            small,
        );
        sheet
            .page
            .marks
            .push(thin(INK, vec![[x, bottom], [x, bottom + tick]]));
    }
    sheet.page.marks.push(thin(
        INK,
        vec![[area.x, area.y], [area.x, bottom], [right, bottom]],
    ));
}

/// The name of each line beside a piece of it; gives where they end.
fn legend(sheet: &mut Sheet<'_>, chart: &Chart, area: Area) -> f32 {
    let look = sheet.small();
    let sample = sheet.size * 2.4;
    let (mut x, mut y) = (area.x, area.y);
    for line in chart.lines.iter().filter(|line| !line.name.is_empty()) {
        let wide = sample + sheet.gap() + sheet.width_of(&line.name, look);
        if x > area.x && x + wide > area.x + area.width {
            (x, y) = (area.x, y + look.leading());
        }
        let middle = y + look.leading() * 0.5;
        sheet.page.marks.push(Mark::Line {
            points: vec![[x, middle], [x + sample, middle]],
            line: line.look(),
        });
        sheet.text(
            &line.name,
            x + sample + sheet.gap() * 0.5,
            y,
            area.width,
            look,
        );
        x += wide + sheet.size;
    }
    y + look.leading() * 1.2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::svg;

    fn drawn() -> Drawing {
        let line = |name: &str, hue, points| Curve {
            name: name.into(),
            hue,
            dashes: hue,
            points,
        };
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
        // Two lines, and a piece of each in the legend.
        assert_eq!(lines.len(), 4);
        let [[left, top], [middle, half], [right, bottom]] = lines[0][..] else {
            panic!("three points")
        };
        assert!((middle - f32::midpoint(left, right)).abs() < 0.01);
        assert!((half - f32::midpoint(top, bottom)).abs() < 0.01);
        assert!(((bottom - top) / (right - left) - HEIGHT).abs() < 0.01);
        // What lies beyond an axis stands at its end.
        assert!((lines[1][0][1] - top).abs() < 0.01);
        assert!(right < drawn.page.width && bottom < drawn.page.height);
    }

    #[test]
    fn an_axis_over_values_has_round_numbers() {
        for (values, ends, step, decimals) in [
            ([100.0, 2_000.0], [0.0, 2_000.0], 500.0, 0),
            ([0.31, 0.36], [0.31, 0.36], 0.01, 2),
            ([5.51, 75.98], [0.0, 80.0], 20.0, 0),
        ] {
            let axis = Axis::over("", values);
            assert_eq!((axis.step, axis.decimals), (step, decimals), "{values:?}");
            let off = |at: usize| (axis.ends[at] - ends[at]).abs();
            assert!(off(0) < 1e-9 && off(1) < 1e-9, "{:?}", axis.ends);
        }
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
        for words in [
            "Recall <of> phrases",
            "IoU",
            "0.25",
            "100",
            "one",
            "two",
            "two beyond the axis",
        ] {
            assert!(texts.contains(&words), "{words}: {texts:?}");
        }
        assert!(svg.contains("stroke-dasharray=\"4 2\""));
    }
}
