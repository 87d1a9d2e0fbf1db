//! A caption with its phrases: `[/EN#1/people A young girl] in [/EN#2/clothing a pink dress] .`

use std::ops::Range;

use super::{Chain, PhraseType, Types};
use crate::error::{Error, Result};

/// A caption with its phrases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sentence {
    /// Words of the caption with a blank between them, without brackets.
    pub text: String,
    /// Phrases of the caption, in order; none is in another.
    pub phrases: Vec<Phrase>,
    /// Whether `UNRELATED_CAPTIONS` lists it: it is unrelated to its image.
    pub is_unrelated: bool,
}

/// Consecutive words with one referent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// Chain of the phrase; [`Chain::NOT_VISUAL`] if it is nothing visible.
    pub chain: Chain,
    /// Types of the phrase, at least one.
    pub types: Types,
    /// Byte range in [`Sentence::text`].
    pub bytes: Range<usize>,
}

impl Sentence {
    /// The words of a phrase.
    pub fn phrase_text(&self, phrase: &Phrase) -> &str {
        &self.text[phrase.bytes.clone()]
    }

    /// Appends a word to the text.
    fn push(&mut self, word: &str) {
        if !self.text.is_empty() {
            self.text.push(' ');
        }
        self.text.push_str(word);
    }
}

/// Expected form of a line.
const FORM: &str = "[/EN#chain/type words] with types such as people, clothing, other or notvisual";

/// Reads a line of `Sentences/ID.txt`; `subject` names file and line.
///
/// # Errors
/// A phrase without end, words, number or type, or an unknown type.
pub fn parse(line: &str, subject: &str) -> Result<Sentence> {
    let wrong = |found: String| Error::new(subject, found).expected(FORM);
    let mut sentence = Sentence::default();
    let mut open: Option<Phrase> = None;
    for token in line.split_whitespace() {
        if token.starts_with('[') {
            if open.is_some() {
                return Err(wrong(format!("a phrase begins in another: {token}")));
            }
            let (chain, types) = parse_opening(token).map_err(wrong)?;
            let end = sentence.text.len();
            let from = end + usize::from(end > 0);
            open = Some(Phrase { chain, types, bytes: from..from });
            continue;
        }
        let ends = open.is_some() && token.ends_with(']');
        let word = if ends { &token[..token.len() - 1] } else { token };
        if !word.is_empty() {
            sentence.push(word);
        }
        if let Some(mut phrase) = open.take_if(|_| ends) {
            phrase.bytes.end = sentence.text.len();
            if phrase.bytes.is_empty() {
                return Err(wrong("a phrase without words".into()));
            }
            sentence.phrases.push(phrase);
        }
    }
    match open {
        None => Ok(sentence),
        Some(phrase) => Err(wrong(format!("the phrase of chain {} does not end", phrase.chain.0))),
    }
}

/// Chain and types from the beginning of a phrase, such as `[/EN#1/people/vehicles`; an error text if it is invalid.
fn parse_opening(token: &str) -> std::result::Result<(Chain, Types), String> {
    let wrong = || format!("{token:?} begins no phrase");
    let mut fields = token.split('/');
    let number = fields.nth(1).and_then(|field| field.strip_prefix("EN#"));
    let chain = number.and_then(Chain::parse).ok_or_else(wrong)?;
    let mut types = Types::default();
    for name in fields {
        let kind = PhraseType::parse(name).ok_or_else(|| format!("no type is named {name:?}"))?;
        types = types.with_type(kind);
    }
    if types == Types::default() {
        return Err(wrong());
    }
    Ok((chain, types))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Sentence {
        parse(line, "1.txt, line 1").unwrap()
    }

    #[test]
    fn phrases_are_words_of_the_caption() {
        let sentence = read(
            "[/EN#7/people Two red men] near [/EN#0/notvisual it] , by [/EN#12/people/vehicles a rider] .",
        );
        assert_eq!(sentence.text, "Two red men near it , by a rider .");
        let phrases = sentence.phrases.iter();
        let all: Vec<(u32, &str, String)> =
            phrases.map(|p| (p.chain.0, sentence.phrase_text(p), p.types.names())).collect();
        assert_eq!(
            all,
            [
                (7, "Two red men", "people".to_owned()),
                (0, "it", "notvisual".to_owned()),
                (12, "a rider", "people/vehicles".to_owned()),
            ]
        );
    }

    #[test]
    fn a_bracket_alone_ends_a_phrase_and_is_a_word_elsewhere() {
        let sentence = read("[/EN#3/other a kite ] up ] high");
        assert_eq!(sentence.phrase_text(&sentence.phrases[0]), "a kite");
        assert_eq!(sentence.text, "a kite up ] high");
        assert_eq!(read("no phrase at all").phrases, []);
        assert_eq!(read("").text, "");
    }

    #[test]
    fn a_malformed_line_says_what_is_wrong() {
        for (line, found) in [
            ("[/EN#1/people A man", "the phrase of chain 1 does not end"),
            ("[/EN#1/people A [/EN#2/other hat] man]", "a phrase begins in another: [/EN#2/other"),
            ("[/EN#x/people A man]", "\"[/EN#x/people\" begins no phrase"),
            ("[/EN#1 A man]", "\"[/EN#1\" begins no phrase"),
            ("[people A man]", "\"[people\" begins no phrase"),
            ("[/EN#1/folks A man]", "no type is named \"folks\""),
            ("[/EN#1/people ]", "a phrase without words"),
            ("[/EN#99999999999/people A man]", "begins no phrase"),
        ] {
            let error = parse(line, "1.txt, line 2").unwrap_err().to_string();
            assert!(error.starts_with("1.txt, line 2: "), "{error}");
            assert!(error.contains(found), "{line}: {error}");
        }
    }
}
