//! The filter over queries: a condition typed or chosen, and the queries that meet it.

use std::sync::Arc;

use super::app::App;
use super::backend::AppJob;
use super::popups::FilterMenu;
use crate::engine::{Filtering, Scored, Sift, Stamp, Wanted};
use crate::filter::{Counts, Filter, Made, Mistake, Needs};
use crate::metric::Summary;
use crate::rank::edited::Edited;
use crate::rank::hubs::OfModel;
use crate::study::{Study, View};

/// The condition in force, and what it finds.
#[derive(Debug, Default)]
pub struct Sieve {
    /// The condition as it was written; empty for none.
    pub text: String,
    pub(super) found: Found,
    /// Why it does not apply to what is looked at.
    pub mistake: Option<Mistake>,
}

/// What is known of the queries that meet a condition.
#[derive(Debug, Clone, Default)]
pub enum Found {
    /// Nothing: there is no condition.
    #[default]
    Nothing,
    /// Not yet: this must be known first.
    Lacking(Needs),
    /// Not yet: the engine asks so many queries.
    Asked(Arc<Sift>),
    /// Their gallery indices, ascending.
    Met(Vec<u32>),
}

impl Found {
    /// Takes what the engine found, if it is this that was asked; whether it is.
    pub(super) fn take(&mut self, sift: Stamp, met: &[u32]) -> bool {
        let is_it = self.asked().is_some_and(|asked| asked.stamp == sift);
        if is_it {
            *self = Found::Met(met.to_vec());
        }
        is_it
    }

    /// What the engine is to ask.
    pub(super) fn asked(&self) -> Option<&Arc<Sift>> {
        match self {
            Found::Asked(sift) => Some(sift),
            _ => None,
        }
    }
}

impl AppJob for Filtering {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let sift = app.wanted_sift()?;
        Some(Wanted::one(sift.stamp, || sift.clone()))
    }

    fn take(app: &mut App, sift: Stamp, met: Vec<u32>) {
        if let Some(menu) = app.popup_mut::<FilterMenu>() {
            menu.take(sift, &met);
        }
        if app.sieve.found.take(sift, &met) {
            app.browse_list();
            app.record_numbers();
        }
    }
}

impl App {
    /// The queries that meet a condition: at once where they are few, by the engine where they are
    /// many.
    ///
    /// # Errors
    /// What is no condition over this study.
    pub(super) fn queries_that(&self, text: &str) -> Result<Found, Mistake> {
        let View {
            truth, direction, ..
        } = self.look;
        let filter = Filter::parse(text, &self.study, self.look)?;
        let Some(counts) = self.counts_of(filter.needs()) else {
            return Ok(Found::Lacking(filter.needs().clone()));
        };
        let sift = Sift {
            stamp: Stamp::fresh(),
            filter,
            truth,
            counts,
        };
        let at_once = || sift.met(&|| false).map_or(Found::Nothing, Found::Met);
        Ok(match &self.truth().relevance[direction] {
            Some(judged) if sift.is_small(judged) => at_once(),
            Some(_) => Found::Asked(Arc::new(sift)),
            None => Found::Met(Vec::new()),
        })
    }

    /// What is needed, verdicts included, and what a person made; `None` while some of it is counted.
    pub(super) fn counts_of(&self, needs: &Needs) -> Option<Counts<Arc<Study>>> {
        let ranks = needs
            .views
            .iter()
            .map(|&view| Some((view, self.edited(view)?)));
        let ranks: Option<Vec<(View, Edited)>> = ranks.collect();
        let direction = self.look.direction;
        let made = Made::of(direction, self.picked(direction), &self.judge.verdicts);
        let heads = needs.heads.iter();
        let heads = heads.map(|&model| self.heads_of(model, direction).cloned());
        let heads: Option<Vec<Arc<OfModel>>> = heads.collect();
        let texts = self.texts().filter(|_| needs.texts).cloned();
        let is_there = texts.is_some() || !needs.texts;
        let counts = Counts::new(self.study.clone(), ranks?, made).with_heads(heads?, texts);
        is_there.then_some(counts)
    }

    /// Asks the condition in force again: what is looked at, or what is known, changed.
    pub(super) fn sift(&mut self) {
        let text = std::mem::take(&mut self.sieve.text);
        let found = if text.is_empty() {
            Ok(Found::Nothing)
        } else {
            self.queries_that(&text)
        };
        let (found, mistake) = match found {
            Ok(found) => (found, None),
            Err(mistake) => (Found::Nothing, Some(mistake)),
        };
        if let Some(mistake) = &mistake {
            self.message = Some(format!("the filter does not apply: {}", mistake.found()));
        }
        self.sieve = Sieve {
            text,
            found,
            mistake,
        };
    }

    /// What the engine is to ask: for the line that is typed, or else for the condition in force.
    fn wanted_sift(&self) -> Option<&Arc<Sift>> {
        let typed = self.popup::<FilterMenu>().and_then(FilterMenu::asked);
        typed.or_else(|| self.sieve.found.asked())
    }

    /// Whether it is not known yet which queries meet the condition in force.
    pub fn is_sifting(&self) -> bool {
        let sieve = &self.sieve;
        !sieve.text.is_empty() && sieve.mistake.is_none() && self.sifted().is_none()
    }

    /// The queries that meet the condition in force; `None` without one, or while they are asked.
    pub fn sifted(&self) -> Option<&[u32]> {
        match &self.sieve.found {
            Found::Met(met) => Some(met),
            _ => None,
        }
    }

    /// Whether a query is listed.
    pub(super) fn passes(&self, query: u32) -> bool {
        self.sifted()
            .is_none_or(|met| met.binary_search(&query).is_ok())
    }

    /// R@1 and mAP@R over the queries that the condition lets through.
    pub(super) fn sifted_numbers(&self, scored: &Scored) -> (Summary, Summary) {
        let relevance = self.truth().relevance[self.look.direction].as_ref();
        let (Some(met), Some(relevance)) = (self.sifted(), relevance) else {
            return (scored.r1, scored.map_at_r);
        };
        // In the truth's order, as means over all queries are taken.
        let place = |&query: &u32| relevance.place(query as usize);
        let mut places: Vec<usize> = met.iter().filter_map(place).collect();
        places.sort_unstable();
        scored.over(&places)
    }
}
