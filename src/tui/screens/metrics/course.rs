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
    fn unit(&self) -> Unit {
        self.spec.metric.unit()
    }

    /// The first of the best steps, and its value.
    fn best(&self) -> Option<(Step, f64)> {
        let better = |of: &(Step, f64)| self.unit().better(of.1);
        let known = self.values.iter().copied();
        known.reduce(|best, one| if better(&one) > better(&best) { one } else { best })
    }

    /// Where a value stands in a chart.
    fn point(&self, (step, value): (Step, f64)) -> [f64; 2] {
        [step.number as f64, self.unit().change(value)]
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
            let (value, number) = (chosen.unit().shown(Some(value)), grouped(step.number as usize));
            let mut words = format!("{} best {value} at step {number}", chosen.spec.title());
            let there = other.values.iter().find(|(at, _)| at.number == step.number);
            if let Some((&(_, there), (_, best))) = there.zip(other.best()) {
                let cost = other.unit().shown(Some((best - there).abs()));
                let there = other.unit().shown(Some(there));
                let title = other.spec.title();
                words = format!("{words}; there {title} {there}, {cost} from its best");
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
        let [first, second] = [0, 1].map(|hue| {
            let course = &courses[hue];
            let name = format!("{} {truth} {}", course.spec.title(), view.direction);
            let points = course.values.iter().map(|&of| course.point(of)).collect();
            Curve::line(name, [hue, 0], points)
        });
        let charts = if courses[0].unit() == courses[1].unit() {
            vec![charts::steps::chart(vec![first, second])]
        } else {
            vec![charts::steps::chart(vec![first]), charts::steps::chart(vec![second])]
        };
        let mut charts: Vec<Chart> = charts.into_iter().flatten().collect();
        for chart in &mut charts {
            if matches!(courses[chart.lines[0].hue].unit(), Unit::Rank | Unit::Sum) {
                chart.up.title = "value".into();
            }
        }
        charts
    }
}
