//! A number's history, or that of a rank, in one line of block characters.

const LEVELS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The last `columns` values, scaled between the least and the greatest of them.
pub fn line(values: &[f64], columns: usize) -> String {
    let shown = &values[values.len().saturating_sub(columns)..];
    let least = shown.iter().copied().fold(f64::INFINITY, f64::min);
    let range = shown.iter().copied().fold(f64::NEG_INFINITY, f64::max) - least;
    let level = |value: &f64| {
        let share = if range > 0.0 { (value - least) / range } else { 0.5 };
        LEVELS[((share * 7.0).round() as usize).min(7)]
    };
    shown.iter().map(level).collect()
}

/// The rank from which on a bar is the lowest.
pub const LOWEST: u32 = 1_000;

/// A bar of a rank, on a logarithmic scale: the whole height is rank 1 alone, so that it is a correct top-1.
pub fn of_rank(rank: u32) -> &'static str {
    let below = f64::from(rank.clamp(1, LOWEST)).log(f64::from(LOWEST));
    LEVELS[7 - (below * 7.0).ceil() as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_bar_is_rank_1_alone() {
        let bars = [1, 2, 3, 10, 100, 999, 1_000, 25_000].map(of_rank);
        assert_eq!(bars.concat(), "█▇▆▅▃▁▁▁");
    }

    #[test]
    fn scaled_to_what_is_shown() {
        assert_eq!(line(&[0.9, 0.1, 0.2, 0.3], 3), "▁▅█");
        assert_eq!(line(&[0.5, 0.5], 5), "▅▅");
        assert_eq!(line(&[], 5), "");
    }
}
