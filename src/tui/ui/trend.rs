//! Formats differences and changes of metrics in percentage points.

use ratatui::style::Style;

use crate::tui::theme::Theme;

/// A difference of two shares from 0 to 1 as text, in percentage points with `decimals`, and its style, for a rise or a
/// fall. `None`: undefined.
pub fn delta(difference: Option<f64>, decimals: usize, theme: &Theme) -> (String, Style) {
    match difference.map(|by| (by * 100.0, format!("{:+.decimals$}", by * 100.0))) {
        None => ("·".into(), theme.dim.into()),
        Some((0.0, _)) => ("=".into(), theme.dim.into()),
        // Changes that round to 0: no direction.
        Some((_, words)) if words.bytes().all(|byte| b"+-0.".contains(&byte)) => {
            (words[1..].to_owned(), theme.dim.into())
        }
        Some((points, words)) if points > 0.0 => (words, theme.up.into()),
        Some((_, words)) => (words, theme.down.into()),
    }
}

/// A difference of two shares from 0 to 1 as text, in percentage points with a sign and as many decimals as needed to
/// show it: one judgment among 25,000 queries is a change, too.
pub fn signed_points(change: f64) -> String {
    let change = change * 100.0;
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
    fn a_small_change_has_more_decimals() {
        let shown = [0.1, -0.000_08, 0.000_002_5].map(signed_points);
        assert_eq!(shown, ["+10.00", "-0.008", "+0.0003"]);
    }

    #[test]
    fn a_difference_that_rounds_to_0_has_no_sign_or_colour() {
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
