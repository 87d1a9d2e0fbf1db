//! Keys, signs and actions with what they stand for, and those that have what is typed: for the help and the list of
//! actions.

use rustc_hash::FxHashSet;

use crate::jobs::Quality;
use crate::metric::{Metric, Spec, spelling};
use crate::truth::standing::Badge;
use crate::tui::action::Action;
use crate::tui::ui::Ui;

/// A key or a sign, and what it stands for.
#[derive(Clone, Default)]
pub(super) struct Entry {
    /// The keys, or the sign.
    pub(super) sign: String,
    /// The badge that the sign is of.
    pub(super) badge: Option<Badge>,
    /// The action; none for a sign.
    pub(super) action: Option<Action>,
    pub(super) words: String,
    /// Other words by which it is found, separated by commas.
    pub(super) also: String,
    /// The metric that it is of, which is found in every way of writing it.
    pub(super) metric: Option<&'static dyn Metric>,
}

/// The entries that match, best first, each action once: keys and signs themselves, names of actions, words, parts of
/// words, and where there is none of these, words spelt alike.
pub(super) fn found<'a>(
    entries: impl Iterator<Item = &'a Entry> + Clone,
    wanted: &str,
) -> Vec<&'a Entry> {
    let mut found: Vec<_> =
        entries.clone().filter_map(|entry| Some((entry.quality(wanted)?, entry))).collect();
    // Texts are spelt with letters.
    if found.is_empty() && wanted.contains(char::is_alphanumeric) {
        let near = |entry: &'a Entry| Some((Some(Quality::near(&entry.text(), wanted)?), entry));
        found = entries.filter_map(near).collect();
    }
    let mut actions = FxHashSet::default();
    found.retain(|(_, entry)| entry.action.is_none_or(|action| actions.insert(action)));
    found.sort_by_key(|(quality, entry)| {
        let name = entry.name();
        let by_name = Quality::literal(name, wanted).or_else(|| Quality::near(name, wanted));
        (quality.is_some(), by_name.is_none(), by_name, *quality)
    });
    found.into_iter().map(|(_, entry)| entry).collect()
}

impl Entry {
    /// A key or a sign with its meaning, and other words by which it is found.
    pub(super) fn new(
        sign: impl Into<String>,
        words: impl Into<String>,
        also: impl Into<String>,
    ) -> Self {
        let (sign, words, also) = (sign.into(), words.into(), also.into());
        Entry { sign, words, also, ..Entry::default() }
    }

    /// An action, in these words, with its keys.
    pub(super) fn action(ui: &Ui, action: Action, words: String) -> Self {
        let keys = ui.keymap.keys(action).iter().map(ToString::to_string);
        let keys = keys.collect::<Vec<_>>().join(" ");
        Entry { action: Some(action), ..Entry::new(keys, words, action.also()) }
    }

    fn name(&self) -> &'static str {
        self.action.map_or("", Action::name)
    }

    fn text(&self) -> String {
        format!("{} {} {}, {}", self.sign, self.name(), self.words, self.also)
    }

    /// How well it has what is typed; `Some(None)` where that is its key or sign itself.
    fn quality(&self, wanted: &str) -> Option<Option<Quality>> {
        // A sign may stand before a number.
        let is_sign = !wanted.is_ascii() && !wanted.contains(char::is_alphanumeric);
        let mut keys = self.sign.split(' ');
        let is_key = keys.any(|key| key == wanted || is_sign && key.contains(wanted));
        if is_key || self.metric.is_some_and(|metric| is_metric(metric, wanted)) {
            return Some(None);
        }
        Quality::literal(&self.text(), wanted).map(Some)
    }

    /// Its words; where they do not have all that is typed, with its name and the other words that have it.
    pub(super) fn words_for(&self, wanted: &str) -> String {
        let name = self.action.filter(|_| !lacking(&self.words, wanted).is_empty());
        let more = name.map(Action::name).into_iter().chain(self.others(wanted));
        match more.collect::<Vec<_>>().join(", ").as_str() {
            "" => self.words.clone(),
            more => format!("{} ({more})", self.words),
        }
    }

    /// The other words that have what of all that is typed its sign, its name and its words lack.
    pub(super) fn others(&self, wanted: &str) -> Vec<&str> {
        let own = format!("{} {} {}", self.sign, self.name(), self.words);
        let lacking = lacking(&own, wanted);
        let has_one = |also: &&str| {
            let also = also.to_lowercase();
            lacking.iter().any(|word| also.contains(word.as_str()))
        };
        self.also.split(", ").filter(has_one).collect()
    }
}

/// The words of what is typed that a text does not have, in lower case.
fn lacking(text: &str, wanted: &str) -> Vec<String> {
    let text = text.to_lowercase();
    let wanted = wanted.trim_start_matches('\'').to_lowercase();
    let words = wanted.split_whitespace().filter(|word| !text.contains(word));
    words.map(str::to_owned).collect()
}

/// Whether a metric is written so: as papers do, or by its key, with or without a ground truth before it.
fn is_metric(metric: &'static dyn Metric, written: &str) -> bool {
    let key = spelling::key(written).unwrap_or_else(|| written.to_lowercase());
    let starts = key.match_indices('_').map(|(at, _)| at + 1);
    let mut ends = std::iter::once(0).chain(starts).map(|start| &key[start..]);
    let spec = ends.find_map(|end| end.parse::<Spec>().ok());
    spec.is_some_and(|spec| spec.metric.key() == metric.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_words_and_parts_are_apart_and_near_words_come_alone() {
        let entries = [
            Entry::new("x", "searching", ""),
            Entry::new("search", "a key of this name", ""),
            Entry::new("/", "search captions", ""),
        ];
        let signs = |wanted| -> Vec<&str> {
            found(entries.iter(), wanted).into_iter().map(|entry| &*entry.sign).collect()
        };
        assert_eq!(signs("search"), ["search", "/", "x"]);
        assert_eq!(signs("serach"), ["search", "/"]);
        assert!(signs("shc").is_empty());
    }
}
