//! The search, and the ends of search and filter.

use rustc_hash::FxHashSet;
use tui_input::Input;

use super::Model;
use super::history::Change;
use super::job::ModelJob;
use super::search::Search;
use super::selection::Pane;
use crate::data::Direction;
use crate::data::text::grouped;
use crate::engine::search::SearchMatches;
use crate::engine::{Searching, Wanted};
use crate::session::Prompt;
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
        model.select_from_top();
        model.refresh_list();
    }
}

impl Model {
    /// Removes the marks, or else ends the search, or else the filter.
    pub(in crate::tui) fn close(&mut self) {
        if self.clear_marks() {
            return;
        }
        if self.search.clear() {
            self.refresh_list();
        } else if !self.filter.text.is_empty() {
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
        let here = self.selection.selected;
        let next = if forward {
            places.iter().position(|&place| place > here)
        } else {
            places.iter().rposition(|&place| place < here)
        };
        let end = if forward {
            0
        } else {
            places.len().saturating_sub(1)
        };
        let at = next.unwrap_or(end);
        let Some(&place) = places.get(at) else {
            self.message = Some(format!("no query listed matches /{}", found.text));
            return true;
        };
        let wrapped = if next.is_none() { ", wrapped" } else { "" };
        let (at, of, text) = (grouped(at + 1), grouped(places.len()), &found.text);
        self.message = Some(format!("match {at} of {of} of /{text}{wrapped}"));
        self.select_query(place);
        true
    }

    /// Searches for what was searched for before, or after, what is on the line.
    pub(in crate::tui) fn recall_search(&mut self, older: bool) {
        let Search { input, recall, .. } = &mut self.search;
        let past = self.memory.past(Prompt::Search);
        if let Some(text) = recall.step(input.value(), past, older) {
            *input = Input::new(text);
            self.refresh_list();
        }
    }

    /// Puts a condition in force; an empty one is none.
    pub(in crate::tui) fn filter_by(&mut self, after: String) {
        let before = self.filter.text.clone();
        if before != after {
            self.select_from_top();
            self.make(Change::Filter { before, after });
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
            self.refresh_list();
        } else {
            self.make(Change::List { before, after });
        }
        if let Some(place) = self.selection.queries.iter().position(is_it) {
            self.select_query(place);
        }
        self.selection.pane = Pane::Queries;
    }
}
