//! How often each tag was given.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::data::Direction;
use crate::truth::verdict::Pair;

/// A tag, and on what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagCount {
    /// The tag.
    pub tag: String,
    /// Pairs that have it.
    pub pairs: usize,
    /// Queries of these pairs.
    pub queries: usize,
}

/// The tags of pairs, the most frequent first.
pub fn counted(tags: &BTreeSet<(Pair, String)>, direction: Direction) -> Vec<TagCount> {
    let mut of_tag: BTreeMap<&String, (usize, BTreeSet<usize>)> = BTreeMap::new();
    for (pair, tag) in tags {
        let (pairs, queries) = of_tag.entry(tag).or_default();
        *pairs += 1;
        queries.insert(pair.asked(direction).0.get());
    }
    let count = |(tag, (pairs, queries)): (&String, (usize, BTreeSet<usize>))| TagCount {
        tag: tag.clone(),
        pairs,
        queries: queries.len(),
    };
    let mut counts: Vec<TagCount> = of_tag.into_iter().map(count).collect();
    counts.sort_by_key(|of| Reverse(of.pairs));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_comes_first() {
        let pair = |image: u32, caption: u32| Pair { image: image.into(), caption: caption.into() };
        let tags = [(pair(1, 1), "a"), (pair(1, 1), "b"), (pair(1, 2), "b"), (pair(2, 2), "b")];
        let tags = tags.map(|(pair, tag)| (pair, tag.to_owned())).into();
        let of = |direction| {
            counted(&tags, direction).into_iter().map(|of| (of.tag, of.pairs, of.queries))
        };
        let wanted = [("b".to_owned(), 3, 2), ("a".to_owned(), 1, 1)];
        assert!(of(Direction::I2t).eq(wanted.clone()) && of(Direction::T2i).eq(wanted));
    }
}
