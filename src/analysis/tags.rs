//! Counts tags.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::truth::judgment::Pair;

/// Number of pairs by tag, most frequent first.
pub fn counted(tags: &BTreeSet<(Pair, String)>) -> Vec<(String, usize)> {
    let mut pairs: BTreeMap<&String, usize> = BTreeMap::new();
    for (_, tag) in tags {
        *pairs.entry(tag).or_default() += 1;
    }
    let mut counts: Vec<_> = pairs.into_iter().map(|(tag, pairs)| (tag.clone(), pairs)).collect();
    counts.sort_by_key(|(_, pairs)| Reverse(*pairs));
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_frequent_comes_first() {
        let pair = |image: u32, caption: u32| Pair { image: image.into(), caption: caption.into() };
        let tags = [(pair(1, 1), "a"), (pair(1, 1), "b"), (pair(1, 2), "b"), (pair(2, 2), "b")];
        let counts = counted(&tags.map(|(pair, tag)| (pair, tag.to_owned())).into());
        assert_eq!(counts, [("b".to_owned(), 3), ("a".to_owned(), 1)]);
    }
}
