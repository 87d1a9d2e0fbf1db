//! Models of a study side by side: a row for each two models, metric and direction.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::bootstrap::Draws;
use super::holm;
use super::paired::{Paired, Tests};
use crate::data::folds::Folds;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::metric::plan::{self, Line, Rule, plan};
use crate::metric::rank_sets::{Counters, RankSets};
use crate::metric::{Spec, Unit};
use crate::rank::pass::Watch;
use crate::study::{Pool, Study};

/// Which tests belong together when p-values are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// All rows.
    All,
    /// The rows of each two models by themselves.
    Pair,
}

/// What to compare.
#[derive(Debug, Clone)]
pub struct Request {
    /// Indices of the models, two or more; every two of them are compared, the earlier first.
    pub models: Vec<usize>,
    /// Metrics, truths and pools.
    pub lines: plan::Request,
    /// Directions.
    pub directions: Vec<Direction>,
    /// How much is drawn, and from which seed.
    pub draws: Draws,
    /// Whether captions of one image are drawn together.
    pub by_image: bool,
    /// What p-values are corrected over.
    pub family: Family,
}

/// Two models under one metric, truth and direction.
#[derive(Debug, Clone)]
pub struct Row {
    /// Indices of the models.
    pub models: [usize; 2],
    /// The metric's line.
    pub line: Line,
    /// Who asks whom.
    pub direction: Direction,
    /// The values, query by query.
    pub paired: Paired,
    /// What all tests say.
    pub tests: Tests,
    /// The p-value that decides, by Holm.
    pub holm: Option<f64>,
}

impl Row {
    /// What its numbers are.
    pub fn unit(&self) -> Unit {
        self.line.unit()
    }
}

/// Each model's values of each line and direction, query by query.
#[derive(Debug)]
pub struct Measured<'a> {
    study: &'a Study,
    request: &'a Request,
    /// The lines that have a value for each query.
    lines: Vec<Line>,
    /// By model of the request, then by line.
    values: Vec<Vec<PerDirection<Option<Values>>>>,
}

/// The values of a line, and the queries that they are of, which all models share.
#[derive(Debug)]
struct Values {
    queries: Arc<[u32]>,
    values: Vec<Option<f64>>,
}

/// Counts ranks and takes the values of every query; `None` when it was cancelled.
///
/// # Errors
/// Names of metrics or truths that do not exist, metrics without a value for each query, and as
/// [`crate::rank::count`].
pub fn measure<'a>(
    study: &'a Study,
    request: &'a Request,
    watch: &Watch,
) -> Result<Option<Measured<'a>>> {
    let lines = lines(study, request)?;
    let counters = Counters::new(study, &lines)?;
    let mut values = Vec::new();
    for &model in &request.models {
        let Some(counts) = counters.count(&study.models[model], watch)? else {
            return Ok(None);
        };
        let mut sets = RankSets::new(study, &counts, false);
        let of_line = |line: &Line| {
            PerDirection::from_fn(|direction| {
                let is_wanted = request.directions.contains(&direction);
                is_wanted
                    .then(|| values_of(study, &mut sets, line, direction))
                    .flatten()
            })
        };
        values.push(lines.iter().map(of_line).collect());
    }
    Ok(Some(Measured {
        study,
        request,
        lines,
        values,
    }))
}

/// The values of a line. Folds follow each other: each query is asked in its own.
fn values_of(
    study: &Study,
    sets: &mut RankSets<'_>,
    line: &Line,
    direction: Direction,
) -> Option<Values> {
    let spec = per_query(line)?;
    let pools = match line.rule.pool() {
        Pool::Folds => (0..Folds::of(&study.gallery)?.count)
            .map(Pool::Fold)
            .collect(),
        pool => vec![pool],
    };
    let (mut queries, mut values) = (Vec::new(), Vec::new());
    for pool in pools {
        let ranks = sets.get(line.truth, direction, pool)?;
        queries.extend_from_slice(ranks.queries());
        values.extend(ranks.iter().map(|query| spec.per_query(query)));
    }
    Some(Values {
        queries: queries.into(),
        values,
    })
}

/// The metric of a line that each query has a value of: no sum over metrics, no median.
fn per_query(line: &Line) -> Option<Spec> {
    match line.rule {
        Rule::Metric(spec, _) | Rule::FoldMean(spec) if spec.metric.key() != "median_rank" => {
            Some(spec)
        }
        _ => None,
    }
}

/// The lines of the request that have a value for each query: every name must mean one.
fn lines(study: &Study, request: &Request) -> Result<Vec<Line>> {
    // The whole gallery and its folds are not compared at once.
    let pools = &request.lines.pools;
    let is_asked = |line: &Line| line.rule.pool() != Pool::Folds || pools.contains(&Pool::Folds);
    let planned = |lines: &plan::Request| -> Result<Vec<Line>> {
        let lines = plan(study, lines)?.into_iter();
        let kept = lines.filter(|line| per_query(line).is_some() && is_asked(line));
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

fn no_value(name: &str) -> Error {
    Error::new(
        "--metrics",
        format!("{name} has not a value for each query"),
    )
    .expected("metrics that are means over queries, such as r1, map_at_r, mrr, mean_rank")
    .mend("coco_1k_* go with --pool folds; rsum is a sum, median_rank a median: eval prints them")
}

impl Measured<'_> {
    /// The rows that there will be: two models (places in the request), a line and a direction.
    fn places(&self) -> Vec<([usize; 2], usize, Direction)> {
        let mut places = Vec::new();
        for first in 0..self.values.len() {
            for second in first + 1..self.values.len() {
                for line in 0..self.lines.len() {
                    let has = |one: &Direction| self.values[first][line][*one].is_some();
                    let directions = self.request.directions.iter().copied().filter(has);
                    places.extend(directions.map(|one| ([first, second], line, one)));
                }
            }
        }
        places
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.places().len()
    }

    /// Whether there is nothing to compare: no truth has a direction that is asked for.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Tests every row, and corrects the p-values. `done` counts rows.
    ///
    /// # Errors
    /// Captions without an own image, where they are to be drawn by image.
    pub fn rows(&self, done: &AtomicUsize) -> Result<Vec<Row>> {
        let by_image = self.request.by_image;
        let images = by_image.then(|| images(self.study)).transpose()?;
        let image = images
            .as_ref()
            .map(|images| |query: u32| images[query as usize]);
        let mut rows = Vec::new();
        for (pair, line, direction) in self.places() {
            // An image is its own group.
            let image = image.as_ref().filter(|_| direction == Direction::T2i);
            let [first, second] = pair.map(|model| self.values[model][line][direction].as_ref());
            let (Some(first), Some(second)) = (first, second) else {
                continue;
            };
            let paired = Paired::of(&first.queries, [&first.values, &second.values]);
            rows.push(Row {
                models: pair.map(|place| self.request.models[place]),
                line: self.lines[line].clone(),
                direction,
                tests: paired.tests(self.request.draws, image.map(|f| f as &dyn Fn(u32) -> u32)),
                paired,
                holm: None,
            });
            done.fetch_add(1, Ordering::Relaxed);
        }
        correct(&mut rows, self.request.family);
        Ok(rows)
    }
}

/// Sets the corrected p-values.
fn correct(rows: &mut [Row], family: Family) {
    let same = |one: &Row, other: &Row| family == Family::All || one.models == other.models;
    for rows in rows.chunk_by_mut(same) {
        let p: Vec<Option<f64>> = rows.iter().map(|row| row.tests.p()).collect();
        for (row, holm) in rows.iter_mut().zip(holm::adjusted(&p)) {
            row.holm = holm;
        }
    }
}

/// The own image of each caption: what captions are drawn together by.
///
/// # Errors
/// Captions without one.
pub fn images(study: &Study) -> Result<Vec<u32>> {
    let own = |caption: usize| {
        study.own(Direction::T2i, caption).first().ok_or_else(|| {
            let found = format!(
                "no image is known for caption {}",
                study.gallery.captions[caption]
            );
            Error::new("--by-image", found)
                .expected("an original truth that gives each caption its own image")
                .mend("name the original pairs among the files")
        })
    };
    (0..study.gallery.captions.len()).map(own).collect()
}

#[cfg(test)]
mod tests;
