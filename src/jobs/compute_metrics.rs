//! Every metric of ranks that are counted.

use std::sync::Arc;

use super::{Asks, Job, Run, Scored, Wanted};
use crate::data::index::ModelIx;
use crate::data::parallel;
use crate::tui::app::App;
use crate::tui::model::dirty::Dirty;

/// Computes every metric of ranks that are counted.
#[derive(Default)]
pub struct ComputeMetrics;

/// Ranks of one model whose metrics are not computed yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Unmeasured {
    /// Index of the model.
    pub model: ModelIx,
    /// The numbers.
    pub scored: Vec<Arc<Scored>>,
}

impl Job for ComputeMetrics {
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

/// Numbers of all models come before every metric of one.
impl Asks for ComputeMetrics {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let wanted = app.model.wanted_measures();
        let is_due = !wanted.is_empty() || app.model.wanted_counts().is_empty();
        is_due.then(|| Wanted::parts((), wanted, || ()))
    }

    fn take(app: &mut App, (): (), of: ModelIx) {
        if of == app.model.view.model {
            app.model.dirty |= Dirty::POPUP;
        }
    }
}
