//! Models of a study side by side: a row for each two models, metric and direction.

mod unvalued;

use std::sync::atomic::{AtomicUsize, Ordering};

use self::unvalued::no_value;
use super::bootstrap::{Draws, LEVEL, Studentised};
use super::clustering::{Clustering, cluster_of};
use super::family::{self, Corrected, Member};
use super::groups::Groups;
use super::inference::{self, Asked, Effect, Tests};
use super::paired::Paired;
use super::per_query::{self, Values};
use super::randomisation::Randomised;
use super::runs::{self, Hierarchical, Runs, Spread};
use super::ttest::Student;
use crate::data::{Direction, PerDirection};
use crate::error::Result;
use crate::evaluate::plan::{self, Line, plan};
use crate::evaluate::rank_sets::{Counters, RankSets};
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::study::{Pool, Study};

/// Which tests belong together when p-values are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// All rows.
    All,
    /// The rows of each two models by themselves.
    Pair,
}

/// Which models of a study are compared, under which metrics, truths, pools and directions, and how tests are
/// made.
#[derive(Debug, Clone)]
pub struct Request {
    /// The models, two or more; every two of them are compared, the earlier first.
    pub models: Vec<Runs>,
    /// Metrics, truths and pools.
    pub lines: plan::Request,
    /// Directions.
    pub directions: Vec<Direction>,
    /// How much is drawn, and from which seed.
    pub draws: Draws,
    /// What is drawn together.
    pub clustering: Clustering,
    /// What p-values are corrected over.
    pub family: Family,
}

/// Two models under one metric, truth and direction.
#[derive(Debug, Clone)]
pub struct ModelDifference {
    /// Places of the models in the request.
    pub models: [usize; 2],
    /// The metric's line.
    pub line: Line,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The values, query by query.
    pub paired: Paired,
    /// What all tests say.
    pub tests: Tests,
    /// The size of the difference.
    pub effect: Effect,
    /// Where a model has several runs: inference that draws them too, and how far they are apart.
    pub runs: Option<OfRuns>,
    /// What the other rows make of it: the p-value as Holm adjusts it, the interval that goes with it, and
    /// the row that is the same hypothesis.
    pub corrected: Corrected,
}

/// A difference of models of which one or both have several runs.
#[derive(Debug, Clone, PartialEq)]
pub struct OfRuns {
    /// How many each model has.
    pub count: [usize; 2],
    /// How far the runs of each model are apart.
    pub spread: [Option<Spread>; 2],
    /// Inference about images and runs.
    pub hierarchical: Option<Hierarchical>,
}

impl ModelDifference {
    /// The unit of its metric: a share, a rank or a sum.
    pub fn unit(&self) -> Unit {
        self.line.unit()
    }

    /// The p-value that decides: with several runs that which draws them too.
    pub fn p(&self) -> Option<f64> {
        match &self.runs {
            Some(runs) => runs.hierarchical.as_ref().map(|of| of.p),
            None => self.tests.p(),
        }
    }

    /// Student's t, its degrees of freedom and p; with several runs by the error of runs too.
    pub fn student(&self) -> Option<Student> {
        match &self.runs {
            Some(runs) => runs.hierarchical.as_ref().map(|of| Student {
                t: of.studentised.mean / of.studentised.error,
                df: of.studentised.df,
                p: of.p,
            }),
            None => self.tests.student,
        }
    }

    /// The randomisation test; it holds runs fixed, and so says nothing of several.
    pub fn randomised(&self) -> Option<Randomised> {
        self.tests.randomised.filter(|_| self.runs.is_none())
    }

    /// The difference and its error, with several runs that of runs included.
    pub fn studentised(&self) -> Option<&Studentised> {
        match &self.runs {
            Some(runs) => runs.hierarchical.as_ref().map(|of| &of.studentised),
            None => self.tests.studentised.as_ref(),
        }
    }

    /// Whether Holm's correction rejects that there is no difference: then the simultaneous interval
    /// excludes zero, also where it reaches to it; `None` where nothing was tested.
    pub fn excludes_zero(&self) -> Option<bool> {
        self.corrected.holm.map(|p| p < LEVEL)
    }

    /// 95 % CI of the difference, not corrected for several.
    pub fn interval(&self) -> Option<[f64; 2]> {
        match &self.runs {
            Some(runs) => runs.hierarchical.as_ref().map(|of| of.interval),
            None => self.tests.interval.map(|of| of.ends),
        }
    }
}

/// Each model's values of each line and direction, query by query.
#[derive(Debug)]
pub struct Measured<'a> {
    study: &'a Study,
    request: &'a Request,
    /// The lines that have a value for each query.
    pub lines: Vec<Line>,
    /// By model of the request, then by line.
    values: Vec<Vec<PerDirection<Option<OfModel>>>>,
}

/// The values of a model: their mean over runs, and those of each run where there are several.
#[derive(Debug)]
struct OfModel {
    mean: Values,
    runs: Vec<Values>,
}

/// Counts ranks and takes the values of every query; `None` when it was cancelled.
///
/// # Errors
/// Names of metrics or truths that do not exist, metrics without a value for each query, and as
/// [`crate::rank::count`].
pub fn measure<'a>(
    study: &'a Study,
    request: &'a Request,
    token: &CancelToken,
) -> Result<Option<Measured<'a>>> {
    let lines = lines(study, request)?;
    let counters = Counters::new(study, &lines)?;
    let mut values = Vec::new();
    for model in &request.models {
        let mut of_runs = Vec::new();
        for &run in &model.models {
            let Some(counts) = counters.count(&study.models[run], token)? else {
                return Ok(None);
            };
            let mut sets = RankSets::new(study, &counts, false);
            of_runs.push(of_run(study, request, &mut sets, &lines));
        }
        values.push(together(of_runs));
    }
    Ok(Some(Measured {
        study,
        request,
        lines,
        values,
    }))
}

/// The values of one run, by line.
fn of_run(
    study: &Study,
    request: &Request,
    sets: &mut RankSets<'_>,
    lines: &[Line],
) -> Vec<PerDirection<Option<Values>>> {
    let mut of_line = |line: &Line| {
        PerDirection::from_fn(|direction| {
            let is_wanted = request.directions.contains(&direction);
            let of = || Values::of(study, sets, line, direction);
            is_wanted.then(of).flatten()
        })
    };
    lines.iter().map(&mut of_line).collect()
}

/// The values of a model from those of its runs.
fn together(
    mut of_runs: Vec<Vec<PerDirection<Option<Values>>>>,
) -> Vec<PerDirection<Option<OfModel>>> {
    let lines = of_runs.first().map_or(0, Vec::len);
    let mut of = |line: usize, direction: Direction| {
        let runs = of_runs.iter_mut().map(|run| run[line][direction].take());
        let runs: Vec<Values> = runs.collect::<Option<_>>()?;
        let mean = Values::mean_of(&runs);
        let several = runs.len() > 1;
        Some(OfModel {
            mean,
            runs: if several { runs } else { Vec::new() },
        })
    };
    let mut of_line = |line| PerDirection::from_fn(|direction| of(line, direction));
    (0..lines).map(&mut of_line).collect()
}

/// The lines of the request that have a value for each query: every name must mean one.
fn lines(study: &Study, request: &Request) -> Result<Vec<Line>> {
    // The whole gallery and its folds are not compared at once.
    let pools = &request.lines.pools;
    let is_asked = |line: &Line| line.rule.pool() != Pool::Folds || pools.contains(&Pool::Folds);
    let planned = |lines: &plan::Request| -> Result<Vec<Line>> {
        let lines = plan(study, lines)?.into_iter();
        let kept = lines.filter(|line| per_query::spec(line).is_some() && is_asked(line));
        Ok(kept.collect())
    };
    if let plan::Choice::Named(names) = &request.lines.metrics {
        for name in names {
            let alone = plan::Request {
                metrics: plan::Choice::Named(vec![name.clone()]),
                ..request.lines.clone()
            };
            if planned(&alone)?.is_empty() {
                return Err(no_value(name));
            }
        }
    }
    planned(&request.lines)
}

impl Measured<'_> {
    /// The rows that there will be: two models (places in the request), a line and a direction.
    fn places(&self) -> Vec<DifferenceKey> {
        let mut places = Vec::new();
        for first in 0..self.values.len() {
            for second in first + 1..self.values.len() {
                for line in 0..self.lines.len() {
                    let has = |one: &Direction| {
                        [first, second]
                            .iter()
                            .all(|&of| self.values[of][line][*one].is_some())
                    };
                    let directions = self.request.directions.iter().copied().filter(has);
                    places.extend(directions.map(|one| ([first, second], line, one)));
                }
            }
        }
        places
    }

    /// Number of comparisons: two models, a line and a direction each.
    pub fn len(&self) -> usize {
        self.places().len()
    }

    /// The values of a model of the request under a line; `None` where the truth lacks the direction.
    pub fn values(&self, model: usize, line: usize, direction: Direction) -> Option<&Values> {
        Some(&self.values[model][line][direction].as_ref()?.mean)
    }

    /// Whether there is nothing to compare: no truth has a direction that is asked for.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tests every row, and corrects the p-values. `done` counts rows.
    ///
    /// # Errors
    /// Captions without an original image, where they are to be drawn by image.
    pub fn rows(&self, done: &AtomicUsize) -> Result<Vec<ModelDifference>> {
        let images = self.request.clustering.images(self.study)?;
        let places = self.places();
        let paired: Vec<Paired> = places
            .iter()
            .map(|place| Paired::of(self.both(place).map(|of| &of.mean)))
            .collect();
        let clusters = |direction| cluster_of(images.as_deref(), direction);
        let asked: Vec<Asked<'_>> = paired
            .iter()
            .zip(&places)
            .map(|(paired, place)| (paired, self.lines[place.1].unit(), clusters(place.2)))
            .collect();
        let tests = inference::tests(&asked, self.request.draws);
        done.store(places.len(), Ordering::Relaxed);
        let mut rows = Vec::new();
        for ((place, paired), tests) in places.into_iter().zip(paired).zip(tests) {
            let runs = self.of_runs(&place, &paired, clusters(place.2));
            let (models, line, direction) = place;
            rows.push(ModelDifference {
                models,
                line: self.lines[line].clone(),
                direction,
                effect: Effect::of(&paired),
                paired,
                tests,
                runs,
                corrected: Corrected::default(),
            });
        }
        correct(&mut rows, self.request.family);
        Ok(rows)
    }

    /// The values of both models of a row.
    fn both(&self, (models, line, direction): &DifferenceKey) -> [&OfModel; 2] {
        models.map(|model| {
            let of = self.values[model][*line][*direction].as_ref();
            of.expect("places have values")
        })
    }

    /// Inference that draws runs too; `None` where both models have one.
    fn of_runs(
        &self,
        place: &DifferenceKey,
        paired: &Paired,
        clusters: Option<&[u32]>,
    ) -> Option<OfRuns> {
        let both = self.both(place);
        if both.iter().all(|of| of.runs.is_empty()) {
            return None;
        }
        let groups = |of: &OfModel| {
            let one = std::slice::from_ref(&of.mean);
            let runs = if of.runs.is_empty() { one } else { &of.runs };
            let runs = runs.iter().map(|run| run.groups(clusters));
            runs.collect::<Vec<Groups>>()
        };
        let runs = both.map(groups);
        let spread = |runs: &Vec<Groups>| {
            let means: Option<Vec<f64>> = runs.iter().map(Groups::mean).collect();
            means.and_then(|means| Spread::of(&means))
        };
        let [first, second] = &runs;
        let mean = paired.groups(clusters);
        let range = self.lines[place.1].unit().range_of_differences();
        Some(OfRuns {
            count: runs.each_ref().map(Vec::len),
            spread: runs.each_ref().map(spread),
            hierarchical: (!paired.is_empty())
                .then(|| runs::hierarchical([first, second], (&mean, range), self.request.draws))
                .flatten(),
        })
    }
}

/// Two models (places in the request), a line and a direction.
type DifferenceKey = ([usize; 2], usize, Direction);

/// Sets what several tests at once make of the rows.
fn correct(rows: &mut [ModelDifference], family: Family) {
    let same = |one: &ModelDifference, other: &ModelDifference| {
        family == Family::All || one.models == other.models
    };
    let mut start = 0;
    for rows in rows.chunk_by_mut(same) {
        let question = |at: usize| (rows[at].models, rows[at].direction);
        let is_alike = |one: usize, other: usize| question(one) == question(other);
        let members = rows.iter().map(|row| Member {
            paired: &row.paired,
            of: row.studentised(),
            // What does not tell which model is better is no hypothesis that one is.
            p: row.p().filter(|_| row.line.is_merit()),
        });
        let found = family::corrected(&members.collect::<Vec<_>>(), is_alike);
        for (row, mut found) in rows.iter_mut().zip(found) {
            found.same_as = found.same_as.map(|at| start + at);
            row.corrected = found;
        }
        start += rows.len();
    }
}

#[cfg(test)]
mod tests;
