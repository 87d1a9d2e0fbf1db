//! The condition that a session was left under: what was judged since it was put in force stays listed when the session
//! opens again, as it did while it was open.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::Model;
use crate::data::Direction;
use crate::data::id::Id;
use crate::filter::FilterAnswer;

/// What a session keeps of the queries that a condition lists.
pub(in crate::tui::model) const ANSWERED: &str = "answered";

/// A condition, and which of the queries that it listed had an answer.
#[derive(Debug, Clone)]
pub(in crate::tui::model) struct LeftFilter {
    text: String,
    direction: Direction,
    /// Gallery indices: a verdict may have moved them out of the list since, or others into it.
    answered: BTreeSet<u32>,
}

impl Model {
    /// The queries with an answer in the direction looked at.
    fn answered_queries(&self) -> BTreeSet<u32> {
        let direction = self.view.direction;
        let pairs = self.judgements.pairs();
        pairs.map(|pair| pair.asked(direction).0.raw()).collect()
    }

    /// The ids of those that are listed under a condition; nothing without one.
    pub(in crate::tui::model) fn answered_words(&self) -> Value {
        let is_listed = |query: &u32| match (self.filtered(), &self.known.left_filter) {
            (Some(_), _) => self.passes(*query),
            (None, Some(left)) => left.answered.contains(query),
            (None, None) => false,
        };
        if self.filter.text.is_empty() {
            return Value::Null;
        }
        let ids = self.study.gallery.queries(self.view.direction);
        let answered = self.answered_queries().into_iter().filter(is_listed);
        answered.map(|query| json!(&ids[query as usize])).collect()
    }

    /// Takes them from a session.
    pub(in crate::tui::model) fn restore_answered(&mut self, view: &Map<String, Value>) {
        let Some(Value::Array(kept)) = view.get(ANSWERED) else {
            return;
        };
        let direction = self.view.direction;
        let queries = self.study.gallery.queries(direction);
        let find = |id: &Value| queries.find(&Id::deserialize(id).ok()?);
        self.known.left_filter = Some(LeftFilter {
            text: self.filter.text.clone(),
            direction,
            answered: kept.iter().filter_map(find).collect(),
        });
    }

    /// What a condition found, as it was listed when the session was left: until it is asked anew by a person, or
    /// something else is looked at.
    pub(in crate::tui::model) fn as_left(&self, text: &str, found: FilterAnswer) -> FilterAnswer {
        let is_it = |left: &&LeftFilter| left.text == text && left.direction == self.view.direction;
        let left = self.known.left_filter.as_ref().filter(is_it);
        let Some(left) = left.filter(|_| self.history.present() == 0) else {
            return found;
        };
        let answered = self.answered_queries();
        let queries = found.queries.into_iter();
        let mut queries: BTreeSet<u32> =
            queries.filter(|query| !answered.contains(query)).collect();
        queries.extend(&left.answered);
        FilterAnswer {
            queries: queries.into_iter().collect(),
            ..found
        }
    }
}
