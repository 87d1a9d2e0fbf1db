//! The words, numbers and signs of an expression.

use std::fmt;
use std::ops::Range;

use super::mistake::Mistake;
use crate::metric::spelling;

/// The smallest part of an expression that means something.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A number; `50%` is 0.5.
    Number(f64),
    /// Text in double quotes.
    Text(String),
    /// A name in backticks.
    Name(String),
    /// A word: a letter or `_`, then letters, digits and `_`.
    Word(String),
    /// The name of a ready condition, and what that is.
    Condition(&'static str),
    /// An operator or a bracket.
    Sign(&'static str),
    /// The end of the expression.
    End,
}

/// A token, and the bytes it takes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Placed {
    pub token: Token,
    pub at: Range<usize>,
}

impl fmt::Display for Token {
    /// As messages name it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(number) => write!(f, "the number {number}"),
            Token::Text(text) => write!(f, "the text {text:?}"),
            Token::Name(name) => write!(f, "the name `{name}`"),
            Token::Condition(condition) => write!(f, "the condition {condition}"),
            Token::Word(word) => f.write_str(word),
            Token::Sign(sign) => write!(f, "\"{sign}\""),
            Token::End => f.write_str("nothing more is there"),
        }
    }
}

/// Longer signs first: `<=` is not `<`.
const SIGNS: [&str; 16] =
    ["==", "!=", "<=", ">=", "<", ">", "~", "(", ")", ",", ".", ":", "+", "-", "*", "/"];

/// Whole numbers up to here are exact.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The tokens of `text`, the last one [`Token::End`]. `condition` gives the length of the name of a ready condition that
/// a text begins with, and the condition.
pub(super) fn tokens(
    text: &str,
    condition: impl Fn(&str) -> Option<(usize, &'static str)>,
) -> Result<Vec<Placed>, Mistake> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let is_value = text[..at].ends_with(['.', ':']) || !c.is_alphanumeric();
        let named = if is_value { None } else { condition(&text[at..]) };
        let (token, len) = match named {
            Some((len, condition)) => (Token::Condition(condition), len),
            None => token(text, at, c)?,
        };
        let end = at + len;
        tokens.push(Placed { token, at: at..end });
        at = end;
    }
    let token = Token::End;
    tokens.push(Placed { token, at: at..at });
    Ok(tokens)
}

/// The token that begins at byte `at` with `first`, and its length.
fn token(text: &str, at: usize, first: char) -> Result<(Token, usize), Mistake> {
    let rest = &text[at..];
    if first.is_ascii_digit() {
        return number(rest, at);
    }
    if first == '"' || first == '`' {
        return quoted(rest, at, first);
    }
    if let Some(len) = spelling::length(rest)
        && let Some(key) = spelling::key(&rest[..len])
    {
        return Ok((Token::Word(key), len));
    }
    if is_word(first) {
        let len = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
        return Ok((Token::Word(rest[..len].to_owned()), len));
    }
    if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        return Ok((Token::Sign(sign), sign.len()));
    }
    let mistake = Mistake::new(at..at + first.len_utf8(), format!("\"{first}\""));
    Err(match first {
        '=' => mistake.expected("== to compare, or >= or <="),
        '&' | '|' | '!' => mistake.expected("and, or, not; != for what differs"),
        '%' => mistake.expected("% right behind a number, such as 50%"),
        '\'' => mistake.expected("text in double quotes"),
        _ => mistake.expected("a value, a number, text in double quotes or an operator"),
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Whether a name may stand in an expression as it is.
pub(super) fn is_plain(name: &str) -> bool {
    let first = name.chars().next();
    first.is_some_and(|first| !first.is_ascii_digit())
        && name.chars().all(is_word)
        && !["and", "or", "not"].contains(&name)
}

/// Digits, perhaps a point and digits, perhaps `%`.
fn number(rest: &str, at: usize) -> Result<(Token, usize), Mistake> {
    let digits = |from: &str| {
        let end = from.find(|c: char| !c.is_ascii_digit());
        end.unwrap_or(from.len())
    };
    let mut len = digits(rest);
    if let Some(decimals) = rest[len..].strip_prefix('.').map(digits)
        && decimals > 0
    {
        len += 1 + decimals;
    }
    let number: f64 = rest[..len].parse().unwrap_or(f64::INFINITY);
    if number >= EXACT {
        let found = format!("{} is too large to be exact", &rest[..len]);
        return Err(Mistake::new(at..at + len, found).mend("write a long id in double quotes"));
    }
    if rest[len..].starts_with('%') {
        return Ok((Token::Number(number / 100.0), len + 1));
    }
    Ok((Token::Number(number), len))
}

/// What stands between two quotes; a backslash takes the character behind it as it is.
fn quoted(rest: &str, at: usize, quote: char) -> Result<(Token, usize), Mistake> {
    let mut inside = String::new();
    let mut chars = rest.char_indices().skip(1);
    while let Some((place, c)) = chars.next() {
        match c {
            '\\' => inside.extend(chars.next().map(|(_, c)| c)),
            c if c == quote => {
                let token = if quote == '"' { Token::Text(inside) } else { Token::Name(inside) };
                return Ok((token, place + c.len_utf8()));
            }
            c => inside.push(c),
        }
    }
    Err(Mistake::new(at..at + 1, format!("{quote} without end"))
        .expected(format!("a second {quote}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> Vec<Token> {
        let placed = tokens(text, |_| None).unwrap();
        placed.into_iter().map(|placed| placed.token).collect()
    }

    #[test]
    fn words_numbers_and_signs() {
        let word = |text: &str| Token::Word(text.into());
        assert_eq!(
            plain("a.r1>=50% and 1.5<`b-c`"),
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
            plain("a.R@1-R-P")[2..],
            [word("r1"), Token::Sign("-"), word("rprecision"), Token::End]
        );
        assert_eq!(plain(r#""a \"b\" \\""#)[0], Token::Text(r#"a "b" \"#.into()));
    }

    #[test]
    fn what_is_no_token_is_named_with_its_place() {
        for (text, at, part) in [
            ("r1 = 1", 3..4, "=="),
            ("r1 => 1", 3..4, ">="),
            ("r1 =< 1", 3..4, "<="),
            ("r1 && r5", 3..4, "and"),
            ("text ~ \"dog", 7..8, "second"),
            ("r1 > 5 %", 7..8, "right behind"),
            ("é § 1", 3..5, "operator"),
            ("id == 9007199254740993", 6..22, "double quotes"),
        ] {
            let mistake = tokens(text, |_| None).unwrap_err().within(text);
            assert_eq!(mistake.at(), at, "{text}");
            assert!(mistake.to_string().contains(part), "{mistake}");
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
