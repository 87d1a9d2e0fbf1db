//! One model over the steps of its training.

use serde_json::{Value, json};

use super::cell::{Cell, row};
use super::{Json, Report, Table};
use crate::analysis::inference::{Estimate, OF_DIFFERENCES};
use crate::analysis::series::{Choice, Course, Learning};
use crate::data::text::grouped;
use crate::metric::{Unit, best};
use crate::study::series::{Kind, first_step};
use crate::study::{Step, Study};

/// What a series is of, and what was found.
pub struct Series<'a> {
    /// The study that the steps are models of.
    pub study: &'a Study,
    /// The metrics over them.
    pub courses: &'a [Course],
    /// What choosing by one costs under another.
    pub choices: &'a [Choice],
    /// Whether captions of one image form a cluster.
    pub by_image: bool,
}

/// A course's queries of one kind.
pub struct Queries<'a> {
    /// The series.
    pub series: &'a Series<'a>,
    /// The course.
    pub course: &'a Course,
    /// Which of its queries.
    pub kind: (&'static str, Kind),
    /// The most to print.
    pub limit: usize,
}

impl Series<'_> {
    /// Metrics over steps, what choices cost, and how queries are learned.
    pub fn report(&self) -> Report<'_> {
        let tables = [Some(self.over_steps()), self.costs(), self.learned()];
        let clusters = if self.by_image { "image" } else { "query" };
        let mut notes = vec![
            "shares in percent".to_owned(),
            "the best step is chosen on these same queries: on others it is less far ahead".into(),
        ];
        if !self.choices.is_empty() {
            let hypotheses = self.choices.iter().filter(|of| !of.is_repeated);
            notes.push(format!(
                "95 % CI and p, two-sided, clustered by {clusters}: {OF_DIFFERENCES}; p Holm-adjusted over {} rows (those with the same \
                 steps and values count once)",
                grouped(hypotheses.count())
            ));
        }
        Report {
            notes,
            best: Some("best step of a metric, the earliest of equal ones"),
            ..Report::new(
                tables.into_iter().flatten().collect(),
                self.data(),
                Json::tree(|| self.json()),
            )
        }
    }

    fn name(course: &Course) -> String {
        format!("{} {}", course.line.key, course.direction)
    }

    fn over_steps(&self) -> Table<'_> {
        let head = self.courses.iter().map(Self::name);
        let head = std::iter::once("step".to_owned()).chain(head);
        let differ = |course: &Course| {
            let marks = best::marks(&course.means, course.line.unit());
            course.line.is_merit() && marks.contains(&true)
        };
        let best = |course: &Course| course.best().filter(|_| differ(course));
        let best: Vec<Option<usize>> = self.courses.iter().map(best).collect();
        let rows = self.study.steps.iter().enumerate().map(move |(at, step)| {
            let cells = self.courses.iter().zip(best.clone());
            let cells = cells.map(|(course, best)| {
                let value = course.means[at];
                let cell = value.map(|value| Cell::Value(value, course.line.unit()));
                cell.unwrap_or(Cell::Undefined).marked(best == Some(at))
            });
            std::iter::once(Cell::Count(step.number)).chain(cells).collect()
        });
        Table::new("metrics over the steps", head, 0, rows)
    }

    /// `None` where all metrics choose the same step.
    fn costs(&self) -> Option<Table<'_>> {
        let head =
            ["chosen by", "step", "under", "there", "best", "at step", "cost", "95 % CI", "p"];
        let row = |choice: &Choice| {
            let [by, under] = choice.courses.map(|at| &self.courses[at]);
            let [chosen, own] = choice.steps.map(|at| self.study.steps[at].number);
            let (unit, [there, best]) = (under.line.unit(), choice.means);
            let interval = choice.estimate.map(Estimate::interval);
            row![
                Self::name(by),
                chosen,
                Self::name(under),
                Cell::Value(there, unit),
                Cell::Value(best, unit),
                own,
                Cell::Difference(best - there, unit),
                interval.map_or(Cell::Undefined, |ends| {
                    Cell::interval(ends, |end| Cell::Difference(end, unit))
                }),
                choice.holm.map_or(Cell::Undefined, Cell::corrected)
            ]
        };
        let rows = self.choices.iter().map(row);
        let title = "what the step that one metric chooses costs under another (best - there)";
        Table::new(title, head, 3, rows).if_any()
    }

    fn learnings(&self) -> impl Iterator<Item = (&Course, Learning)> {
        let courses = self.courses.iter();
        courses.filter_map(|course| Some((course, course.learning()?)))
    }

    fn learned(&self) -> Option<Table<'_>> {
        let kinds = Kind::ALL.iter().map(|(key, _)| (*key).to_owned());
        let mut head = vec!["metric".to_owned(), "queries".to_owned()];
        head.extend(kinds.flat_map(|key| [key, "%".to_owned()]));
        let rows = self.learnings().map(|(course, learning)| {
            let all = learning.queries.len();
            let mut cells = row![Self::name(course), all];
            for count in counts(&learning) {
                let share = count as f64 / all.max(1) as f64;
                cells.extend(row![count, Cell::Decimal(share, Unit::Share)]);
            }
            cells
        });
        let title = "queries whose top-1 is learned (late: first correct in the last quarter of the steps, of two or three at the last), forgotten \
                     (correct before, not at the last step) or never correct";
        Table::new(title, head, 1, rows.collect::<Vec<_>>()).if_any()
    }

    fn data(&self) -> Table<'_> {
        let head = ["step", "metric", "direction", "value"];
        let of = |(at, step): (usize, &Step)| {
            let number = step.number;
            self.courses.iter().map(move |course| {
                let value = course.means[at].map(|value| Cell::Value(value, course.line.unit()));
                row![number, &course.line.key, course.direction, value]
            })
        };
        let rows = self.study.steps.iter().enumerate().flat_map(of);
        Table::new("", head, 3, rows)
    }

    fn json(&self) -> Value {
        let number = |at: usize| self.study.steps[at].number;
        let step =
            |step: &Step| json!({"step": step.number, "model": self.study.models[step.model].name});
        let course = |course: &Course| {
            let learning = course.learning().map(|learning| {
                let all = Kind::ALL.iter().zip(counts(&learning));
                let all = all.map(|((key, _), count)| ((*key).to_owned(), json!(count)));
                Value::Object(all.collect())
            });
            json!({
                "key": course.line.key,
                "direction": course.direction.key(),
                "values": course.means,
                "best_step": course.best().map(number),
                "queries": learning,
            })
        };
        let choice = |choice: &Choice| {
            let [by, under] = choice.courses.map(|at| &self.courses[at]);
            json!({
                "direction": by.direction.key(),
                "chosen_by": by.line.key,
                "step": number(choice.steps[0]),
                "under": under.line.key,
                "value": choice.means[0],
                "best_value": choice.means[1],
                "best_step": number(choice.steps[1]),
                "cost": choice.means[1] - choice.means[0],
                "interval": choice.estimate.map(Estimate::interval),
                "p": choice.estimate.map(Estimate::p),
                "p_holm": choice.holm,
            })
        };
        json!({
            "steps": self.study.steps.iter().map(step).collect::<Value>(),
            "metrics": self.courses.iter().map(course).collect::<Value>(),
            "choices": self.choices.iter().map(choice).collect::<Value>(),
        })
    }
}

/// How many queries are of each kind.
fn counts(learning: &Learning) -> [usize; Kind::ALL.len()] {
    let kinds: Vec<Kind> = learning.correct.iter().map(|of| Kind::of(of)).collect();
    Kind::ALL.map(|(_, kind)| kinds.iter().filter(|&&of| of == kind).count())
}

impl Queries<'_> {
    /// A line for each query, with the first step at which it is correct and its whole course.
    pub fn report(&self) -> Report<'_> {
        let title = format!("{} under {}", self.kind.0, Series::name(self.course));
        let head = ["query", "first correct at", "steps"];
        let data = ["query", "first_right_step", "steps"];
        Report::new(
            vec![Table::new(title, head, 1, self.rows(['✓', '·']))],
            Table::new("", data, 1, self.rows(['1', '0'])),
            Json::Rows,
        )
    }

    fn rows(&self, [right, wrong]: [char; 2]) -> impl Iterator<Item = Vec<Cell>> {
        let learning = self.course.learning();
        let rows =
            learning.map_or_else(Vec::new, |of| of.queries.into_iter().zip(of.correct).collect());
        let kept = rows.into_iter().filter(|(_, correct)| Kind::of(correct) == self.kind.1);
        kept.take(self.limit).map(move |(query, correct)| {
            let ids = self.series.study.gallery.queries(self.course.direction);
            let first = first_step(&correct).map(|at| self.series.study.steps[at].number);
            let course = correct.iter().map(|&correct| if correct { right } else { wrong });
            row![
                Cell::Id(ids[query as usize].to_string()),
                first.map_or(Cell::Empty, Cell::Count),
                course.collect::<String>()
            ]
        })
    }
}
