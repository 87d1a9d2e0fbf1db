//! What a person made of the queries of one direction, as conditions ask for it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::data::Direction;
use crate::truth::verdict::Verdicts;

/// Picks and verdicts by query.
#[derive(Debug, Clone, Default)]
pub struct Made {
    picked: FxHashSet<u32>,
    verdicts: FxHashMap<u32, usize>,
}

impl Made {
    /// Gallery indices of the queries picked in a direction, and all verdicts.
    pub fn of(
        direction: Direction,
        picked: impl IntoIterator<Item = u32>,
        verdicts: &Verdicts,
    ) -> Self {
        let mut made = Made {
            picked: picked.into_iter().collect(),
            ..Made::default()
        };
        for (pair, _) in verdicts.iter() {
            *made.verdicts.entry(pair.asked(direction).0).or_default() += 1;
        }
        made
    }

    /// Whether a query is bookmarked.
    pub fn is_picked(&self, query: usize) -> bool {
        self.picked.contains(&(query as u32))
    }

    /// How many pairs of a query a person judged.
    pub fn verdicts(&self, query: usize) -> usize {
        let count = self.verdicts.get(&(query as u32));
        count.copied().unwrap_or_default()
    }
}
