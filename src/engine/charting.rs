//! Charts of a study that take a pass over its scores.

use std::sync::Arc;

use super::job::{Job, Run};
use super::stamp::Stamp;
use crate::data::PerDirection;
use crate::error::Result;
use crate::figure::chart::Chart;
use crate::figure::charts::CHARTS;
use crate::study::Study;

/// The job that makes them.
#[derive(Debug, Default)]
pub struct Charting;

impl Job for Charting {
    const NAME: &'static str = "charts";
    /// The state of the study, and the place of the chart among [`CHARTS`].
    type Key = (Stamp, usize);
    type Part = ();
    type Input = Arc<Study>;
    /// The chart for each direction, or why there is none.
    type Output = Result<Arc<PerDirection<Chart>>>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (_, at) = *run.key;
        let made = (CHARTS[at].make)(run.input, run.token);
        if let Some(made) = made.transpose() {
            run.send(made.map(Arc::new));
        }
    }
}
