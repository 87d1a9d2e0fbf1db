//! Charts: lines and dots over two axes.

mod axis;
mod paper;

use std::collections::HashSet;
use std::hash::Hash;

pub use axis::Axis;
pub use paper::draw_chart;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// Title above the chart, one line.
    pub title: String,
    /// Horizontal axis.
    pub x: Axis,
    /// Vertical axis, from the bottom to the top.
    pub y: Axis,
    /// The lines, in legend order; later ones are drawn on top.
    pub lines: Vec<Curve>,
    /// Note below the chart.
    pub note: String,
}

/// A line of a chart, or a series of dots. Two curves of a chart differ in hue, dashes or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Name in the legend; empty for a curve without a legend entry.
    pub name: String,
    /// How its points are drawn.
    pub shape: Shape,
    /// Index of its hue among [`HUES`], with wrapping.
    pub hue: usize,
    /// Index of its dashes in [`DASHES`], with wrapping; dots are filled at index 0.
    pub dashes: usize,
    /// Whether it is grey, as a background for others.
    pub is_background: bool,
    /// Points `[x, y]` in the units of the axes.
    pub points: Vec<[f64; 2]>,
}

/// How the points of a curve are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A line from point to point.
    Line,
    /// A dot at each point.
    Dots,
}

/// Hues of lines, of Okabe and Ito, *Color Universal Design* (2008).
pub const HUES: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#aa4a83", "#8a6d00", "#1a1a1a"];
/// Colour of background curves.
pub const BACKGROUND: &str = "#808080";
/// Lengths of dashes and gaps of lines, in points; the first is solid.
pub const DASHES: [&[f32]; 4] = [&[], &[4.0, 2.0], &[1.2, 1.8], &[6.0, 2.0, 1.2, 2.0]];

impl Curve {
    /// A curve with indices into [`HUES`] and [`DASHES`].
    pub fn new(
        shape: Shape,
        name: impl Into<String>,
        [hue, dashes]: [usize; 2],
        points: Vec<[f64; 2]>,
    ) -> Self {
        Curve { name: name.into(), shape, hue, dashes, is_background: false, points }
    }

    /// A line with indices into [`HUES`] and [`DASHES`].
    pub fn line(name: impl Into<String>, [hue, dashes]: [usize; 2], points: Vec<[f64; 2]>) -> Self {
        Curve::new(Shape::Line, name, [hue, dashes], points)
    }

    /// A grey curve behind the others.
    pub fn background(shape: Shape, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Curve { is_background: true, ..Curve::new(shape, name, [0, 0], points) }
    }
}

/// The lowest and the highest value; `None` without values.
pub fn min_max(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    Some([values.clone().reduce(f64::min)?, values.reduce(f64::max)?])
}

/// Number of distinct values before the first `value` in `values`: equal values get the same hue or dashes.
pub fn distinct_index<T: Eq + Hash>(values: impl Iterator<Item = T>, value: &T) -> usize {
    values.take_while(|other| other != value).collect::<HashSet<T>>().len()
}

/// Indices of hue and dashes for the curve at `index`; each pair differs from those of the curves before it.
pub fn hue_and_dashes(index: usize) -> [usize; 2] {
    [index % HUES.len(), index / HUES.len()]
}
