//! Localisation of phrases: predicted boxes against those of the annotations.
//!
//! | step | type |
//! |---|---|
//! | the phrases of a split that have a box | [`Targets`] |
//! | what a model predicts for them | [`Predictions`] |
//! | rules of what is true and what is a hit | [`Protocol`] |
//! | what the boxes of each phrase are worth | [`Measured`], made by [`measure`] |
//! | phrases whose first box is no hit | [`Failure`], found by [`failures()`] |

mod failures;
mod predictions;
mod protocol;
mod recall;
mod targets;
#[cfg(test)]
pub(crate) mod test_entities;

pub use failures::{Failure, failures, parts};
pub use predictions::{Mistake, Prediction, Predictions, Problems};
pub use protocol::{PROTOCOLS, Protocol, THRESHOLD, Truth};
pub use recall::{ALL, COLUMNS, DEPTHS, Measured, Outcome, Recall, measure};
pub use targets::{BoxedChain, Target, TargetImage, Targets};
