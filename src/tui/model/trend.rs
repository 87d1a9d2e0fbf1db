//! The header's two numbers of what is looked at, and their history as long as that is one question.

use crate::metric::Summary;
use crate::study::{Pool, View};

/// Two numbers over time.
#[derive(Debug, Clone, Default)]
pub struct Trend {
    asked: Option<Question>,
    steps: Vec<Step>,
}

/// What the numbers are of: those of another model, direction, ground truth, pool or filter are neither better nor
/// worse.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    /// Model, ground truth and direction.
    pub view: View,
    /// What competes.
    pub pool: Pool,
    /// The condition in force; empty for none.
    pub filter: String,
}

#[derive(Debug, Clone, Copy)]
struct Step {
    /// The visit of a step of the history that it is of.
    visit: usize,
    numbers: [Summary; 2],
}

/// Steps kept: more than any screen is wide.
const LONGEST: usize = 512;

impl Trend {
    /// Adds a step, unless it only tells again what the last one told; another question begins anew. What comes later
    /// in the same `visit` of a step of the history (ranks that were looked up) takes the place of what came first.
    pub fn record(&mut self, visit: usize, asked: Question, numbers: [Summary; 2]) {
        if self.asked.as_ref() != Some(&asked) {
            (self.asked, self.steps) = (Some(asked), Vec::new());
        }
        let same = |last: &Step| last.numbers == numbers;
        if self.steps.last().is_some_and(same) {
            return;
        }
        self.steps.pop_if(|last| last.visit == visit);
        if self.steps.len() == LONGEST {
            self.steps.remove(0);
        }
        self.steps.push(Step { visit, numbers });
    }

    /// Both numbers as they are now; `None` where those known are of another question.
    pub fn now(&self, asked: &Question) -> Option<[Summary; 2]> {
        Some(self.steps_of(asked).last()?.numbers)
    }

    /// Past and present values of both numbers, where they were defined; none where they are of another question.
    pub fn history(&self, asked: &Question) -> [Vec<f64>; 2] {
        let values = |at: usize| {
            let steps = self.steps_of(asked).iter();
            let values = steps.filter_map(|step| step.numbers[at].value);
            values.collect()
        };
        [values(0), values(1)]
    }

    fn steps_of(&self, asked: &Question) -> &[Step] {
        let is_it = self.asked.as_ref() == Some(asked);
        if is_it { &self.steps } else { &[] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::Direction;
    use crate::data::index::{ModelIx, TruthIx};

    fn summary(value: Option<f64>) -> Summary {
        Summary { value, judged: 3, ..Summary::default() }
    }

    fn asked(truth: usize, filter: &str) -> Question {
        Question {
            view: View {
                model: ModelIx::default(),
                truth: TruthIx::new(truth),
                direction: Direction::I2t,
            },
            pool: Pool::All,
            filter: filter.into(),
        }
    }

    #[test]
    fn what_comes_later_in_a_visit_takes_the_place_of_what_came_first() {
        let mut trend = Trend::default();
        assert_eq!(trend.now(&asked(0, "")), None);
        let mut record = |visit, first, second| {
            let numbers = [summary(Some(first)), summary(second)];
            trend.record(visit, asked(0, ""), numbers);
            trend.now(&asked(0, "")).unwrap().map(|of| of.value)
        };
        record(0, 0.25, Some(0.5));
        record(1, 0.5, Some(0.25));
        record(1, 0.75, Some(0.25));
        assert_eq!(record(2, 0.75, Some(0.25)), [Some(0.75), Some(0.25)]);
        assert_eq!(record(3, 1.0, None), [Some(1.0), None]);
        assert_eq!(trend.history(&asked(0, "")), [vec![0.25, 0.75, 1.0], vec![0.5, 0.25]]);
    }

    #[test]
    fn another_question_begins_anew() {
        let mut trend = Trend::default();
        for (visit, asked) in (0..).zip([asked(0, ""), asked(1, ""), asked(1, "r1"), asked(1, "")])
        {
            trend.record(2 * visit, asked.clone(), [summary(Some(0.25)); 2]);
            assert_eq!(trend.history(&asked)[0], [0.25], "{asked:?}");
            let pool = Pool::Fold(0);
            let other = Question { pool, ..asked.clone() };
            assert_eq!((trend.now(&other), trend.history(&other)[0].len()), (None, 0));
            trend.record(2 * visit + 1, asked.clone(), [summary(Some(0.5)); 2]);
            assert_eq!(trend.history(&asked)[0], [0.25, 0.5]);
        }
    }
}
