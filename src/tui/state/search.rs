//! The search over queries, earlier searches, and jumps to an id.

use rustc_hash::FxHashSet;

use super::Model;
use super::changes::Dirty;
use super::judging_mode::covers;
use super::query_list::Pane;
use super::results::RankingsOf;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::text::{grouped, shown};
use crate::jobs::SearchMatches;
use crate::study::View;
use crate::tui::ui::prompt::PromptLine;

/// The search line and its result.
#[derive(Debug, Default)]
pub struct Search {
    /// The search text being typed or searched for.
    pub(in crate::tui) line: PromptLine,
    /// Whether the search line has the focus.
    is_typing: bool,
    /// The last result; [`Search::current_matches`] returns it if it is for the current text.
    pub(crate) found: Option<SearchMatches>,
    /// Result of the last finished search.
    last: Option<SearchMatches>,
    /// Whether the search is repeated after a reload, so that the selected query stays when matches arrive.
    pub(crate) is_resumed: bool,
}

impl Search {
    /// Drops the matches, so that the text is searched again, after the study was opened or reopened.
    pub(super) fn resume(&mut self) {
        self.found = None;
        self.is_resumed = !self.text().is_empty();
    }

    /// Opens the search input with the last text.
    pub fn start(&mut self) {
        self.is_typing = true;
        self.line = PromptLine::new(self.text().to_owned());
    }

    /// Closes the search input; the matches stay.
    pub(in crate::tui) fn enter(&mut self) {
        self.is_typing = false;
    }

    /// Whether the search line has the focus.
    pub fn is_typing(&self) -> bool {
        self.is_typing
    }

    /// The search text.
    pub fn text(&self) -> &str {
        self.line.text()
    }

    /// Matches of the current text; `None` without a search or before its result.
    pub fn current_matches(&self, direction: Direction) -> Option<&SearchMatches> {
        self.found.as_ref().filter(|f| f.direction == direction && f.text == self.text())
    }

    /// Matches to step through: of the current search, or else of the last finished one; `None` if it has none in this
    /// direction yet.
    pub fn matches(&self, direction: Direction) -> Option<&SearchMatches> {
        if !self.text().is_empty() {
            return self.current_matches(direction);
        }
        let last = self.last.as_ref();
        last.filter(|last| last.direction == direction)
    }

    /// Ends the search; returns whether there was one. Its matches can still be stepped through if its text was
    /// entered.
    pub fn clear(&mut self) -> bool {
        let was_searching = !self.text().is_empty();
        let found = self.found.take().filter(|_| !self.is_typing);
        *self = Search { last: found.or(self.last.take()), ..Search::default() };
        was_searching
    }
}

impl Model {
    /// Whether the queries are restricted to matches of a search.
    pub(in crate::tui) fn is_searched(&self) -> bool {
        !self.search.text().is_empty()
    }

    /// Ends the search, or else the filter.
    pub(in crate::tui) fn close_search_or_filter(&mut self) {
        if self.search.clear() {
            self.dirty |= Dirty::ROWS;
        } else if self.has_filter() {
            self.filter_by(String::new());
        }
    }

    /// Selects the next or previous listed match of the current or last search, cyclically. Returns whether there was a
    /// search.
    pub(in crate::tui) fn step_match(&mut self, forward: bool) -> bool {
        let Some(found) = self.search.matches(self.view.direction) else {
            return !self.search.text().is_empty();
        };
        let matched: FxHashSet<u32> = found.queries.iter().copied().collect();
        let listed = self.selection.queries.iter().enumerate();
        let indices = listed.filter(|(_, query)| matched.contains(query));
        let indices: Vec<usize> = indices.map(|(index, _)| index).collect();
        let here = self.selection.selected;
        let next = if forward {
            indices.iter().position(|&index| index > here)
        } else {
            indices.iter().rposition(|&index| index < here)
        };
        let end = if forward { 0 } else { indices.len().saturating_sub(1) };
        let at = next.unwrap_or(end);
        let Some(&index) = indices.get(at) else {
            self.message = Some(format!("no query listed matches /{}", found.text));
            return true;
        };
        let wrapped = if next.is_none() { ", wrapped" } else { "" };
        let (at, of, text) = (grouped(at + 1), grouped(indices.len()), &found.text);
        self.message = Some(format!("match {at} of {of} of /{text}{wrapped}"));
        self.select_query(index);
        true
    }

    /// Sets the condition of the filter; an empty one ends it, and the current one is evaluated again.
    pub(in crate::tui) fn filter_by(&mut self, condition: String) {
        if self.filter.text != condition {
            // When a filter ends, its selected query stays selected.
            if !condition.is_empty() {
                self.select_from_top();
            }
            self.change(|facts| facts.filter = condition);
        } else if !condition.is_empty() {
            self.dirty |= Dirty::FILTER;
            self.recompute();
        }
    }

    /// Shows a view with the queries that meet a condition, as one undoable step; ends a search.
    pub(in crate::tui) fn show_filtered(&mut self, view: View, condition: String) {
        self.search.clear();
        if (view, &condition) != (self.view, &self.filter.text) {
            self.select_from_top();
            self.change(|facts| (facts.view, facts.filter) = (view, condition));
        }
        self.selection.pane = Pane::Queries;
    }

    /// Shows a query, by gallery index, in a view, as one undoable step; ends a search or filter that hides it.
    pub(in crate::tui) fn show_query(&mut self, view: View, query: usize) {
        let is_query = |&listed: &u32| listed as usize == query;
        let is_listed = view == self.view && self.selection.queries.iter().any(is_query);
        if !is_listed {
            self.search.clear();
        }
        let changed = self.change(|facts| {
            facts.view = view;
            if !is_listed {
                facts.filter.clear();
            }
        });
        if changed.is_none() {
            self.dirty |= Dirty::ROWS;
            self.recompute();
        }
        if let Some(index) = self.selection.queries.iter().position(is_query) {
            self.select_query(index);
        }
        self.selection.pane = Pane::Queries;
    }

    /// Goes to the image or caption with this id or file name. Searches the focused list first, queries or ranking,
    /// then the other list, then the queries of the other direction.
    ///
    /// # Errors
    /// Why there is no target, in one line.
    pub(in crate::tui) fn jump_to(&mut self, name: &str) -> Result<(), String> {
        let here = self.view.direction;
        let [query, item] = [here, here.flipped()].map(|side| self.find_by_name(side, name));
        let has_ranking = self.demand.rankings != RankingsOf::Nothing;
        let is_on_ranking = has_ranking && self.selection.pane == Pane::Ranking;
        match (query, item) {
            (_, Some(item)) if is_on_ranking => self.jump_to_item(item),
            (Some(query), _) => self.jump_to_query(here, query),
            (None, Some(item)) if has_ranking && self.is_ranked(item) => self.jump_to_item(item),
            (None, Some(query)) => self.jump_to_query(here.flipped(), query),
            (None, None) => Err(format!("no id or file name {:?}", shown(name))),
        }
    }

    /// Whether the ranking of the selected query is computed and has an item.
    fn is_ranked(&self, item: usize) -> bool {
        let ranked = self.ranking_by(self.view.model);
        ranked.is_some_and(|ranked| ranked.rank(item).is_some())
    }

    /// Gallery index of the image (i2t) or caption (t2i) with this id, or of the image with this file name.
    fn find_by_name(&self, direction: Direction, name: &str) -> Option<usize> {
        let gallery = &self.study.gallery;
        let by_id = gallery.queries(direction).find(&Id::parse(name));
        let by_name = || {
            let is_named = |file: &str| file == name || file.rsplit('/').next() == Some(name);
            let mut names = gallery.file_names.iter().filter(|_| direction == Direction::I2t);
            names.position(|file| is_named(file.shown()))
        };
        by_id.map(|at| at as usize).or_else(by_name)
    }

    /// Selects an item in the ranking of the selected query; refused if it is not ranked.
    fn jump_to_item(&mut self, item: usize) -> Result<(), String> {
        let what = self.describe_item(self.view.direction.flipped(), item);
        let ranked = self.ranking_by(self.view.model).ok_or("there is no ranking yet")?;
        ranked.rank(item).ok_or(format!("{what} is not ranked for this query"))?;
        self.selection.pane = Pane::Ranking;
        self.select_linked(item as u32);
        Ok(())
    }

    /// Shows a query of a direction; ends a search or filter that hides it. Refused if the truth does not cover it.
    pub(in crate::tui) fn jump_to_query(
        &mut self,
        direction: Direction,
        query: usize,
    ) -> Result<(), String> {
        if !covers(self.truth(), direction, query) {
            let what = self.describe_item(direction, query);
            return Err(format!("{} does not cover {what}", self.truth().name));
        }
        let view = View { direction, ..self.view };
        self.show_query(view, query);
        Ok(())
    }

    /// Kind and id of an image (i2t) or caption (t2i) by its gallery index: `image 42`.
    fn describe_item(&self, direction: Direction, at: usize) -> String {
        let id = &self.study.gallery.queries(direction)[at];
        match direction {
            Direction::I2t => format!("image {id}"),
            Direction::T2i => format!("caption {id}"),
        }
    }
}
