//! What of the help has what is typed: keys and signs themselves, words, parts of words, and where there is none of
//! these, words spelt alike.

use super::{Entry, Row};
use crate::engine::search::Quality;
use crate::metric::{Metric, Spec, spelling};
use crate::tui::popups::sheet::{Piece, Tone};

/// How well an entry has what is typed; `None` is its key or sign itself.
type Group = Option<Quality>;

/// The lines in so many columns, best first: a line stands between those that match in different ways.
pub(super) fn lines(rows: &[Row], wanted: &str, columns: usize) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    let mut last = None;
    for (group, entry) in found(rows, wanted) {
        if last.is_some_and(|last| last != group) {
            lines.push(vec![(Tone::Dim, "─".repeat(columns))]);
        }
        last = Some(group);
        let words = entry.words_for(wanted);
        let of_entry = entry.lines(&words, columns).into_iter();
        lines.extend(of_entry.map(|line| marked(line, wanted)));
    }
    if lines.is_empty() {
        lines.push(vec![(Tone::Dim, "  nothing matches".to_owned())]);
    }
    lines
}

/// The entries that match, best first, each once.
fn found<'a>(rows: &'a [Row], wanted: &str) -> Vec<(Group, &'a Entry)> {
    let literal = each(rows, |entry| entry.group(wanted));
    if literal.is_empty() {
        each(rows, |entry| Quality::near(&entry.text(), wanted).map(Some))
    } else {
        literal
    }
}

fn each(rows: &[Row], group: impl Fn(&Entry) -> Option<Group>) -> Vec<(Group, &Entry)> {
    let mut found: Vec<(Group, &Entry)> = Vec::new();
    for row in rows {
        if let Row::Entry(entry) = row
            && let Some(group) = group(entry)
            && !found.iter().any(|(_, known)| known.is_as(entry))
        {
            found.push((group, entry));
        }
    }
    found.sort_by_key(|(group, _)| *group);
    found
}

impl Entry {
    fn text(&self) -> String {
        let Entry {
            sign,
            name,
            words,
            also,
            ..
        } = self;
        format!("{sign} {name} {words}, {also}")
    }

    /// How it has what is typed, as it is typed.
    fn group(&self, wanted: &str) -> Option<Group> {
        let is_key = self.sign.split(' ').any(|key| key == wanted);
        if is_key || self.metric.is_some_and(|metric| is_metric(metric, wanted)) {
            return Some(None);
        }
        Quality::literal(&self.text(), wanted).map(Some)
    }

    /// Its words; where they do not have all that is typed, with its name and the other words that have it.
    fn words_for(&self, wanted: &str) -> String {
        let wanted = wanted.trim_start_matches('\'').to_lowercase();
        let lacking = |text: &str| -> Vec<&str> {
            let text = text.to_lowercase();
            let words = wanted.split_whitespace();
            words.filter(|word| !text.contains(word)).collect()
        };
        let mut more = Vec::new();
        if !lacking(&self.words).is_empty() && !self.name.is_empty() {
            more.push(self.name);
        }
        let lacking = lacking(&format!("{} {} {}", self.sign, self.name, self.words));
        let has_one = |also: &&str| {
            let also = also.to_lowercase();
            lacking.iter().any(|word| also.contains(word))
        };
        more.extend(self.also.split(", ").filter(has_one));
        match more.join(", ") {
            none if none.is_empty() => self.words.clone(),
            more => format!("{} ({more})", self.words),
        }
    }
}

/// Whether a metric is written so: as papers do, or by its key, with or without a ground truth before it.
fn is_metric(metric: &'static dyn Metric, written: &str) -> bool {
    let key = spelling::key(written).unwrap_or_else(|| written.to_lowercase());
    let starts = key.match_indices('_').map(|(at, _)| at + 1);
    let mut ends = std::iter::once(0).chain(starts).map(|start| &key[start..]);
    let spec = ends.find_map(|end| end.parse::<Spec>().ok());
    spec.is_some_and(|spec| spec.metric.key() == metric.key())
}

/// A line in which the words that are typed stand out.
fn marked(line: Vec<Piece>, wanted: &str) -> Vec<Piece> {
    let wanted = wanted.trim_start_matches('\'').to_lowercase();
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let pieces = line.into_iter();
    pieces.flat_map(|piece| split(piece, &words)).collect()
}

/// A piece of text with each of these words in a piece of its own.
fn split((tone, text): Piece, words: &[&str]) -> Vec<Piece> {
    let lower = text.to_lowercase();
    // Where a letter is longer in the other case, places would differ.
    if lower.len() != text.len() {
        return vec![(tone, text)];
    }
    let mut pieces = Vec::new();
    let mut from = 0;
    while let Some((at, length)) = first_of(&lower[from..], words) {
        let (start, end) = (from + at, from + at + length);
        pieces.push((tone, text[from..start].to_owned()));
        pieces.push((Tone::Match, text[start..end].to_owned()));
        from = end;
    }
    pieces.push((tone, text[from..].to_owned()));
    pieces
}

/// Where the first of these words stands, and its length; the longest of those that begin there.
fn first_of(text: &str, words: &[&str]) -> Option<(usize, usize)> {
    let places = words
        .iter()
        .filter_map(|word| Some((text.find(word)?, word.len())));
    places.min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(line: &[Piece]) -> Vec<(bool, &str)> {
        let pieces = line.iter().filter(|(_, text)| !text.is_empty());
        pieces
            .map(|(tone, text)| (*tone == Tone::Match, text.as_str()))
            .collect()
    }

    #[test]
    fn the_words_that_are_typed_stand_out() {
        let line = vec![(Tone::Base, "Next match of the search".to_owned())];
        let marked = marked(line, "search next");
        let expected = [(true, "Next"), (false, " match of the "), (true, "search")];
        assert_eq!(texts(&marked), expected);
    }

    #[test]
    fn keys_words_and_parts_are_apart_and_near_words_come_alone() {
        let entry = |sign: &str, words: &str| Entry::sign(Tone::Key, sign, words);
        let rows = [
            entry("x", "searching"),
            entry("search", "a key of this name"),
            entry("/", "search captions"),
        ];
        let signs = |wanted| -> Vec<String> {
            let found = found(&rows, wanted).into_iter();
            found.map(|(_, entry)| entry.sign.clone()).collect()
        };
        assert_eq!(signs("search"), ["search", "/", "x"]);
        assert_eq!(signs("serach"), ["search", "/"]);
        assert!(signs("shc").is_empty());
        let rules = lines(&rows, "search", 20);
        let is_rule = |line: &&Vec<Piece>| line[0].1.starts_with('─');
        assert_eq!(rules.iter().filter(is_rule).count(), 2);
    }
}
