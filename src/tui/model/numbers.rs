//! The numbers of a model, as far as they are known.

use std::sync::Arc;

use crate::data::index::{ModelIx, Per};
use crate::error::Error;
use crate::jobs::ModelScores;

/// The numbers of a model, as far as they are known.
#[derive(Debug, Clone)]
pub enum Numbers {
    /// Not counted yet.
    Waiting,
    /// Counted.
    Ready(Arc<ModelScores>),
    /// Counted before a dial was turned: being counted again.
    Stale(Arc<ModelScores>),
    /// There are none, and why.
    Failed(Error),
}

impl Per<ModelIx> for Numbers {}
