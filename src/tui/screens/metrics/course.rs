//! Both metrics of the header over the steps of a training.

use ratatui::text::Line;

use super::Cx;
use crate::data::text::grouped;
use crate::figure::chart::{Chart, Curve, Shape};
use crate::figure::charts;
use crate::metric::{Spec, Unit};
use crate::study::Step;
use crate::tui::model::metrics_table::{Column, Measure, Row};

/// A metric over the steps.
struct Course {
    title: String,
    unit: Unit,
    /// By place of the step, where it is known.
    values: Vec<Option<f64>>,
}

impl Course {
    /// The first of the best steps, and its value.
    fn best(&self) -> Option<(usize, f64)> {
        let known = self.values.iter().enumerate();
        let known = known.filter_map(|(at, value)| Some((at, (*value)?)));
        let better = |value| self.unit.better(value);
        known.reduce(|best, one| if better(one.1) > better(best.1) { one } else { best })
    }
}

impl Cx<'_> {
    /// Both metrics under the truth and in the direction of the view.
    fn courses(self) -> [Course; 2] {
        let view = self.model.view;
        self.field_specs().map(|spec: Spec| {
            let measure = Measure::Of(spec);
            let row = Row { truth: view.truth, is_mine: self.model.is_judged(), measure };
            let value = |step: &Step| {
                let column = Column { model: step.model, direction: view.direction };
                self.model.cell(row, column).value()
            };
            let values = self.model.study.steps.iter().map(value).collect();
            Course { title: spec.title(), unit: spec.metric.unit(), values }
        })
    }

    /// A number of a step as it is written.
    fn step_number(self, place: usize) -> String {
        grouped(self.model.study.steps[place].number as usize)
    }

    /// What each metric's best step is, and what choosing by it costs under the other one.
    pub(super) fn course_lines(self) -> Vec<Line<'static>> {
        let [first, second] = &self.courses();
        let line = |chosen: &Course, other: &Course| {
            let (at, value) = chosen.best()?;
            let value = chosen.unit.shown(Some(value));
            let mut words =
                format!("{} best {value} at step {}", chosen.title, self.step_number(at));
            if let Some((there, (_, best))) = other.values[at].zip(other.best()) {
                let cost = other.unit.shown(Some((best - there).abs()));
                let there = other.unit.shown(Some(there));
                words += &format!("; there {} {there}, {cost} from its best", other.title);
            }
            Some(Line::from(words))
        };
        let lines = [line(first, second), line(second, first)].into_iter().flatten();
        let words = "tuned on these queries; `itm-explore series` tests the difference";
        lines.chain([Line::styled(words, self.theme.dim)]).collect()
    }

    /// Both metrics as one chart where they have one unit, so that heights compare, else as two; none while nothing
    /// is known.
    pub(super) fn course_charts(self) -> Vec<Chart> {
        let view = self.model.view;
        let truth = self.model.name_in_force(view.truth);
        let courses = self.courses();
        let curve = |course: &Course, hue: usize| {
            let steps = self.model.study.steps.iter().zip(&course.values);
            let point = |(step, value): (&Step, &Option<f64>)| {
                Some([step.number as f64, course.unit.change((*value)?)])
            };
            let name = format!("{} {truth} {}", course.title, view.direction);
            Curve::line(name, [hue, 0], steps.filter_map(point).collect())
        };
        let [first, second] = [0, 1].map(|at| curve(&courses[at], at));
        let [unit, other] = courses.each_ref().map(|course| course.unit);
        let charts = if unit == other {
            vec![charts::steps::chart(vec![first, second])]
        } else {
            vec![charts::steps::chart(vec![first]), charts::steps::chart(vec![second])]
        };
        let mut charts: Vec<Chart> = charts.into_iter().flatten().collect();
        for chart in &mut charts {
            if matches!(courses[chart.lines[0].hue].unit, Unit::Rank | Unit::Sum) {
                chart.up.title = "value".into();
            }
        }
        charts
    }

    /// Adds the step of the view and the best steps to the charts, for the screen alone.
    pub(super) fn mark_steps(self, shown: &mut [Chart]) {
        let courses = self.courses();
        let step = |at: usize| self.model.study.steps[at].number as f64;
        let present = self.model.study.step_of(self.model.view.model);
        for chart in shown {
            let best = |line: &Curve| {
                // The hue of a line is the place of its metric.
                let course = &courses[line.hue];
                let (place, value) = course.best()?;
                let shown = course.unit.shown(Some(value));
                let name = format!("best {shown} at {}", self.step_number(place));
                let point = [step(place), course.unit.change(value)];
                Some(Curve::new(Shape::Dots, name, [line.hue, 0], vec![point]))
            };
            let best: Vec<Curve> = chart.lines.iter().filter_map(best).collect();
            chart.lines.extend(best);
            let upright = present.map(|place| chart.up.ends.map(|end| [step(place), end]).to_vec());
            let upright = upright.map(|points| Curve::background(Shape::Line, "", points));
            chart.lines.splice(0..0, upright);
        }
    }
}
