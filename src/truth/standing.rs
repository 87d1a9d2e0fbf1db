//! Standing of a retrieved item: in one truth, and over all truths as one badge.

use super::Truth;
use super::judgment::Judgment;
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};

/// Standing of a pair in one truth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// A positive.
    Positive,
    /// Judged not relevant.
    NotRelevant,
    /// The query is covered and the item unjudged.
    NotListed,
    /// The query is not covered.
    NotCovered,
}

/// Standing of a (query, item) pair over all truths and a person's judgments. Pairs that no truth lists are unjudged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Badge {
    /// Positive in the original pairing.
    Original,
    /// Non-GT positive: positive in a richer truth or for a person, not in the original pairing.
    NonGt,
    /// Positive, without an original pairing to compare with.
    Positive,
    /// Judged not relevant: by a person, a rating below the threshold, or grade 0.
    NotRelevant,
    /// Unjudged: no truth lists the item, or only a rule does (Plausible Match).
    Unjudged,
    /// There are truths richer than the original pairing, and none covers the query.
    NotCovered,
}

impl Truth {
    /// Standing of a pair in this truth.
    pub fn standing(&self, direction: Direction, query: QueryIx, item: ItemIx) -> Standing {
        let Some(relevance) = &self.relevance[direction] else {
            return Standing::NotCovered;
        };
        match relevance.contains(query, item) {
            Some(true) => Standing::Positive,
            _ if relevance.is_nonrelevant(query, item) => Standing::NotRelevant,
            Some(false) if !self.is_none_truth() => Standing::NotListed,
            _ => Standing::NotCovered,
        }
    }
}

impl Standing {
    /// Key in machine-readable files.
    pub fn key(self) -> &'static str {
        match self {
            Standing::Positive => "positive",
            Standing::NotRelevant => "not-relevant",
            Standing::NotListed => "not-listed",
            Standing::NotCovered => "not-covered",
        }
    }

    /// The standing after a person's judgment, if there is one; it has no effect if the query is not covered.
    #[must_use]
    pub fn with_judgment(self, judgment: Option<Judgment>) -> Self {
        match (self, judgment.map(Judgment::is_positive)) {
            (Standing::NotCovered, _) | (_, None) => self,
            (_, Some(true)) => Standing::Positive,
            (_, Some(false)) => Standing::NotRelevant,
        }
    }
}

impl Badge {
    /// All badges, in the order of the legend.
    pub const ALL: [Badge; 6] = [
        Badge::Original,
        Badge::NonGt,
        Badge::Positive,
        Badge::NotRelevant,
        Badge::Unjudged,
        Badge::NotCovered,
    ];

    /// Whether the item is a positive by a person's judgment or a ground truth, not only by a rule such as Plausible
    /// Match.
    pub fn is_positive(self) -> bool {
        matches!(self, Badge::Original | Badge::NonGt | Badge::Positive)
    }

    /// Glyph, key, short label and full label.
    fn texts(self) -> [&'static str; 4] {
        match self {
            Badge::Original => ["●", "original", "original", "original positive"],
            Badge::NonGt => ["○", "non-gt", "non-GT", "non-GT positive"],
            Badge::Positive => ["●", "positive", "positive", "positive"],
            Badge::NotRelevant => ["✗", "not-relevant", "no", "judged not relevant"],
            Badge::Unjudged => ["–", "unjudged", "unjudged", "unjudged"],
            Badge::NotCovered => ["?", "not-covered", "not covered", "query not covered"],
        }
    }

    /// The glyph, as informative as the colour. No study has both original positives and positives without an original
    /// pairing, so these two share a glyph.
    pub fn glyph(self) -> &'static str {
        self.texts()[0]
    }

    /// Key in machine-readable files.
    pub fn key(self) -> &'static str {
        self.texts()[1]
    }

    /// Short label next to the glyph.
    pub fn short_label(self) -> &'static str {
        self.texts()[2]
    }

    /// Full label for legends.
    pub fn label(self) -> &'static str {
        self.texts()[3]
    }
}
