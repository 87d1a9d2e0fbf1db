//! Pairs while they are read.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Pairs;
use crate::data::id::Id;

/// Pairs, and what finds the code of an id.
#[derive(Default)]
pub(super) struct Builder {
    pairs: Pairs,
    code_of: FxHashMap<Id, u32>,
    /// For each code the one that last came after it: mostly it does so again.
    after: Vec<u32>,
    last: u32,
    /// The queries, where it matters that none stands twice.
    seen: FxHashSet<Id>,
}

impl Builder {
    /// Whether no query of this id has come yet.
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

    /// The code of an id, a new one if need be, that comes after the last one.
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

    /// The items since the last query are this one's.
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
