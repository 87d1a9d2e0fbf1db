//! Text of session files: one line per entry, judgments and notes sorted by annotator and ids. A new entry adds a line,
//! so that versions of two people can be merged line by line.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::{Result, Serializer};

use crate::data::json_text;
use crate::session::merge::{Entry, sorted_by_key};
use crate::session::{FORMAT, Session};

/// The text of a session.
///
/// # Errors
/// Never for a session: its maps have string keys.
pub(in crate::session) fn text(session: &Session) -> Result<String> {
    let mut fields = vec![field("format", &json_line(&FORMAT)?)?];
    if let Some(study) = &session.study {
        fields.push(field("study", &json_line(study)?)?);
    }
    let (judgments, cant_tell): (Vec<_>, Vec<_>) =
        session.judgments.iter().partition(|one| one.judgment.is_some());
    fields.push(field("verdicts", &sorted_lines(judgments)?)?);
    fields.push(field("cant_tell", &sorted_lines(cant_tell)?)?);
    let picks = session.picks.iter().map(json_line).collect::<Result<_>>()?;
    fields.push(field("picks", &bracketed_lines('[', &[picks], ']'))?);
    fields.push(field("notes", &sorted_lines(&session.notes)?)?);
    fields.push(field("tags", &sorted_lines(&session.tags)?)?);
    let view = session.view.iter();
    let view = view.map(|(key, value)| field(key, &json_line(value)?)).collect::<Result<_>>()?;
    fields.push(field("view", &bracketed_lines('{', &[view], '}'))?);
    for (key, value) in &session.other {
        fields.push(field(key, &json_line(value)?)?);
    }
    Ok(format!("{{\n  {}\n}}\n", fields.join(",\n  ")))
}

/// A field of the file, from its key and its value as JSON.
fn field(key: &str, value: &str) -> Result<String> {
    Ok(json_line(&key)? + ": " + value)
}

/// Entries as a JSON array, sorted by [`Entry::key`], with a blank line between annotators: so their lines are not
/// adjacent in merges.
fn sorted_lines<'a, T: Entry + Serialize + 'a>(
    entries: impl IntoIterator<Item = &'a T>,
) -> Result<String> {
    let entries = sorted_by_key(entries.into_iter());
    let by_annotator = entries.chunk_by(|one, other| one.key().0 == other.key().0);
    let parts = by_annotator.map(|entries| entries.iter().map(|one| json_line(*one)).collect());
    Ok(bracketed_lines('[', &parts.collect::<Result<Vec<_>>>()?, ']'))
}

/// Items between brackets, each on a line with its comma first, and a blank line between parts. Without items, the
/// brackets are on two lines, which the first item leaves unchanged.
fn bracketed_lines(open: char, parts: &[Vec<String>], close: char) -> String {
    let parts: Vec<String> = parts.iter().map(|items| items.join("\n   ,")).collect();
    let items = parts.join("\n\n   ,");
    let first = if items.is_empty() { "" } else { "\n    " };
    format!("{open}{first}{items}\n  {close}")
}

/// A value as JSON on one line, with spaces after commas and colons.
fn json_line(value: &impl Serialize) -> Result<String> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, SpacedFormatter))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

/// Writes JSON on one line, with spaces after commas and colons.
struct SpacedFormatter;

impl Formatter for SpacedFormatter {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        json_text::write_fragment(writer, fragment)
    }

    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        writer.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }
}
