//! Splits an expression into tokens: words, numbers, texts and signs.

use std::ops::Range;

use super::mistake::Mistake;
use crate::metric::spelling;

/// Token of an expression.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A number; `50%` is 0.5.
    Number(f64),
    /// Text in double quotes.
    Text(String),
    /// A name in backticks.
    Name(String),
    /// A word: a letter or `_`, then letters, digits and `_`; a metric in any spelling is its key.
    Word(String),
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of the expression.
    End,
}

/// Operators and brackets; longer ones precede their prefixes, as `<=` precedes `<`.
const SIGNS: [&str; 16] =
    ["==", "!=", "<=", ">=", "<", ">", "~", "(", ")", ",", ".", ":", "+", "-", "*", "/"];

/// Signs of other languages, each with what an expression has instead; longer ones precede their prefixes.
const FOREIGN_SIGNS: [(&str, &str); 6] =
    [("=>", ">="), ("=<", "<="), ("=", "=="), ("&", "and"), ("|", "or"), ("!", "not")];

/// Numbers must be smaller: not every integer from 2^53 on is exact in an `f64`.
const NUMBER_LIMIT: f64 = 9_007_199_254_740_992.0;

/// The first token from byte `from` on, and its byte range.
pub(super) fn next_token(text: &str, from: usize) -> Result<(Token, Range<usize>), Mistake> {
    let rest = text[from..].trim_start();
    let at = text.len() - rest.len();
    let metric = || {
        let name = &rest[..spelling::name_length(rest)?];
        Some((spelling::key(name)?, name.len()))
    };
    let (token, len) = match rest.chars().next() {
        None => (Token::End, 0),
        Some(first) if first.is_ascii_digit() => lex_number(rest, at)?,
        Some(quote @ ('"' | '`')) => lex_quoted(rest, at, quote)?,
        Some(first) => {
            if let Some((key, len)) = metric() {
                (Token::Word(key), len)
            } else if is_word_char(first) {
                let len = rest.find(|c| !is_word_char(c)).unwrap_or(rest.len());
                (Token::Word(rest[..len].to_owned()), len)
            } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
                (Token::Sign(sign), sign.len())
            } else {
                let expected = match first {
                    '%' => "% right behind a number, such as 50%",
                    '\'' => "text in double quotes",
                    _ => "a value, a number, text in double quotes or an operator",
                };
                let foreign = FOREIGN_SIGNS.iter().find(|(sign, _)| rest.starts_with(*sign));
                let found = foreign.map_or(&rest[..first.len_utf8()], |&(sign, _)| sign);
                let mistake = Mistake::new(at..at + found.len(), format!("\"{found}\""), expected);
                return Err(match foreign {
                    Some((_, sign)) => mistake.fix(format!("write {sign}")),
                    None => mistake,
                });
            }
        }
    };
    Ok((token, at..at + len))
}

fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a name is a plain word, which needs no quotes in an expression.
pub(super) fn is_plain(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|first| !first.is_ascii_digit())
        && name.chars().all(is_word_char)
        && !["and", "or", "not"].contains(&name)
}

/// Reads the number at the start of `rest`, which is at byte `at`: digits, optionally a point with digits and `%`.
/// Returns its token and length in bytes.
fn lex_number(rest: &str, at: usize) -> Result<(Token, usize), Mistake> {
    let digit_count =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let mut len = digit_count(rest);
    if let Some(decimals @ 1..) = rest[len..].strip_prefix('.').map(digit_count) {
        len += 1 + decimals;
    }
    let number: f64 = rest[..len].parse().unwrap_or(f64::INFINITY);
    if number >= NUMBER_LIMIT {
        let found = format!("{} is too large to be exact", &rest[..len]);
        return Err(Mistake::new(at..at + len, found, "a long id in double quotes"));
    }
    if rest[len..].starts_with('%') {
        return Ok((Token::Number(number / 100.0), len + 1));
    }
    Ok((Token::Number(number), len))
}

/// Reads the text in quotes at the start of `rest`, which is at byte `at`; a backslash escapes the next character.
/// Returns its token and length in bytes.
fn lex_quoted(rest: &str, at: usize, quote: char) -> Result<(Token, usize), Mistake> {
    let mut content = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((index, c)) = chars.next() {
        match c {
            '\\' => content.extend(chars.next().map(|(_, c)| c)),
            c if c == quote => {
                let token = if quote == '"' { Token::Text(content) } else { Token::Name(content) };
                return Ok((token, index + 1));
            }
            c => content.push(c),
        }
    }
    Err(Mistake::new(at..at + 1, format!("{quote} without end"), format!("a second {quote}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Result<Vec<Token>, Mistake> {
        let (mut all, mut from) = (Vec::new(), 0);
        while all.last() != Some(&Token::End) {
            let (token, at) = next_token(text, from)?;
            all.push(token);
            from = at.end;
        }
        Ok(all)
    }

    #[test]
    fn words_numbers_and_signs() {
        let word = |text: &str| Token::Word(text.into());
        assert_eq!(
            tokens("a.r1>=50% and 1.5<`b-c` ").unwrap(),
            [
                word("a"),
                Token::Sign("."),
                word("r1"),
                Token::Sign(">="),
                Token::Number(0.5),
                word("and"),
                Token::Number(1.5),
                Token::Sign("<"),
                Token::Name("b-c".into()),
                Token::End
            ]
        );
        assert_eq!(
            tokens("a.R@1-R-P").unwrap()[2..],
            [word("r1"), Token::Sign("-"), word("rprecision"), Token::End]
        );
        assert_eq!(tokens(r#""a \"b\" \\""#).unwrap()[0], Token::Text(r#"a "b" \"#.into()));
    }

    #[test]
    fn what_is_no_token_is_named_with_its_place() {
        for (text, at, part) in [
            ("r1 = 1", 3..4, "=="),
            ("r1 => 1", 3..5, ">="),
            ("r1 =< 1", 3..5, "<="),
            ("r1 && r5", 3..4, "and"),
            ("text ~ \"dog", 7..8, "second"),
            ("r1 > 5 %", 7..8, "right behind"),
            ("é § 1", 3..5, "operator"),
            ("id == 9007199254740993", 6..22, "double quotes"),
        ] {
            let mistake = tokens(text).unwrap_err();
            assert_eq!(mistake.byte_range(), at, "{text}");
            let mistake = mistake.moved_to(text, at).to_string();
            assert!(mistake.contains(part), "{mistake}");
        }
    }

    #[test]
    fn plain_names_are_words() {
        for (name, plain) in
            [("ours", true), ("a-b", false), ("7b", false), ("not", false), ("", false)]
        {
            assert_eq!(is_plain(name), plain, "{name}");
        }
    }
}
