//! One model at several steps of its training: what it gains, what it forgets, and what choosing the step by one
//! metric costs under another.

use super::clustering::{Clustering, cluster_of};
use super::compare::{self, Family, Request};
use super::holm;
use super::inference::Estimate;
use super::paired::Paired;
use super::per_query::Values;
use super::runs::Runs;
use crate::data::Direction;
use crate::error::Result;
use crate::evaluate::plan::{self, Line};
use crate::rank::pass::CancelToken;
use crate::study::Study;

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
        Course { means: values.iter().map(Values::mean).collect(), line, direction, values }
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
            self.values.iter().map(of_step).collect::<Option<Vec<bool>>>()
        });
        Some(Learning {
            queries: self.values[0].queries.to_vec(),
            correct: rows.collect::<Option<_>>()?,
        })
    }
}

/// The metrics of a request over the steps of a study, each in these directions; `None` when it was cancelled.
///
/// # Errors
/// As [`compare::measure`].
pub fn courses(
    study: &Study,
    lines: plan::Request,
    directions: &[Direction],
    token: &CancelToken,
) -> Result<Option<Vec<Course>>> {
    let steps = study.steps.iter();
    let request = Request {
        models: steps.map(|step| Runs::one(&study.models, step.model)).collect(),
        lines,
        directions: directions.to_vec(),
        clustering: Clustering::ByImage,
        family: Family::All,
    };
    let Some(measured) = compare::measure(study, &request, token)? else {
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

/// Whether the top item of each query is correct at each step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Learning {
    /// Gallery indices of the queries.
    pub queries: Vec<u32>,
    /// By query, then by step.
    pub correct: Vec<Vec<bool>>,
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
    /// The difference: at its own choice less at the other one's.
    pub estimate: Option<Estimate>,
    /// The p-value as Holm adjusts it over all choices.
    pub holm: Option<f64>,
    /// Whether an earlier choice is the same hypothesis: the same steps, and the same value for every query.
    pub is_repeated: bool,
}

/// What each metric's choice costs under each other one of the same direction, where they choose different steps.
/// `images` has the image of each caption, if captions of one image form a cluster.
pub fn choices(courses: &[Course], images: Option<&[u32]>) -> Vec<Choice> {
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
    let estimate = |(of, _, _, paired): &([usize; 2], [usize; 2], [f64; 2], Paired)| {
        let tells = &courses[of[1]];
        paired.estimate(tells.line.unit(), cluster_of(images, tells.direction))
    };
    let estimates: Vec<Option<Estimate>> = found.iter().map(estimate).collect();
    let family = found.iter().zip(&estimates);
    let family: Vec<_> =
        family.map(|((.., paired), estimate)| (paired, estimate.map(Estimate::p))).collect();
    let question = |at: usize| (found[at].1, courses[found[at].0[1]].direction);
    let is_alike = |one: usize, other: usize| question(one) == question(other);
    let corrected = holm::corrected(&family, is_alike);
    let of_all = found.into_iter().zip(estimates).zip(corrected);
    of_all
        .map(|(((courses, steps, means, _), estimate), corrected)| Choice {
            courses,
            steps,
            means,
            estimate,
            holm: corrected.holm,
            is_repeated: corrected.same_as.is_some(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::index::TruthIx;
    use crate::evaluate::plan::Rule;
    use crate::metric::{Spec, hit, map_at_r};
    use crate::study::Pool;
    use crate::study::series::Kind;

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
        assert_eq!((recall.best(), map.best()), (Some(1), Some(2)));
        let learning = recall.learning().unwrap();
        let kinds: Vec<Kind> = learning.correct.iter().map(|of| Kind::of(of)).collect();
        assert_eq!(kinds, [Kind::Learned, Kind::Learned, Kind::Forgotten]);
        assert!(map.learning().is_none());
        let found = choices(&[recall, map], None);
        let [by_recall, by_map] = found.as_slice() else { panic!("two choices") };
        assert_eq!((by_recall.courses, by_recall.steps), ([0, 1], [1, 2]));
        assert!((by_recall.means[1] - by_recall.means[0] - 0.4).abs() < 1e-12);
        assert!((by_map.means[1] - by_map.means[0] - 1.0 / 3.0).abs() < 1e-12);
        assert!(!by_recall.is_repeated && !by_map.is_repeated);
    }

    #[test]
    fn a_choice_under_the_same_values_is_no_other_hypothesis() {
        let chooses = course(&map_at_r::MapAtR, &[&[0.2, 0.3, 0.1, 0.1], &[0.9; 4]]);
        let values: [&[f64]; 2] = [&[1.0, 1.0, 1.0, 0.0], &[0.0, 1.0, 0.0, 1.0]];
        let tells = || course(&hit::R1, &values);
        let found = choices(&[chooses, tells(), tells()], None);
        let told: Vec<([usize; 2], bool)> =
            found.iter().map(|of| (of.courses, of.is_repeated)).collect();
        // One metric chooses against two that are the same, and each of these against it.
        let expected = [([0, 1], false), ([0, 2], true), ([1, 0], false), ([2, 0], true)];
        assert_eq!(told, expected);
        assert_eq!((found[0].holm, found[2].holm), (found[1].holm, found[3].holm));
    }

    #[test]
    fn the_earliest_of_equal_steps_is_the_best_and_none_without_values() {
        let same = course(&hit::R1, &[&[1.0], &[1.0]]);
        assert_eq!(same.best(), Some(0));
        assert!(choices(&[same.clone(), same], None).is_empty());
        let empty = course(&hit::R1, &[&[], &[]]);
        assert_eq!(empty.best(), None);
    }
}
