//! Builder of [`Pairs`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::Pairs;
use crate::data::id::Id;

/// Pairs, and the code of each id.
#[derive(Default)]
pub(super) struct Builder {
    pairs: Pairs,
    code_of: FxHashMap<Id, u32>,
    /// For each code its last successor: usually it follows again.
    after: Vec<u32>,
    last: u32,
    /// Query ids, to reject duplicates.
    seen: FxHashSet<Id>,
}

impl Builder {
    /// Whether this query id is new; records it.
    pub(super) fn is_new(&mut self, key: &Id) -> bool {
        self.seen.insert(key.clone())
    }

    /// Adds an item of the next query.
    pub(super) fn item(&mut self, id: Id) {
        let after = self.after.get(self.last as usize).copied();
        let expected = after.filter(|&code| self.pairs.values[code as usize] == id);
        let code = expected.unwrap_or_else(|| self.look_up(id));
        self.pairs.codes.push(code);
        self.last = code;
    }

    /// The code of an id, assigned if new; records it as the last one's next.
    fn look_up(&mut self, id: Id) -> u32 {
        let new = self.pairs.values.len() as u32;
        let code = self.code_of.get(&id).copied().unwrap_or(new);
        if code == new {
            self.pairs.values.push(id.clone());
            self.after.push(code);
            self.code_of.insert(id, code);
        }
        self.after[self.last as usize] = code;
        code
    }

    /// Ends a query with the items added since.
    pub(super) fn end(&mut self, key: Id) {
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
