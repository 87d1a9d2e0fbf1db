//! How an item stands in a ranking against another.

/// How an item stands in a ranking against the first model's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moved {
    /// At the same rank.
    Same,
    /// So many places higher.
    Up(usize),
    /// So many places lower.
    Down(usize),
    /// The first model does not rank it.
    New,
}

impl Moved {
    /// From the first model's rank to this one's.
    pub fn between(first: Option<usize>, here: usize) -> Self {
        match first {
            None => Moved::New,
            Some(first) if first > here => Moved::Up(first - here),
            Some(first) if first < here => Moved::Down(here - first),
            Some(_) => Moved::Same,
        }
    }
}
