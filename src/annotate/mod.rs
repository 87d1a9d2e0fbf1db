//! From several models' candidates to a better ground truth: what is asked of people, what they answered, what they
//! preferred.

pub mod answers;
pub mod hits;
pub mod import;
pub mod pool;
pub mod preferences;
mod reach;
pub mod wins;
