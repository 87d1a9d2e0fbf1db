//! How a retrieved item stands: in one truth, and over all truths as one badge.

use super::Truth;
use super::verdict::Verdict;
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};

/// What one truth says of a (query, item) pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Listed as right.
    Positive,
    /// Somebody looked and said no.
    NotRelevant,
    /// The query is judged and the item not listed: nobody said no.
    NotListed,
    /// The truth says nothing of this query.
    NotJudged,
}

/// What all truths and a person together say of a (query, item) pair. That no truth lists it is no
/// judgement of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Badge {
    /// Positive in the original pairing.
    Original,
    /// Positive in a richer truth or for a person, not in the original pairing: the non-GT positive.
    Extra,
    /// The same where there is no original pairing: nothing is extra without it.
    Positive,
    /// Judged not relevant: by a verdict, a rating below the threshold, a grade of 0.
    NotRelevant,
    /// Unjudged: a truth that looks further than the original pairing judges the query, none lists the item. What a
    /// rule alone lists (Plausible Match) nobody judged either.
    NotListed,
    /// No truth richer than the original pairing judges the query: nobody has looked.
    NotJudged,
}

impl Truth {
    /// What this truth says of a pair.
    pub fn standing(&self, direction: Direction, query: QueryIx, item: ItemIx) -> Standing {
        let Some(relevance) = &self.relevance[direction] else {
            return Standing::NotJudged;
        };
        match relevance.contains(query, item) {
            Some(true) => Standing::Positive,
            _ if relevance.is_nonrelevant(query, item) => Standing::NotRelevant,
            Some(false) if !self.lists_nothing() => Standing::NotListed,
            _ => Standing::NotJudged,
        }
    }
}

impl Standing {
    /// Its word in files that programs read.
    pub fn key(self) -> &'static str {
        match self {
            Standing::Positive => "positive",
            Standing::NotRelevant => "judged-no",
            Standing::NotListed => "not-listed",
            Standing::NotJudged => "not-judged",
        }
    }

    /// The same once a person gave a verdict: of a query that is not judged it changes nothing.
    #[must_use]
    pub fn with(self, verdict: Option<Verdict>) -> Self {
        match (self, verdict.map(Verdict::is_positive)) {
            (Standing::NotJudged, _) | (_, None) => self,
            (_, Some(true)) => Standing::Positive,
            (_, Some(false)) => Standing::NotRelevant,
        }
    }

    /// Whether the pair is right, as R@K and AP@R take it; `None` where the query is not judged.
    pub fn is_right(self) -> Option<bool> {
        match self {
            Standing::Positive => Some(true),
            Standing::NotRelevant | Standing::NotListed => Some(false),
            Standing::NotJudged => None,
        }
    }
}

impl Badge {
    /// All badges, in the order of the legend.
    pub const ALL: [Badge; 6] = [
        Badge::Original,
        Badge::Extra,
        Badge::Positive,
        Badge::NotRelevant,
        Badge::NotListed,
        Badge::NotJudged,
    ];

    /// Whether somebody says that the item is right, and not a rule alone.
    pub fn is_positive(self) -> bool {
        matches!(self, Badge::Original | Badge::Extra | Badge::Positive)
    }

    /// Its glyph, its word for programs, the one beside the glyph, and the badge in words.
    fn row(self) -> [&'static str; 4] {
        match self {
            Badge::Original => ["●", "original", "original", "original positive"],
            Badge::Extra => ["○", "extra", "non-GT", "non-GT positive"],
            Badge::Positive => ["●", "positive", "positive", "positive"],
            Badge::NotRelevant => ["✗", "wrong", "no", "judged not relevant"],
            Badge::NotListed => ["–", "not-listed", "unjudged", "unjudged"],
            Badge::NotJudged => ["?", "not-judged", "not covered", "query not covered"],
        }
    }

    /// The glyph of the badge; it tells as much as its colour. No study has both original positives and
    /// positives without an original pairing: these two share a glyph.
    pub fn glyph(self) -> &'static str {
        self.row()[0]
    }

    /// One word for files that programs read.
    pub fn key(self) -> &'static str {
        self.row()[1]
    }

    /// One word for lists of items.
    pub fn in_lists(self) -> &'static str {
        match self {
            Badge::NotRelevant => Standing::NotRelevant.key(),
            other => other.key(),
        }
    }

    /// The word beside its glyph.
    pub fn word(self) -> &'static str {
        self.row()[2]
    }

    /// The badge in words, for legends.
    pub fn words(self) -> &'static str {
        self.row()[3]
    }
}
