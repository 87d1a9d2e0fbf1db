//! Builder of [`Pairs`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::Pairs;
use crate::data::id::Id;

/// Builds pairs query by query: first its items, then its id.
#[derive(Default)]
pub(super) struct Builder {
    pairs: Pairs,
    code_of: FxHashMap<Id, u32>,
    /// For each code, the one that followed it last: usually it follows again.
    next_of: Vec<u32>,
    /// Code of the last item.
    last: u32,
    /// Query ids, to reject duplicates; empty while they ascend, as in most large files.
    seen: FxHashSet<Id>,
}

impl Builder {
    /// Records a query id; returns whether it is new.
    pub(super) fn record_query(&mut self, key: &Id) -> bool {
        if self.seen.is_empty() {
            if self.pairs.keys.last() < Some(key) {
                return true;
            }
            self.seen.extend(self.pairs.keys.iter().cloned());
        }
        self.seen.insert(key.clone())
    }

    /// Adds an item of the next query.
    pub(super) fn push_item(&mut self, id: Id) {
        let next = self.next_of.get(self.last as usize).copied();
        let expected = next.filter(|&code| self.pairs.values[code as usize] == id);
        let code = expected.unwrap_or_else(|| self.code(id));
        self.pairs.codes.push(code);
        self.last = code;
    }

    /// The code of an id, assigned if it is new; records that it follows the last one.
    fn code(&mut self, id: Id) -> u32 {
        let new = self.pairs.values.len() as u32;
        let code = self.code_of.get(&id).copied().unwrap_or(new);
        if code == new {
            self.pairs.values.push(id.clone());
            self.next_of.push(code);
            self.code_of.insert(id, code);
        }
        self.next_of[self.last as usize] = code;
        code
    }

    /// Adds a query with the items pushed since the one before.
    pub(super) fn end_query(&mut self, key: Id) {
        self.pairs.keys.push(key);
        self.pairs.ends.push(self.pairs.codes.len());
    }

    pub(super) fn finish(mut self) -> Pairs {
        self.pairs.keys.shrink_to_fit();
        self.pairs.ends.shrink_to_fit();
        self.pairs.codes.shrink_to_fit();
        self.pairs.values.shrink_to_fit();
        self.pairs
    }
}
