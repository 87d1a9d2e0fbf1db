//! Localisation of phrases: recall, types, thresholds, differences of models.

mod data;
pub mod failures;
mod tables;

use super::{Json, Report};
use crate::analysis::localised::RecallDifference;
use crate::phrase::localisation::{Measured, Protocol, Reading, Targets};

/// The heads of the columns of recall, by [`crate::phrase::localisation::DEPTHS`] and for all boxes.
pub const HEADS: [&str; 4] = ["R@1", "R@5", "R@10", "upper bound"];
/// Their keys.
const KEYS: [&str; 4] = ["r1", "r5", "r10", "upper_bound"];
/// The thresholds at which recall is told.
pub const THRESHOLDS: [f64; 9] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/// What was localised, and how well.
#[derive(Debug)]
pub struct Localised<'a> {
    /// The phrases.
    pub targets: &'a Targets,
    /// How it was measured.
    pub protocol: &'a Protocol,
    /// What was done with boxes before.
    pub reading: Reading,
    /// The models, in the order of their files.
    pub models: &'a [Measured],
    /// 95 % CI of each model's R@1.
    pub intervals: &'a [Option<[f64; 2]>],
    /// Tests between each two models.
    pub differences: &'a [RecallDifference],
}

impl Localised<'_> {
    /// Recall of all phrases, by type and by threshold, where first boxes lie, and differences of models.
    pub fn report(&self) -> Report<'_> {
        Report {
            notes: tables::notes(self),
            ..Report::new(tables::tables(self), data::data(self), Json::tree(|| data::json(self)))
        }
    }

    fn name(&self, model: usize) -> &str {
        &self.models[model].name
    }
}
