//! The filter over queries: its condition, and the queries that meet it.

use std::sync::Arc;

use super::Model;
use super::results::PopupNeeds;
use super::view::header_specs;
use crate::data::text::shown;
use crate::filter::{Counts, Expression, FilterAnswer, Mistake, Needs, UserMarks};
use crate::jobs::{FilterRequest, Scored, Stamp};
use crate::metric::Summary;
use crate::rank::edits::Edited;
use crate::rank::hubs::ModelTopItems;
use crate::study::View;

/// The current condition and its result.
#[derive(Debug, Default)]
pub struct ActiveFilter {
    /// The condition as typed; empty for none.
    pub text: String,
    pub(crate) found: Found,
    /// Why it does not apply to the view.
    pub mistake: Option<Mistake>,
    /// Whether a session restored it, and its result is not known yet.
    pub(super) is_restored: bool,
}

/// Result of a condition.
#[derive(Debug, Clone, Default)]
pub enum Found {
    /// No condition.
    #[default]
    Nothing,
    /// Not yet: needs these results.
    Lacking(Needs),
    /// Not yet: a job evaluates it.
    Requested(Arc<FilterRequest>),
    /// The result.
    Met(FilterAnswer),
}

impl Found {
    /// Sets the job's result if it is for this request; returns whether.
    pub(crate) fn take(&mut self, request: Stamp, met: &FilterAnswer) -> bool {
        let is_it = self.request().is_some_and(|wanted| wanted.stamp == request);
        if is_it {
            *self = Found::Met(met.clone());
        }
        is_it
    }

    /// Request for a job.
    pub(in crate::tui) fn request(&self) -> Option<&Arc<FilterRequest>> {
        match self {
            Found::Requested(request) => Some(request),
            _ => None,
        }
    }
}

impl Model {
    /// The queries that meet a condition: computed at once if they are few, by a job if many.
    ///
    /// # Errors
    /// Invalid condition over this study.
    pub(in crate::tui) fn queries_that(&self, text: &str) -> Result<Found, Mistake> {
        let filter = Expression::condition(text, &self.study, self.view)?;
        let Some(counts) = self.counts_of(filter.needs()) else {
            return Ok(Found::Lacking(filter.needs().clone()));
        };
        let study = self.study.clone();
        let request = FilterRequest { stamp: Stamp::fresh(), filter, study, counts };
        let at_once = || request.met(&|| false).map_or(Found::Nothing, Found::Met);
        Ok(match &self.truth().relevance[self.view.direction] {
            Some(judged) if request.is_small(judged) => at_once(),
            Some(_) => Found::Requested(Arc::new(request)),
            None => Found::Met(FilterAnswer::default()),
        })
    }

    /// The needed ranks, with judgments and user marks; `None` while some are computed.
    pub(in crate::tui) fn counts_of(&self, needs: &Needs) -> Option<Counts> {
        let ranks = needs.views.iter().map(|&view| Some((view, self.edited(view)?)));
        let ranks: Option<Vec<(View, Edited)>> = ranks.collect();
        let direction = self.view.direction;
        let marks = UserMarks::new(direction, self.picked(direction), &self.judgments.decided);
        let marks = marks.with_tags(direction, &self.tags());
        let top_k = needs.top_k.iter();
        let top_k = top_k.map(|&model| self.top_k_of(model, direction).cloned());
        let top_k: Option<Vec<Arc<ModelTopItems>>> = top_k.collect();
        let texts = self.texts().filter(|_| needs.texts).cloned();
        let is_there = texts.is_some() || !needs.texts;
        let counts = Counts { ranks: ranks?, marks, top_k: top_k?, texts };
        is_there.then_some(counts)
    }

    /// Evaluates the current condition again: the view or results changed.
    pub(super) fn apply_filter(&mut self) {
        let text = std::mem::take(&mut self.filter.text);
        let found = if text.is_empty() { Ok(Found::Nothing) } else { self.queries_that(&text) };
        let (found, mistake) = match found {
            Ok(found) => (found, None),
            Err(mistake) => (Found::Nothing, Some(mistake)),
        };
        if let Some(mistake) = &mistake {
            let told = mistake.in_one_line();
            self.message = Some(format!("the filter does not apply: {told}"));
        }
        self.filter = ActiveFilter { text, found, mistake, ..self.filter };
    }

    /// Drops the condition of a session once no query meets it any more.
    pub(super) fn drop_vain_filter(&mut self) {
        if let Some(met) = self.filtered().filter(|_| self.filter.is_restored) {
            if met.is_empty() {
                self.filter = ActiveFilter::default();
                self.amend_present_step();
                self.message = Some("no query meets the filter of the session any more".into());
            }
            self.filter.is_restored = false;
        }
    }

    /// Request for a job: of the typed condition, or else of the current one.
    pub(crate) fn wanted_filter(&self) -> Option<&Arc<FilterRequest>> {
        match &self.demand.popup {
            PopupNeeds::Filter(Found::Requested(typed)) => Some(typed),
            _ => self.filter.found.request(),
        }
    }

    /// Whether a filter is in force.
    pub fn has_filter(&self) -> bool {
        !self.filter.text.is_empty()
    }

    /// The condition in force, as one line; `None` while judging blind, as it may reveal item status.
    pub fn condition(&self) -> Option<String> {
        let is_told = self.has_filter() && !self.is_blind();
        is_told.then(|| shown(&self.filter.text))
    }

    /// Note that the filter in force does not apply to metrics; `None` without a filter.
    pub fn unapplied_filter(&self) -> Option<String> {
        let condition = self.condition().map_or(String::new(), |text| format!(" [{text}]"));
        self.has_filter().then(|| format!("the filter{condition} is not taken"))
    }

    /// Whether the queries that meet the condition are not known yet.
    pub fn is_filtering(&self) -> bool {
        let active = &self.filter;
        !active.text.is_empty() && active.mistake.is_none() && self.filtered().is_none()
    }

    /// The queries that meet the condition in force; `None` without one, or until evaluated.
    pub fn filtered(&self) -> Option<&[u32]> {
        match &self.filter.found {
            Found::Met(met) => Some(&met.queries),
            _ => None,
        }
    }

    /// Number of queries without a value to compare, so that the condition is undecided.
    pub fn filter_unknown(&self) -> usize {
        match &self.filter.found {
            Found::Met(met) => met.unknown,
            _ => 0,
        }
    }

    /// Whether a query is listed.
    pub(in crate::tui) fn passes(&self, query: u32) -> bool {
        self.filtered().is_none_or(|met| met.binary_search(&query).is_ok())
    }

    /// Both header metrics over the queries that meet the condition.
    pub(in crate::tui) fn filtered_numbers(&self, scored: &Scored) -> [Summary; 2] {
        let places = self.filtered_places();
        header_specs().map(|spec| scored.summary(spec, places.as_deref()))
    }

    /// Indices, in the order of the current ground truth, of the queries that meet the condition; `None` if all do.
    fn filtered_places(&self) -> Option<Vec<usize>> {
        let relevance = self.truth().relevance[self.view.direction].as_ref()?;
        let met = self.filtered()?;
        // In the truth's order, as for means over all queries.
        let place = |&query: &u32| relevance.place(query as usize);
        let mut places: Vec<usize> = met.iter().filter_map(place).collect();
        places.sort_unstable();
        Some(places)
    }
}
