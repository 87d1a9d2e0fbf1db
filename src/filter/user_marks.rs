//! A person's marks of the queries of one direction, for conditions.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::Direction;
use crate::study::Study;
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::relevance::Relevance;

/// Picks, judgments by query.
#[derive(Debug, Clone, Default)]
pub struct UserMarks {
    picked: FxHashSet<u32>,
    /// By query: items, with the judgment.
    judgments: FxHashMap<u32, Vec<(u32, bool)>>,
    /// By query.
    tags: FxHashMap<u32, Vec<String>>,
}

impl UserMarks {
    /// From picked queries of a direction, by gallery index, and judgments.
    pub fn new(
        direction: Direction,
        picked: impl IntoIterator<Item = u32>,
        judgments: &Judgments,
    ) -> Self {
        let mut made = UserMarks { picked: picked.into_iter().collect(), ..UserMarks::default() };
        for (pair, judgment) in judgments.iter() {
            let (query, item) = pair.query_and_item(direction);
            let of_query = made.judgments.entry(query.raw()).or_default();
            of_query.push((item.raw(), judgment.is_positive()));
        }
        made
    }

    /// Adds tags of pairs.
    #[must_use]
    pub fn with_tags(mut self, direction: Direction, tags: &BTreeSet<(Pair, String)>) -> Self {
        for (pair, tag) in tags {
            let (query, _) = pair.query_and_item(direction);
            self.tags.entry(query.raw()).or_default().push(tag.clone());
        }
        self
    }

    /// The tags of all pairs of a query.
    pub fn tags(&self, query: usize) -> &[String] {
        self.tags.get(&(query as u32)).map_or(&[], Vec::as_slice)
    }

    /// Whether a query is bookmarked.
    pub fn is_picked(&self, query: usize) -> bool {
        self.picked.contains(&(query as u32))
    }

    /// Number of judged pairs of a query.
    pub fn judgment_count(&self, query: usize) -> usize {
        self.judged(query).len()
    }

    /// R of the query at an index of a truth, with judgments.
    pub fn listed(&self, relevance: &Relevance, place: usize) -> u32 {
        let positives = relevance.positives(place);
        let mut listed = relevance.total_positives(place);
        for &(item, is_right) in self.judged(relevance.queries()[place] as usize) {
            match (positives.contains(item), is_right) {
                (false, true) => listed += 1,
                (true, false) => listed -= 1,
                _ => {}
            }
        }
        listed
    }

    /// The positives of the query at an index of a truth, with judgments.
    pub fn right<'a>(
        &'a self,
        relevance: &'a Relevance,
        place: usize,
    ) -> impl Iterator<Item = u32> + 'a {
        let judged = self.judged(relevance.queries()[place] as usize);
        let is_wrong = |item: u32| judged.contains(&(item, false));
        let listed = relevance.positives(place).iter();
        let listed = listed.filter(move |&item| !is_wrong(item));
        let by_judgment = judged.iter().filter(|(_, is_right)| *is_right);
        listed.chain(by_judgment.map(|&(item, _)| item))
    }

    /// The correct captions of the query at an index of a truth, with judgments: an image's positives; of a caption
    /// itself first, then the original captions of its positives.
    pub fn right_captions(
        &self,
        study: &Study,
        direction: Direction,
        relevance: &Relevance,
        place: usize,
    ) -> Vec<u32> {
        let right = self.right(relevance, place);
        match direction {
            Direction::I2t => right.collect(),
            Direction::T2i => {
                let of_images =
                    right.flat_map(|image| study.original_items(Direction::I2t, image as usize));
                std::iter::once(relevance.queries()[place]).chain(of_images).collect()
            }
        }
    }

    fn judged(&self, query: usize) -> &[(u32, bool)] {
        let of_query = self.judgments.get(&(query as u32));
        of_query.map_or(&[], Vec::as_slice)
    }
}
