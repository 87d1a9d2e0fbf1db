//! The lines of the help that match the typed text.

use super::Row;
use crate::tui::popups::entries::found;
use crate::tui::popups::sheet::{Piece, Tone};

/// The lines in so many columns, best first: a line stands between those that match in different ways.
pub(super) fn lines(rows: &[Row], wanted: &str, columns: usize) -> Vec<Vec<Piece>> {
    let mut lines: Vec<Vec<Piece>> = Vec::new();
    let mut last = None;
    let entries = rows.iter().filter_map(Row::entry);
    for (group, entry) in found(entries, wanted) {
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

/// A line in which the typed words stand out.
fn marked(line: Vec<Piece>, wanted: &str) -> Vec<Piece> {
    let wanted = wanted.trim_start_matches('\'').to_lowercase();
    let words: Vec<&str> = wanted.split_whitespace().collect();
    let pieces = line.into_iter();
    pieces.flat_map(|piece| split(piece, &words)).collect()
}

/// A piece of text with each of these words in a piece of its own.
fn split((tone, text): Piece, words: &[&str]) -> Vec<Piece> {
    let lower = text.to_lowercase();
    let mut pieces = Vec::new();
    let mut from = 0;
    // Where a letter is longer in the other case, places would differ.
    while lower.len() == text.len()
        && let Some((at, length)) = first_of(&lower[from..], words)
    {
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
    let places = words.iter().filter_map(|word| Some((text.find(word)?, word.len())));
    places.min_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)))
}

#[cfg(test)]
mod tests {
    use super::super::Entry;
    use super::*;

    fn texts(line: &[Piece]) -> Vec<(bool, &str)> {
        let pieces = line.iter().filter(|(_, text)| !text.is_empty());
        pieces.map(|(tone, text)| (*tone == Tone::Match, text.as_str())).collect()
    }

    #[test]
    fn the_words_that_are_typed_stand_out() {
        let line = vec![(Tone::Base, "Next match of the search".to_owned())];
        let marked = marked(line, "search next");
        let expected = [(true, "Next"), (false, " match of the "), (true, "search")];
        assert_eq!(texts(&marked), expected);
    }

    #[test]
    fn a_line_stands_between_those_that_match_in_different_ways() {
        let entry = |sign: &str, words: &str| Entry::sign(Tone::Key, sign, words);
        let rows = [
            entry("x", "searching"),
            entry("search", "a key of this name"),
            entry("/", "search captions"),
        ];
        let rules = lines(&rows, "search", 20);
        let is_rule = |line: &&Vec<Piece>| line[0].1.starts_with('─');
        assert_eq!(rules.iter().filter(is_rule).count(), 2);
    }
}
