//! What is remembered from one run to the next.

use std::collections::BTreeMap;

use crate::session::{Entry, Prompt, Remembered};

/// Texts that were typed and conditions that have a name.
#[derive(Debug, Default)]
pub struct Memory {
    /// Of earlier runs and of this one.
    known: Remembered,
    /// Conditions that the settings name.
    set: BTreeMap<String, String>,
    /// What this run adds.
    pub(in crate::tui::model) entries: Vec<Entry>,
    /// The number of entries that were handed to the file.
    pub(in crate::tui::model) handed: usize,
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

    /// The conditions that have a name, those of the settings first; of two with one name, theirs counts.
    pub fn filters(&self) -> impl Iterator<Item = (&str, &str)> {
        let set = self.set.iter();
        let set = set.map(|(name, expression)| (name.as_str(), expression.as_str()));
        let others = self.known.filters();
        set.chain(others.filter(|(name, _)| !self.set.contains_key(*name)))
    }

    /// Keeps a condition under a name, or deletes the one of that name.
    ///
    /// # Errors
    /// Where the settings have a condition of that name.
    pub fn set_filter(&mut self, name: &str, condition: Option<String>) -> Result<(), String> {
        if self.set.contains_key(name) {
            return Err(format!("config.toml has the filter {name}"));
        }
        self.add(Entry::Filter(name.to_owned(), condition));
        Ok(())
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
