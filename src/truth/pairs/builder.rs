//! Builder of [`Pairs`].

use super::Pairs;
use crate::data::id::{Id, IdTable};

/// Builds pairs query by query: first its items, then its id.
#[derive(Default)]
pub(super) struct Builder {
    pairs: Pairs,
    /// The codes of all items.
    codes: IdTable,
    /// For each code, the one that followed it last: usually it follows again.
    next_of: Vec<u32>,
    /// Code of the last item.
    last: u32,
    /// Places of all queries, to reject duplicates; empty while the ids ascend, as in most large files.
    queries: IdTable,
}

impl Builder {
    /// Records the id of the next query; returns whether it is new.
    pub(super) fn record_query(&mut self, key: &Id) -> bool {
        let keys = &self.pairs.keys;
        if self.queries.is_empty() {
            if keys.last() < Some(key) {
                return true;
            }
            for (place, known) in (0..).zip(keys) {
                self.queries.insert(keys, known, place);
            }
        }
        self.queries.insert(keys, key, keys.len() as u32).is_none()
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
        let values = &mut self.pairs.values;
        let new = values.len() as u32;
        let code = self.codes.insert(values, &id, new).unwrap_or(new);
        if code == new {
            values.push(id);
            self.next_of.push(code);
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
