//! Models side by side: the published ones, and where others stand among them.

pub mod published;
pub mod results;
