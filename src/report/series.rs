//! Metrics of one model over its training steps.

use super::Report;
use super::cell::{Cell, share};
use super::list::{List, Section};
use crate::analysis::holm::HolmTest;
use crate::analysis::inference::{DIFFERENCE_METHOD, Estimate};
use crate::analysis::series::{Course, StepChoice};
use crate::metric::best;
use crate::study::Study;
use crate::study::series::Learning;

/// The result of `series`: a model at several training steps.
pub struct Series<'a> {
    /// The study with the steps as models.
    pub study: &'a Study,
    /// Each metric over the steps.
    pub courses: &'a [Course],
    /// Cost under one metric of the step that another metric chooses.
    pub choices: &'a [HolmTest<StepChoice>],
    /// Whether CIs and tests cluster queries by image; if not, each query is a cluster.
    pub by_image: bool,
}

impl Series<'_> {
    /// Metrics over steps, costs of choosing a step, and how queries are learned.
    pub fn report(&self) -> Report<'_> {
        let mut notes = vec![
            "shares in percent; late: first correct in the last quarter of the steps; forgotten: wrong at the last step".to_owned(),
        ];
        if !self.choices.is_empty() {
            let clusters = if self.by_image { "image" } else { "query" };
            notes.push(format!(
                "95 % CI and p, two-sided, clustered by {clusters}: {DIFFERENCE_METHOD}; p Holm-adjusted over all rows"
            ));
        }
        Report {
            heading: self.conclusion(),
            notes,
            best: Some("best step of a metric, the earliest of equal ones"),
            ..Report::from_sections(vec![
                self.step_table(),
                self.value_records(),
                self.choice_costs(),
                self.best_steps(),
            ])
        }
    }

    /// The best step of all metrics, in a sentence.
    fn conclusion(&self) -> String {
        let best = self.courses.iter().filter(|course| course.line.is_merit());
        let best = best.filter_map(|course| Some(self.step_number(course.best_step()?)));
        match best.clone().min().zip(best.max()) {
            Some((one, other)) if one == other => format!("Step {one} is best by every metric."),
            Some((one, other)) => format!("Metrics prefer steps {one} to {other}."),
            None => "No metric has a best step.".to_owned(),
        }
    }

    /// The number of the training step at an index of the study's steps.
    fn step_number(&self, at: usize) -> u64 {
        self.study.steps[at].number
    }

    /// For people, a row for each step and a column for each metric.
    fn step_table(&self) -> Section {
        let steps = self.study.steps.iter().enumerate();
        let mut list =
            List::new("", "metrics over the steps", steps).display("step", |(_, step)| step.number);
        for course in self.courses {
            let unit = course.line.unit();
            let differ = best::marks(&course.means, unit).contains(&true);
            let best = course.best_step().filter(|_| differ && course.line.is_merit());
            let head = format!("{} {}", course.line.key, course.direction);
            list = list.display(head, move |(at, _)| {
                let value = course.means[*at].map(|value| Cell::Value(value, unit));
                Cell::from(value).mark_best(best == Some(*at))
            });
        }
        list.section()
    }

    /// For programs, a record for each step and metric.
    fn value_records(&self) -> Section {
        let steps = self.study.steps.iter().enumerate();
        let records =
            steps.flat_map(|(at, step)| self.courses.iter().map(move |course| (at, step, course)));
        List::new("values", "", records)
            .data("step", |(_, step, _)| step.number)
            .data("model", |(_, step, _)| &self.study.models[step.model].name)
            .data("metric", |(.., course)| &course.line.key)
            .data("direction", |(.., course)| course.direction)
            .data("value", |(at, _, course)| course.means[*at])
            .section()
    }

    /// The cost under one metric of the step that another chooses; empty if all choose the same step.
    fn choice_costs(&self) -> Section {
        let course =
            |test: &HolmTest<StepChoice>, which: usize| &self.courses[test.key.courses[which]];
        let unit = move |test: &HolmTest<StepChoice>| course(test, 1).line.unit();
        let title = "what the step that one metric chooses costs under another (best - there)";
        List::new("choices", title, self.choices)
            .column("chosen_by", "chosen by", move |test| &course(test, 0).line.key)
            .column("direction", "", move |test| course(test, 0).direction)
            .column("step", "step", |test| self.step_number(test.key.steps[0]))
            .column("under", "under", move |test| &course(test, 1).line.key)
            .column("value", "there", move |test| Cell::Value(test.key.means[0], unit(test)))
            .column("best_value", "best", move |test| Cell::Value(test.key.means[1], unit(test)))
            .column("best_step", "at step", |test| self.step_number(test.key.steps[1]))
            .column("cost", "cost", move |test| {
                Cell::Difference(test.key.means[1] - test.key.means[0], unit(test))
            })
            .interval_cells(["low", "high"], "95 % CI", move |test| {
                Some(test.estimate?.interval().map(|end| Cell::Difference(end, unit(test))))
            })
            .data("p", |test| test.estimate.map(Estimate::p))
            .column("p_holm", "p", |test| test.corrected.holm.map(Cell::corrected_p))
            .section()
    }

    /// The best step of each metric. For metrics of 0 or 1 per query, also how many queries are learned in each way.
    fn best_steps(&self) -> Section {
        let records = self.courses.iter().map(|course| -> (_, Option<Vec<Learning>>) {
            let kinds = |queries: Vec<(u32, Vec<bool>)>| {
                queries.iter().map(|(_, correct)| Learning::from_steps(correct)).collect()
            };
            (course, course.correct_by_step().map(kinds))
        });
        let mut list =
            List::new("metrics", "best step, and queries by how top-1 is learned", records)
                .column("metric", "metric", |(course, _)| &course.line.key)
                .column("direction", "", |(course, _)| course.direction)
                .column("best_step", "best step", |(course, _)| {
                    course.best_step().map(|at| self.step_number(at))
                })
                .column("queries", "queries", |(_, kinds)| kinds.as_ref().map(Vec::len));
        for (key, kind) in Learning::ALL {
            let count = move |all: &Vec<Learning>| all.iter().filter(|&&one| one == kind).count();
            list = list
                .column(key, key, move |(_, kinds)| kinds.as_ref().map(count))
                .display("%", move |(_, kinds)| {
                    kinds.as_ref().and_then(|kinds| share(count(kinds), kinds.len()))
                });
        }
        list.section()
    }
}
