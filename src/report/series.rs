//! One model over its training steps.

use super::Report;
use super::cell::{Cell, share};
use super::list::{List, Section};
use crate::analysis::holm::Tested;
use crate::analysis::inference::{Estimate, OF_DIFFERENCES};
use crate::analysis::series::{Choice, Course};
use crate::data::text::grouped;
use crate::metric::best;
use crate::study::Study;
use crate::study::series::Kind;

/// A series, and its results.
pub struct Series<'a> {
    /// The study with the steps as models.
    pub study: &'a Study,
    /// The metrics over them.
    pub courses: &'a [Course],
    /// Cost of choosing by one under another.
    pub choices: &'a [Tested<Choice>],
    /// Whether captions of one image form a cluster.
    pub by_image: bool,
}

impl Series<'_> {
    /// Metrics over steps, costs of choices, and learning of queries.
    pub fn report(&self) -> Report<'_> {
        let mut notes = vec![
            "shares in percent; on other queries than these the best step is less far ahead"
                .to_owned(),
            "late: first correct in the last quarter of the steps, of two or three at the last; forgotten: not at the last step"
                .to_owned(),
        ];
        if !self.choices.is_empty() {
            let clusters = if self.by_image { "image" } else { "query" };
            let hypotheses = self.choices.iter().filter(|of| of.corrected.same_as.is_none());
            notes.push(format!(
                "95 % CI and p, two-sided, clustered by {clusters}: {OF_DIFFERENCES}; p Holm-adjusted over {} rows (those with the same \
                 steps and values count once)",
                grouped(hypotheses.count())
            ));
        }
        Report {
            notes,
            best: Some("best step of a metric, the earliest of equal ones"),
            ..Report::from_sections(vec![
                self.over_steps(),
                self.values(),
                self.costs(),
                self.metrics(),
            ])
        }
    }

    fn step(&self, at: usize) -> u64 {
        self.study.steps[at].number
    }

    /// A column for each metric.
    fn over_steps(&self) -> Section {
        let steps = self.study.steps.iter().enumerate();
        let mut list =
            List::new("", "metrics over the steps", steps).shown("step", |(_, step)| step.number);
        for course in self.courses {
            let unit = course.line.unit();
            let differ = best::marks(&course.means, unit).contains(&true);
            let best = course.best().filter(|_| differ && course.line.is_merit());
            list = list.shown(name(course), move |(at, _)| {
                let value = course.means[*at].map(|value| Cell::Value(value, unit));
                Cell::from(value).marked(best == Some(*at))
            });
        }
        list.section()
    }

    fn values(&self) -> Section {
        let steps = self.study.steps.iter().enumerate();
        let each =
            steps.flat_map(|(at, step)| self.courses.iter().map(move |course| (at, step, course)));
        List::new("values", "", each)
            .data("step", |(_, step, _)| step.number)
            .data("model", |(_, step, _)| &self.study.models[step.model].name)
            .data("metric", |(.., course)| &course.line.key)
            .data("direction", |(.., course)| course.direction)
            .data("value", |(at, _, course)| course.means[*at])
            .section()
    }

    /// Empty if all metrics choose the same step.
    fn costs(&self) -> Section {
        let course = |of: &Tested<Choice>, which: usize| &self.courses[of.key.courses[which]];
        let value = move |of: &Tested<Choice>, value| Cell::Value(value, course(of, 1).line.unit());
        let cost =
            move |of: &Tested<Choice>, cost| Cell::Difference(cost, course(of, 1).line.unit());
        let title = "what the step that one metric chooses costs under another (best - there)";
        List::new("choices", title, self.choices)
            .column("chosen_by", "chosen by", move |of| &course(of, 0).line.key)
            .column("direction", "", move |of| course(of, 0).direction)
            .column("step", "step", |of| self.step(of.key.steps[0]))
            .column("under", "under", move |of| &course(of, 1).line.key)
            .column("value", "there", move |of| value(of, of.key.means[0]))
            .column("best_value", "best", move |of| value(of, of.key.means[1]))
            .column("best_step", "at step", |of| self.step(of.key.steps[1]))
            .column("cost", "cost", move |of| cost(of, of.key.means[1] - of.key.means[0]))
            .ends(["low", "high"], "95 % CI", move |of| {
                of.estimate.map(|estimate| estimate.interval().map(|end| cost(of, end)))
            })
            .data("p", |of| of.estimate.map(Estimate::p))
            .column("p_holm", "p", |of| of.corrected.holm.map(Cell::corrected))
            .section()
    }

    /// The best step of each metric, and for those of 0 and 1 the queries of each kind.
    fn metrics(&self) -> Section {
        let counted = self.courses.iter().map(|course| -> (_, Option<Vec<Kind>>) {
            let kinds =
                |of: Vec<(u32, Vec<bool>)>| of.iter().map(|(_, of)| Kind::from_steps(of)).collect();
            (course, course.learning().map(kinds))
        });
        let mut list =
            List::new("metrics", "best step, and queries by how top-1 is learned", counted)
                .column("metric", "metric", |(course, _)| &course.line.key)
                .column("direction", "", |(course, _)| course.direction)
                .column("best_step", "best step", |(course, _)| {
                    course.best().map(|at| self.step(at))
                })
                .column("queries", "queries", |(_, kinds)| kinds.as_ref().map(Vec::len));
        for (key, kind) in Kind::ALL {
            let count = move |kinds: &Vec<Kind>| kinds.iter().filter(|&&of| of == kind).count();
            list = list
                .column(key, key, move |(_, kinds)| kinds.as_ref().map(count))
                .shown("%", move |(_, kinds)| {
                    kinds.as_ref().and_then(|kinds| share(count(kinds), kinds.len()))
                });
        }
        list.section()
    }
}

fn name(course: &Course) -> String {
    format!("{} {}", course.line.key, course.direction)
}
