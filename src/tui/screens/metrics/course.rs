//! Both metrics of the header over the steps of a training.

use ratatui::text::Line;

use super::Cx;
use crate::data::text::grouped;
use crate::figure::chart::{Chart, Curve};
use crate::figure::charts;
use crate::metric::{Spec, Unit};
use crate::study::Step;
use crate::tui::state::metrics_table::{Column, Measure, Row};

/// A metric over the steps.
struct Course {
    spec: Spec,
    /// The steps where it is known, with its value.
    values: Vec<(Step, f64)>,
}

impl Course {
    /// The first of the best steps, and its value.
    fn best(&self) -> Option<(Step, f64)> {
        let known = self.values.iter().copied();
        known.reduce(|best, one| if one.1 > best.1 { one } else { best })
    }
}

impl Cx<'_> {
    /// Both metrics under the truth and in the direction of the view.
    fn courses(self) -> [Course; 2] {
        let view = self.model.view;
        self.field_specs().map(|spec| {
            let measure = Measure::Of(spec);
            let row = Row { truth: view.truth, is_mine: self.model.is_judged(), measure };
            let value = |step: &Step| {
                let column = Column { model: step.model, direction: view.direction };
                Some((*step, self.model.cell(row, column).value()?))
            };
            Course { spec, values: self.model.study.steps.iter().filter_map(value).collect() }
        })
    }

    /// What each metric's best step is, and what choosing by it costs under the other one.
    pub(super) fn course_lines(self) -> Vec<Line<'static>> {
        let [first, second] = &self.courses();
        let line = |chosen: &Course, other: &Course| {
            let (step, value) = chosen.best()?;
            let shown = |value| Unit::Share.shown(Some(value));
            let (value, number) = (shown(value), grouped(step.number as usize));
            let mut words = format!("{} best {value} at step {number}", chosen.spec.title());
            let there = other.values.iter().find(|(at, _)| at.number == step.number);
            if let Some((&(_, there), (_, best))) = there.zip(other.best()) {
                let (cost, there) = (shown(best - there), shown(there));
                let title = other.spec.title();
                words = format!("{words}; there {title} {there}, {cost} from its best");
            }
            Some(Line::from(words))
        };
        let lines = [line(first, second), line(second, first)].into_iter().flatten();
        let words = "tuned on these queries; `itm-explore series` tests the difference";
        lines.chain([Line::styled(words, self.theme.dim)]).collect()
    }

    /// Both metrics as one chart; none while nothing is known.
    pub(super) fn course_chart(self) -> Option<Chart> {
        let view = self.model.view;
        let truth = self.model.name_in_force(view.truth);
        let lines = (0..).zip(self.courses()).map(|(hue, course)| {
            let name = format!("{} {truth} {}", course.spec.title(), view.direction);
            let point = |(step, value): &(Step, f64)| [step.number as f64, 100.0 * value];
            Curve::line(name, [hue, 0], course.values.iter().map(point).collect())
        });
        charts::steps::chart(lines.collect())
    }
}
