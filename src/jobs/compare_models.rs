//! Model comparison: paired tests of two models, groups of many.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::analysis::clusters::query_clusters;
use crate::analysis::holm::{self, HolmTest};
use crate::analysis::inference::Estimate;
use crate::analysis::leaderboard::{self, Sample, SamplePart};
use crate::analysis::paired_values::Paired;
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::parts::QueryParts;
use crate::metric::map_at_r::MapAtR;
use crate::metric::{Spec, hit};
use crate::rank::edits::EditedRanks;
use crate::tui::app::App;

/// Metrics by which models are compared: R@1 and mAP@R.
pub fn compared_metrics() -> [Spec; 2] {
    [Spec::new(&hit::R1), Spec::new(&MapAtR)]
}

/// Input of the paired tests of two models.
#[derive(Debug)]
pub struct TestInputs {
    /// The image of each caption, if captions of one image form a cluster.
    pub images: Option<Arc<[u32]>>,
    /// Each ground truth in each direction that it covers.
    pub tests: Vec<PairedTest>,
}

/// Ranks to compare under one ground truth in one direction.
#[derive(Debug)]
pub struct PairedTest {
    /// Index of the ground truth.
    pub truth: TruthIx,
    /// Direction whose queries are tested.
    pub direction: Direction,
    /// Ranks of the same queries by each model.
    pub ranks: [EditedRanks; 2],
    /// The folds of a pool, whose means are averaged; `None` for a pool without folds.
    pub parts: Option<QueryParts>,
}

/// The paired test of two models by one metric.
#[derive(Debug, Clone)]
pub struct MetricTest {
    /// Index of the ground truth.
    pub truth: TruthIx,
    /// Direction of the queries.
    pub direction: Direction,
    /// The metric.
    pub spec: Spec,
    /// Mean over queries of each model; `None` if it is undefined.
    pub means: Option<[f64; 2]>,
    /// Wins, ties and losses of the first model.
    pub counts: [usize; 3],
    /// Number of clusters of queries.
    pub clusters: usize,
    /// 95 % CI of the difference, first minus second; `None` if it cannot be tested.
    pub interval: Option<[f64; 2]>,
    /// p-value, Holm-adjusted over all tests of the two models; `None` if not tested.
    pub p_holm: Option<f64>,
    /// Whether this is mAP@R and equals R@1 for every query of both models.
    pub equals_r1: bool,
}

impl TestInputs {
    /// Tests R@1 and mAP@R under each ground truth in each direction. Holm's correction covers all of these tests.
    fn run(&self) -> Vec<MetricTest> {
        let family = self
            .tests
            .iter()
            .flat_map(|test| compared_metrics().map(|spec| ((test, spec), test.paired(spec))));
        let clusters = |direction| query_clusters(self.images.as_deref(), direction);
        let tested = holm::test_family(
            family,
            |(test, spec)| (spec.metric.unit(), clusters(test.direction)),
            |(one, _), (other, _)| one.direction == other.direction,
        );
        let metric_test = |of: &HolmTest<(&PairedTest, Spec)>| {
            let (test, spec) = of.key;
            let is_of_test = |other: usize| std::ptr::eq(tested[other].key.0, test);
            MetricTest {
                truth: test.truth,
                direction: test.direction,
                spec,
                means: of.paired.means(),
                counts: of.paired.counts(spec.metric.unit()),
                clusters: of.clusters,
                interval: of.estimate.map(Estimate::interval),
                p_holm: of.corrected.holm,
                equals_r1: of.corrected.same_as.is_some_and(is_of_test),
            }
        };
        tested.iter().map(metric_test).collect()
    }
}

impl PairedTest {
    /// Values of a metric for each query, paired by query.
    fn paired(&self, spec: Spec) -> Paired {
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
    const READS_SCORES: bool = false;
    /// Stamp of all ranks, and the models.
    type Key = (Stamp, [ModelIx; 2]);
    type Part = ();
    type Input = TestInputs;
    type Output = Vec<MetricTest>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send(run.input.run());
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let key = (model.known.error_analysis.ranks, model.wanted_tests()?);
        Some(Wanted { key, parts: vec![()], input: Box::new(|| model.test_inputs()) })
    }

    fn apply(app: &mut App, (_, models): Self::Key, results: Self::Output) {
        app.model.known.error_analysis.tests.insert(models, results);
    }
}

/// A ground truth in a direction, under which models are grouped.
pub type GroupKey = (TruthIx, Direction);

/// Letters of each model, by R@1 and by mAP@R: models with a letter in common do not differ significantly.
pub type Letters = [Vec<Option<String>>; 2];

/// Ranks by each model under one ground truth in one direction, and the clusters of the queries.
#[derive(Debug)]
pub struct GroupInputs {
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
        let GroupInputs { images, image_count, ranks, parts } = run.input;
        let letters = compared_metrics().map(|spec| {
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
