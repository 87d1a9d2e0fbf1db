//! Axes: their range and labels.

/// An axis with labels at some of its values.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Quantity and unit.
    pub title: String,
    /// Values at its start and its end; it falls if the first is greater.
    pub ends: [f64; 2],
    /// Values with their labels.
    labels: Vec<(f64, String)>,
}

/// Approximate number of steps between labels of an axis.
const STEPS: f64 = 6.0;

impl Axis {
    /// An axis from `start` to `end` with a number at each `step`, with as many decimals as the step has.
    pub fn new(title: impl Into<String>, [start, end]: [f64; 2], step: f64) -> Self {
        let are_enough = |decimals: &i32| {
            let scaled = step * 10_f64.powi(*decimals);
            (scaled - scaled.round()).abs() < 1e-6
        };
        let decimals = (0..6).find(are_enough).unwrap_or(6) as usize;
        let count = ((end - start) / step).round() as usize;
        let label = |at: usize| {
            let value = start + at as f64 * step;
            (value, format!("{value:.decimals$}"))
        };
        Axis::with_labels(title, [start, end], (0..=count).map(label))
    }

    /// An axis that covers the values from `min` to `max`, with about six round numbers.
    pub fn for_range(title: impl Into<String>, [min, max]: [f64; 2]) -> Self {
        let rough = ((max - min) / STEPS).max(f64::MIN_POSITIVE);
        // A single value is in the middle.
        let rough = if max > min { rough } else { 1.0 };
        let magnitude = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * magnitude);
        let step = round.into_iter().find(|step| *step >= rough * (1.0 - 1e-9));
        let step = step.unwrap_or(10.0 * magnitude);
        let [start, end] = [(min / step).floor(), (max / step).ceil()];
        let [start, end] = if start < end { [start, end] } else { [start - 1.0, end + 1.0] };
        Axis::new(title, [start * step, end * step], step)
    }

    /// An axis with only these labels, each with its value.
    pub fn with_labels(
        title: impl Into<String>,
        ends: [f64; 2],
        labels: impl IntoIterator<Item = (f64, String)>,
    ) -> Self {
        Axis { title: title.into(), ends, labels: labels.into_iter().collect() }
    }

    /// An axis of groups: the group at index `n` covers `n` to `n + 1`, with its name in the middle.
    pub fn for_groups(
        title: impl Into<String>,
        names: impl ExactSizeIterator<Item = String>,
    ) -> Self {
        let ends = [0.0, names.len() as f64];
        Axis::with_labels(title, ends, names.enumerate().map(|(at, name)| (at as f64 + 0.5, name)))
    }

    /// Values with their labels.
    pub fn labels(&self) -> impl Iterator<Item = (f64, String)> {
        self.labels.iter().cloned()
    }

    /// Relative position of a value, from 0 at the start to 1 at the end; values outside are clamped.
    pub fn position(&self, value: f64) -> f32 {
        let [start, end] = self.ends;
        ((value - start) / (end - start)).clamp(0.0, 1.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.labels().map(|(_, label)| label).collect()
    }

    #[test]
    fn an_axis_over_values_has_round_numbers() {
        for (values, ends, numbers) in [
            ([100.0, 2_000.0], [0.0, 2_000.0], &["0", "500"][..]),
            ([0.31, 0.36], [0.31, 0.36], &["0.31", "0.32"]),
            ([5.51, 75.98], [0.0, 80.0], &["0", "20"]),
            ([7.0, 7.0], [6.0, 8.0], &["6", "7"]),
            ([7.3, 7.3], [7.0, 8.0], &["7", "8"]),
        ] {
            let axis = Axis::for_range("", values);
            assert_eq!(labels(&axis)[..2], *numbers, "{values:?}");
            let off = |at: usize| (axis.ends[at] - ends[at]).abs();
            assert!(off(0) < 1e-9 && off(1) < 1e-9, "{:?}", axis.ends);
        }
    }

    #[test]
    fn groups_have_their_names_in_the_middle() {
        let axis = Axis::for_groups("", ["one", "two"].map(str::to_owned).into_iter());
        assert_eq!(labels(&axis), ["one", "two"]);
        let off = |value, position: f32| (axis.position(value) - position).abs();
        assert!(off(0.5, 0.25) < 1e-6 && off(1.5, 0.75) < 1e-6);
    }
}
