//! From several models' candidates to a better ground truth: pools, responses and preferences of people.

pub mod answers;
pub mod bias;
pub mod effect;
pub mod hits;
pub mod import;
pub mod others;
pub mod page;
pub mod pool;
pub mod preferences;
pub mod proposers;
pub mod reuse;
pub mod wins;
