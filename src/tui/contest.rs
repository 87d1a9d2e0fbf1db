//! Paired tests of the model looked at and the one after it.

use std::sync::Arc;

use super::app::App;
use super::backend::AppJob;
use super::look::Look;
use super::popups::TestResults;
use crate::analysis::bootstrap::Draws;
use crate::analysis::clustering::Clustering;
use crate::analysis::paired::Outcome;
use crate::data::Direction;
use crate::engine::{Contest, PairedTests, Stamp, Tested, Wanted};
use crate::evaluate::parts::Parts;
use crate::filter::between;

impl AppJob for PairedTests {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let contest = app.wanted_tests()?;
        Some(Wanted::one(contest.stamp, || contest.clone()))
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
        let look = self.look;
        let [first, second] = models.map(|model| self.edited(Look { model, ..look }));
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
        let parts = Parts::of(&self.study, look.truth, look.direction);
        let contest = Contest {
            stamp: Stamp::fresh(),
            models,
            truth: look.truth,
            direction: look.direction,
            draws: Draws::default(),
            images,
            ranks: [first, second],
            parts,
        };
        self.open(TestResults::new(Arc::new(contest)));
    }

    /// Opens the tests anew: each caption by itself, or clustered by image again. An image is a query
    /// once: there is nothing to cluster.
    pub(super) fn cluster_otherwise(&mut self, contest: &Contest) {
        if contest.direction == Direction::T2i {
            self.open_tests(match contest.images {
                Some(_) => Clustering::ByQuery,
                None => Clustering::ByImageOnly,
            });
        }
    }

    /// The tests that are open and not done yet.
    fn wanted_tests(&self) -> Option<&Arc<Contest>> {
        let open = self.popup::<TestResults>()?;
        open.tested.is_none().then_some(&open.contest)
    }

    /// Lists the queries behind an outcome of the tests, by a condition.
    pub(super) fn list_outcome(&mut self, models: [usize; 2], tested: &Tested, outcome: Outcome) {
        let sign = match outcome {
            Outcome::Win => ">",
            Outcome::Tie => "==",
            Outcome::Loss => "<",
        };
        let metric = tested.spec.metric.key();
        self.filter_by(between(&self.study, models, metric, sign));
    }
}
