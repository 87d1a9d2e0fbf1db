//! Model comparison: paired tests of two models, groups of many.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::{DEPTH, Job, Run, Stamp, Wanted};
use crate::analysis::clusters::query_clusters;
use crate::analysis::holm::{self, Corrected};
use crate::analysis::inference::Estimate;
use crate::analysis::leaderboard::{self, Sample, SamplePart};
use crate::analysis::paired_values::Paired;
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::parts::QueryParts;
use crate::metric::map_at_r::MapAtR;
use crate::metric::ncs::{NCS_AT_K, NCS_OTHERS_AT_K};
use crate::metric::sr::SrAtK;
use crate::metric::{Metric, Spec, hit};
use crate::rank::edits::EditedRanks;
use crate::truth::Truth;
use crate::tui::app::App;

/// Metrics of the paired tests under a truth: R@1 and mAP@R; under a truth by similarity, also SR, NCS and NCS-N.
pub fn tested_metrics(truth: &Truth) -> Vec<Spec> {
    let mut specs = vec![Spec::new(&hit::R1), Spec::new(&MapAtR)];
    if truth.is_by_similarity() {
        let at_depth = |metric: &'static dyn Metric| Spec { metric, k: DEPTH };
        specs.extend([at_depth(&SrAtK), at_depth(&NCS_AT_K), at_depth(&NCS_OTHERS_AT_K)]);
    }
    specs
}

/// Two models to test under one ground truth in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TestKey {
    /// Indices of the models.
    pub models: [ModelIx; 2],
    /// Index of the ground truth.
    pub truth: TruthIx,
    /// Direction whose queries are tested.
    pub direction: Direction,
}

/// Ranks, clusters and metrics of one paired test.
#[derive(Debug)]
pub struct PairedTest {
    /// Models, ground truth and direction.
    pub key: TestKey,
    /// Metrics to test, R@1 and mAP@R first.
    pub specs: Vec<Spec>,
    /// The image of each caption, if captions of one image form a cluster.
    pub images: Option<Arc<[u32]>>,
    /// Ranks of the same queries by each model.
    pub ranks: [EditedRanks; 2],
    /// The folds of a pool, whose means are averaged; `None` for a pool without folds.
    pub parts: Option<QueryParts>,
}

/// The paired tests of two models under one ground truth.
#[derive(Debug, Clone)]
pub struct TestResult {
    /// One entry per metric, R@1 and mAP@R first.
    pub metrics: Vec<MetricTest>,
    /// Number of queries with a positive.
    pub queries: usize,
    /// Number of clusters if captions are clustered by image.
    pub images: Option<usize>,
}

/// The paired test of one metric.
#[derive(Debug, Clone)]
pub struct MetricTest {
    /// The metric.
    pub spec: Spec,
    /// Mean over queries of each model; `None` if it is undefined.
    pub means: Option<[f64; 2]>,
    /// Wins, ties and losses of the first model.
    pub counts: [usize; 3],
    /// 95 % CI of the difference, first minus second; `None` if it cannot be tested.
    pub interval: Option<[f64; 2]>,
    /// The p-value, corrected over the metrics.
    pub corrected: Corrected,
}

impl PairedTest {
    /// Tests each metric.
    fn run(&self) -> TestResult {
        let clusters = query_clusters(self.images.as_deref(), self.key.direction);
        let paired = self.specs.iter().map(|&spec| (spec, self.paired_values(spec)));
        let tests = holm::test_family(paired, |spec| (spec.metric.unit(), clusters), |_, _| true);
        let to_metric_test = |test: holm::HolmTest<Spec>| MetricTest {
            spec: test.key,
            means: test.paired.means(),
            counts: test.paired.counts(test.key.metric.unit()),
            interval: test.estimate.map(Estimate::interval),
            corrected: test.corrected,
        };
        let images = clusters.map(|images| {
            let queries = self.ranks[0].queries().iter();
            queries.map(|&query| images[query as usize]).collect::<FxHashSet<u32>>().len()
        });
        TestResult {
            metrics: tests.into_iter().map(to_metric_test).collect(),
            queries: self.ranks[0].iter().filter(|query| query.listed > 0).count(),
            images,
        }
    }

    /// Values of a metric for each query, paired by query.
    fn paired_values(&self, spec: Spec) -> Paired {
        let [first, second] =
            self.ranks.each_ref().map(|ranks| query_values(spec, ranks, self.parts.as_ref()));
        Paired::from_values([&first, &second])
    }
}

/// Value of a metric for each query, in fold order if there are folds.
fn query_values(spec: Spec, ranks: &EditedRanks, parts: Option<&QueryParts>) -> Values {
    let values = Values::from_ranks(spec, ranks.queries(), ranks.iter());
    match parts {
        None => values,
        Some(parts) => values.in_parts(|place| parts.part_of(place)),
    }
}

/// Runs paired tests on two models.
pub struct RunPairedTests;

impl Job for RunPairedTests {
    const IS_LONG: bool = true;
    const FINISHES_PART: bool = true;
    const READS_SCORES: bool = false;
    /// Stamp of all ranks.
    type Key = Stamp;
    type Part = TestKey;
    type Input = Vec<PairedTest>;
    type Output = (TestKey, TestResult);

    fn run(&mut self, part: &TestKey, run: &Run<'_, Self>) {
        if let Some(test) = run.input.iter().find(|test| test.key == *part) {
            run.send((*part, test.run()));
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let keys = model.wanted_tests()?;
        let tests = keys.clone();
        let ranks = model.known.error_analysis.ranks;
        Some(Wanted::with_parts(ranks, keys, move || model.paired_tests(&tests)))
    }

    fn apply(app: &mut App, _: Stamp, (key, result): Self::Output) {
        app.model.known.error_analysis.tests.insert(key, result);
    }
}

/// A ground truth in a direction, under which models are grouped.
pub type GroupKey = (TruthIx, Direction);

/// Letters of each model, by R@1 and by mAP@R: models with a letter in common do not differ significantly.
pub type Letters = [Vec<Option<String>>; 2];

/// Ranks by each model under one ground truth in one direction, and the clusters of the queries.
#[derive(Debug)]
pub struct GroupInputs {
    /// R@1 and mAP@R.
    pub specs: [Spec; 2],
    /// The image of each caption, if captions of one image form a cluster.
    pub images: Option<Arc<[u32]>>,
    /// Number of images of the gallery.
    pub image_count: usize,
    /// The ranks by each model.
    pub ranks: Vec<EditedRanks>,
    /// The folds of a pool, if it has any.
    pub parts: Option<QueryParts>,
}

/// Finds groups of models that do not differ significantly.
pub struct GroupModels;

impl Job for GroupModels {
    const IS_LONG: bool = true;
    const READS_SCORES: bool = false;
    /// Stamp of all ranks.
    type Key = Stamp;
    type Part = GroupKey;
    type Input = GroupInputs;
    type Output = (GroupKey, Letters);

    fn run(&mut self, key: &GroupKey, run: &Run<'_, Self>) {
        let GroupInputs { specs, images, image_count, ranks, parts } = run.input;
        let letters = specs.map(|spec| {
            let sample = |ranks: &EditedRanks| {
                let values = query_values(spec, ranks, parts.as_ref());
                let part = SamplePart { direction: key.1, values: &values, runs: &[] };
                Sample::new(&[part], images.as_deref(), *image_count)
            };
            let samples: Vec<Sample> = ranks.iter().map(sample).collect();
            leaderboard::model_letters(&samples, spec.metric.unit())
        });
        run.send((*key, letters));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let parts = Vec::from_iter(model.wanted_groups());
        let ranks = model.known.error_analysis.ranks;
        Some(Wanted { key: ranks, parts, input: Box::new(|| model.group_inputs()) })
    }

    fn apply(app: &mut App, _: Stamp, (key, letters): Self::Output) {
        app.model.known.error_analysis.letters.insert(key, letters);
    }
}
