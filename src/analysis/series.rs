//! One model at several steps of its training: what it gains, what it forgets, and what choosing the step by one
//! metric costs under another.

use super::bootstrap::Draws;
use super::clustering::cluster_of;
use super::holm;
use super::inference::{self, Tests};
use super::paired::Paired;
use super::per_query::Values;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::scores::Model;
use crate::error::{Error, Result};
use crate::evaluate::plan::Line;

/// A step of the training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Its number, as the model's name has it.
    pub number: u64,
    /// The model.
    pub model: ModelIx,
}

/// The models of a study as steps, by the last number in each name.
///
/// # Errors
/// Fewer than two models, a name without a number, a number that two names have.
pub fn steps(models: &[Model]) -> Result<Vec<Step>> {
    let wrong = |found: String| {
        Error::new("--series", found)
            .expected("two files or more of one model, whose names end in different numbers")
            .mend("name them step-000100.npy, step-000200.npy, or give names with --name FILE=NAME")
    };
    let mut steps = Vec::new();
    for (at, model) in models.iter().enumerate() {
        let number = last_number(&model.name);
        let number = number.ok_or_else(|| wrong(format!("{} has no number", model.name)))?;
        let model = ModelIx::new(at);
        steps.push(Step { number, model });
    }
    steps.sort_by_key(|step| step.number);
    let same = steps.windows(2).find(|two| two[0].number == two[1].number);
    if let Some([one, other]) = same {
        let [one, other] = [one, other].map(|step| &models[step.model].name);
        return Err(wrong(format!("{one} and {other} have the same number")));
    }
    if steps.len() < 2 {
        return Err(wrong(format!("{} step", steps.len())));
    }
    Ok(steps)
}

fn last_number(name: &str) -> Option<u64> {
    let is_digit = |c: char| c.is_ascii_digit();
    let end = name.rfind(is_digit)? + 1;
    let start = name[..end].rfind(|c| !is_digit(c)).map_or(0, |at| {
        at + name[at..].chars().next().map_or(1, char::len_utf8)
    });
    name[start..end].parse().ok()
}

/// One metric in one direction over the steps.
#[derive(Debug, Clone)]
pub struct Course {
    /// The metric's line.
    pub line: Line,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The values of every query, by step.
    pub values: Vec<Values>,
    /// Their means; `None` where one is not defined.
    pub means: Vec<Option<f64>>,
}

impl Course {
    /// From the values at each step.
    pub fn new(line: Line, direction: Direction, values: Vec<Values>) -> Self {
        let mean = |of: &Values| {
            let whole = of.shortage.is_none().then(|| of.groups(None).mean());
            whole.flatten()
        };
        Course {
            means: values.iter().map(mean).collect(),
            line,
            direction,
            values,
        }
    }

    /// The step with the best mean, the earliest of equal ones; `None` where no mean is defined.
    pub fn best(&self) -> Option<usize> {
        let better = |value: f64| self.line.unit().better(value);
        let mut best: Option<(usize, f64)> = None;
        for (at, mean) in self.means.iter().enumerate() {
            let Some(value) = mean.map(better) else {
                continue;
            };
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((at, value));
            }
        }
        best.map(|(at, _)| at)
    }

    /// How the queries are learned; `None` where a value is neither 0 nor 1.
    pub fn learning(&self) -> Option<Learning> {
        let rows = (0..self.values.first()?.values.len()).map(|query| {
            let of_step = |values: &Values| match values.values[query] {
                Some(0.0) => Some(false),
                Some(1.0) => Some(true),
                _ => None,
            };
            self.values
                .iter()
                .map(of_step)
                .collect::<Option<Vec<bool>>>()
        });
        Some(Learning {
            queries: self.values[0].queries.to_vec(),
            correct: rows.collect::<Option<_>>()?,
        })
    }
}

/// Whether the top item of each query is correct at each step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    /// Gallery indices of the queries.
    pub queries: Vec<u32>,
    /// By query, then by step.
    pub correct: Vec<Vec<bool>>,
}

/// How a query is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Correct at the last step, and first so before the last quarter of the steps.
    Learned,
    /// Correct at the last step, and first so in the last quarter of the steps.
    Late,
    /// Correct at an earlier step and not at the last.
    Forgotten,
    /// Correct at no step.
    Never,
}

impl Kind {
    /// Each of them, with its key.
    pub const ALL: [(&'static str, Kind); 4] = [
        ("learned", Kind::Learned),
        ("late", Kind::Late),
        ("forgotten", Kind::Forgotten),
        ("never", Kind::Never),
    ];

    /// By whether a query is correct, step by step.
    pub fn of(correct: &[bool]) -> Kind {
        let Some(first) = first_step(correct) else {
            return Kind::Never;
        };
        if correct.last() != Some(&true) {
            Kind::Forgotten
        } else if 4 * first >= 3 * correct.len() {
            Kind::Late
        } else {
            Kind::Learned
        }
    }
}

/// The first step at which a query is correct.
pub fn first_step(correct: &[bool]) -> Option<usize> {
    correct.iter().position(|&correct| correct)
}

/// The step that one metric chooses, under another one.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Places of the courses: the metric that chooses, and the one that tells what it costs.
    pub courses: [usize; 2],
    /// The steps that both choose.
    pub steps: [usize; 2],
    /// The means of the second metric at both, its own choice last.
    pub means: [f64; 2],
    /// The tests of the difference: at its own choice less at the other one's.
    pub tests: Tests,
    /// The p-value as Holm adjusts it over all choices.
    pub holm: Option<f64>,
}

/// What each metric's choice costs under each other one of the same direction, where they choose different steps.
/// `images` has the image of each caption, where captions of one image are drawn together.
pub fn choices(courses: &[Course], images: Option<&[u32]>, draws: Draws) -> Vec<Choice> {
    let mut found = Vec::new();
    for (one, chooses) in courses.iter().enumerate() {
        for (other, tells) in courses.iter().enumerate() {
            let both = [chooses, tells].map(Course::best);
            let [Some(chosen), Some(own)] = both else {
                continue;
            };
            let is_same = chooses.direction == tells.direction && one != other;
            let means = [chosen, own].map(|step| tells.means[step]);
            if let (true, true, [Some(here), Some(best)]) = (is_same, chosen != own, means) {
                let paired = Paired::of([own, chosen].map(|step| &tells.values[step]));
                found.push(([one, other], [chosen, own], [here, best], paired));
            }
        }
    }
    let clusters = |other: usize| cluster_of(images, courses[other].direction);
    let asked: Vec<_> = found
        .iter()
        .map(|(courses, _, _, paired)| (paired, clusters(courses[1])))
        .collect();
    let tests = inference::tests(&asked, draws);
    let p_values: Vec<Option<f64>> = tests.iter().map(Tests::p).collect();
    let of_all = found.into_iter().zip(tests).zip(holm::adjusted(&p_values));
    of_all
        .map(|(((courses, steps, means, _), tests), holm)| Choice {
            courses,
            steps,
            means,
            tests,
            holm,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::index::TruthIx;
    use crate::evaluate::plan::Rule;
    use crate::metric::{Spec, hit, map_at_r};
    use crate::study::{Pool, demo};

    fn course(metric: &'static dyn crate::metric::Metric, steps: &[&[f64]]) -> Course {
        let values = steps.iter().map(|values| {
            let queries: Vec<u32> = (0..values.len() as u32).collect();
            Values::new(&queries, values.iter().copied().map(Some).collect())
        });
        let line = Line {
            key: "a metric".into(),
            truth: TruthIx::new(0),
            rule: Rule::Metric(Spec::new(metric), Pool::All),
        };
        Course::new(line, Direction::I2t, values.collect())
    }

    #[test]
    fn steps_are_in_the_order_of_their_numbers() {
        let mut models = demo::open().unwrap().models;
        for (model, name) in
            models
                .iter_mut()
                .zip(["run2-step-300", "run2-step-20", "run2-step-1e"])
        {
            name.clone_into(&mut model.name);
        }
        let numbers: Vec<u64> = steps(&models)
            .unwrap()
            .iter()
            .map(|step| step.number)
            .collect();
        assert_eq!(numbers, [1, 20, 300]);
        for (name, words) in [("last", "last has no number"), ("é300", "the same number")] {
            name.clone_into(&mut models[1].name);
            let error = steps(&models).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
        models.truncate(1);
        assert!(steps(&models).unwrap_err().to_string().contains("1 step"));
    }

    #[test]
    fn what_is_learned_late_forgotten_or_never() {
        let of = |marks: &str| Kind::of(&marks.chars().map(|c| c == '1').collect::<Vec<_>>());
        for (marks, kind) in [
            ("00001111", Kind::Learned),
            ("00000101", Kind::Learned),
            ("00000011", Kind::Late),
            ("11111110", Kind::Forgotten),
            ("00000000", Kind::Never),
            ("10", Kind::Forgotten),
            ("01", Kind::Learned),
        ] {
            assert_eq!(of(marks), kind, "{marks}");
        }
    }

    #[test]
    fn choosing_by_another_metric_costs_what_the_means_differ_by() {
        let recall = course(
            &hit::R1,
            &[&[0.0, 1.0, 1.0], &[1.0, 1.0, 1.0], &[1.0, 1.0, 0.0]],
        );
        let map = course(
            &map_at_r::MapAtR,
            &[&[0.2, 0.3, 0.1], &[0.2, 0.2, 0.2], &[0.5, 0.4, 0.9]],
        );
        assert_eq!((recall.best(), map.best()), (Some(1), Some(2)));
        let learning = recall.learning().unwrap();
        let kinds: Vec<Kind> = learning.correct.iter().map(|of| Kind::of(of)).collect();
        assert_eq!(kinds, [Kind::Learned, Kind::Learned, Kind::Forgotten]);
        assert!(map.learning().is_none());
        let found = choices(&[recall, map], None, Draws::default());
        let [by_recall, by_map] = found.as_slice() else {
            panic!("two choices")
        };
        assert_eq!((by_recall.courses, by_recall.steps), ([0, 1], [1, 2]));
        assert!((by_recall.means[1] - by_recall.means[0] - 0.4).abs() < 1e-12);
        assert!((by_map.means[1] - by_map.means[0] - 1.0 / 3.0).abs() < 1e-12);
    }

    #[test]
    fn the_earliest_of_equal_steps_is_the_best_and_none_without_values() {
        let same = course(&hit::R1, &[&[1.0], &[1.0]]);
        assert_eq!(same.best(), Some(0));
        assert!(choices(&[same.clone(), same], None, Draws::default()).is_empty());
        let empty = course(&hit::R1, &[&[], &[]]);
        assert_eq!(empty.best(), None);
    }
}
