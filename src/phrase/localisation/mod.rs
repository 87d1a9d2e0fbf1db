//! Localisation of phrases: predicted boxes against those of the annotations.
//!
//! | step | type |
//! |---|---|
//! | the phrases of a split that have a box | [`Targets`] |
//! | what a model predicts for them | [`Predictions`] |
//! | reference boxes, and when a box is a hit | [`Protocol`] |
//! | quality of the boxes of each phrase | [`Outcomes`], computed by [`evaluate`] |
//! | phrases whose first box is no hit | [`Failure`], found by [`failures()`] |

mod failures;
mod predictions;
mod protocol;
mod recall;
mod targets;
#[cfg(test)]
pub(crate) mod test_entities;

pub use failures::{Failure, failures, split_text};
pub use predictions::{Mistake, Prediction, Predictions, Problems};
pub use protocol::{PROTOCOLS, Protocol, ReferenceBoxes, THRESHOLD};
pub use recall::{ALL, COLUMNS, DEPTHS, Outcome, Outcomes, Recall, evaluate};
pub use targets::{BoxedChain, Target, TargetImage, Targets};
