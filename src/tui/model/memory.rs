//! What is remembered from one run to the next, as the explorer has it.

use std::collections::BTreeMap;

use crate::session::{Entry, Prompt, Remembered};

/// What is remembered.
#[derive(Debug, Default)]
pub struct Memory {
    /// Of earlier runs and of this one.
    known: Remembered,
    /// Conditions that the settings name.
    set: BTreeMap<String, String>,
    /// What this run adds.
    pub(crate) entries: Vec<Entry>,
    /// The number of entries that were handed to the file.
    pub(crate) handed: usize,
}

impl Memory {
    /// Begins with what earlier runs left, and with the conditions that the settings name.
    pub fn new(known: Remembered, set: BTreeMap<String, String>) -> Self {
        Memory { known, set, ..Memory::default() }
    }

    /// What was typed into a prompt, the last text at the end.
    pub fn past(&self, prompt: Prompt) -> &[String] {
        self.known.typed(prompt)
    }

    /// The conditions that have a name: those of the settings go first where both name one.
    pub fn filters(&self) -> impl Iterator<Item = (&str, &str)> {
        let set = self.set.iter();
        let set = set.map(|(name, expression)| (name.as_str(), expression.as_str()));
        let others = self.known.filters();
        set.chain(others.filter(|(name, _)| !self.set.contains_key(*name)))
    }

    /// Whether the settings name a condition so.
    pub fn is_set(&self, name: &str) -> bool {
        self.set.contains_key(name)
    }

    /// Remembers something more.
    pub fn add(&mut self, entry: Entry) {
        self.known.add(entry.clone());
        self.entries.push(entry);
    }

    /// Remembers what was typed and used; an empty text is nothing.
    pub(in crate::tui) fn typed(&mut self, prompt: Prompt, text: &str) {
        let text = text.trim();
        if !text.is_empty() {
            self.add(Entry::Typed(prompt, text.to_owned()));
        }
    }
}
