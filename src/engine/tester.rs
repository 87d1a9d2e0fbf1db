//! Two models on the same queries: paired tests, in the background.

use std::sync::Arc;

use super::worker::Worker;
use super::{Event, Notify, in_pool, low_pool};
use crate::analysis::bootstrap::Draws;
use crate::analysis::holm;
use crate::analysis::paired::{Paired, Tests};
use crate::data::Direction;
use crate::metric::{Metric, Spec, hit, map_at_r::MapAtR};
use crate::rank::edited::Edited;

/// The metrics that are tested.
const METRICS: [&dyn Metric; 2] = [&hit::R1, &MapAtR];

/// Two models under one truth in one direction.
#[derive(Debug)]
pub struct Contest {
    /// Indices of the models.
    pub models: [usize; 2],
    /// Index of the truth.
    pub truth: usize,
    /// Who asks whom.
    pub direction: Direction,
    /// How much is drawn, and from which seed.
    pub draws: Draws,
    /// The image of each query, where those of one image are drawn together.
    pub images: Option<Vec<u32>>,
    /// The ranks by each model, of the same queries.
    pub ranks: [Edited; 2],
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
    /// The p-value that decides, by Holm over the metrics.
    pub holm: Option<f64>,
}

impl Contest {
    /// Tests each metric.
    fn tested(&self) -> Vec<Tested> {
        let image = self.images.as_ref();
        let image = image.map(|images| |query: u32| images[query as usize]);
        let test = |metric: &'static dyn Metric| {
            let spec = Spec::new(metric);
            let values = |ranks: &Edited| -> Vec<Option<f64>> {
                ranks.iter().map(|query| spec.per_query(query)).collect()
            };
            let [first, second] = self.ranks.each_ref().map(values);
            let paired = Paired::of(self.ranks[0].queries(), [&first, &second]);
            Tested {
                spec,
                tests: paired.tests(self.draws, image.as_ref().map(|f| f as &dyn Fn(u32) -> u32)),
                paired,
                holm: None,
            }
        };
        let mut all: Vec<Tested> = METRICS.into_iter().map(test).collect();
        let p: Vec<Option<f64>> = all.iter().map(|one| one.tests.p()).collect();
        for (one, holm) in all.iter_mut().zip(holm::adjusted(&p)) {
            one.holm = holm;
        }
        all
    }
}

/// Tests in the background; the newest wish wins.
pub(super) fn worker(notify: &Notify) -> Worker<Arc<Contest>> {
    let of_worker = notify.clone();
    Worker::start("tests", notify.clone(), move |contest: Arc<Contest>, _| {
        let tested = in_pool(low_pool().as_ref(), || contest.tested());
        of_worker(Event::Tested(contest, tested));
    })
}
