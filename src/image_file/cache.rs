//! A cache with a limit in bytes.

use std::cell::Cell;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// LRU cache with a size limit in bytes.
#[derive(Debug)]
pub struct Bounded<K, V> {
    kept: FxHashMap<K, Kept<V>>,
    bytes: usize,
    most: usize,
    clock: Cell<u64>,
}

#[derive(Debug)]
struct Kept<V> {
    value: V,
    bytes: usize,
    seen: Cell<u64>,
}

impl<K: Copy + Eq + Hash, V> Bounded<K, V> {
    /// Empty, with a limit of `most` bytes, except for a single larger value.
    pub fn new(most: usize) -> Self {
        Bounded { kept: FxHashMap::default(), bytes: 0, most, clock: Cell::new(0) }
    }

    /// A value, marked as used.
    pub fn get(&self, key: &K) -> Option<&V> {
        let kept = self.kept.get(key)?;
        kept.seen.set(self.tick());
        Some(&kept.value)
    }

    /// Every key, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.kept.keys()
    }

    /// Inserts a value with its size.
    pub fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        while self.bytes + bytes > self.most
            && let Some(oldest) = self.oldest()
        {
            self.remove(&oldest);
        }
        let seen = Cell::new(self.tick());
        self.bytes += bytes;
        self.kept.insert(key, Kept { value, bytes, seen });
    }

    /// Drops all values.
    pub fn clear(&mut self) {
        self.kept.clear();
        self.bytes = 0;
    }

    /// The sum of the sizes of all values, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn remove(&mut self, key: &K) {
        if let Some(gone) = self.kept.remove(key) {
            self.bytes -= gone.bytes;
        }
    }

    fn oldest(&self) -> Option<K> {
        let oldest = self.kept.iter().min_by_key(|(_, kept)| kept.seen.get());
        oldest.map(|(&key, _)| key)
    }

    fn tick(&self) -> u64 {
        self.clock.set(self.clock.get() + 1);
        self.clock.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_at_goes_first() {
        let mut kept = Bounded::new(100);
        for key in ["a", "b", "c"] {
            kept.insert(key, key.len(), 40);
            assert!(kept.bytes() <= 100);
            kept.get(&"a");
        }
        assert_eq!((kept.get(&"a"), kept.get(&"b")), (Some(&1), None));
        kept.insert("a", 2, 90);
        assert_eq!((kept.get(&"a"), kept.bytes()), (Some(&2), 90));
        kept.insert("large", 3, 1000);
        assert_eq!((kept.get(&"large"), kept.bytes()), (Some(&3), 1000));
        kept.insert("d", 4, 1);
        assert_eq!((kept.get(&"large"), kept.bytes()), (None, 1));
    }
}
