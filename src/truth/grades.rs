//! Grades of items, used by graded metrics in addition to positives.
//!
//! In a truth with grades, such as TREC qrels from 0 to 3, items from some grade up are positives; every item with a
//! grade above 0 has a gain, positive or not.

/// Gain of a positive without a grade. Gains are in halves of a grade, because a judgment may halve a grade.
pub const WHOLE: u32 = 2;

/// The scale of a truth with grades.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grading {
    /// The highest grade of the file.
    pub greatest: u32,
    /// The lowest grade of a positive.
    pub from: u32,
}
