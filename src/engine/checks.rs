//! The doctor's examination of a study as its files have it.

use std::sync::Arc;

use super::job::{Job, Run};
use crate::doctor::{self, Finding};
use crate::study::Study;

/// The job that runs the doctor's checks over the study.
#[derive(Default)]
pub struct Checking;

impl Job for Checking {
    const NAME: &'static str = "checking";
    /// Files stay as they are.
    type Key = ();
    type Part = ();
    type Input = Arc<Study>;
    type Output = Arc<[Finding]>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send(doctor::examine(run.input).into());
    }
}
