//! What the model has to do with a background job.

use super::Model;
use crate::engine::{Job, Wanted};

/// A job that fills a part of the model.
pub trait ModelJob: Job {
    /// Whether leaving waits for it.
    const MUST_FINISH: bool = false;

    /// What the model wants of it and does not have. Without anything, or with another key, what is under
    /// way is given up; without parts it goes on.
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>>;

    /// Takes an answer to what is still wanted.
    fn take(model: &mut Model, key: Self::Key, output: Self::Output);

    /// Takes notice of a panic, beyond what is said of any.
    fn fail(_model: &mut Model) {}

    /// Takes the share of the run under way that is done, 0 to 1.
    fn report(_model: &mut Model, _progress: f64) {}
}
