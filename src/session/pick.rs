//! Picks: queries bookmarked by a person, or sampled from those that match a condition.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Timestamp;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::text::{count, grouped, shown};

/// A bookmarked query, and the view in which it was picked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pick {
    /// Id of the query.
    pub query: Id,
    /// Direction of the query.
    pub direction: Direction,
    /// Names of the models.
    pub models: Vec<String>,
    /// Name of the ground truth.
    pub truth: String,
    /// Number of items shown.
    pub depth: u32,
    /// A note; may be empty.
    #[serde(default)]
    pub note: String,
    /// Name of the candidate pool; `None`: whole gallery or unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// When it was picked.
    pub at: Timestamp,
    /// The annotator.
    pub by: String,
    /// The sample it belongs to; `None` if picked by hand.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[serde(alias = "drawn")]
    pub sampled: Option<QuerySample>,
    /// Its custom heading, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Unknown fields.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

/// A sample of queries; picks of the same sample are a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuerySample {
    /// The condition, as written.
    #[serde(rename = "where")]
    pub condition: String,
    /// The model that values without a model name refer to.
    pub model: String,
    /// The ground truth that covers its queries.
    pub truth: String,
    /// The candidate pool; `None` for the whole gallery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Number of queries that meet the condition.
    #[serde(alias = "met")]
    pub matched: usize,
    /// Number of queries searched.
    #[serde(alias = "of")]
    pub total: usize,
    /// Number of queries sampled.
    #[serde(alias = "drawn")]
    pub sampled: usize,
    /// Whether sampled for diversity; otherwise uniformly.
    #[serde(default)]
    pub diverse: bool,
    /// Random seed.
    pub seed: u64,
    /// Unknown fields.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl QuerySample {
    /// Short description: size, method, seed and condition.
    pub fn heading(&self) -> String {
        let method = self.method();
        let (sampled, matched) = (grouped(self.sampled), grouped(self.matched));
        let condition = shown(&self.condition);
        format!("{sampled} of {matched} {method}, seed {}: {condition}", self.seed)
    }

    /// Sampling method in words.
    fn method(&self) -> &'static str {
        if self.diverse { "for diversity" } else { "at random" }
    }

    /// A sentence for the caption of a figure that says how the queries were sampled.
    pub fn sentence(&self, direction: Direction) -> String {
        let method = self.method();
        let pool = self.pool.as_deref().map(shown);
        let pool = pool.map_or(String::new(), |pool| format!(", pool {pool}"));
        format!(
            "{} sampled {method} (seed {}) from the {} of {} {direction} queries that meet “{}” (model {}, ground truth {}{pool}).",
            count(self.sampled, "query"),
            self.seed,
            grouped(self.matched),
            grouped(self.total),
            shown(&self.condition),
            shown(&self.model),
            shown(&self.truth)
        )
    }
}

impl Pick {
    /// Whether both are in one group: with the same custom heading, or without one in the same sample.
    pub fn is_in_group_of(&self, other: &Pick) -> bool {
        match (&self.group, &other.group) {
            (None, None) => self.sampled == other.sampled,
            (one, other) => one == other,
        }
    }

    /// Heading of its group.
    pub fn heading(&self) -> String {
        match (&self.group, &self.sampled) {
            (Some(name), _) => shown(name),
            (None, Some(sample)) => sample.heading(),
            (None, None) => "picked by hand".into(),
        }
    }
}

/// Indices of picks by group: groups in the order of their first pick, picks in the order of the session.
pub fn groups(picks: &[Pick]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for (index, pick) in picks.iter().enumerate() {
        let has_pick = |group: &&mut Vec<usize>| picks[group[0]].is_in_group_of(pick);
        match groups.iter_mut().find(has_pick) {
            Some(group) => group.push(index),
            None => groups.push(vec![index]),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_told_and_keeps_what_it_does_not_know() {
        let text = r#"{"where":"r1 == 0","model":"a","truth":"eccv","matched":1200,"total":1332,"sampled":3,"diverse":false,"seed":7,"later":[1]}"#;
        let drawn: QuerySample = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&drawn).unwrap(), text);
        // The previous format.
        let before = r#"{"where":"r1 == 0","model":"a","truth":"eccv","met":1200,"of":1332,"drawn":3,"diverse":false,"seed":7,"later":[1]}"#;
        assert_eq!(serde_json::from_str::<QuerySample>(before).unwrap(), drawn);
        assert_eq!(
            drawn.sentence(Direction::T2i),
            "3 queries sampled at random (seed 7) from the 1,200 of 1,332 t2i queries that meet “r1 == 0” (model a, ground truth eccv)."
        );
        assert_eq!(drawn.heading(), "3 of 1,200 at random, seed 7: r1 == 0");
        let within = QuerySample { pool: Some("heldout".into()), ..drawn.clone() };
        let sentence = within.sentence(Direction::T2i);
        assert!(sentence.ends_with("(model a, ground truth eccv, pool heldout)."), "{sentence}");
        let one = QuerySample { sampled: 1, diverse: true, ..drawn };
        assert!(one.sentence(Direction::I2t).starts_with(
            "1 query sampled for diversity (seed 7) from the 1,200 of 1,332 i2t queries that meet"
        ));
    }

    fn pick(query: i64, drawn: Option<u64>, group: Option<&str>) -> Pick {
        let drawn = drawn.map(|seed| {
            format!(
                r#"{{"where":"r1","model":"a","truth":"t","met":9,"of":9,"drawn":2,"seed":{seed}}}"#
            )
        });
        let text = format!(
            r#"{{"query":{query},"direction":"t2i","models":[],"truth":"t","depth":5,"at":"2026-01-01T00:00:00Z","by":"mk","drawn":{},"group":{}}}"#,
            drawn.as_deref().unwrap_or("null"),
            group.map_or("null".into(), |group| format!("{group:?}"))
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn headings_go_before_draws() {
        let picks = [
            pick(1, Some(7), None),
            pick(2, None, None),
            pick(3, Some(7), None),
            pick(4, Some(8), None),
            pick(5, Some(7), Some("waves")),
            pick(6, None, Some("waves")),
            pick(7, None, None),
        ];
        let expected: [&[usize]; 4] = [&[0, 2], &[1, 6], &[3], &[4, 5]];
        assert_eq!(groups(&picks), expected);
        let headings = [0, 1, 4].map(|place: usize| picks[place].heading());
        assert_eq!(headings, ["2 of 9 at random, seed 7: r1", "picked by hand", "waves"]);
        let text = serde_json::to_string(&picks[5]).unwrap();
        assert!(text.ends_with(r#""by":"mk","group":"waves"}"#), "{text}");
    }
}
