//! A matrix of values from -1 to 1 as cells of colour, legible without any.

use std::fmt::Write;

use crate::data::text::UNDEFINED;

/// The glyph of each fifth of 0 to 1, where there is no colour: more ink is more agreement.
const SHADES: [char; 5] = [' ', '░', '▒', '▓', '█'];
/// Of the 256 colours, those from 0 to 1 and from 0 to -1: white to blue and white to orange, light
/// enough for black digits, and apart for eyes that do not say red from green.
const COLOURS: [[u8; 8]; 2] =
    [[231, 195, 159, 153, 117, 81, 75, 39], [231, 230, 229, 228, 222, 221, 215, 208]];

/// The cells of a row, each value with two decimals.
pub(super) fn row(values: &[Option<f64>], is_coloured: bool) -> String {
    let mut line = String::new();
    for value in values {
        let number = value.map_or_else(|| UNDEFINED.to_owned(), |value| format!("{value:.2}"));
        // Writing to a string cannot fail.
        let _ = match (value, is_coloured) {
            (Some(value), true) => {
                let colours = COLOURS[usize::from(*value < 0.0)];
                let colour = colours[step(value.abs(), colours.len())];
                write!(line, "\x1b[38;5;16;48;5;{colour}m {number:>5} \x1b[0m")
            }
            (Some(value), false) => {
                let shade = SHADES[step(*value, SHADES.len())];
                write!(line, " {number:>5}{shade}")
            }
            (None, _) => write!(line, " {number:>5} "),
        };
    }
    line
}

/// Which of so many equal parts of 0 to 1 a value is in.
fn step(value: f64, parts: usize) -> usize {
    ((value.max(0.0) * parts as f64) as usize).min(parts - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shades_where_there_is_no_colour() {
        let values = [Some(1.0), Some(0.45), Some(0.0), Some(-0.5), None];
        assert_eq!(row(&values, false), "  1.00█  0.45▒  0.00  -0.50      · ");
        let coloured = row(&[Some(1.0), Some(-1.0), None], true);
        assert!(coloured.starts_with("\x1b[38;5;16;48;5;39m  1.00 \x1b[0m\x1b[38;5;16;48;5;208m"));
        assert!(coloured.ends_with("    · "));
    }
}
