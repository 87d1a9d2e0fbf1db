//! R@1 and mAP@R of what is looked at, and their history.

use crate::metric::Summary;
use crate::study::View;

/// Two numbers over time.
#[derive(Debug, Clone, Default)]
pub struct Trend {
    steps: Vec<Step>,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    /// The visit of a step of the history that it is of.
    visit: usize,
    view: View,
    r1: Summary,
    map_at_r: Summary,
}

/// Steps kept: more than any screen is wide.
const LONGEST: usize = 512;

impl Trend {
    /// Adds a step, unless it only tells again what the last one told. What comes later in the same
    /// `visit` of a step of the history (ranks that were looked up) takes the place of what came first.
    pub fn record(&mut self, visit: usize, view: View, r1: Summary, map_at_r: Summary) {
        let same = |last: &Step| last.view == view && last.r1 == r1 && last.map_at_r == map_at_r;
        if self.steps.last().is_some_and(same) {
            return;
        }
        self.steps.pop_if(|last| last.visit == visit);
        if self.steps.len() == LONGEST {
            self.steps.remove(0);
        }
        self.steps.push(Step {
            visit,
            view,
            r1,
            map_at_r,
        });
    }

    /// R@1 as it is now.
    pub fn r1(&self) -> Option<Summary> {
        Some(self.steps.last()?.r1)
    }

    /// mAP@R as it is now.
    pub fn map_at_r(&self) -> Option<Summary> {
        Some(self.steps.last()?.map_at_r)
    }

    /// Past and present values of R@1 and of mAP@R, where they were defined.
    pub fn history(&self) -> (Vec<f64>, Vec<f64>) {
        let steps = self.steps.iter();
        let r1 = steps.clone().filter_map(|step| step.r1.value);
        (
            r1.collect(),
            steps.filter_map(|step| step.map_at_r.value).collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};

    #[test]
    fn what_comes_later_in_a_visit_takes_the_place_of_what_came_first() {
        let summary = |value| Summary {
            value,
            judged: 3,
            ..Summary::default()
        };
        let view = |truth| View {
            model: ModelIx::default(),
            truth: TruthIx::new(truth),
            direction: Direction::I2t,
        };
        let mut trend = Trend::default();
        assert_eq!(trend.r1(), None);
        trend.record(0, view(0), summary(Some(0.25)), summary(Some(0.5)));
        trend.record(1, view(1), summary(Some(0.5)), summary(Some(0.25)));
        trend.record(1, view(1), summary(Some(0.75)), summary(Some(0.25)));
        trend.record(2, view(1), summary(Some(0.75)), summary(Some(0.25)));
        let now = |trend: &Trend| [trend.r1(), trend.map_at_r()].map(|of| of.unwrap().value);
        assert_eq!(now(&trend), [Some(0.75), Some(0.25)]);
        trend.record(3, view(2), summary(Some(1.0)), summary(None));
        assert_eq!(now(&trend), [Some(1.0), None]);
        assert_eq!(trend.history(), (vec![0.25, 0.75, 1.0], vec![0.5, 0.25]));
    }
}
