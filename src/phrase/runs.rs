//! A caption as it is shown, cut where its phrases begin and end.
//!
//! What is shown may be spaced and punctuated otherwise than the annotated sentence, wrapped, or cut: places
//! are counted in letters and digits alone, which both have in common.

use super::{Chain, Sentence};

/// Letters and digits of a text, in lower case: what two texts have in common that differ in blanks and
/// punctuation.
pub(super) fn letters(text: &str) -> String {
    let letters = text.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

/// Where a phrase is, in letters and digits of its caption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Span {
    pub start: u32,
    pub end: u32,
    pub chain: Chain,
    /// Place of the chain among those of the image.
    pub place: u32,
}

/// The visual phrases of a caption of an image with these chains.
pub(super) fn spans(sentence: &Sentence, chains: &[Chain]) -> Box<[Span]> {
    let count = |bytes: usize| {
        let before = sentence.text[..bytes].chars();
        before.filter(|letter| letter.is_alphanumeric()).count() as u32
    };
    let span = |phrase: &super::Phrase| {
        let place = chains.iter().position(|chain| *chain == phrase.chain)?;
        Some(Span {
            start: count(phrase.bytes.start),
            end: count(phrase.bytes.end),
            chain: phrase.chain,
            place: place as u32,
        })
    };
    sentence.phrases.iter().filter_map(span).collect()
}

/// A piece of a text, and what it names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The piece.
    pub text: String,
    /// Its chain and the chain's place among those of the image; `None` outside of phrases.
    pub chain: Option<(Chain, usize)>,
}

/// Cuts the lines of a caption one after the other.
#[derive(Debug, Clone)]
pub struct Runs<'a> {
    spans: &'a [Span],
    /// Letters before the next line; below zero while a prefix is still to come that is none of the caption.
    at: i64,
}

impl<'a> Runs<'a> {
    /// Of a caption; before it stands a prefix, nothing if it is empty.
    pub(super) fn new(spans: &'a [Span], prefix: &str) -> Self {
        let before = prefix.chars().filter(|letter| letter.is_alphanumeric());
        Runs { spans, at: -(before.count() as i64) }
    }

    /// The next line, in pieces.
    pub fn line(&mut self, line: &str) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        for letter in line.chars() {
            let chain = self.chain(letter.is_alphanumeric());
            self.at += i64::from(letter.is_alphanumeric());
            match runs.last_mut().filter(|last| last.chain == chain) {
                Some(last) => last.text.push(letter),
                None => runs.push(Run { text: letter.into(), chain }),
            }
        }
        runs
    }

    /// What the next letter names; of what is no letter, whether letters of one phrase stand around it.
    fn chain(&self, is_letter: bool) -> Option<(Chain, usize)> {
        let within = |span: &&Span| {
            let (start, end) = (i64::from(span.start), i64::from(span.end));
            self.at < end && (start < self.at || is_letter && start == self.at)
        };
        let span = self.spans.iter().find(within)?;
        Some((span.chain, span.place as usize))
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
        let first = runs.line("A man's dog, quickly, by");
        assert_eq!(pieces(&first), [("A man's dog", Some(1)), (", quickly, by", None)]);
        let second = runs.line("a kite.");
        assert_eq!(pieces(&second), [("a kite", Some(0)), (".", None)]);
        // A prefix is none of the caption.
        let mut runs = Runs::new(&spans, "[213] ");
        let cut = runs.line("[213] A man…");
        assert_eq!(pieces(&cut), [("[213] ", None), ("A man…", Some(1))]);
    }
}
