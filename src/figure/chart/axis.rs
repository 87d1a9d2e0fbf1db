//! Axes: from where to where, in equal steps or by powers of ten, and what stands at them.

/// An axis, with a number or a word at some places.
#[derive(Debug, Clone, PartialEq)]
pub struct Axis {
    /// What it is, with its unit.
    pub title: String,
    /// Where it begins and ends.
    pub ends: [f64; 2],
    /// Whether equal distances are equal ratios; both ends are above 0 then.
    pub is_log: bool,
    /// What stands at it, with its place.
    pub marks: Vec<(f64, String)>,
}

/// About so many numbers stand at an axis.
const NUMBERS: f64 = 6.0;
/// Numbers of a power of ten at an axis of ratios that is shorter than so many powers.
const SHORT: f64 = 2.5;

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
        // A single value lies in the middle.
        let rough = if greatest > least { rough } else { 1.0 };
        let magnitude = 10_f64.powf(rough.log10().floor());
        let round = [1.0, 2.0, 2.5, 5.0, 10.0].map(|of| of * magnitude);
        let step = round.into_iter().find(|step| *step >= rough * (1.0 - 1e-9));
        let step = step.unwrap_or(10.0 * magnitude);
        let [start, end] = [(least / step).floor(), (greatest / step).ceil()];
        let [start, end] = if start < end { [start, end] } else { [start - 1.0, end + 1.0] };
        Axis::new(title, [start * step, end * step], step)
    }

    /// An axis of ratios over these values, both above 0, from one of 1, 2 and 5 times a power of ten to another.
    pub fn log(title: impl Into<String>, [least, greatest]: [f64; 2]) -> Self {
        let least = least.max(f64::MIN_POSITIVE);
        let [first, last] = [least, greatest.max(least)].map(|end| end.log10().floor() as i32);
        let powers = first..=last + 1;
        let round = powers.flat_map(|power| [1.0, 2.0, 5.0].map(|of| (of, power)));
        let round: Vec<(f64, i32)> = round.collect();
        let value = |(of, power): (f64, i32)| of * 10_f64.powi(power);
        let is_below = |&one: &(f64, i32)| value(one) <= least * (1.0 + 1e-9);
        let start = round.iter().rposition(is_below).unwrap_or(0);
        let is_above = |&one: &(f64, i32)| value(one) >= greatest * (1.0 - 1e-9);
        let end = round.iter().position(is_above).unwrap_or(round.len() - 1);
        let end = end.max(start + 1);
        let ends = [value(round[start]), value(round[end])];
        let is_short = (ends[1] / ends[0]).log10() < SHORT;
        let told = round[start..=end].iter().filter(|(of, _)| is_short || *of < 1.5);
        let mark = |&(of, power): &(f64, i32)| {
            let decimals = usize::try_from(-power).unwrap_or(0);
            (value((of, power)), format!("{:.decimals$}", value((of, power))))
        };
        Axis { title: title.into(), ends, is_log: true, marks: told.map(mark).collect() }
    }

    /// An axis with these marks alone.
    pub fn marked(
        title: impl Into<String>,
        ends: [f64; 2],
        marks: impl IntoIterator<Item = (f64, String)>,
    ) -> Self {
        let marks = marks.into_iter().collect();
        Axis { title: title.into(), ends, is_log: false, marks }
    }

    /// An axis of groups, from `n` to `n + 1` the group at place `n`, with its name in the middle.
    pub fn of_groups(
        title: impl Into<String>,
        names: impl ExactSizeIterator<Item = String>,
    ) -> Self {
        let ends = [0.0, names.len() as f64];
        Axis::marked(title, ends, names.enumerate().map(|(at, name)| (at as f64 + 0.5, name)))
    }

    /// What stands at it, with its place.
    pub fn numbers(&self) -> impl Iterator<Item = (f64, String)> {
        self.marks.iter().cloned()
    }

    /// Where a number stands, from 0 to 1; what lies beyond an end stands there.
    pub fn place(&self, number: f64) -> f32 {
        let scaled = |value: f64| if self.is_log { value.ln() } else { value };
        let [start, end] = self.ends.map(scaled);
        let number = scaled(number.max(if self.is_log { self.ends[0] } else { number }));
        ((number - start) / (end - start)).clamp(0.0, 1.0) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(axis: &Axis) -> Vec<String> {
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
            assert_eq!(words(&axis)[..2], *numbers, "{values:?}");
            let off = |at: usize| (axis.ends[at] - ends[at]).abs();
            assert!(off(0) < 1e-9 && off(1) < 1e-9, "{:?}", axis.ends);
        }
    }

    #[test]
    fn an_axis_of_ratios_has_powers_of_ten_and_what_lies_between_where_it_is_short() {
        for (values, numbers) in [
            ([1.0, 100.0], &["1", "2", "5", "10", "20", "50", "100"][..]),
            ([0.02, 100.0], &["0.1", "1", "10", "100"]),
            ([3.0, 4.0], &["2", "5"]),
            ([1.0, 1.0], &["1", "2"]),
        ] {
            assert_eq!(words(&Axis::log("", values)), numbers, "{values:?}");
        }
        let axis = Axis::log("", [1.0, 100.0]);
        for (number, place) in [(1.0, 0.0), (10.0, 0.5), (1e9, 1.0), (0.0, 0.0)] {
            assert!((axis.place(number) - place).abs() < 1e-6, "{number}");
        }
    }

    #[test]
    fn groups_have_their_names_in_the_middle() {
        let axis = Axis::of_groups("", ["one", "two"].map(str::to_owned).into_iter());
        assert_eq!(words(&axis), ["one", "two"]);
        let off = |number, place: f32| (axis.place(number) - place).abs();
        assert!(off(0.5, 0.25) < 1e-6 && off(1.5, 0.75) < 1e-6);
    }
}
