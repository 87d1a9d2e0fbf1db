//! The filter over queries: its condition, and the queries that meet it.

use std::sync::Arc;

use super::Model;
use super::results::PopupNeeds;
use super::view::header_specs;
use crate::data::text::shown;
use crate::filter::{Expression, FilterAnswer, FilterInputs, Mistake, Needs, UserMarks};
use crate::jobs::{FilterRequest, Stamp, ViewMetrics};
use crate::metric::Summary;
use crate::rank::edits::EditedRanks;
use crate::rank::hubs::ModelTopItems;
use crate::study::View;

/// The current condition and its result.
#[derive(Debug, Default)]
pub struct ActiveFilter {
    /// The condition as typed; empty for none.
    pub text: String,
    /// The result of the condition, or what it waits for.
    pub(crate) found: FilterState,
    /// Why the condition does not apply to the view, if so.
    pub mistake: Option<Mistake>,
    /// Whether the condition comes from a session, and its result is not known yet.
    pub(super) is_restored: bool,
}

/// State of the evaluation of a condition.
#[derive(Debug, Clone, Default)]
pub enum FilterState {
    /// No condition.
    #[default]
    Nothing,
    /// Waits for these results.
    Lacking(Needs),
    /// Waits for a job, which evaluates this request.
    Requested(Arc<FilterRequest>),
    /// Evaluated: the queries that meet it.
    Met(FilterAnswer),
}

impl FilterState {
    /// Sets the result if the state waits for the request with this stamp; returns whether it did.
    pub(crate) fn set_answer(&mut self, request: Stamp, answer: &FilterAnswer) -> bool {
        let is_awaited = self.request().is_some_and(|wanted| wanted.stamp == request);
        if is_awaited {
            *self = FilterState::Met(answer.clone());
        }
        is_awaited
    }

    /// The request that a job evaluates; `None` in any other state.
    pub(in crate::tui) fn request(&self) -> Option<&Arc<FilterRequest>> {
        match self {
            FilterState::Requested(request) => Some(request),
            _ => None,
        }
    }
}

impl Model {
    /// The queries that meet a condition: computed at once if they are few; else the request for a job, or the missing
    /// results that it needs.
    ///
    /// # Errors
    /// What is wrong with the condition in this study.
    pub(in crate::tui) fn find_queries(&self, text: &str) -> Result<FilterState, Mistake> {
        let filter = Expression::condition(text, &self.study, self.view)?;
        let Some(counts) = self.condition_inputs(filter.needs()) else {
            return Ok(FilterState::Lacking(filter.needs().clone()));
        };
        let study = self.study.clone();
        let request = FilterRequest { stamp: Stamp::fresh(), filter, study, counts };
        let at_once = || request.evaluate(&|| false).map_or(FilterState::Nothing, FilterState::Met);
        Ok(match &self.truth().relevance[self.view.direction] {
            Some(judged) if request.is_small(judged) => at_once(),
            Some(_) => FilterState::Requested(Arc::new(request)),
            None => FilterState::Met(FilterAnswer::default()),
        })
    }

    /// Inputs to evaluate a condition with these needs: ranks after judgments, user marks, top items and texts. `None`
    /// while any of them is being computed.
    pub(in crate::tui) fn condition_inputs(&self, needs: &Needs) -> Option<FilterInputs> {
        let ranks = needs.views.iter().map(|&view| Some((view, self.edited_ranks(view)?)));
        let ranks: Option<Vec<(View, EditedRanks)>> = ranks.collect();
        let direction = self.view.direction;
        let picked = self.picked_queries(direction);
        let marks = UserMarks::new(direction, picked, &self.judgments.decided);
        let marks = marks.with_tags(direction, &self.tags());
        let top_k = needs.top_k.iter();
        let top_k = top_k.map(|&model| self.top_k_of(model, direction).cloned());
        let top_k: Option<Vec<Arc<ModelTopItems>>> = top_k.collect();
        let texts = self.texts().filter(|_| needs.texts).cloned();
        let has_texts = texts.is_some() || !needs.texts;
        let counts = FilterInputs { ranks: ranks?, marks, top_k: top_k?, texts };
        has_texts.then_some(counts)
    }

    /// Evaluates the current condition again: the view or results changed.
    pub(super) fn apply_filter(&mut self) {
        let text = std::mem::take(&mut self.filter.text);
        let found =
            if text.is_empty() { Ok(FilterState::Nothing) } else { self.find_queries(&text) };
        let (found, mistake) = match found {
            Ok(found) => (found, None),
            Err(mistake) => (FilterState::Nothing, Some(mistake)),
        };
        if let Some(mistake) = &mistake {
            self.message = Some(format!("the filter does not apply: {}", mistake.in_one_line()));
        }
        self.filter = ActiveFilter { text, found, mistake, ..self.filter };
    }

    /// Drops the condition restored from a session if no query meets it any more.
    pub(super) fn drop_unmet_session_filter(&mut self) {
        if let Some(met) = self.filtered_queries().filter(|_| self.filter.is_restored) {
            if met.is_empty() {
                self.filter = ActiveFilter::default();
                self.amend_present_step();
                self.message = Some("no query meets the filter of the session any more".into());
            }
            self.filter.is_restored = false;
        }
    }

    /// The request that a job is to evaluate, for the condition being typed, or else for the current one; `None` if
    /// neither waits for a job.
    pub(crate) fn wanted_filter(&self) -> Option<&Arc<FilterRequest>> {
        match &self.demand.popup {
            PopupNeeds::Filter(FilterState::Requested(typed)) => Some(typed),
            _ => self.filter.found.request(),
        }
    }

    /// Whether there is a filter.
    pub fn has_filter(&self) -> bool {
        !self.filter.text.is_empty()
    }

    /// The condition of the filter, as one line; `None` if there is no filter, or while judging blind: it may reveal badges.
    pub fn condition(&self) -> Option<String> {
        let is_shown = self.has_filter() && !self.is_blind();
        is_shown.then(|| shown(&self.filter.text))
    }

    /// Prefix of sentences whose numbers ignore the filter; empty if there is no filter.
    pub fn all_queries_prefix(&self) -> &'static str {
        if self.has_filter() { "All queries: " } else { "" }
    }

    /// Whether the filter is being evaluated.
    pub fn is_filtering(&self) -> bool {
        let active = &self.filter;
        !active.text.is_empty() && active.mistake.is_none() && self.filtered_queries().is_none()
    }

    /// Gallery indices, ascending, of the queries that meet the filter; `None` if there is no filter, or until it is
    /// evaluated.
    pub fn filtered_queries(&self) -> Option<&[u32]> {
        match &self.filter.found {
            FilterState::Met(met) => Some(&met.queries),
            _ => None,
        }
    }

    /// Number of queries without a value to compare, so that the condition is undecided.
    pub fn undecided_count(&self) -> usize {
        match &self.filter.found {
            FilterState::Met(met) => met.unknown,
            _ => 0,
        }
    }

    /// Whether a query meets the condition in force; true if there is none, or while it is evaluated.
    pub(in crate::tui) fn meets_filter(&self, query: u32) -> bool {
        self.filtered_queries().is_none_or(|met| met.binary_search(&query).is_ok())
    }

    /// Both header metrics over the queries that meet the condition.
    pub(in crate::tui) fn filtered_numbers(&self, metrics: &ViewMetrics) -> [Summary; 2] {
        let indices = self.filtered_indices();
        header_specs().map(|spec| metrics.summary(spec, indices.as_deref()))
    }

    /// Indices, in the order of the current ground truth, of the queries that meet the condition; `None` if all do.
    fn filtered_indices(&self) -> Option<Vec<usize>> {
        let relevance = self.truth().relevance[self.view.direction].as_ref()?;
        let met = self.filtered_queries()?;
        // In the truth's order, as for means over all queries.
        let index = |&query: &u32| relevance.place(query as usize);
        let mut indices: Vec<usize> = met.iter().filter_map(index).collect();
        indices.sort_unstable();
        Some(indices)
    }
}
