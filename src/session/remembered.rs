//! What the explorer remembers from one run to the next, whatever the study: what was typed, filters with
//! names, studies that were opened, the theme.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Timestamp;

/// Texts that are remembered of one prompt.
const LONGEST: usize = 100;
/// Studies that are remembered.
const STUDIES: usize = 20;

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
    /// The models of a pick.
    Models,
    /// A note on a query or a pick.
    Note,
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
            Prompt::Models => "models",
            Prompt::Note => "note",
        }
    }
}

/// What is remembered. Fields that this version does not know are kept.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Remembered {
    /// Texts by prompt, the last one at the end.
    typed: BTreeMap<String, Vec<String>>,
    /// Conditions by name.
    filters: BTreeMap<String, String>,
    /// Studies, the last one first.
    recent: Vec<RecentStudy>,
    /// The name of a bundled theme.
    theme: Option<String>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// A study that was opened: the arguments of the command line, and the folder in which they were typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecentStudy {
    /// When it was last opened.
    pub at: Timestamp,
    /// The folder in which it was opened; none where nothing hangs on it.
    pub folder: String,
    /// The arguments, the program's name left out.
    pub arguments: Vec<String>,
}

/// Something to remember: what happened in one run, so that several runs lose nothing of each other.
#[derive(Debug, Clone, PartialEq)]
pub enum Entry {
    /// A text that was typed and used.
    Typed(Prompt, String),
    /// A condition with a name; `None` where it is forgotten.
    Filter(String, Option<String>),
    /// A study that was opened.
    Opened(RecentStudy),
    /// A theme that was chosen.
    Theme(String),
}

impl Remembered {
    /// What was typed into a prompt, the last text at the end.
    pub fn typed(&self, prompt: Prompt) -> &[String] {
        self.typed.get(prompt.key()).map_or(&[], Vec::as_slice)
    }

    /// Conditions with their names, by name.
    pub fn filters(&self) -> impl Iterator<Item = (&str, &str)> {
        let filters = self.filters.iter();
        filters.map(|(name, expression)| (name.as_str(), expression.as_str()))
    }

    /// Studies that were opened, the last one first.
    pub fn recent(&self) -> &[RecentStudy] {
        &self.recent
    }

    /// The theme that was last chosen.
    pub fn theme(&self) -> Option<&str> {
        self.theme.as_deref()
    }

    /// Remembers something more; a text or a study that is known becomes the last one.
    pub fn add(&mut self, entry: Entry) {
        match entry {
            Entry::Typed(prompt, text) => {
                let texts = self.typed.entry(prompt.key().to_owned()).or_default();
                texts.retain(|known| *known != text);
                texts.push(text);
                texts.drain(..texts.len().saturating_sub(LONGEST));
            }
            Entry::Filter(name, Some(expression)) => drop(self.filters.insert(name, expression)),
            Entry::Filter(name, None) => drop(self.filters.remove(&name)),
            Entry::Opened(study) => {
                let is_other = |known: &RecentStudy| {
                    (&known.folder, &known.arguments) != (&study.folder, &study.arguments)
                };
                self.recent.retain(is_other);
                self.recent.insert(0, study);
                self.recent.truncate(STUDIES);
            }
            Entry::Theme(name) => self.theme = Some(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Timestamp;

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

    #[test]
    fn studies_are_bounded_and_the_last_is_the_first() {
        let study = |at: i64| RecentStudy {
            at: Timestamp::of_seconds(at),
            folder: "/home".into(),
            arguments: vec![format!("{}.npy", at % 30)],
        };
        let mut remembered = Remembered::default();
        for at in 0..31 {
            remembered.add(Entry::Opened(study(at)));
        }
        assert_eq!(remembered.recent().len(), STUDIES);
        assert_eq!(remembered.recent()[0], study(30));
        remembered.add(Entry::Opened(study(59)));
        assert_eq!(remembered.recent()[..2], [study(59), study(30)]);
    }

    #[test]
    fn filters_are_replaced_and_forgotten_by_name() {
        let mut remembered = Remembered::default();
        for expression in [Some("r1 == 0"), Some("r5 == 0"), None] {
            let expression = expression.map(str::to_owned);
            remembered.add(Entry::Filter("hard".into(), expression.clone()));
            let known: Vec<_> = remembered.filters().collect();
            let wanted: Vec<_> = expression.iter().map(|text| ("hard", text.as_str())).collect();
            assert_eq!(known, wanted);
        }
    }
}
