//! How queries were sampled among those that meet a condition: what a figure has to say of its examples.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::data::Direction;
use crate::data::text::{grouped, shown};

/// A sample of queries; picks of the same sample are a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuerySample {
    /// The condition, as it was written.
    #[serde(rename = "where")]
    pub condition: String,
    /// The model that values without a model's name are of.
    pub model: String,
    /// The truth whose queries they are.
    pub truth: String,
    /// The candidate pool that they were found in; `None` where it was the whole gallery.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pool: Option<String>,
    /// Queries that meet it.
    #[serde(alias = "met")]
    pub matched: usize,
    /// Queries among which they were found.
    #[serde(alias = "of")]
    pub total: usize,
    /// How many were sampled.
    #[serde(alias = "drawn")]
    pub sampled: usize,
    /// Whether each was chosen to be unlike those before it; otherwise each was as likely as any other.
    #[serde(default)]
    pub diverse: bool,
    /// The seed of the sample.
    pub seed: u64,
    /// Fields that this version does not know.
    #[serde(flatten)]
    pub other: Map<String, Value>,
}

impl QuerySample {
    /// The sample in a few words.
    pub fn heading(&self) -> String {
        let how = if self.diverse { "for diversity" } else { "at random" };
        let (sampled, matched) = (grouped(self.sampled), grouped(self.matched));
        let condition = shown(&self.condition);
        format!("{sampled} of {matched} {how}, seed {}: {condition}", self.seed)
    }

    /// The sample in a sentence.
    pub fn sentence(&self, direction: Direction) -> String {
        let how = if self.diverse { "for diversity" } else { "at random" };
        let plural = if self.sampled == 1 { "query" } else { "queries" };
        let pool = self.pool.as_deref().map(shown);
        let pool = pool.map_or(String::new(), |pool| format!(", pool {pool}"));
        format!(
            "{} {plural} sampled {how} (seed {}) from the {} of {} {direction} queries that meet “{}” (model {}, ground truth {}{pool}).",
            grouped(self.sampled),
            self.seed,
            grouped(self.matched),
            grouped(self.total),
            shown(&self.condition),
            shown(&self.model),
            shown(&self.truth)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_told_and_keeps_what_it_does_not_know() {
        let text = r#"{"where":"r1 == 0","model":"a","truth":"eccv","matched":1200,"total":1332,"sampled":3,"diverse":false,"seed":7,"later":[1]}"#;
        let drawn: QuerySample = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&drawn).unwrap(), text);
        // As it was written before.
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
}
