//! Options of a figure: layout, width, size of text, resolution, font.

use crate::data::Direction;
use crate::error::{Error, Result};

/// Points per millimetre: a point is 1/72 inch.
pub const POINTS_PER_MM: f32 = 72.0 / 25.4;
/// A figure at least as wide as this, in millimetres, spans both columns of a two-column paper.
pub const TWO_COLUMN_WIDTH: f32 = 130.0;

/// Range of widths, in millimetres.
const WIDTH_RANGE: [f32; 2] = [40.0, 600.0];
/// Range of text sizes, in points.
const TEXT_RANGE: [f32; 2] = [3.0, 48.0];
/// Range of resolutions, in dots per inch.
const DPI_RANGE: [f32; 2] = [30.0, 2400.0];

/// Minimum text size of a shrunk figure, in points.
pub const MIN_TEXT_POINTS: f32 = 6.0;

/// Arrangement of a query and its rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// The query at the left, at its right a row of items for each model.
    Grid,
    /// The query on top, below it a column of items for each model.
    SideBySide,
    /// The query at the left, at its right a list of captions for each model.
    Captions,
}

impl Layout {
    /// Every layout, with its key on the command line.
    pub const ALL: [(&'static str, Layout); 3] = [
        ("grid", Layout::Grid),
        ("side-by-side", Layout::SideBySide),
        ("captions", Layout::Captions),
    ];

    /// The default layout: images in a grid, captions in lists.
    pub fn for_direction(direction: Direction) -> Self {
        match direction {
            Direction::T2i => Layout::Grid,
            Direction::I2t => Layout::Captions,
        }
    }

    /// The layout's key on the command line.
    pub fn key(self) -> &'static str {
        Layout::ALL.into_iter().find(|(_, layout)| *layout == self).map_or("", |(key, _)| key)
    }
}

/// The height of the text on a page, in millimetres: Springer's LNCS for one column, the CVPR style for two.
pub fn page_height(columns: u32) -> f32 {
    if columns == 1 { 193.0 } else { 225.4 }
}

/// The look of a figure: layout, size, resolution and font.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Layout; `None` for the default of each direction.
    pub layout: Option<Layout>,
    /// Width in millimetres.
    pub width: f32,
    /// Size of the text in points.
    pub text: f32,
    /// Resolution of images, in dots per inch.
    pub dpi: u32,
    /// A font family of the system; `None` for the bundled font.
    pub font: Option<String>,
    /// Width of cards, relative to the usual one.
    pub card_scale: f32,
    /// Minimum text size when shrunk to fit a page, in points.
    pub min_text: f32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            layout: None,
            width: 121.0,
            text: 8.0,
            dpi: 300,
            font: None,
            card_scale: 1.0,
            min_text: MIN_TEXT_POINTS,
        }
    }
}

impl Options {
    /// Options for the column width of papers with one column (345 pt, the text width of the LaTeX class article, a
    /// little less than that of Springer's LNCS) or two (the CVPR style).
    pub fn for_columns(columns: u32) -> Self {
        match columns {
            1 => Options::default(),
            _ => Options { width: 83.3, text: 7.0, ..Options::default() },
        }
    }

    /// Checks that all options are in range.
    ///
    /// # Errors
    /// A width, a size of text or a resolution out of bounds; text too large for the width.
    pub fn check(&self) -> Result<()> {
        check_range("--width", self.width, WIDTH_RANGE, "mm")?;
        check_range("--text-size", self.text, TEXT_RANGE, "points")?;
        check_range("--dpi", self.dpi as f32, DPI_RANGE, "dots per inch")?;
        let max_text = self.width_points() / MIN_WIDTH_EMS;
        if self.text > max_text {
            let found = format!("{} points on {} mm", self.text, self.width);
            return Err(Error::new("--text-size", found)
                .expected(format!(
                    "at most {:.1} points at this width",
                    (10.0 * max_text).floor() / 10.0
                ))
                .fix("a wider figure, --width MM, or smaller text"));
        }
        Ok(())
    }

    /// Width in points.
    pub fn width_points(&self) -> f32 {
        self.width * POINTS_PER_MM
    }

    /// The layout for queries of a direction.
    pub fn layout(&self, direction: Direction) -> Layout {
        self.layout.unwrap_or(Layout::for_direction(direction))
    }
}

/// Minimum width of a figure in ems of its text.
const MIN_WIDTH_EMS: f32 = 16.0;

/// Checks that the value of an option is in a range.
fn check_range(flag: &str, value: f32, [min, max]: [f32; 2], unit: &str) -> Result<()> {
    if (min..=max).contains(&value) {
        return Ok(());
    }
    let expected = format!("{min} to {max} {unit}");
    Err(Error::new(flag, format!("{value} {unit}")).expected(expected))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_drawn_is_told() {
        let check = |change: fn(&mut Options)| {
            let mut options = Options::default();
            change(&mut options);
            options.check().map_err(|error| error.to_string())
        };
        assert_eq!(check(|_| {}), Ok(()));
        for (change, told) in [
            ((|o| o.width = 10.0) as fn(&mut Options), "--width: 10 mm"),
            (|o| o.width = f32::NAN, "--width: NaN mm"),
            (|o| o.text = 0.5, "3 to 48 points"),
            (|o| o.dpi = 9, "30 to 2400"),
            (|o| o.text = 40.0, "at most 21.4 points at this width"),
        ] {
            let error = check(change).unwrap_err();
            assert!(error.contains(told), "{error}");
        }
    }
}
