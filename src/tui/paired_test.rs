//! Paired tests of the model looked at and the one after it.

use std::sync::Arc;

use super::app::App;
use super::backend::AppJob;
use super::popups::TestResults;
use super::selection::View;
use crate::analysis::bootstrap::Draws;
use crate::analysis::clustering::Clustering;
use crate::analysis::paired::Outcome;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::engine::{PairedTest, PairedTests, Stamp, Tested, Wanted};
use crate::evaluate::parts::Parts;
use crate::filter::between;

impl AppJob for PairedTests {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let paired_test = app.wanted_tests()?;
        Some(Wanted::one(paired_test.stamp, || paired_test.clone()))
    }

    fn take(app: &mut App, _: Stamp, tested: Vec<Tested>) {
        if let Some(open) = app.popup_mut::<TestResults>() {
            open.tested = Some(tested);
        }
    }
}

impl App {
    /// Opens the tests; they take the numbers of both models. Captions of one image are clustered, where
    /// their images are known, or each is by itself.
    pub(super) fn open_tests(&mut self, clustering: Clustering) {
        let Some(models) = self.two() else {
            self.message = Some("paired tests take two models".into());
            return;
        };
        let view = self.view;
        let [first, second] = models.map(|model| self.edited(View { model, ..view }));
        let (Some(first), Some(second)) = (first, second) else {
            self.message = Some("counting: paired tests take the numbers of both models".into());
            return;
        };
        let images = match clustering.images(&self.study) {
            Ok(images) => images,
            Err(error) => {
                self.message = Some(format!("cannot cluster by image: {}", error.found()));
                return;
            }
        };
        let parts = Parts::of(&self.study, view.truth, view.direction);
        let paired_test = PairedTest {
            stamp: Stamp::fresh(),
            models,
            truth: view.truth,
            direction: view.direction,
            draws: Draws::default(),
            images,
            ranks: [first, second],
            parts,
        };
        self.open(TestResults::new(Arc::new(paired_test)));
    }

    /// Opens the tests anew: each caption by itself, or clustered by image again. An image is a query
    /// once: there is nothing to cluster.
    pub(super) fn cluster_otherwise(&mut self, paired_test: &PairedTest) {
        if paired_test.direction == Direction::T2i {
            self.open_tests(match paired_test.images {
                Some(_) => Clustering::ByQuery,
                None => Clustering::ByImageOnly,
            });
        }
    }

    /// The tests that are open and not done yet.
    fn wanted_tests(&self) -> Option<&Arc<PairedTest>> {
        let open = self.popup::<TestResults>()?;
        open.tested.is_none().then_some(&open.paired_test)
    }

    /// Lists the queries behind an outcome of the tests, by a condition.
    pub(super) fn list_outcome(&mut self, models: [ModelIx; 2], tested: &Tested, outcome: Outcome) {
        let sign = match outcome {
            Outcome::Win => ">",
            Outcome::Tie => "==",
            Outcome::Loss => "<",
        };
        let metric = tested.spec.metric.key();
        self.filter_by(between(&self.study, models, metric, sign));
    }
}
