//! The numbers that are known in pools that were left.

use rustc_hash::FxHashMap;

use super::numbers::Numbers;
use crate::study::{Dials, Pool};

/// The numbers in pools that were left, for the way back. They hold as long as only the pool changes.
#[derive(Debug, Default)]
pub struct PoolCache {
    dials: Dials,
    numbers: FxHashMap<Pool, Vec<Numbers>>,
}

impl PoolCache {
    /// Keeps the numbers of these dials, and gives those of others, if they are known.
    pub(in crate::tui::model) fn swap(
        &mut self,
        before: Dials,
        numbers: Vec<Numbers>,
        after: Dials,
    ) -> Option<Vec<Numbers>> {
        let same = |dials: Dials| Dials { pool: Pool::All, ..dials };
        if same(before) != same(self.dials) {
            self.numbers.clear();
        }
        self.dials = before;
        // A random pool is one of very many.
        if !matches!(before.pool, Pool::Random(_)) {
            self.numbers.insert(before.pool, numbers);
        }
        let known = same(before) == same(after);
        known.then(|| self.numbers.remove(&after.pool)).flatten()
    }
}
