//! Axes: their range and labels.

/// An axis, with labels at some positions.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// Quantity and unit.
    pub title: String,
    /// Start and end.
    pub ends: [f64; 2],
    /// Labels with their positions.
    pub marks: Vec<(f64, String)>,
}

/// Labels of an axis, approximately.
const NUMBERS: f64 = 6.0;

impl Axis {
    /// An axis with a number at each step, of as many decimals as the step has.
    pub fn new(title: impl Into<String>, [start, end]: [f64; 2], step: f64) -> Self {
        let is_whole = |places: &i32| {
            let scaled = step * 10_f64.powi(*places);
            (scaled - scaled.round()).abs() < 1e-6
        };
        let decimals = (0..6).find(is_whole).unwrap_or(6) as usize;
        let count = ((end - start) / step).round() as usize;
        let number = |at: usize| {
            let number = start + at as f64 * step;
            (number, format!("{number:.decimals$}"))
        };
        Axis::marked(title, [start, end], (0..=count).map(number))
    }

    /// An axis over these values, with about six round numbers.
    pub fn over(title: impl Into<String>, [least, greatest]: [f64; 2]) -> Self {
        let rough = ((greatest - least) / NUMBERS).max(f64::MIN_POSITIVE);
        // A single value is in the middle.
        let rough = if greatest > least { rough } else { 1.0 };
        let magnitude = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|of| of * magnitude);
        let step = round.into_iter().find(|step| *step >= rough * (1.0 - 1e-9));
        let step = step.unwrap_or(10.0 * magnitude);
        let [start, end] = [(least / step).floor(), (greatest / step).ceil()];
        let [start, end] = if start < end { [start, end] } else { [start - 1.0, end + 1.0] };
        Axis::new(title, [start * step, end * step], step)
    }

    /// An axis with only these labels.
    pub fn marked(
        title: impl Into<String>,
        ends: [f64; 2],
        marks: impl IntoIterator<Item = (f64, String)>,
    ) -> Self {
        let marks = marks.into_iter().collect();
        Axis { title: title.into(), ends, marks }
    }

    /// An axis of groups, from `n` to `n + 1` the group at index `n`, with its name in the middle.
    pub fn of_groups(
        title: impl Into<String>,
        names: impl ExactSizeIterator<Item = String>,
    ) -> Self {
        let ends = [0.0, names.len() as f64];
        Axis::marked(title, ends, names.enumerate().map(|(at, name)| (at as f64 + 0.5, name)))
    }

    /// The labels with their positions.
    pub fn numbers(&self) -> impl Iterator<Item = (f64, String)> {
        self.marks.iter().cloned()
    }

    /// Relative position of a number, 0 to 1, clamped to the ends.
    pub fn place(&self, number: f64) -> f32 {
        let [start, end] = self.ends;
        ((number - start) / (end - start)).clamp(0.0, 1.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis) -> Vec<String> {
        axis.numbers().map(|(_, word)| word).collect()
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
            let axis = Axis::over("", values);
            assert_eq!(labels(&axis)[..2], *numbers, "{values:?}");
            let off = |at: usize| (axis.ends[at] - ends[at]).abs();
            assert!(off(0) < 1e-9 && off(1) < 1e-9, "{:?}", axis.ends);
        }
    }

    #[test]
    fn groups_have_their_names_in_the_middle() {
        let axis = Axis::of_groups("", ["one", "two"].map(str::to_owned).into_iter());
        assert_eq!(labels(&axis), ["one", "two"]);
        let off = |number, place: f32| (axis.place(number) - place).abs();
        assert!(off(0.5, 0.25) < 1e-6 && off(1.5, 0.75) < 1e-6);
    }
}
