//! Charts that take a pass over the scores of the study, as far as they were asked for.

use super::Model;
use super::job::ModelJob;
use crate::engine::{Charting, Stamp, Wanted};
use crate::error::Error;
use crate::figure::chart::Chart;

impl ModelJob for Charting {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let at = model.demand.chart?;
        // Similarities are charted once they have made their truths, or cannot.
        let is_ready = model.study.has_phi_truths() || model.known.similarities.failure.is_some();
        let is_wanted = is_ready && model.chart(at).is_none();
        is_wanted.then(|| Wanted::one((model.known.study_stamp, at), || model.study.clone()))
    }

    fn take(model: &mut Model, key: (Stamp, usize), found: Self::Output) {
        let now = model.known.study_stamp;
        model.known.charts.retain(|((of, _), _)| *of == now);
        model.known.charts.push((key, found));
    }
}

impl Model {
    /// The chart at a place, of the direction that is looked at; `None` until it is made.
    pub(in crate::tui) fn chart(&self, at: usize) -> Option<Result<&Chart, &Error>> {
        let key = (self.known.study_stamp, at);
        let (_, found) = self.known.charts.iter().find(|(known, _)| *known == key)?;
        Some(found.as_ref().map(|found| &found[self.view.direction]))
    }
}
