//! The header's two numbers of what is looked at, and their history.

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
    numbers: [Summary; 2],
}

/// Steps kept: more than any screen is wide.
const LONGEST: usize = 512;

impl Trend {
    /// Adds a step, unless it only tells again what the last one told. What comes later in the same
    /// `visit` of a step of the history (ranks that were looked up) takes the place of what came first.
    pub fn record(&mut self, visit: usize, view: View, numbers: [Summary; 2]) {
        let same = |last: &Step| last.view == view && last.numbers == numbers;
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
            numbers,
        });
    }

    /// Both numbers as they are now.
    pub fn now(&self) -> Option<[Summary; 2]> {
        Some(self.steps.last()?.numbers)
    }

    /// Past and present values of both numbers, where they were defined.
    pub fn history(&self) -> [Vec<f64>; 2] {
        let values = |at: usize| {
            let steps = self.steps.iter();
            let values = steps.filter_map(|step| step.numbers[at].value);
            values.collect()
        };
        [values(0), values(1)]
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
        assert_eq!(trend.now(), None);
        trend.record(0, view(0), [summary(Some(0.25)), summary(Some(0.5))]);
        trend.record(1, view(1), [summary(Some(0.5)), summary(Some(0.25))]);
        trend.record(1, view(1), [summary(Some(0.75)), summary(Some(0.25))]);
        trend.record(2, view(1), [summary(Some(0.75)), summary(Some(0.25))]);
        let now = |trend: &Trend| trend.now().unwrap().map(|of| of.value);
        assert_eq!(now(&trend), [Some(0.75), Some(0.25)]);
        trend.record(3, view(2), [summary(Some(1.0)), summary(None)]);
        assert_eq!(now(&trend), [Some(1.0), None]);
        assert_eq!(trend.history(), [vec![0.25, 0.75, 1.0], vec![0.5, 0.25]]);
    }
}
