//! A box as the annotation has it.

use std::fmt;

/// A box in pixels, counted from 1 as in the files, both corners part of it: a box of one pixel at the upper
/// left of the picture is (1, 1, 1, 1). Coordinates are those of the file, whether inside the picture or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bounds {
    /// The first column.
    pub x_min: i32,
    /// The first row.
    pub y_min: i32,
    /// The last column.
    pub x_max: i32,
    /// The last row.
    pub y_max: i32,
}

impl Bounds {
    /// Its columns and rows, both ends counted.
    pub fn size(self) -> (i32, i32) {
        (self.x_max - self.x_min + 1, self.y_max - self.y_min + 1)
    }

    /// The smallest box around both.
    #[must_use]
    pub fn joined(self, other: Bounds) -> Bounds {
        Bounds {
            x_min: self.x_min.min(other.x_min),
            y_min: self.y_min.min(other.y_min),
            x_max: self.x_max.max(other.x_max),
            y_max: self.y_max.max(other.y_max),
        }
    }

    /// Whether no pixel of it is outside of a picture of this size.
    pub fn is_within(self, width: u32, height: u32) -> bool {
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        self.x_min >= 1
            && self.y_min >= 1
            && self.x_max <= side(width)
            && self.y_max <= side(height)
    }

    /// Whether some pixel of it is inside of a picture of this size.
    pub fn touches(self, width: u32, height: u32) -> bool {
        let side = |side: u32| i32::try_from(side).unwrap_or(i32::MAX);
        self.x_max >= 1
            && self.y_max >= 1
            && self.x_min <= side(width)
            && self.y_min <= side(height)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Bounds { x_min, y_min, x_max, y_max } = self;
        write!(f, "({x_min}, {y_min}, {x_max}, {y_max})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn bounds(x_min: i32, y_min: i32, x_max: i32, y_max: i32) -> Bounds {
        Bounds { x_min, y_min, x_max, y_max }
    }

    #[test]
    fn both_ends_belong_to_a_box() {
        assert_eq!(bounds(1, 1, 1, 1).size(), (1, 1));
        assert_eq!(bounds(11, 11, 20, 15).size(), (10, 5));
        let joined = bounds(1, 5, 4, 6).joined(bounds(3, 2, 9, 5));
        assert_eq!(joined, bounds(1, 2, 9, 6));
    }

    #[test]
    fn a_picture_begins_at_one_and_ends_at_its_size() {
        assert!(bounds(1, 1, 192, 144).is_within(192, 144));
        assert!(!bounds(0, 1, 192, 144).is_within(192, 144));
        assert!(!bounds(1, 1, 193, 144).is_within(192, 144));
        assert!(bounds(0, 1, 193, 144).touches(192, 144));
        assert!(!bounds(193, 1, 200, 144).touches(192, 144));
    }
}
