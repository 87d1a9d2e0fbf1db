//! Paired tests of the model looked at and the one after it.

use std::sync::Arc;

use super::app::App;
use super::backend::AppJob;
use super::look::Look;
use super::overlay::{Contested, Overlay};
use crate::analysis::bootstrap::Draws;
use crate::analysis::clustering::Clustering;
use crate::analysis::paired::Outcome;
use crate::data::Direction;
use crate::engine::{Contest, PairedTests, Stamp, Tested, Wanted};
use crate::filter::between;
use crate::metric::parts::Parts;

impl AppJob for PairedTests {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let contest = app.wanted_tests()?;
        Some(Wanted::one(contest.stamp, || contest.clone()))
    }

    fn take(app: &mut App, _: Stamp, tested: Vec<Tested>) {
        if let Some(Overlay::Tests(open)) = &mut app.overlay {
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
        self.overlay = Some(Overlay::Tests(Contested::new(Arc::new(contest))));
    }

    /// Takes each caption by itself, or clusters by image again; whether tests are open. An image is
    /// asked once: there is nothing to cluster.
    pub(super) fn draw_otherwise(&mut self) -> bool {
        let Some(Overlay::Tests(open)) = &self.overlay else {
            return false;
        };
        if open.contest.direction == Direction::T2i {
            self.open_tests(match open.contest.images {
                Some(_) => Clustering::ByQuery,
                None => Clustering::ByImageOnly,
            });
        }
        true
    }

    /// The tests that are open and not done yet.
    fn wanted_tests(&self) -> Option<&Arc<Contest>> {
        match &self.overlay {
            Some(Overlay::Tests(open)) if open.tested.is_none() => Some(&open.contest),
            _ => None,
        }
    }

    /// Lists the queries behind the chosen line of the tests, by a condition; whether tests are open.
    pub(super) fn list_outcome(&mut self) -> bool {
        let Some(Overlay::Tests(open)) = &self.overlay else {
            return false;
        };
        if let Some((tested, outcome)) = open.chosen() {
            let sign = match outcome {
                Outcome::Win => ">",
                Outcome::Tie => "==",
                Outcome::Loss => "<",
            };
            let metric = tested.spec.metric.key();
            let condition = between(&self.study, open.contest.models, metric, sign);
            self.overlay = None;
            self.filter_by(condition);
        }
        true
    }
}
