//! The list of queries that a session was left with: what was judged stays where it stood in it when the session opens
//! again, as it did while it was open.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Model;
use super::history::Change;
use super::sort::Sort;
use crate::data::Direction;
use crate::data::id::Id;
use crate::filter::FilterAnswer;

/// What a session keeps of the queries whose answers may have changed the list.
pub(in crate::tui::model) const JUDGED: &str = "judged";

/// A list of queries, as far as answers may have changed it since.
#[derive(Debug, Clone)]
pub(in crate::tui::model) struct SessionList {
    direction: Direction,
    filter: String,
    sort: Sort,
    search: String,
    /// Gallery indices of queries that were judged.
    judged: BTreeMap<u32, Stood>,
}

/// How a query that was judged stood.
#[derive(Debug, Clone, Copy)]
struct Stood {
    /// Whether the condition let it through.
    passed: bool,
    /// Its place in the list; `None` where it was not listed, as a search may leave it out.
    place: Option<usize>,
}

impl Model {
    /// The queries whose answers may have changed the list since it was made: those with one, those whose answer was
    /// taken back, and those that were kept in their places before.
    fn queries_answered(&self) -> BTreeSet<u32> {
        let direction = self.view.direction;
        let steps = self.history.steps().iter();
        let changed = steps.flat_map(|step| step.change.iter().flat_map(Change::judged_pairs));
        let pairs = self.judgements.pairs().chain(changed);
        let judged = pairs.map(|pair| pair.asked(direction).0.raw());
        let left = self.left_list().into_iter().flat_map(|left| left.judged.keys().copied());
        judged.chain(left).collect()
    }

    /// What a session keeps of the list: the ids of those queries, each with its place and whether the condition let it
    /// through; nothing where the list is that of the gallery.
    pub(in crate::tui::model) fn judged_words(&self) -> Value {
        let is_plain = !self.has_filter() && self.selection.sort == Sort::Gallery;
        if is_plain || self.is_filtering() {
            let left = self.left_list().filter(|_| !is_plain);
            return left.map_or(Value::Null, |left| self.words_of(&left.judged));
        }
        let unlisted = |query| {
            let passed = self.passes(query);
            let place = None;
            (query, Stood { passed, place })
        };
        let judged = self.queries_answered().into_iter().map(unlisted);
        let mut judged: BTreeMap<u32, Stood> = judged.collect();
        for (at, query) in self.selection.queries.iter().enumerate() {
            if let Some(stood) = judged.get_mut(query) {
                stood.place = Some(at);
            }
        }
        self.words_of(&judged)
    }

    fn words_of(&self, judged: &BTreeMap<u32, Stood>) -> Value {
        let ids = self.study.gallery.queries(self.view.direction);
        let words = judged.iter();
        words
            .map(|(query, stood)| json!([&ids[*query as usize], stood.place, stood.passed]))
            .collect()
    }

    /// Takes it from a session, once its view, order, search and condition are those that it was left with.
    pub(in crate::tui::model) fn restore_list(&mut self, view: &Map<String, Value>) {
        let Some(Value::Array(kept)) = view.get(JUDGED) else {
            return;
        };
        let direction = self.view.direction;
        let queries = self.study.gallery.queries(direction);
        let find = |kept: &Value| {
            let query = queries.find(&Id::deserialize(&kept[0]).ok()?)?;
            let place = kept[1].as_u64().map(|at| at as usize);
            let passed = kept[2].as_bool()?;
            Some((query, Stood { passed, place }))
        };
        self.known.left_list = Some(SessionList {
            direction,
            filter: self.filter.text.clone(),
            sort: self.selection.sort.clone(),
            search: self.search.text().to_owned(),
            judged: kept.iter().filter_map(find).collect(),
        });
    }

    /// The list that the session was left with, as long as nothing changed and nothing was asked anew since.
    fn left_list(&self) -> Option<&SessionList> {
        let left = self.known.left_list.as_ref();
        left.filter(|left| self.history.present() == 0 && left.direction == self.view.direction)
    }

    /// What a condition found, as it was listed when the session was left.
    pub(in crate::tui::model) fn as_left(&self, text: &str, found: FilterAnswer) -> FilterAnswer {
        let Some(left) = self.left_list().filter(|left| left.filter == text) else {
            return found;
        };
        let queries = found.queries.into_iter();
        let mut queries: BTreeSet<u32> =
            queries.filter(|query| !left.judged.contains_key(query)).collect();
        let passed = left.judged.iter().filter(|(_, stood)| stood.passed);
        queries.extend(passed.map(|(query, _)| *query));
        FilterAnswer { queries: queries.into_iter().collect(), ..found }
    }

    /// Puts the queries that were judged where they stood in the list when the session was left.
    pub(in crate::tui::model) fn placed_as_left(&self, queries: &mut Vec<u32>) {
        let is_same = |left: &&SessionList| {
            left.sort == self.selection.sort
                && left.search == self.search.text()
                && left.filter == self.filter.text
        };
        let Some(left) = self.left_list().filter(is_same) else {
            return;
        };
        let mut placed: Vec<(usize, u32)> = Vec::new();
        queries.retain(|query| {
            let place = left.judged.get(query).and_then(|stood| stood.place);
            placed.extend(place.map(|place| (place, *query)));
            place.is_none()
        });
        placed.sort_unstable();
        for (place, query) in placed {
            queries.insert(place.min(queries.len()), query);
        }
    }
}
