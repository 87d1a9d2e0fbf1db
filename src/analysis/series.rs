//! Training steps of one model: gains, forgetting, and the cost under one metric of choosing the step by another.

use super::clusters::{Clustering, query_clusters};
use super::compare::{self, TestRequest};
use super::holm::{self, HolmTest};
use super::paired_values::Paired;
use super::per_query::Values;
use super::runs::Runs;
use crate::data::Direction;
use crate::error::Result;
use crate::evaluate::plan::{self, Line};
use crate::rank::pass::CancelToken;
use crate::study::Study;

/// Values of a metric in one direction over the training steps.
#[derive(Debug, Clone)]
pub struct Course {
    /// Metric and ground truth.
    pub line: Line,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Values per query at each step.
    pub values: Vec<Values>,
    /// Mean at each step; `None` if undefined.
    pub means: Vec<Option<f64>>,
}

impl Course {
    /// From the per-query values at each step; computes the means.
    pub fn new(line: Line, direction: Direction, values: Vec<Values>) -> Self {
        Course { means: values.iter().map(Values::mean).collect(), line, direction, values }
    }

    /// Index of the step with the best mean, the earliest of ties; `None` if no mean is defined.
    pub fn best_step(&self) -> Option<usize> {
        let better = |value: f64| self.line.unit().orient(value);
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

    /// Gallery index of each query, and whether it is correct at each step; `None` if any value is undefined,
    /// or neither 0 nor 1.
    pub fn correct_by_step(&self) -> Option<Vec<(u32, Vec<bool>)>> {
        let queries = self.values.first()?.queries.iter().enumerate();
        let rows = queries.map(|(place, &query)| {
            let is_correct = |values: &Values| match values.values[place] {
                Some(0.0) => Some(false),
                Some(1.0) => Some(true),
                _ => None,
            };
            Some((query, self.values.iter().map(is_correct).collect::<Option<_>>()?))
        });
        rows.collect()
    }
}

/// Course of every metric of a request over the steps of a study, in these directions; `None` if cancelled.
///
/// # Errors
/// As [`compare::compute_values`].
pub fn courses(
    study: &Study,
    lines: plan::Request,
    directions: &[Direction],
    token: &CancelToken,
) -> Result<Option<Vec<Course>>> {
    let steps = study.steps.iter();
    let request = TestRequest {
        models: steps.map(|step| Runs::single(&study.models, step.model)).collect(),
        lines,
        directions: directions.to_vec(),
        clustering: Clustering::ByImage,
    };
    let Some(measured) = compare::compute_values(study, &request, token)? else {
        return Ok(None);
    };
    let mut courses = Vec::new();
    for (at, line) in measured.lines.iter().enumerate() {
        for &direction in directions {
            let values =
                (0..study.steps.len()).map(|step| measured.values(step, at, direction).cloned());
            if let Some(values) = values.collect::<Option<_>>() {
                courses.push(Course::new(line.clone(), direction, values));
            }
        }
    }
    Ok(Some(courses))
}

/// A step chosen by one metric, evaluated by another.
#[derive(Debug, Clone)]
pub struct StepChoice {
    /// Indices of the courses: the choosing metric, and the evaluating one.
    pub courses: [usize; 2],
    /// Index of the step that each chooses.
    pub steps: [usize; 2],
    /// Means of the second metric at both steps, its own last.
    pub means: [f64; 2],
}

/// Tests the loss in one metric if the step is chosen by another: for every two courses of one direction with different
/// best steps, the second metric at its own best step minus that at the first metric's. `images` has the image of each
/// caption, if captions of one image form a cluster. Choices with equal steps and values are one hypothesis.
pub fn step_choices(courses: &[Course], images: Option<&[u32]>) -> Vec<HolmTest<StepChoice>> {
    let choice = |indices: [usize; 2]| {
        let [choosing, other] = indices.map(|at| &courses[at]);
        let steps = [choosing.best_step()?, other.best_step()?];
        let means = [other.means[steps[0]]?, other.means[steps[1]]?];
        let is_choice = choosing.direction == other.direction && steps[0] != steps[1];
        let paired = || Paired::from_values([steps[1], steps[0]].map(|step| &other.values[step]));
        is_choice.then(|| (StepChoice { courses: indices, steps, means }, paired()))
    };
    let all = 0..courses.len();
    let pairs = all.clone().flat_map(|one| all.clone().map(move |other| [one, other]));
    let second = |of: &StepChoice| &courses[of.courses[1]];
    holm::test_family(
        pairs.filter_map(choice),
        |of| (second(of).line.unit(), query_clusters(images, second(of).direction)),
        |one, other| (one.steps, second(one).direction) == (other.steps, second(other).direction),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::index::TruthIx;
    use crate::evaluate::plan::Rule;
    use crate::metric::{Spec, hit, map_at_r};
    use crate::study::Pool;
    use crate::study::series::Learning;

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
    fn choosing_by_another_metric_costs_what_the_means_differ_by() {
        let recall = course(&hit::R1, &[&[0.0, 1.0, 1.0], &[1.0, 1.0, 1.0], &[1.0, 1.0, 0.0]]);
        let map =
            course(&map_at_r::MapAtR, &[&[0.2, 0.3, 0.1], &[0.2, 0.2, 0.2], &[0.5, 0.4, 0.9]]);
        assert_eq!((recall.best_step(), map.best_step()), (Some(1), Some(2)));
        let learning = recall.correct_by_step().unwrap();
        let kinds = learning.iter().map(|(_, of)| Learning::from_steps(of)).collect::<Vec<_>>();
        assert_eq!(kinds, [Learning::Learned, Learning::Learned, Learning::Forgotten]);
        assert!(map.correct_by_step().is_none());
        let found = step_choices(&[recall, map], None);
        let [by_recall, by_map] = found.as_slice() else { panic!("two choices") };
        assert_eq!((by_recall.key.courses, by_recall.key.steps), ([0, 1], [1, 2]));
        assert!((by_recall.key.means[1] - by_recall.key.means[0] - 0.4).abs() < 1e-12);
        assert!((by_map.key.means[1] - by_map.key.means[0] - 1.0 / 3.0).abs() < 1e-12);
        assert!(by_recall.corrected.same_as.is_none() && by_map.corrected.same_as.is_none());
    }

    #[test]
    fn choices_with_equal_values_are_one_hypothesis() {
        let chooses = course(&map_at_r::MapAtR, &[&[0.2, 0.3, 0.1, 0.1], &[0.9; 4]]);
        let values: [&[f64]; 2] = [&[1.0, 1.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0]];
        let tells = || course(&hit::R1, &values);
        let found = step_choices(&[chooses, tells(), tells()], None);
        let told: Vec<([usize; 2], bool)> =
            found.iter().map(|of| (of.key.courses, of.corrected.same_as.is_some())).collect();
        // One metric chooses against two equal ones, and each of these against it.
        let expected = [([0, 1], false), ([0, 2], true), ([1, 0], false), ([2, 0], true)];
        assert_eq!(told, expected);
        let holm = |at: usize| found[at].corrected.holm;
        assert_eq!((holm(0), holm(2)), (holm(1), holm(3)));
    }

    #[test]
    fn the_earliest_of_equal_steps_is_the_best_and_none_without_values() {
        let same = course(&hit::R1, &[&[1.0], &[1.0]]);
        assert_eq!(same.best_step(), Some(0));
        assert!(step_choices(&[same.clone(), same], None).is_empty());
        let empty = course(&hit::R1, &[&[], &[]]);
        assert_eq!(empty.best_step(), None);
    }
}
