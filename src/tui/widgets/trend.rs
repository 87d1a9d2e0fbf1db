//! A number's history in one line of block characters.

const LEVELS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The last `columns` values, scaled between the least and the greatest of them.
pub fn line(values: &[f64], columns: usize) -> String {
    let shown = &values[values.len().saturating_sub(columns)..];
    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let range = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    let level = |value: &f64| {
        let share = if range > 0.0 {
            (value - least) / range
        } else {
            0.5
        };
        LEVELS[((share * 7.0).round() as usize).min(7)]
    };
    shown.iter().map(level).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaled_to_what_is_shown() {
        assert_eq!(line(&[0.9, 0.1, 0.2, 0.3], 3), "▁▅█");
        assert_eq!(line(&[0.5, 0.5], 5), "▅▅");
        assert_eq!(line(&[], 5), "");
    }
}
