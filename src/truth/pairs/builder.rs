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
    seen: Seen,
}

impl Builder {
    /// Whether no query of this id has come yet.
    pub(super) fn is_new(&mut self, key: &Id) -> bool {
        self.seen.is_new(key, &self.pairs.keys)
    }

    /// Adds a positive of the next query.
    pub(super) fn positive(&mut self, id: Id) {
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

    /// The positives since the last query are this one's.
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

/// The keys met so far: while they ascend, as in files that programs write, the last one tells.
#[derive(Default)]
struct Seen(Option<FxHashSet<Id>>);

impl Seen {
    fn is_new(&mut self, key: &Id, before: &[Id]) -> bool {
        if self.0.is_none() && before.last().is_none_or(|last| last < key) {
            return true;
        }
        let all = || before.iter().cloned().collect();
        self.0.get_or_insert_with(all).insert(key.clone())
    }
}

/// Codes in two bytes each, or in four if there are more than two bytes can tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Codes {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Codes::Short(Vec::new())
    }
}

impl Codes {
    pub(super) fn push(&mut self, code: u32) {
        match (&mut *self, u16::try_from(code)) {
            (Codes::Short(codes), Ok(code)) => codes.push(code),
            (Codes::Long(codes), _) => codes.push(code),
            (Codes::Short(codes), Err(_)) => {
                let wider = codes.iter().map(|&code| code.into());
                *self = Codes::Long(wider.chain([code]).collect());
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Codes::Short(codes) => codes.len(),
            Codes::Long(codes) => codes.len(),
        }
    }

    pub(super) fn get(&self, at: usize) -> usize {
        match self {
            Codes::Short(codes) => codes[at].into(),
            Codes::Long(codes) => codes[at] as usize,
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        match self {
            Codes::Short(codes) => codes.shrink_to_fit(),
            Codes::Long(codes) => codes.shrink_to_fit(),
        }
    }
}
