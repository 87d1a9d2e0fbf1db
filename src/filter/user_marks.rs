//! A person's marks by query of one direction, for conditions.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::Direction;
use crate::study::Study;
use crate::truth::judgment::{Judgments, Pair};
use crate::truth::relevance::Relevance;

/// A person's picks, judgments and tags, by gallery index of the queries of one direction.
#[derive(Debug, Clone, Default)]
pub struct UserMarks {
    picked: FxHashSet<u32>,
    /// The judged items of each query, and whether each is a positive.
    judgments: FxHashMap<u32, Vec<(u32, bool)>>,
    /// The tags of the pairs of each query.
    tags: FxHashMap<u32, Vec<String>>,
}

impl UserMarks {
    /// From picked queries of a direction, by gallery index, and judgments.
    pub fn new(
        direction: Direction,
        picked: impl IntoIterator<Item = u32>,
        judgments: &Judgments,
    ) -> Self {
        let mut marks = UserMarks { picked: picked.into_iter().collect(), ..UserMarks::default() };
        for (pair, judgment) in judgments.iter() {
            let (query, item) = pair.query_and_item(direction);
            let items = marks.judgments.entry(query.raw()).or_default();
            items.push((item.raw(), judgment.is_positive()));
        }
        marks
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
        self.judged_items(query).len()
    }

    /// R after judgments: the number of positives of the query at `place` in `relevance.queries()`.
    pub fn positive_count(&self, relevance: &Relevance, place: usize) -> u32 {
        let positives = relevance.positives(place);
        let mut count = relevance.total_positives(place);
        for &(item, is_positive) in self.judged_items(relevance.queries()[place] as usize) {
            match (positives.contains(item), is_positive) {
                (false, true) => count += 1,
                (true, false) => count -= 1,
                _ => {}
            }
        }
        count
    }

    /// Gallery indices of the positives after judgments, of the query at `place` in `relevance.queries()`.
    pub fn positives<'a>(
        &'a self,
        relevance: &'a Relevance,
        place: usize,
    ) -> impl Iterator<Item = u32> + 'a {
        let judged = self.judged_items(relevance.queries()[place] as usize);
        let is_rejected = |item: u32| judged.contains(&(item, false));
        let listed = relevance.positives(place).iter();
        let listed = listed.filter(move |&item| !is_rejected(item));
        let by_judgment = judged.iter().filter(|(_, is_positive)| *is_positive);
        listed.chain(by_judgment.map(|&(item, _)| item))
    }

    /// Gallery indices of the correct captions after judgments, of the query at `place` in `relevance.queries()`: for
    /// an image its positives; for a caption itself first, then the original captions of its positives.
    pub fn correct_captions(
        &self,
        study: &Study,
        direction: Direction,
        relevance: &Relevance,
        place: usize,
    ) -> Vec<u32> {
        let positives = self.positives(relevance, place);
        match direction {
            Direction::I2t => positives.collect(),
            Direction::T2i => {
                let captions = positives
                    .flat_map(|image| study.original_items(Direction::I2t, image as usize));
                std::iter::once(relevance.queries()[place]).chain(captions).collect()
            }
        }
    }

    /// The judged items of a query, and whether each is a positive.
    fn judged_items(&self, query: usize) -> &[(u32, bool)] {
        self.judgments.get(&(query as u32)).map_or(&[], Vec::as_slice)
    }
}
