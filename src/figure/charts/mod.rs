//! Charts of a study: what each is made of, drawn alike on paper and in a terminal. A chart is one file and one
//! line in [`CHARTS`].

pub mod ratings;
pub mod semantic_recall;
pub mod steps;

use super::chart::Chart;
use crate::data::PerDirection;
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// A chart that a study may have.
#[derive(Debug)]
pub struct StudyChart {
    /// Its word, in names of files.
    pub key: &'static str,
    /// What it is of, as long as it is not there.
    pub title: &'static str,
    /// Whether a study has what it is made of.
    pub is_possible: fn(&Study) -> bool,
    /// Makes it for each direction that is looked at; `None` when it was cancelled.
    pub make: fn(&Study, &CancelToken) -> Result<Option<PerDirection<Chart>>>,
}

/// Every chart of a study, in the order of the explorer's key.
pub const CHARTS: &[StudyChart] = &[semantic_recall::CHART, ratings::CHART];
