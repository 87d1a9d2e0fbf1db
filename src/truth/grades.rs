//! Grades of items: what graded metrics see of a truth beyond its positives.
//!
//! Of a truth with grades, such as TREC qrels from 0 to 3, an item is a positive from a grade on; every
//! item with a grade above 0 has a gain, positive or not.

/// The gain of a positive without a grade. Gains are counted in halves, of which a grade of 1 has two: a
/// verdict may halve a grade.
pub const WHOLE: u32 = 2;

/// The scale of a truth with grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grading {
    /// The greatest grade of the file.
    pub greatest: u32,
    /// The least grade of a positive.
    pub from: u32,
}
