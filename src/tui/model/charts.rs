//! Charts that take a pass over the scores of the study, as far as they were asked for.

use super::Model;
use crate::error::Error;
use crate::figure::chart::Chart;
use crate::figure::charts::CHARTS;
use crate::jobs::ChartKey;

impl Model {
    /// What the chart at a place depends on, as things are looked at.
    pub(crate) fn chart_key(&self, at: usize) -> ChartKey {
        let view = self.view;
        ChartKey {
            study: self.known.study_stamp,
            at,
            truth: CHARTS[at].has_truth().then_some(view.truth),
            direction: CHARTS[at].has_directions().then_some(view.direction),
        }
    }

    /// The chart at a place, under the truth and of the direction that are looked at; `None` until it is made.
    pub(crate) fn chart(&self, at: usize) -> Option<Result<&Chart, &Error>> {
        let key = self.chart_key(at);
        let (_, found) = self.known.charts.iter().find(|(known, _)| *known == key)?;
        Some(found.as_ref().map(AsRef::as_ref))
    }
}
