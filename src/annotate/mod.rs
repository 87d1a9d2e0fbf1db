//! From several models' candidates to a better ground truth: what people preferred.

pub mod preferences;
mod reach;
pub mod wins;
