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
    /// What is drawn, in the order of the legend; what comes later lies on top.
    pub lines: Vec<Curve>,
    /// What is said below it.
    pub note: String,
}

/// A line of a chart, or its dots. Two of a chart differ in hue, in dashes or in both.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Its name; empty where it is a further piece of a line that the legend has, or is explained elsewhere.
    pub name: String,
    /// How its points are drawn.
    pub shape: Shape,
    /// Place of its hue among [`HUES`], counted round.
    pub hue: usize,
    /// Place of its dashes among [`DASHES`], counted round; dots are filled where it is the first.
    pub dashes: usize,
    /// Whether it is grey, as what others are seen against.
    pub is_background: bool,
    /// Across and up, in the units of the axes.
    pub points: Vec<[f64; 2]>,
}

/// How points are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// A line from point to point.
    Line,
    /// A dot at each.
    Dots,
}

/// Hues of lines, of Okabe and Ito, *Color Universal Design* (2008).
pub const HUES: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#aa4a83", "#8a6d00", "#1a1a1a"];
/// What is in the background.
pub const BACKGROUND: &str = "#808080";
/// Dashes of lines; the first is a whole one.
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

/// The least and the greatest of some values.
pub fn ends(values: impl Iterator<Item = f64> + Clone) -> Option<[f64; 2]> {
    Some([values.clone().reduce(f64::min)?, values.reduce(f64::max)?])
}

/// The place of a value among the different ones, in the order in which they come: the hue of its line, or the dashes.
pub fn place<T: Eq + Hash>(all: impl Iterator<Item = T>, wanted: &T) -> usize {
    all.take_while(|one| one != wanted).collect::<HashSet<T>>().len()
}

/// The hue and the dashes of one of several things, of which each differs from the others by one of both.
pub fn look(place: usize) -> [usize; 2] {
    [place % HUES.len(), place / HUES.len()]
}
