//! A change of a number, and its look.

use ratatui::style::Style;

use crate::tui::theme::Theme;

/// A difference of shares in points with so many decimals, and its look.
pub fn delta(value: Option<f64>, decimals: usize, theme: &Theme) -> (String, Style) {
    match value {
        None => ("-".into(), theme.dim.into()),
        Some(value) if value > 0.0 => (format!("{:+.decimals$}", value * 100.0), theme.up.into()),
        Some(value) if value < 0.0 => (format!("{:+.decimals$}", value * 100.0), theme.down.into()),
        Some(_) => ("=".into(), theme.dim.into()),
    }
}
