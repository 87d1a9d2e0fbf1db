//! Conditions asked of very many queries: what the screen must not wait for.

use std::sync::Arc;

use super::worker::Worker;
use super::{Event, Notify};
use crate::filter::{AT_ONCE, Counts, Filter};
use crate::study::Study;
use crate::truth::relevance::Relevance;

/// A condition, and all that is needed to ask it.
#[derive(Debug)]
pub struct Sift {
    /// The condition.
    pub filter: Filter,
    /// Index of the truth whose queries are asked.
    pub truth: usize,
    /// Ranks, verdicts and picks as they were.
    pub counts: Counts<Arc<Study>>,
}

impl Sift {
    /// Whether the screen can wait for the answer.
    pub fn is_small(&self, relevance: &Relevance) -> bool {
        relevance.len() <= AT_ONCE
    }

    /// Gallery indices of the queries that meet it, ascending; `None` where ranks are missing, or
    /// where `give_up` says so meanwhile.
    pub fn met(&self, give_up: &dyn Fn() -> bool) -> Option<Vec<u32>> {
        self.filter.met(&self.counts, self.truth, give_up)
    }
}

/// Asks; a condition that is typed on is given up.
pub(super) fn worker(notify: &Notify) -> Worker<Arc<Sift>> {
    let of_worker = notify.clone();
    Worker::start("sifting", notify.clone(), move |sift: Arc<Sift>, job| {
        if let Some(met) = sift.met(&|| job.is_over()) {
            of_worker(Event::Sifted(sift, met));
        }
    })
}
