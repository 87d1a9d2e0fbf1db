//! Conditions asked of very many queries: what the screen must not wait for.

use std::sync::Arc;

use super::{Job, Run, Stamp, Wanted};
use crate::data::index::TruthIx;
use crate::filter::{AT_ONCE, Counts, Filter, FilterAnswer};
use crate::study::Study;
use crate::truth::relevance::Relevance;
use crate::tui::app::App;
use crate::tui::model::changes::Dirty;

/// Ranks of each query that are looked up while the screen waits, where there are [`AT_ONCE`] queries: a condition over
/// the steps of a training takes those of all steps.
const RANKS: usize = 4;

/// A condition, and all that is needed to ask it.
#[derive(Debug)]
pub struct FilterRequest {
    /// The number of the question: asked once more, ranks may be others.
    pub stamp: Stamp,
    /// The condition.
    pub filter: Filter,
    /// Index of the truth whose queries are listed.
    pub truth: TruthIx,
    /// Ranks, verdicts and picks as they were.
    pub counts: Counts<Arc<Study>>,
}

impl FilterRequest {
    /// Whether the screen can wait for the answer.
    pub fn is_small(&self, relevance: &Relevance) -> bool {
        let looked_up = relevance.len() * self.filter.needs().views.len();
        relevance.len() <= AT_ONCE && looked_up <= RANKS * AT_ONCE
    }

    /// The queries that meet it; `None` where ranks are missing, or where `give_up` says so meanwhile.
    pub fn met(&self, give_up: &dyn Fn() -> bool) -> Option<FilterAnswer> {
        self.filter.answer(&self.counts, self.truth, give_up)
    }
}

/// Asks conditions; one that is typed on is given up.
pub struct FilterQueries;

impl Job for FilterQueries {
    const READS_SCORES: bool = false;
    /// The number of the question.
    type Key = Stamp;
    type Part = ();
    type Input = Arc<FilterRequest>;
    /// The queries that meet it.
    type Output = FilterAnswer;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        if let Some(met) = run.input.met(&|| run.token.is_cancelled()) {
            run.send(met);
        }
    }

    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let request = app.model.wanted_filter()?;
        Some(Wanted::one(request.stamp, || request.clone()))
    }

    fn take(app: &mut App, request: Stamp, met: FilterAnswer) {
        let model = &mut app.model;
        if model.filter.found.take(request, &met) {
            model.dirty |= Dirty::ROWS | Dirty::NUMBERS;
        } else {
            model.known.typed_met = Some((request, met));
            model.dirty |= Dirty::POPUP;
        }
    }
}
