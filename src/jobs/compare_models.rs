//! Two models on the same queries: how much their rankings have in common, and paired tests.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{DEPTH, Job, Run, Stamp, Wanted};
use crate::analysis::clustering::cluster_of;
use crate::analysis::holm::{self, Corrected};
use crate::analysis::inference::Estimate;
use crate::analysis::overlap::Overlaps;
use crate::analysis::paired::Paired;
use crate::analysis::per_query::Values;
use crate::analysis::similarity::HEAD;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::parts::Parts;
use crate::metric::map_at_r::MapAtR;
use crate::metric::ncs::{NCS_AT_K, NCS_OTHERS_AT_K};
use crate::metric::sr::SrAtK;
use crate::metric::{Metric, Spec, hit};
use crate::rank::edited::Edited;
use crate::rank::top_k::{TopK, top_k};
use crate::study::Study;
use crate::truth::Truth;
use crate::tui::app::App;
use crate::tui::state::changes::Dirty;

/// The depth of the overlap that is told; rank-biased overlap goes down to [`HEAD`].
pub const FIRST: usize = 10;

/// Two models in a direction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PairKey {
    /// Indices of the models.
    pub models: [ModelIx; 2],
    /// Direction of retrieval.
    pub direction: Direction,
}

/// Compares rankings; keeps the top k of the models that were read.
#[derive(Default)]
pub struct CompareRankings {
    of: Stamp,
    top_k: FxHashMap<(ModelIx, Direction), TopK>,
}

impl Job for CompareRankings {
    const IS_LONG: bool = true;
    /// The study.
    type Key = Stamp;
    type Part = PairKey;
    type Input = Arc<Study>;
    type Output = (PairKey, Arc<Overlaps>);

    /// Nothing where a model cannot be ranked, which its count tells.
    fn run(&mut self, &PairKey { models, direction }: &PairKey, run: &Run<'_, Self>) {
        if self.of != *run.key {
            *self = CompareRankings { of: *run.key, ..CompareRankings::default() };
        }
        let (study, mask) = (run.input, run.input.mask.as_deref());
        for model in models {
            if let Entry::Vacant(place) = self.top_k.entry((model, direction)) {
                let model = &study.models[model];
                let found = top_k(&study.gallery, model, mask, direction, HEAD, run.token);
                let Ok(Some(found)) = found else {
                    return;
                };
                place.insert(found);
            }
        }
        let [first, second] = models.map(|model| &self.top_k[&(model, direction)]);
        let overlaps = Arc::new(Overlaps::of(first, second, FIRST));
        run.send((PairKey { models, direction }, overlaps));
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let pair = Vec::from_iter(model.wanted_overlaps());
        Some(Wanted::parts(model.known.study_stamp, pair, || model.study.clone()))
    }

    fn take(app: &mut App, _: Stamp, (key, overlaps): Self::Output) {
        let model = &mut app.model;
        model.known.overlaps.insert(key, overlaps);
        if model.selection.sort.is_of_top_k() && Some(key) == model.pair_key() {
            // Until now the list stood in the order of the gallery: a query that was chosen there, or stayed when the
            // models changed, stays in sight.
            if model.selection.selected == 0 {
                model.select_from_top();
            }
            model.dirty |= Dirty::ROWS;
        }
    }
}

/// The metrics that are tested under a truth: those of similarities under theirs, too.
pub fn tested_metrics(truth: &Truth) -> Vec<Spec> {
    let mut specs = vec![Spec::new(&hit::R1), Spec::new(&MapAtR)];
    if truth.is_by_similarity() {
        let at = |metric: &'static dyn Metric| Spec { metric, k: DEPTH };
        specs.extend([at(&SrAtK), at(&NCS_AT_K), at(&NCS_OTHERS_AT_K)]);
    }
    specs
}

/// Two models under one truth in one direction.
#[derive(Debug)]
pub struct PairedTest {
    /// The number of the question.
    pub stamp: Stamp,
    /// Indices of the models.
    pub models: [ModelIx; 2],
    /// Index of the truth.
    pub truth: TruthIx,
    /// The metrics.
    pub specs: Vec<Spec>,
    /// Direction of retrieval.
    pub direction: Direction,
    /// The image of each caption, if captions of one image form a cluster.
    pub images: Option<Vec<u32>>,
    /// The ranks by each model, of the same queries.
    pub ranks: [Edited; 2],
    /// The parts of the pool of which numbers are means.
    pub parts: Option<Parts>,
}

/// What the tests of one metric say.
#[derive(Debug, Clone)]
pub struct Tested {
    /// The metric.
    pub spec: Spec,
    /// The values, query by query.
    pub paired: Paired,
    /// The difference with its interval.
    pub estimate: Option<Estimate>,
    /// The p-value, corrected over the metrics.
    pub corrected: Corrected,
}

impl PairedTest {
    /// Tests each metric.
    fn tested(&self) -> Vec<Tested> {
        let paired: Vec<Paired> = self.specs.iter().map(|spec| self.paired(*spec)).collect();
        let clusters = cluster_of(self.images.as_deref(), self.direction);
        let estimates = self.specs.iter().zip(&paired);
        let estimates = estimates.map(|(spec, of)| of.estimate(spec.metric.unit(), clusters));
        let estimates: Vec<Option<Estimate>> = estimates.collect();
        let family = paired.iter().zip(estimates.iter().map(|of| of.map(Estimate::p)));
        let corrected = holm::corrected(&family.collect::<Vec<_>>(), |_, _| true);
        let all = self.specs.iter().zip(paired).zip(estimates.into_iter().zip(corrected));
        let tested =
            |((&spec, paired), (estimate, corrected))| Tested { spec, paired, estimate, corrected };
        all.map(tested).collect()
    }

    /// The values of both models.
    fn paired(&self, spec: Spec) -> Paired {
        let values = |ranks: &Edited| {
            let values = Values::over(spec, ranks.queries(), ranks.iter());
            match &self.parts {
                None => values,
                Some(parts) => values.in_parts(|place| parts.part_of(place)),
            }
        };
        let [first, second] = self.ranks.each_ref().map(values);
        Paired::of([&first, &second])
    }
}

/// Runs paired tests on two models.
pub struct RunPairedTests;

impl Job for RunPairedTests {
    const IS_LONG: bool = true;
    const READS_SCORES: bool = false;
    /// The number of the question.
    type Key = Stamp;
    type Part = ();
    type Input = Arc<PairedTest>;
    type Output = Vec<Tested>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send(run.input.tested());
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let test = app.model.wanted_tests()?;
        Some(Wanted::one(test.stamp, || test.clone()))
    }

    fn take(app: &mut App, stamp: Stamp, tested: Vec<Tested>) {
        app.model.known.tested = Some((stamp, tested));
    }
}
