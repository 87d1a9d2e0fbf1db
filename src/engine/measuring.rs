//! Every metric of numbers that are there.

use std::sync::Arc;

use rayon::prelude::*;

use super::Scored;
use super::job::{Job, Run};

/// Measures numbers.
#[derive(Default)]
pub struct Measuring;

/// Numbers of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmeasured {
    /// Index of the model.
    pub model: usize,
    /// The numbers.
    pub scored: Vec<Arc<Scored>>,
}

impl Job for Measuring {
    const NAME: &'static str = "measuring";
    /// What is measured stays so.
    type Key = ();
    type Part = Unmeasured;
    type Input = ();
    /// The model whose numbers have every metric now.
    type Output = usize;

    fn run(&mut self, part: &Unmeasured, run: &Run<'_, Self>) {
        if part
            .scored
            .par_iter()
            .all(|scored| scored.measure(run.token))
        {
            run.send(part.model);
        }
    }
}
