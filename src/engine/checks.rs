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
    /// What was found, and whether that is all.
    type Output = (Arc<[Finding]>, bool);

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        // What makes numbers meaningless is shown at once; the other checks read every score.
        run.send((doctor::examine_quickly(run.input).into(), false));
        run.send((doctor::examine(run.input).into(), true));
    }
}
