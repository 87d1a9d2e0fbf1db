//! Adds what this run remembers to the file.

use super::Model;
use super::job::ModelJob;
use crate::engine::{SaveRemembered, Wanted};

impl ModelJob for SaveRemembered {
    const MUST_FINISH: bool = true;

    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let memory = &model.memory;
        let count = memory.entries.len();
        let parts = Vec::from_iter((memory.handed < count).then_some(count));
        Some(Wanted::parts((), parts, || memory.entries.clone()))
    }

    fn take(model: &mut Model, (): (), count: usize) {
        model.memory.handed = model.memory.handed.max(count);
    }
}
