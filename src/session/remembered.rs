//! What the explorer remembers from one run to the next, whatever the study: what was typed, and the theme.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Texts that are remembered of one prompt.
const LONGEST: usize = 100;

/// Where something is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// The search.
    Search,
    /// The condition of the filter.
    Filter,
    /// The number that queries are sorted by.
    Sort,
    /// The id that is gone to.
    Jump,
    /// The heading of a group of picks.
    Heading,
    /// A note on a query or a pick.
    Note,
    /// Tags of a pair.
    Tag,
    /// How many items of each query are judged.
    Depth,
}

impl Prompt {
    /// Its name in the file.
    fn key(self) -> &'static str {
        match self {
            Prompt::Search => "search",
            Prompt::Filter => "filter",
            Prompt::Sort => "sort",
            Prompt::Jump => "jump",
            Prompt::Heading => "heading",
            Prompt::Note => "note",
            Prompt::Tag => "tag",
            Prompt::Depth => "depth",
        }
    }
}

/// What is remembered. Fields that this version does not know are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// Texts by prompt, the last one at the end.
    typed: BTreeMap<String, Vec<String>>,
    /// The name of a bundled theme.
    theme: Option<String>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// Something to remember: what happened in one run, so that several runs lose nothing of each other.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A text that was typed and used.
    Typed(Prompt, String),
    /// A theme that was chosen.
    Theme(String),
}

impl Remembered {
    /// What was typed into a prompt, the last text at the end.
    pub fn typed(&self, prompt: Prompt) -> &[String] {
        self.typed.get(prompt.key()).map_or(&[], Vec::as_slice)
    }

    /// The theme that was last chosen.
    pub fn theme(&self) -> Option<&str> {
        self.theme.as_deref()
    }

    /// Remembers something more; a text that is known becomes the last one.
    pub fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Typed(prompt, text) => {
                let texts = self.typed.entry(prompt.key().to_owned()).or_default();
                texts.retain(|known| *known != text);
                texts.push(text);
                texts.drain(..texts.len().saturating_sub(LONGEST));
            }
            Entry::Theme(name) => self.theme = Some(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Entry {
        Entry::Typed(Prompt::Search, text.into())
    }

    #[test]
    fn what_is_typed_again_is_the_last_and_the_oldest_goes() {
        let mut remembered = Remembered::default();
        for text in ["dog", "cat", "dog"] {
            remembered.add(typed(text));
        }
        assert_eq!(remembered.typed(Prompt::Search), ["cat", "dog"]);
        assert_eq!(remembered.typed(Prompt::Filter), [""; 0]);
        for at in 0..LONGEST {
            remembered.add(typed(&at.to_string()));
        }
        let texts = remembered.typed(Prompt::Search);
        assert_eq!((texts.len(), texts[0].as_str()), (LONGEST, "0"));
    }
}
