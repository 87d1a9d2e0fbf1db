//! Metrics over the steps of a training: of numbers that are counted already, so it is none of the charts that take a
//! pass over the scores.

use crate::figure::chart::{Axis, Chart, Curve};

/// Lines over the steps, in percent; `None` where none has a point.
pub fn chart(lines: Vec<Curve>) -> Option<Chart> {
    let ends = |at: usize| {
        let points = lines.iter().flat_map(|line| &line.points);
        let values = points.map(|point| point[at]);
        values.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], of| {
            [low.min(of), high.max(of)]
        })
    };
    let (across, up) = (ends(0), ends(1));
    let has_points = lines.iter().any(|line| !line.points.is_empty());
    has_points.then(|| Chart {
        title: "Metrics over the steps of a training".into(),
        across: Axis::over("step", across),
        up: Axis::over("in percent", up),
        lines,
        note: String::new(),
    })
}
