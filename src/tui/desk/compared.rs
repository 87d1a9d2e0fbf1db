//! What is asked about two models, and of a condition.

use std::sync::Arc;

use super::Desk;
use crate::engine::{Contest, Sift};
use crate::tui::app::App;

impl Desk {
    pub(super) fn ask_tests(&mut self, app: &App) {
        let wanted = app.wanted_tests();
        let was = self.asked.contest.take();
        let is_new = |one: &&Arc<Contest>| !was.is_some_and(|was| Arc::ptr_eq(&was, one));
        if let Some(contest) = wanted.as_ref().filter(is_new) {
            self.engine.test(contest.clone());
        }
        self.asked.contest = wanted;
    }

    pub(super) fn ask_overlaps(&mut self, app: &App) {
        let wanted = app.wanted_overlaps();
        if let Some(key) = wanted.filter(|_| wanted != self.asked.overlaps) {
            self.engine.overlap(key);
        }
        self.asked.overlaps = wanted;
    }

    pub(super) fn ask_sift(&mut self, app: &App) {
        let sift = app.wanted_sift();
        let was = self.asked.sift.take();
        let is_new = |sift: &&Arc<Sift>| !was.is_some_and(|was| Arc::ptr_eq(&was, sift));
        if let Some(sift) = sift.as_ref().filter(is_new) {
            self.engine.sift(sift.clone());
        }
        self.asked.sift = sift;
    }
}
