//! How a retrieved item stands: in one truth, and over all truths as one badge.

use super::{Kind, Truth};
use crate::data::Direction;
use crate::data::index::{ItemIx, QueryIx};

/// What one truth says of a (query, item) pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Standing {
    /// Listed as right.
    Positive,
    /// The query is judged and the item not listed.
    Negative,
    /// The truth says nothing of this query.
    NotJudged,
}

/// What all truths together say of a (query, item) pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Badge {
    /// Positive in the original pairing.
    Original,
    /// Positive in a richer truth only: the non-GT positive.
    Extra,
    /// Positive in a loose truth only (Plausible Match): same objects, not a match.
    Loose,
    /// A richer truth judges the query and does not list the item.
    Wrong,
    /// No richer truth judges the query: nobody has looked.
    NotJudged,
}

impl Truth {
    /// What this truth says of a pair.
    pub fn standing(&self, direction: Direction, query: QueryIx, item: ItemIx) -> Standing {
        match self.relevance[direction]
            .as_ref()
            .and_then(|r| r.contains(query, item))
        {
            Some(true) => Standing::Positive,
            Some(false) => Standing::Negative,
            None => Standing::NotJudged,
        }
    }
}

impl Badge {
    /// All badges, in the order of the legend.
    pub const ALL: [Badge; 5] = [
        Badge::Original,
        Badge::Extra,
        Badge::Loose,
        Badge::Wrong,
        Badge::NotJudged,
    ];

    /// What `truths` together say of a pair.
    pub fn of(truths: &[Truth], direction: Direction, query: QueryIx, item: ItemIx) -> Badge {
        let has = |kind: Kind, wanted: Standing| {
            let mut of_kind = truths.iter().filter(|truth| truth.kind == kind);
            of_kind.any(|truth| truth.standing(direction, query, item) == wanted)
        };
        if has(Kind::Original, Standing::Positive) {
            Badge::Original
        } else if has(Kind::Rich, Standing::Positive) {
            Badge::Extra
        } else if has(Kind::Loose, Standing::Positive) {
            Badge::Loose
        } else if has(Kind::Rich, Standing::Negative) {
            Badge::Wrong
        } else {
            Badge::NotJudged
        }
    }

    /// The glyph of the badge; it tells as much as its colour.
    pub fn glyph(self) -> &'static str {
        match self {
            Badge::Original => "●",
            Badge::Extra => "○",
            Badge::Loose => "◇",
            Badge::Wrong => "✗",
            Badge::NotJudged => "?",
        }
    }

    /// One word for files that programs read.
    pub fn key(self) -> &'static str {
        match self {
            Badge::Original => "original",
            Badge::Extra => "extra",
            Badge::Loose => "loose",
            Badge::Wrong => "wrong",
            Badge::NotJudged => "not-judged",
        }
    }

    /// The badge in words, for legends.
    pub fn words(self) -> &'static str {
        match self {
            Badge::Original => "original",
            Badge::Extra => "extra (non-GT)",
            Badge::Loose => "plausible only",
            Badge::Wrong => "not a labelled positive",
            Badge::NotJudged => "not judged",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::gallery::Gallery;
    use crate::data::id::{Id, IdList};
    use crate::truth::{Listed, pairs::Pairs};

    fn truth(name: &str, positives: &[(i64, &[i64])]) -> Truth {
        let of_query = |&(query, items): &(i64, &[i64])| {
            let items: Vec<Id> = items.iter().map(|&i| Id::Number(i)).collect();
            (Id::Number(query), items)
        };
        let pairs: Pairs = positives.iter().map(of_query).collect();
        let gallery = Gallery {
            images: IdList::counted(3),
            captions: IdList::counted(6),
            ..Gallery::default()
        };
        let mut truth = Truth::new(name);
        let listed = Listed {
            name: name.into(),
            direction: Some(Direction::I2t),
            pairs,
            file: "t".into(),
        };
        truth.add(&listed, &gallery).unwrap();
        truth
    }

    #[test]
    fn the_strongest_claim_gives_the_badge() {
        let truths = [
            truth("original", &[(0, &[0]), (1, &[1])]),
            truth("eccv", &[(0, &[0, 2])]),
            truth("pm", &[(0, &[0, 2, 3]), (1, &[4])]),
        ];
        let badge = |query, item| {
            let (query, item) = (QueryIx::new(query), ItemIx::new(item));
            Badge::of(&truths, Direction::I2t, query, item)
        };
        assert_eq!(badge(0, 0), Badge::Original);
        assert_eq!(badge(0, 2), Badge::Extra);
        assert_eq!(badge(0, 3), Badge::Loose);
        assert_eq!(badge(0, 5), Badge::Wrong);
        assert_eq!(badge(1, 4), Badge::Loose);
        assert_eq!(badge(1, 5), Badge::NotJudged);
        assert_eq!(badge(2, 0), Badge::NotJudged);
    }
}
