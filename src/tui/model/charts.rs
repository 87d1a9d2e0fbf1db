//! Charts that take a pass over the scores of the study, as far as they were asked for.

use super::Model;
use super::job::ModelJob;
use crate::engine::{ChartKey, Charting, Wanted};
use crate::error::Error;
use crate::figure::chart::Chart;
use crate::figure::charts::CHARTS;

impl ModelJob for Charting {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let at = model.demand.chart?;
        // Similarities are charted once they have made their truths, or cannot.
        let is_ready = model.study.has_phi_truths() || model.known.similarities.failure.is_some();
        let is_wanted = is_ready && model.chart(at).is_none();
        is_wanted.then(|| Wanted::one(model.chart_key(at), || model.study.clone()))
    }

    fn take(model: &mut Model, key: ChartKey, found: Self::Output) {
        let now = model.known.study_stamp;
        model.known.charts.retain(|(key, _)| key.study == now);
        model.known.charts.push((key, found));
    }
}

impl Model {
    /// What the chart at a place depends on, as things are looked at.
    fn chart_key(&self, at: usize) -> ChartKey {
        let view = self.view;
        ChartKey {
            study: self.known.study_stamp,
            at,
            truth: CHARTS[at].has_truth().then_some(view.truth),
            direction: CHARTS[at].has_directions().then_some(view.direction),
        }
    }

    /// The chart at a place, under the truth and of the direction that are looked at; `None` until it is made.
    pub(in crate::tui) fn chart(&self, at: usize) -> Option<Result<&Chart, &Error>> {
        let key = self.chart_key(at);
        let (_, found) = self.known.charts.iter().find(|(known, _)| *known == key)?;
        Some(found.as_ref().map(AsRef::as_ref))
    }
}
