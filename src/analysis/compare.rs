//! Model comparison: one row per pair of models, metric and direction.

use super::clusters::{Clustering, query_clusters};
use super::holm::{self, Corrected};
use super::inference::{Estimate, LEVEL};
use super::leaderboard::{Entry, Leaderboard, RankedMetric, Sample, SamplePart, model_letters};
use super::paired_values::{Paired, all_pairs};
use super::per_query::{self, Values};
use super::published_models::published;
use super::results::ModelValues;
use super::runs::{BetweenRuns, Runs, Spread};
use crate::data::index::TruthIx;
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::evaluate::plan::{self, Line, plan, richest_truth};
use crate::evaluate::rank_sets::{Counters, RankSets};
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::study::{Pool, Study};

/// Which models to compare by which metrics, under which truths, in which pools and directions, and how to test.
#[derive(Debug, Clone)]
pub struct TestRequest {
    /// The models, two or more; all pairs are compared, the earlier first.
    pub models: Vec<Runs>,
    /// Metrics, truths and pools of the lines to compare.
    pub lines: plan::Request,
    /// Directions.
    pub directions: Vec<Direction>,
    /// Which queries form a cluster.
    pub clustering: Clustering,
}

/// Two models under one metric, truth and direction.
#[derive(Debug, Clone)]
pub struct ModelDifference {
    /// Indices of the models in the request.
    pub models: [usize; 2],
    /// The metric, with truth and pool.
    pub line: Line,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Values of both models on the same queries.
    pub paired: Paired,
    /// Number of clusters.
    pub clusters: usize,
    /// The difference with its interval, including variance between runs.
    pub estimate: Option<Estimate>,
    /// Variation between training runs; `None` if neither model has several.
    pub runs: Option<RunSpreads>,
    /// The Holm-adjusted p-value, and an earlier row with the same hypothesis.
    pub corrected: Corrected,
}

/// Variation between the training runs of two models.
#[derive(Debug, Clone, PartialEq)]
pub struct RunSpreads {
    /// Number of runs of each model.
    pub count: [usize; 2],
    /// Mean, standard deviation and extremes of each model's runs; `None` if a run is undefined.
    pub spread: [Option<Spread>; 2],
    /// Variance that the runs add to the difference; `None` if both models have one run.
    between: Option<BetweenRuns>,
}

impl ModelDifference {
    /// The unit of its metric: a share, a rank or a sum.
    pub fn unit(&self) -> Unit {
        self.line.unit()
    }

    /// Index (0 or 1) of the model with a single run if the other has several, else `None`. Its run variance is
    /// unknown, so that no test can call the difference significant.
    pub fn single_run(&self) -> Option<usize> {
        self.runs.as_ref()?.count.iter().position(|&count| count == 1)
    }

    /// The estimate if it can be tested: both models have several runs, or neither.
    pub fn testable_estimate(&self) -> Option<Estimate> {
        self.estimate.filter(|_| self.single_run().is_none())
    }

    /// Whether the Holm-adjusted p-value is below 5 %.
    pub fn is_significant(&self) -> bool {
        self.corrected.holm.is_some_and(|p| p < LEVEL)
    }

    /// 95 % CI of the difference, not adjusted; `None` without an estimate.
    pub fn interval(&self) -> Option<[f64; 2]> {
        Some(self.estimate?.interval())
    }
}

/// Values of the compared models by line, direction and query.
#[derive(Debug)]
pub struct ComparedValues<'a> {
    study: &'a Study,
    request: &'a TestRequest,
    /// Lines with a value per query.
    pub lines: Vec<Line>,
    /// By model, line and direction; `None` if the truth lacks the direction.
    values: Vec<Vec<PerDirection<Option<RunValues>>>>,
}

/// Per-query values of a model, averaged over runs; and the mean of each run.
#[derive(Debug)]
struct RunValues {
    mean: Values,
    run_means: Vec<Option<f64>>,
}

/// Computes the per-query values of every model of a request; `None` if cancelled.
///
/// # Errors
/// Unknown metrics or truths, metrics without a value per query, and as [`crate::rank::rank_targets`].
pub fn compute_values<'a>(
    study: &'a Study,
    request: &'a TestRequest,
    token: &CancelToken,
) -> Result<Option<ComparedValues<'a>>> {
    let lines = lines(study, request)?;
    let counters = Counters::new(study, &lines)?;
    let mut values = Vec::new();
    for model in &request.models {
        let mut line_runs: Vec<PerDirection<Vec<Values>>> = Vec::new();
        line_runs.resize_with(lines.len(), PerDirection::default);
        for &run in &model.models {
            let Some(counts) = counters.count(&study.models[run], token)? else {
                return Ok(None);
            };
            let sets = RankSets::new(study, &counts, &lines, false);
            for (line, runs) in lines.iter().zip(&mut line_runs) {
                for &direction in &request.directions {
                    runs[direction].extend(Values::for_line(study, &sets, line, direction));
                }
            }
        }
        let average = |runs: Vec<Values>| {
            let run_means = runs.iter().map(Values::mean).collect();
            let has_all_runs = runs.len() == model.models.len();
            has_all_runs.then(|| RunValues { run_means, mean: Values::average_runs(runs) })
        };
        let average_line =
            |runs: PerDirection<_>| PerDirection { i2t: average(runs.i2t), t2i: average(runs.t2i) };
        values.push(line_runs.into_iter().map(average_line).collect());
    }
    Ok(Some(ComparedValues { study, request, lines, values }))
}

/// Lines (metrics under a truth, in a pool) of the request that have a value per query. Error for a named metric
/// without such a line.
fn lines(study: &Study, request: &TestRequest) -> Result<Vec<Line>> {
    // Do not mix the whole gallery and its folds.
    let pools = &request.lines.pools;
    let is_wanted = |line: &Line| line.rule.pool() != Pool::Folds || pools.contains(&Pool::Folds);
    let plan_lines = |lines: &plan::Request| -> Result<Vec<Line>> {
        let mut lines = plan(study, lines)?;
        lines.retain(|line| per_query::spec(line).is_some() && is_wanted(line));
        Ok(lines)
    };
    if let plan::Choice::Named(names) = &request.lines.metrics {
        for name in names {
            let alone = plan::Request {
                metrics: plan::Choice::Named(vec![name.clone()]),
                ..request.lines.clone()
            };
            if plan_lines(&alone)?.is_empty() {
                return Err(no_per_query_value(name));
            }
        }
    }
    plan_lines(&request.lines)
}

/// The ground truth to rank models under.
///
/// # Errors
/// No metric of the request says which model is better; else as [`compute_values`].
pub fn ranking_truth(study: &Study, request: &TestRequest) -> Result<TruthIx> {
    richest_truth(study, &lines(study, request)?).ok_or_else(|| {
        Error::new("--metrics", "none that says which model is better")
            .expected("metrics such as r1 and map_at_r")
    })
}

/// Error for a metric without per-query values.
fn no_per_query_value(name: &str) -> Error {
    let fold_metric = name.strip_prefix("coco_1k_").filter(|metric| *metric != "rsum");
    Error::new("--metrics", format!("{name} does not have a value for each query"))
        .expected("metrics that are means over queries, such as r1, map_at_r, mrr, mean_rank")
        .fix(fold_metric.map_or_else(
            || "eval prints it".to_owned(),
            |metric| format!("--pool folds --metrics {metric} has it, as original@folds_{metric}"),
        ))
}

impl ComparedValues<'_> {
    /// Values of the model at an index of the request, under the line at an index of `lines`; `None` if the truth lacks
    /// the direction.
    pub fn values(&self, model: usize, line: usize, direction: Direction) -> Option<&Values> {
        Some(&self.values[model][line][direction].as_ref()?.mean)
    }

    /// Leaderboard of all models under a ground truth, with results of earlier runs.
    pub fn leaderboard(&self, truth: TruthIx, results: &[ModelValues]) -> Leaderboard {
        let (study, request) = (self.study, self.request);
        let images = request.clustering.images(study);
        let covers = |direction: &Direction| study.truths[truth].relevance[*direction].is_some();
        let directions: Vec<Direction> =
            request.directions.iter().copied().filter(covers).collect();
        let is_ranked = |at: &usize| self.lines[*at].truth == truth && self.lines[*at].is_merit();
        let ranked: Vec<usize> = (0..self.lines.len()).filter(is_ranked).collect();
        let named_entry = |runs: &Runs| Entry { name: runs.name.clone(), ..Entry::default() };
        let mut entries: Vec<Entry> = request.models.iter().map(named_entry).collect();
        for &at in &ranked {
            let samples: Vec<Sample> = self
                .values
                .iter()
                .map(|model| {
                    let part = |&direction: &Direction| {
                        let runs = model[at][direction].as_ref()?;
                        Some(SamplePart { direction, values: &runs.mean, runs: &runs.run_means })
                    };
                    let parts: Vec<SamplePart<'_>> = directions.iter().filter_map(part).collect();
                    Sample::new(&parts, images.as_deref(), study.gallery.images.len())
                })
                .collect();
            let letters = model_letters(&samples, self.lines[at].unit());
            for ((entry, sample), letters) in entries.iter_mut().zip(&samples).zip(letters) {
                entry.values.push(sample.mean());
                entry.letters.push(letters);
            }
        }
        let lines: Vec<&Line> = ranked.iter().map(|&at| &self.lines[at]).collect();
        let keys: Vec<&str> = lines.iter().map(|line| line.key.as_str()).collect();
        entries.extend(results.iter().map(|of| of.entry(&keys)));
        let metric = |line: &&Line| RankedMetric {
            key: line.key.clone(),
            title: line.title(),
            unit: line.unit(),
            is_published: published().find_key(study, truth, &line.key, "").is_some(),
        };
        let truth = lines.first().map_or("", |line| line.prefix());
        Leaderboard::new(truth, &directions, lines.iter().map(metric).collect(), entries)
    }

    /// One tested row per pair of models, line and direction, with corrected p-values. A direction that the truth of a
    /// line lacks has no row.
    pub fn rows(&self) -> Vec<ModelDifference> {
        let images = self.request.clustering.images(self.study);
        let mut rows = Vec::new();
        for models in all_pairs(self.values.len()) {
            for (at, line) in self.lines.iter().enumerate() {
                for &direction in &self.request.directions {
                    let both = models.map(|model| self.values[model][at][direction].as_ref());
                    let [Some(first), Some(second)] = both else {
                        continue;
                    };
                    let clusters = query_clusters(images.as_deref(), direction);
                    rows.push(test_pair((models, line, direction), [first, second], clusters));
                }
            }
        }
        adjust_p_values(&mut rows);
        rows
    }
}

/// Tests one pair of models; `cluster_of` has the cluster of each query, if captions are clustered by image.
fn test_pair(
    (models, line, direction): ([usize; 2], &Line, Direction),
    both: [&RunValues; 2],
    cluster_of: Option<&[u32]>,
) -> ModelDifference {
    let paired = Paired::from_values(both.map(|of| &of.mean));
    let groups = paired.groups(cluster_of);
    let estimate = Estimate::of_difference(&groups, line.unit());
    let runs = RunSpreads::from_models(both);
    let between = runs.as_ref().and_then(|runs| runs.between);
    ModelDifference {
        models,
        direction,
        paired,
        clusters: groups.len(),
        estimate: estimate.map(|of| between.map_or(of, |between| of.with_runs(between))),
        line: line.clone(),
        runs,
        corrected: Corrected::default(),
    }
}

impl RunSpreads {
    /// Variation between the runs of two models; `None` if both have one run.
    fn from_models(both: [&RunValues; 2]) -> Option<Self> {
        let means = both.map(|of| {
            of.run_means.iter().copied().collect::<Option<Vec<f64>>>().unwrap_or_default()
        });
        let [first, second] = &means;
        both.iter().any(|of| of.run_means.len() > 1).then(|| RunSpreads {
            count: both.map(|of| of.run_means.len()),
            spread: means.each_ref().map(|means| Spread::from_means(means)),
            between: BetweenRuns::from_means([first, second]),
        })
    }
}

/// Sets the Holm-adjusted p-values of all rows: one family.
fn adjust_p_values(rows: &mut [ModelDifference]) {
    let comparison = |at: usize| (rows[at].models, rows[at].direction);
    let is_alike = |one: usize, other: usize| comparison(one) == comparison(other);
    // Metrics without a better direction are no hypotheses.
    let p = |row: &ModelDifference| row.testable_estimate().filter(|_| row.line.is_merit());
    let family = rows.iter().map(|row| (&row.paired, p(row).map(Estimate::p)));
    let found = holm::correct(&family.collect::<Vec<_>>(), is_alike);
    for (row, corrected) in rows.iter_mut().zip(found) {
        row.corrected = corrected;
    }
}

#[cfg(test)]
mod tests;
