//! Every metric of numbers that are there.

use std::sync::Arc;

use super::Scored;
use super::job::{Job, Run};
use crate::data::index::ModelIx;
use crate::data::parallel;

/// The job that computes every metric of ranks that are counted.
#[derive(Default)]
pub struct Measuring;

/// Ranks of one model whose metrics are not computed yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmeasured {
    /// Index of the model.
    pub model: ModelIx,
    /// The numbers.
    pub scored: Vec<Arc<Scored>>,
}

impl Job for Measuring {
    const NAME: &'static str = "measuring";
    const READS_SCORES: bool = false;
    /// What is measured stays so.
    type Key = ();
    type Part = Unmeasured;
    type Input = ();
    /// The model whose numbers have every metric now.
    type Output = ModelIx;

    fn run(&mut self, part: &Unmeasured, run: &Run<'_, Self>) {
        let measured = |at: usize| part.scored[at].measure(run.token);
        if parallel::all(part.scored.len(), measured) {
            run.send(part.model);
        }
    }
}
