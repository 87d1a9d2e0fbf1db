//! A caption as shown, cut at the bounds of its phrases.
//!
//! The shown text may differ from the annotated sentence in spaces and punctuation, be wrapped, or cut: positions are
//! counted only in letters and digits, which both share.

use super::{Chain, Sentence};

/// Letters and digits of a text, in lower case: common to two texts that differ in blanks and punctuation.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Range of a phrase, in letters and digits of its caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    /// Number of letters and digits before the phrase.
    pub start: u32,
    /// Number of letters and digits up to its end.
    pub end: u32,
    /// Chain of the phrase.
    pub chain: Chain,
    /// Index of the chain among those of the image.
    pub chain_index: u32,
}

/// Ranges of the phrases of a sentence whose chain is one of `chains`, the visual ones of its image.
pub(super) fn spans(sentence: &Sentence, chains: &[Chain]) -> Box<[Span]> {
    let count = |bytes: usize| {
        sentence.text[..bytes].chars().filter(|letter| letter.is_alphanumeric()).count() as u32
    };
    let span = |phrase: &super::Phrase| {
        let index = chains.iter().position(|chain| *chain == phrase.chain)?;
        Some(Span {
            start: count(phrase.bytes.start),
            end: count(phrase.bytes.end),
            chain: phrase.chain,
            chain_index: index as u32,
        })
    };
    sentence.phrases.iter().filter_map(span).collect()
}

/// A piece of a shown line that is in one phrase or in none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// Text of the piece.
    pub text: String,
    /// Chain of the phrase, and the chain's index among those of the image; `None` outside of phrases.
    pub chain: Option<(Chain, usize)>,
}

/// Cuts the shown lines of a caption one after the other at the bounds of phrases.
#[derive(Debug, Clone)]
pub struct Runs<'a> {
    spans: &'a [Span],
    /// Number of letters and digits before the next line; below zero during a prefix that is not part of the caption.
    position: i64,
}

impl<'a> Runs<'a> {
    /// Starts before the first shown line. `prefix` is text shown before the caption, or empty.
    pub(super) fn new(spans: &'a [Span], prefix: &str) -> Self {
        let before = prefix.chars().filter(|letter| letter.is_alphanumeric());
        Runs { spans, position: -(before.count() as i64) }
    }

    /// Cuts the next line into pieces.
    pub fn cut_line(&mut self, line: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for letter in line.chars() {
            let chain = self.next_chain(letter.is_alphanumeric());
            self.position += i64::from(letter.is_alphanumeric());
            match runs.last_mut().filter(|last| last.chain == chain) {
                Some(last) => last.text.push(letter),
                None => runs.push(Run { text: letter.into(), chain }),
            }
        }
        runs
    }

    /// Chain of the next character and its index, as in [`Run::chain`]. A character that is no letter or digit is in a
    /// phrase only if letters of the phrase are on both sides.
    fn next_chain(&self, is_letter: bool) -> Option<(Chain, usize)> {
        let is_within = |span: &&Span| {
            let (start, end) = (i64::from(span.start), i64::from(span.end));
            self.position < end && (start < self.position || is_letter && start == self.position)
        };
        let span = self.spans.iter().find(is_within)?;
        Some((span.chain, span.chain_index as usize))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::sentence::parse;

    fn pieces(runs: &[Run]) -> Vec<(&str, Option<usize>)> {
        let place = |run: &Run| run.chain.map(|(_, place)| place);
        runs.iter().map(|run| (run.text.as_str(), place(run))).collect()
    }

    #[test]
    fn phrases_are_found_whatever_the_spacing_and_wherever_lines_break() {
        let line =
            "[/EN#7/people A man 's dog] , [/EN#0/notvisual quickly] , by [/EN#4/other a kite] .";
        let sentence = parse(line, "1.txt, line 1").unwrap();
        let spans = spans(&sentence, &[Chain(4), Chain(7)]);
        assert_eq!(letters("A man's dog, X"), "amansdogx");
        let mut runs = Runs::new(&spans, "");
        let first = runs.cut_line("A man's dog, quickly, by");
        assert_eq!(pieces(&first), [("A man's dog", Some(1)), (", quickly, by", None)]);
        let second = runs.cut_line("a kite.");
        assert_eq!(pieces(&second), [("a kite", Some(0)), (".", None)]);
        // A prefix is no part of it.
        let mut runs = Runs::new(&spans, "[213] ");
        let cut = runs.cut_line("[213] A man…");
        assert_eq!(pieces(&cut), [("[213] ", None), ("A man…", Some(1))]);
    }
}
