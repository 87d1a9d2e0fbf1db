//! The search, and the ends of search and filter.

use rustc_hash::FxHashSet;

use super::Model;
use super::history::Change;
use super::job::ModelJob;
use super::selection::Pane;
use super::sort::Sort;
use crate::data::Direction;
use crate::data::index::TruthIx;
use crate::data::text::grouped;
use crate::engine::search::SearchMatches;
use crate::engine::{Searching, Wanted};
use crate::study::View;

impl ModelJob for Searching {
    fn wanted(model: &Model) -> Option<Wanted<'_, Self>> {
        let (search, direction) = (&model.search, model.view.direction);
        let is_missing = !search.text().is_empty() && search.found(direction).is_none();
        let key = (direction, search.text().to_owned());
        is_missing.then(|| Wanted::one(key, || model.study.clone()))
    }

    fn take(model: &mut Model, _: (Direction, String), found: SearchMatches) {
        model.search.found = Some(found);
        if !std::mem::take(&mut model.search.is_resumed) {
            model.select_from_top();
        }
        model.list_again();
    }
}

/// Queries that a search matches and that are not listed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HiddenMatches {
    /// Those that the truth looked at does not judge.
    pub not_judged: usize,
    /// Those that it judges and the filter does not let through.
    pub filtered: usize,
    /// The first following truth that judges any of those not judged.
    pub judging: Option<JudgingTruth>,
}

/// A truth that judges what another one does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JudgingTruth {
    /// Its name.
    pub truth: String,
    /// How many of the queries it judges.
    pub count: usize,
    /// How many truths further it is, of those that can be looked at.
    pub steps: usize,
}

impl Model {
    /// What the search matches and the list does not have; nothing before the search is done.
    pub fn hidden_matches(&self) -> HiddenMatches {
        let direction = self.view.direction;
        let Some(found) = self.search.found(direction) else {
            return HiddenMatches::default();
        };
        let judges = |truth: TruthIx, query: u32| {
            let relevance = self.study.truths[truth].relevance[direction].as_ref();
            relevance.is_some_and(|relevance| relevance.place(query as usize).is_some())
        };
        let here = self.view.truth;
        let (judged, hidden): (Vec<u32>, Vec<u32>) =
            found.queries.iter().partition(|&&query| judges(here, query));
        let count = self.study.truths.len();
        let following = (1..count).map(|step| TruthIx::new((here.get() + step) % count));
        let has_lists = |&truth: &TruthIx| self.study.truths[truth].relevance[direction].is_some();
        let mut judging =
            (1..).zip(following.filter(has_lists)).map(|(steps, truth)| JudgingTruth {
                truth: self.study.truths[truth].name.clone(),
                count: hidden.iter().filter(|&&query| judges(truth, query)).count(),
                steps,
            });
        HiddenMatches {
            not_judged: hidden.len(),
            filtered: judged.iter().filter(|query| !self.passes(**query)).count(),
            judging: judging.find(|judging| judging.count > 0),
        }
    }

    /// Ends the line of the search; where no text has what is searched for, that is said.
    pub(in crate::tui) fn enter_search(&mut self) {
        self.search.enter();
        let found = self.search.found(self.view.direction);
        if let Some(found) = found.filter(|found| found.is_spelt_alike) {
            let text = &found.text;
            self.message = Some(match self.selection.queries.len() {
                0 => format!("no text has {text}"),
                count => format!(
                    "no text has {text}; {} have its letters in their order",
                    grouped(count)
                ),
            });
        }
    }

    /// Whether a search is on, whose matches are listed.
    pub(in crate::tui) fn is_searched(&self) -> bool {
        !self.search.text().is_empty()
    }

    /// Removes the marks, or else ends the search, or else the filter.
    pub(in crate::tui) fn close(&mut self) {
        if self.clear_marks() {
            return;
        }
        if self.search.clear() {
            self.list_again();
        } else if self.has_filter() {
            self.filter_by(String::new());
        }
    }

    /// Selects the next or previous query of the list that the search matches, counted round. After the end of a
    /// search its matches are still those. Whether there was a search.
    pub(in crate::tui) fn step_match(&mut self, forward: bool) -> bool {
        let Some(found) = self.search.matches(self.view.direction) else {
            return !self.search.text().is_empty();
        };
        let matched: FxHashSet<u32> = found.queries.iter().copied().collect();
        let listed = self.selection.queries.iter().enumerate();
        let places = listed.filter(|(_, query)| matched.contains(query));
        let places: Vec<usize> = places.map(|(place, _)| place).collect();
        // Numbered as the search lists them.
        let among: FxHashSet<u32> = places.iter().map(|&at| self.selection.queries[at]).collect();
        let mut numbered = found.queries.iter().filter(|query| among.contains(query));
        let here = self.selection.selected;
        let next = if forward {
            places.iter().position(|&place| place > here)
        } else {
            places.iter().rposition(|&place| place < here)
        };
        let end = if forward { 0 } else { places.len().saturating_sub(1) };
        let at = next.unwrap_or(end);
        let Some(&place) = places.get(at) else {
            self.message = Some(format!("no query listed matches /{}", found.text));
            return true;
        };
        let wrapped = if next.is_none() { ", wrapped" } else { "" };
        let query = self.selection.queries[place];
        let number = match self.selection.sort {
            Sort::Gallery => numbered.position(|&of| of == query).unwrap_or(at),
            _ => at,
        };
        let (at, of, text) = (grouped(number + 1), grouped(places.len()), &found.text);
        self.message = Some(format!("match {at} of {of} of /{text}{wrapped}"));
        self.select_query(place);
        true
    }

    /// Puts a condition in force; an empty one is none, and the one in force is asked again.
    pub(in crate::tui) fn filter_by(&mut self, after: String) {
        let before = self.filter.text.clone();
        if before != after {
            // Without a condition the query that was found is among its neighbours.
            if !after.is_empty() {
                self.select_from_top();
            }
            self.make(Change::Filter { before, after });
        } else if !after.is_empty() {
            self.refresh_list();
            self.record_numbers();
        }
    }

    /// Looks at a view, and lists the queries that meet a condition there, as one step; a search is ended.
    pub(in crate::tui) fn list_by(&mut self, view: View, condition: String) {
        self.search.clear();
        let before = (self.view, self.filter.text.clone());
        let after = (view, condition);
        if before != after {
            self.select_from_top();
            self.make(Change::List { before, after });
        }
        self.selection.pane = Pane::Queries;
    }

    /// Looks at a query; a search or a condition that hides it is ended.
    pub(in crate::tui) fn look_for(&mut self, view: View, query: usize) {
        let is_it = |&listed: &u32| listed as usize == query;
        let is_listed = view == self.view && self.selection.queries.iter().any(is_it);
        let before = (self.view, self.filter.text.clone());
        let mut after = (view, self.filter.text.clone());
        if !is_listed {
            self.search.clear();
            after.1.clear();
        }
        if before == after {
            self.list_again();
        } else {
            self.make(Change::List { before, after });
        }
        if let Some(place) = self.selection.queries.iter().position(is_it) {
            self.select_query(place);
        }
        self.selection.pane = Pane::Queries;
    }
}
