//! Which state of a thing it is, where comparing the thing would take too long.

use std::sync::atomic::{AtomicU64, Ordering};

/// The number of a state: another one after each change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Stamp(u64);

impl Stamp {
    /// One that nothing has yet.
    pub fn fresh() -> Self {
        static LAST: AtomicU64 = AtomicU64::new(0);
        Stamp(LAST.fetch_add(1, Ordering::Relaxed) + 1)
    }
}
