//! How sure the header's numbers are: 95 % CIs, on request.

use super::Model;
use crate::analysis::clustering::{Clustering, cluster_of};
use crate::analysis::inference::Estimate;
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::jobs::Scored;
use crate::metric::Spec;
use crate::study::View;

impl Model {
    /// Shows the intervals, or hides them.
    pub(in crate::tui) fn toggle_intervals(&mut self) {
        self.shows_intervals ^= true;
        self.take_intervals();
        self.message = Some(if self.shows_intervals {
            self.intervals_words()
        } else {
            "no intervals".to_owned()
        });
    }

    /// The half widths for the header's two metrics, where they are shown.
    pub fn half_widths(&self) -> Option<[Option<f64>; 2]> {
        self.shows_intervals.then_some(self.known.half_widths.of)
    }

    /// Both half widths, and how they came about.
    fn intervals_words(&self) -> String {
        let clusters = match (self.view.direction, &self.known.half_widths.images) {
            (Direction::T2i, Some(_)) => "clustered by image",
            _ => "each query a cluster",
        };
        let ([first, second], units) = (self.header.titles(), self.header.units());
        let halves = self.known.half_widths.of;
        let [one, other] = [0, 1].map(|at| units[at].shown(halves[at]));
        let halves = if halves == [None; 2] {
            "beside both numbers, once they are counted".to_owned()
        } else {
            format!("{first} ±{one}, {second} ±{other}")
        };
        format!("95 % CI: {halves}; {clusters}; Student's t with a best and a worst cluster added")
    }

    /// Takes the intervals of what is looked at.
    pub(in crate::tui) fn take_intervals(&mut self) {
        if !self.shows_intervals {
            return;
        }
        if !self.known.half_widths.is_looked_up {
            let images = Clustering::ByImage.images(&self.base);
            self.known.half_widths.images = images.ok().flatten();
            self.known.half_widths.is_looked_up = true;
        }
        let half_width = |spec: Spec| {
            let truth = self.truth_of(spec);
            let scored = self.scored_at(View { truth, ..self.view });
            // A median has no error of this kind.
            let scored = scored.filter(|_| spec.metric.is_mean())?;
            self.half_width(scored, spec)
        };
        self.known.half_widths.of = self.header.specs().map(half_width);
    }

    fn half_width(&self, scored: &Scored, spec: Spec) -> Option<f64> {
        let values = Values::over(spec, scored.ranks.queries(), scored.ranks.iter());
        let values = match scored.parts() {
            None => values,
            Some(parts) => values.in_parts(|place| parts.part_of(place)),
        };
        let values = values.kept(|query| self.passes(query));
        let images = self.known.half_widths.images.as_deref();
        let groups = values.groups(cluster_of(images, self.view.direction));
        let mean = groups.mean().filter(|_| values.shortage.is_none())?;
        let [low, high] = Estimate::of_mean(&groups, spec.metric.unit().range())?.interval();
        // Near 0 and 1 one end is nearer than the other.
        Some((mean - low).max(high - mean))
    }
}
