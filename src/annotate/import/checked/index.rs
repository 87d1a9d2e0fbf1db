//! Which HIT asked for an answer.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Pair;
use crate::annotate::hits::Hits;
use crate::annotate::import::Imported;
use crate::truth::verdict::Verdict;

/// The HITs, to be looked up.
#[derive(Default)]
pub(super) struct Index<'a> {
    /// The items of each HIT, and the known answer of golden ones.
    items: FxHashMap<(&'a str, Pair<'a>), Option<Verdict>>,
    /// The first HIT that asks for a pair as a candidate, else any.
    of_pair: FxHashMap<Pair<'a>, &'a str>,
    names: FxHashSet<&'a str>,
}

impl<'a> Index<'a> {
    pub(super) fn of(hits: &'a Hits) -> Self {
        let mut index = Index::default();
        for is_golden in [false, true] {
            for hit in &hits.hits {
                index.names.insert(&hit.hit);
                let items = hit.items.iter();
                for item in items.filter(|item| item.golden.is_some() == is_golden) {
                    let pair = (&item.image, &item.caption);
                    index.items.insert((&hit.hit, pair), item.golden);
                    index.of_pair.entry(pair).or_insert(&hit.hit);
                }
            }
        }
        index
    }

    /// The HIT of an answer, and the answer that is known; words where nobody asked.
    pub(super) fn asked(
        &self,
        given: &'a Imported,
    ) -> std::result::Result<(&'a str, Option<Verdict>), String> {
        let pair = (&given.image, &given.caption);
        let hit = match given.hit.as_deref() {
            Some(hit) if !self.names.contains(hit) => {
                return Err(format!("no HIT is named {hit}"));
            }
            Some(hit) => hit,
            None => self.of_pair.get(&pair).copied().ok_or_else(|| {
                let (image, caption) = pair;
                format!("no HIT asks for image {image} and caption {caption}")
            })?,
        };
        let golden = self.items.get(&(hit, pair)).ok_or_else(|| {
            let (image, caption) = pair;
            format!("HIT {hit} does not ask for image {image} and caption {caption}")
        })?;
        Ok((hit, *golden))
    }
}
