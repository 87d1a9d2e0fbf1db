//! Charts: lines and dots over two axes.

mod axis;
mod paper;

use std::collections::HashSet;
use std::hash::Hash;

pub use axis::Axis;
pub use paper::chart;

/// A chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Chart {
    /// One line above it.
    pub title: String,
    /// From left to right.
    pub across: Axis,
    /// From below upwards.
    pub up: Axis,
    /// The lines, in legend order; later ones are drawn on top.
    pub lines: Vec<Curve>,
    /// Note below the chart.
    pub note: String,
}

/// A line of a chart, or its dots. Two of a chart differ in hue, dashes or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name; empty if it continues a line of the legend, or is explained elsewhere.
    pub name: String,
    /// Shape of its points.
    pub shape: Shape,
    /// Index of its hue among [`HUES`], with wrapping.
    pub hue: usize,
    /// Index of its dashes in [`DASHES`], with wrapping; dots are filled at index 0.
    pub dashes: usize,
    /// Whether it is grey, as a background for others.
    pub is_background: bool,
    /// Across and up, in the units of the axes.
    pub points: Vec<[f64; 2]>,
}

/// Shape of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A line from point to point.
    Line,
    /// A dot at each.
    Dots,
}

/// Hues of lines, of Okabe and Ito, *Color Universal Design* (2008).
pub const HUES: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#aa4a83", "#8a6d00", "#1a1a1a"];
/// Colour of the background.
pub const BACKGROUND: &str = "#808080";
/// Dashes of lines; the first is solid.
pub const DASHES: [&[f32]; 4] = [&[], &[4.0, 2.0], &[1.2, 1.8], &[6.0, 2.0, 1.2, 2.0]];

impl Curve {
    /// Points of a shape.
    pub fn new(
        shape: Shape,
        name: impl Into<String>,
        [hue, dashes]: [usize; 2],
        points: Vec<[f64; 2]>,
    ) -> Self {
        Curve { name: name.into(), shape, hue, dashes, is_background: false, points }
    }

    /// A line, of a hue and dashes.
    pub fn line(name: impl Into<String>, look: [usize; 2], points: Vec<[f64; 2]>) -> Self {
        Curve::new(Shape::Line, name, look, points)
    }

    /// Grey points of a shape.
    pub fn background(shape: Shape, name: impl Into<String>, points: Vec<[f64; 2]>) -> Self {
        Curve { is_background: true, ..Curve::new(shape, name, [0, 0], points) }
    }
}

/// The lowest and the highest of some values.
pub fn ends(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    Some([values.clone().reduce(f64::min)?, values.reduce(f64::max)?])
}

/// Index of a value among the distinct ones, in order of appearance: the hue of its line, or the dashes.
pub fn place<T: Eq + Hash>(all: impl Iterator<Item = T>, wanted: &T) -> usize {
    all.take_while(|one| one != wanted).collect::<HashSet<T>>().len()
}

/// The hue and the dashes of one of several things, distinct as a pair.
pub fn look(place: usize) -> [usize; 2] {
    [place % HUES.len(), place / HUES.len()]
}
