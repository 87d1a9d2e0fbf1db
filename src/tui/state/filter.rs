//! The filter over queries: the condition in force, and which queries meet it.

use std::sync::Arc;

use super::Model;
use super::results::Asked;
use super::view::header_specs;
use crate::data::text::shown;
use crate::filter::{Counts, Expression, FilterAnswer, Mistake, Needs, UserMarks};
use crate::jobs::{FilterRequest, Scored, Stamp};
use crate::metric::Summary;
use crate::rank::edited::Edited;
use crate::rank::hubs::OfModel;
use crate::study::View;

/// The condition in force, and what it finds.
#[derive(Debug, Default)]
pub struct ActiveFilter {
    /// The condition as it was written; empty for none.
    pub text: String,
    pub(crate) found: Found,
    /// Why it does not apply to what is looked at.
    pub mistake: Option<Mistake>,
    /// Whether a session had it, and it is not known yet whether any query meets it.
    pub(super) is_restored: bool,
}

/// What is known of the queries that meet a condition.
#[derive(Debug, Clone, Default)]
pub enum Found {
    /// Nothing: there is no condition.
    #[default]
    Nothing,
    /// Not yet: this must be known first.
    Lacking(Needs),
    /// Not yet: a job asks so many queries.
    Asked(Arc<FilterRequest>),
    /// Which meet it.
    Met(FilterAnswer),
}

impl Found {
    /// Takes what the job found, if it is this that was asked; whether it is.
    pub(crate) fn take(&mut self, request: Stamp, met: &FilterAnswer) -> bool {
        let is_it = self.asked().is_some_and(|asked| asked.stamp == request);
        if is_it {
            *self = Found::Met(met.clone());
        }
        is_it
    }

    /// What a job is to ask.
    pub(in crate::tui) fn asked(&self) -> Option<&Arc<FilterRequest>> {
        match self {
            Found::Asked(request) => Some(request),
            _ => None,
        }
    }
}

impl Model {
    /// The queries that meet a condition: at once where they are few, by a job where they are
    /// many.
    ///
    /// # Errors
    /// What is no condition over this study.
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
            Some(_) => Found::Asked(Arc::new(request)),
            None => Found::Met(FilterAnswer::default()),
        })
    }

    /// What is needed, verdicts included, and what a person made; `None` while some of it is counted.
    pub(in crate::tui) fn counts_of(&self, needs: &Needs) -> Option<Counts> {
        let ranks = needs.views.iter().map(|&view| Some((view, self.edited(view)?)));
        let ranks: Option<Vec<(View, Edited)>> = ranks.collect();
        let direction = self.view.direction;
        let marks = UserMarks::of(direction, self.picked(direction), &self.judgements.verdicts);
        let marks = marks.with_tags(direction, &self.tags());
        let top_k = needs.top_k.iter();
        let top_k = top_k.map(|&model| self.top_k_of(model, direction).cloned());
        let top_k: Option<Vec<Arc<OfModel>>> = top_k.collect();
        let texts = self.texts().filter(|_| needs.texts).cloned();
        let is_there = texts.is_some() || !needs.texts;
        let counts = Counts { ranks: ranks?, marks, top_k: top_k?, texts };
        is_there.then_some(counts)
    }

    /// Asks the condition in force again: what is looked at, or what is known, changed.
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

    /// Drops the condition of a session once it is known that no query meets it any more.
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

    /// What a job is to ask: for the line that is typed, or else for the condition in force.
    pub(crate) fn wanted_filter(&self) -> Option<&Arc<FilterRequest>> {
        match &self.demand.popup {
            Asked::Filter(Found::Asked(typed)) => Some(typed),
            _ => self.filter.found.asked(),
        }
    }

    /// Whether a filter is in force.
    pub fn has_filter(&self) -> bool {
        !self.filter.text.is_empty()
    }

    /// The condition in force, as one line; none while one judges blind, as it may tell how items stand.
    pub fn condition(&self) -> Option<String> {
        let is_told = self.has_filter() && !self.is_blind();
        is_told.then(|| shown(&self.filter.text))
    }

    /// Where numbers are of all queries though a filter is in force: that it is not taken.
    pub fn untaken_filter(&self) -> Option<String> {
        let condition = self.condition().map_or(String::new(), |text| format!(" [{text}]"));
        self.has_filter().then(|| format!("the filter{condition} is not taken"))
    }

    /// Whether it is not known yet which queries meet the condition in force.
    pub fn is_filtering(&self) -> bool {
        let active = &self.filter;
        !active.text.is_empty() && active.mistake.is_none() && self.filtered().is_none()
    }

    /// The queries that meet the condition in force; `None` without one, or while they are asked.
    pub fn filtered(&self) -> Option<&[u32]> {
        match &self.filter.found {
            Found::Met(met) => Some(&met.queries),
            _ => None,
        }
    }

    /// Of how many queries it is not known whether they meet the condition in force: they have no value to compare.
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

    /// Both numbers of the header over the queries that the condition lets through.
    pub(in crate::tui) fn filtered_numbers(&self, scored: &Scored) -> [Summary; 2] {
        let places = self.filtered_places();
        header_specs().map(|spec| scored.summary(spec, places.as_deref()))
    }

    /// Indices, in the order of the current ground truth, of the queries that meet the condition; `None` where it is
    /// all of them.
    fn filtered_places(&self) -> Option<Vec<usize>> {
        let relevance = self.truth().relevance[self.view.direction].as_ref()?;
        let met = self.filtered()?;
        // In the truth's order, as means over all queries are taken.
        let place = |&query: &u32| relevance.place(query as usize);
        let mut places: Vec<usize> = met.iter().filter_map(place).collect();
        places.sort_unstable();
        Some(places)
    }
}
