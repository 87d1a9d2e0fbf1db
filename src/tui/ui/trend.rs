//! How a number changed: its last change, and a rank as a block character.

use ratatui::style::Style;

use crate::metric::Unit;
use crate::tui::theme::Theme;

const LEVELS: [&str; 8] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// The rank from which on a bar is the lowest.
pub const LOWEST: u32 = 1_000;

/// A bar of a rank, on a logarithmic scale: the whole height is rank 1 alone, so that it is a correct top-1.
pub fn of_rank(rank: u32) -> &'static str {
    let below = f64::from(rank.clamp(1, LOWEST)).log(f64::from(LOWEST));
    LEVELS[7 - (below * 7.0).ceil() as usize]
}

/// A difference of shares in points with so many decimals, and its look.
pub fn delta(value: Option<f64>, decimals: usize, theme: &Theme) -> (String, Style) {
    let points = value.map(|value| (value * 100.0, format!("{:+.decimals$}", value * 100.0)));
    match points {
        None => ("·".into(), theme.dim.into()),
        Some((0.0, _)) => ("=".into(), theme.dim.into()),
        // Less than what is shown has no direction.
        Some((_, words)) if words.bytes().all(|one| b"+-0.".contains(&one)) => {
            (words[1..].to_owned(), theme.dim.into())
        }
        Some((points, words)) if points > 0.0 => (words, theme.up.into()),
        Some((_, words)) => (words, theme.down.into()),
    }
}

/// A change of a number that the header shows, of a share in points, with its sign and as many decimals as it takes to
/// see it: one verdict among 25,000 queries is a change, too.
pub fn signed(unit: Unit, change: f64) -> String {
    let change = unit.change(change);
    let decimals = match change.abs() {
        ..0.001 => 4,
        ..0.01 => 3,
        _ => 2,
    };
    format!("{change:+.decimals$}")
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
    fn a_small_change_has_more_decimals() {
        let shown = [0.1, -0.000_08, 0.000_002_5].map(|change| signed(Unit::Share, change));
        assert_eq!(shown, ["+10.00", "-0.008", "+0.0003"]);
        assert_eq!(signed(Unit::Sum, 1.5), "+1.50");
    }

    #[test]
    fn what_rounds_to_nothing_has_neither_sign_nor_colour() {
        let (_, theme) = Theme::bundled(0);
        let theme = &theme;
        let shown = |value: f64, decimals| delta(Some(value), decimals, theme);
        let dim: Style = theme.dim.into();
        assert_eq!(shown(-0.0002, 1), ("0.0".into(), dim));
        assert_eq!(shown(0.000_04, 2), ("0.00".into(), dim));
        assert_eq!(shown(0.0, 2), ("=".into(), dim));
        assert_eq!(shown(-0.0002, 2), ("-0.02".into(), theme.down.into()));
        assert_eq!(shown(0.12, 1), ("+12.0".into(), theme.up.into()));
    }
}
