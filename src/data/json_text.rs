//! JSON as text that is safe for a terminal: control, bidirectional and invisible characters are `\uXXXX`, which every
//! reader turns back into the same value.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::text::is_hidden;

/// A value as indented JSON, with a newline.
///
/// # Errors
/// A value that has no form in JSON, such as a map with lists as keys.
pub fn pretty(value: &impl Serialize) -> io::Result<String> {
    Ok(escaped(&(serde_json::to_string_pretty(value)? + "\n")).into_owned())
}

/// Writes a value on one line, without a newline.
///
/// # Errors
/// Errors of `out`.
pub fn write(out: impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let written = value.serialize(&mut Serializer::with_formatter(out, OneLine));
    written.map_err(io::Error::from)
}

/// Writes a part of a string without characters that JSON itself escapes, as a [`Formatter`] has to.
///
/// # Errors
/// Errors of `out`.
pub fn write_part(out: &mut (impl io::Write + ?Sized), part: &str) -> io::Result<()> {
    out.write_all(escaped(part).as_bytes())
}

struct OneLine;

impl Formatter for OneLine {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_part(writer, fragment)
    }
}

/// Outside its strings JSON is ASCII without control characters but line ends: anything else is in a string.
fn escaped(json: &str) -> Cow<'_, str> {
    let is_plain = |c: char| c == '\n' || !is_hidden(c);
    if json.chars().all(is_plain) {
        return Cow::Borrowed(json);
    }
    let mut out = String::with_capacity(json.len() + 16);
    for c in json.chars() {
        if is_plain(c) {
            out.push(c);
            continue;
        }
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(out, "\\u{unit:04x}");
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn hidden_characters_are_escaped_and_the_value_stays() {
        let value = serde_json::json!({
            "a\u{9b}31m": ["\u{202e}b", "\u{200b}\u{7f}\u{2028}\n\u{1b}", "caf\u{e9} \u{1f469}", "\u{e0041}"],
        });
        let mut line = Vec::new();
        write(&mut line, &value).unwrap();
        for text in [pretty(&value).unwrap(), String::from_utf8(line).unwrap()] {
            assert!(text.chars().all(|c| c == '\n' || !is_hidden(c)), "{text:?}");
            assert!(text.contains("\\u009b") && text.contains("café 👩"), "{text}");
            assert!(text.contains("\\udb40\\udc41"), "{text}");
            assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
        }
    }
}
