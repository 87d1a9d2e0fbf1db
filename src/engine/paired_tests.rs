//! Two models on the same queries: paired tests.

use std::sync::Arc;

use super::job::{Job, Run};
use super::{DEPTH, Stamp};
use crate::analysis::bootstrap::Draws;
use crate::analysis::clustering::cluster_of;
use crate::analysis::family::{self, Corrected, Member};
use crate::analysis::inference::{self, Tests};
use crate::analysis::paired::Paired;
use crate::analysis::per_query::Values;
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::evaluate::parts::Parts;
use crate::metric::ncs::{NCS_AT_K, NCS_OTHERS_AT_K};
use crate::metric::{Metric, Spec, hit, map_at_r::MapAtR, sr::SrAtK};
use crate::rank::edited::Edited;
use crate::truth::Truth;

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
    /// How much is drawn, and from which seed.
    pub draws: Draws,
    /// The image of each caption, where the queries of one image are drawn together.
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
    /// All tests.
    pub tests: Tests,
    /// The p-value and the interval, corrected over the metrics.
    pub corrected: Corrected,
}

impl PairedTest {
    /// Tests each metric.
    fn tested(&self) -> Vec<Tested> {
        let paired: Vec<Paired> = self.specs.iter().map(|spec| self.paired(*spec)).collect();
        let clusters = cluster_of(self.images.as_deref(), self.direction);
        let units = self.specs.iter().map(|spec| spec.metric.unit());
        let asked = paired.iter().zip(units);
        let asked: Vec<_> = asked
            .map(|(paired, unit)| (paired, unit, clusters))
            .collect();
        let tests = inference::tests(&asked, self.draws);
        let members = paired.iter().zip(&tests).map(|(paired, tests)| Member {
            paired,
            of: tests.studentised.as_ref(),
            p: tests.p(),
        });
        let corrected = family::corrected(&members.collect::<Vec<_>>(), |_, _| true);
        let all = self.specs.iter().zip(paired).zip(tests).zip(corrected);
        all.map(|(((&spec, paired), tests), corrected)| Tested {
            spec,
            paired,
            tests,
            corrected,
        })
        .collect()
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

/// The job that runs paired tests on two models.
#[derive(Default)]
pub struct PairedTests;

impl Job for PairedTests {
    const NAME: &'static str = "tests";
    const READS_SCORES: bool = false;
    /// The number of the question.
    type Key = Stamp;
    type Part = ();
    type Input = Arc<PairedTest>;
    type Output = Vec<Tested>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        run.send(run.input.tested());
    }
}
