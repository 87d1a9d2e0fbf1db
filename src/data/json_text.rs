//! JSON as text that is safe for a terminal: control, bidirectional and invisible characters are `\uXXXX`, which every
//! reader turns back into the same value.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

use super::text::is_hidden;

/// Returns a value as indented JSON, with a newline at the end.
///
/// # Errors
/// A value that has no form in JSON, such as a map with lists as keys.
pub fn pretty(value: &impl Serialize) -> io::Result<String> {
    Ok(escape_hidden(&(serde_json::to_string_pretty(value)? + "\n")).into_owned())
}

/// Writes a value as JSON on one line, without a newline.
///
/// # Errors
/// Errors of `out`.
pub fn write(out: impl io::Write, value: &impl Serialize) -> io::Result<()> {
    let written = value.serialize(&mut Serializer::with_formatter(out, OneLineFormatter));
    written.map_err(io::Error::from)
}

/// Writes a part of a JSON string with hidden characters escaped. JSON's own escapes must be done already, as in
/// [`Formatter::write_string_fragment`].
///
/// # Errors
/// Errors of `out`.
pub fn write_fragment(out: &mut (impl io::Write + ?Sized), fragment: &str) -> io::Result<()> {
    out.write_all(escape_hidden(fragment).as_bytes())
}

struct OneLineFormatter;

impl Formatter for OneLineFormatter {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_fragment(writer, fragment)
    }
}

/// `json` with the hidden characters in strings as `\uXXXX`, which keeps its value.
fn escape_hidden(json: &str) -> Cow<'_, str> {
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
