//! Paired tests of the model looked at and the one after it.

use std::sync::Arc;

use super::Model;
use super::demand::Asked;
use crate::analysis::clustering::Clustering;
use crate::analysis::paired::Outcome;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::evaluate::parts::Parts;
use crate::filter::between;
use crate::jobs::{PairedTest, Stamp, Tested, tested_metrics};
use crate::study::View;

impl Model {
    /// What paired tests take: the numbers of both models. Captions of one image are clustered, where their
    /// images are known, or each is by itself. `None` where there is nothing to test, which is then said.
    pub(in crate::tui) fn paired_test(&mut self, clustering: Clustering) -> Option<PairedTest> {
        let asked = self.paired_test_now(clustering);
        asked.map_err(|why| self.message = Some(why)).ok()
    }

    /// The same, or why there is nothing to test.
    pub(in crate::tui) fn paired_test_now(
        &self,
        clustering: Clustering,
    ) -> Result<PairedTest, String> {
        let models = self.two().ok_or("paired tests take two models")?;
        let view = self.view;
        let [first, second] = models.map(|model| self.edited(View { model, ..view }));
        let (Some(first), Some(second)) = (first, second) else {
            return Err("counting: paired tests take the numbers of both models".into());
        };
        if first.iter().all(|query| query.listed == 0) {
            return Err(
                "no query has a positive: paired tests take a ground truth, or verdicts".into()
            );
        }
        // A pool of images has captions of others, too: only the whole gallery tells whose they are.
        let images = clustering.images(&self.base);
        let images =
            images.map_err(|error| format!("cannot cluster by image: {}", error.found()))?;
        let parts = Parts::of(&self.study, view.truth, view.direction);
        Ok(PairedTest {
            stamp: Stamp::fresh(),
            models,
            truth: view.truth,
            specs: tested_metrics(self.truth()),
            direction: view.direction,
            images,
            ranks: [first, second],
            parts,
        })
    }

    /// The same tests with each caption by itself, or clustered by image again. An image is a query once:
    /// there is nothing to cluster.
    pub(in crate::tui) fn clustered_otherwise(&mut self, of: &PairedTest) -> Option<PairedTest> {
        if !self.can_cluster(of) {
            return None;
        }
        self.paired_test(match of.images {
            Some(_) => Clustering::ByQuery,
            None => Clustering::ByImageOnly,
        })
    }

    /// Whether captions can be clustered by image: they are the queries, and a ground truth or a file tells
    /// whose they are.
    pub(in crate::tui) fn can_cluster(&self, of: &PairedTest) -> bool {
        let knows_images =
            || of.images.is_some() || Clustering::ByImageOnly.images(&self.base).is_ok();
        of.direction == Direction::T2i && knows_images()
    }

    /// The outcomes of tests, one entry a metric; `None` while they are under way.
    pub fn tested_of(&self, paired_test: &PairedTest) -> Option<&[Tested]> {
        let (stamp, tested) = self.known.tested.as_ref()?;
        (*stamp == paired_test.stamp).then_some(tested)
    }

    /// The tests that are open and not done yet.
    pub(crate) fn wanted_tests(&self) -> Option<&Arc<PairedTest>> {
        let Asked::Tests(paired_test) = &self.demand.popup else {
            return None;
        };
        self.tested_of(paired_test).is_none().then_some(paired_test)
    }

    /// Lists the queries behind an outcome of the tests, by a condition.
    pub(in crate::tui) fn list_outcome(
        &mut self,
        models: [ModelIx; 2],
        metric: &str,
        outcome: Outcome,
    ) {
        let sign = match outcome {
            Outcome::Win => ">",
            Outcome::Tie => "==",
            Outcome::Loss => "<",
        };
        self.filter_by(between(&self.study, models, metric, sign));
    }
}
