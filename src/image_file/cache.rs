//! A cache of bounded size.

use std::cell::Cell;
use std::hash::Hash;

use rustc_hash::FxHashMap;

/// LRU cache with a size limit in bytes.
#[derive(Debug)]
pub struct BoundedCache<K, V> {
    entries: FxHashMap<K, Entry<V>>,
    /// Sum of the sizes of all values.
    bytes: usize,
    max_bytes: usize,
    /// Number of uses so far, to tell which value was used last.
    clock: Cell<u64>,
}

#[derive(Debug)]
struct Entry<V> {
    value: V,
    bytes: usize,
    /// Value of the clock at the last use.
    last_used: Cell<u64>,
}

impl<K: Copy + Eq + Hash, V> BoundedCache<K, V> {
    /// Empty. Inserting drops the values used least recently to stay within `max_bytes`; a larger value drops all and
    /// is still cached.
    pub fn new(max_bytes: usize) -> Self {
        BoundedCache { entries: FxHashMap::default(), bytes: 0, max_bytes, clock: Cell::new(0) }
    }

    /// A value, marked as used.
    pub fn get(&self, key: &K) -> Option<&V> {
        let entry = self.entries.get(key)?;
        entry.last_used.set(self.tick());
        Some(&entry.value)
    }

    /// Every key, in no order.
    pub fn keys(&self) -> impl Iterator<Item = &K> {
        self.entries.keys()
    }

    /// Inserts a value of this size in bytes.
    pub fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        while self.bytes + bytes > self.max_bytes
            && let Some(oldest) = self.oldest()
        {
            self.remove(&oldest);
        }
        let last_used = Cell::new(self.tick());
        self.bytes += bytes;
        self.entries.insert(key, Entry { value, bytes, last_used });
    }

    /// Drops all values.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
    }

    fn remove(&mut self, key: &K) {
        if let Some(removed) = self.entries.remove(key) {
            self.bytes -= removed.bytes;
        }
    }

    /// Key of the value used least recently.
    fn oldest(&self) -> Option<K> {
        let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.last_used.get());
        oldest.map(|(&key, _)| key)
    }

    /// Advances the clock, and returns its value.
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
        let mut kept = BoundedCache::new(100);
        for key in ["a", "b", "c"] {
            kept.insert(key, key.len(), 40);
            assert!(kept.bytes <= 100);
            kept.get(&"a");
        }
        assert_eq!((kept.get(&"a"), kept.get(&"b")), (Some(&1), None));
        kept.insert("a", 2, 90);
        assert_eq!((kept.get(&"a"), kept.bytes), (Some(&2), 90));
        kept.insert("large", 3, 1000);
        assert_eq!((kept.get(&"large"), kept.bytes), (Some(&3), 1000));
        kept.insert("d", 4, 1);
        assert_eq!((kept.get(&"large"), kept.bytes), (None, 1));
    }
}
