//! Session text: one line per entry, judgments and notes sorted by annotator and ids. A new entry adds a line, so that
//! versions of two people can be merged line by line.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::{Result, Serializer};

use crate::data::json_text;
use crate::session::merge::{Entry, sorted};
use crate::session::{FORMAT, Session};

/// The text of a session.
///
/// # Errors
/// Never for a session: its maps have string keys.
pub(in crate::session) fn text(session: &Session) -> Result<String> {
    let mut fields = vec![field("format", &line(&FORMAT)?)?];
    if let Some(study) = &session.study {
        fields.push(field("study", &line(study)?)?);
    }
    let (judgments, cant_tell): (Vec<_>, Vec<_>) =
        session.judgments.iter().partition(|one| one.judgment.is_some());
    fields.push(field("verdicts", &entries(judgments)?)?);
    fields.push(field("cant_tell", &entries(cant_tell)?)?);
    let picks = session.picks.iter().map(line).collect::<Result<_>>()?;
    fields.push(field("picks", &lines('[', &[picks], ']'))?);
    fields.push(field("notes", &entries(&session.notes)?)?);
    fields.push(field("tags", &entries(&session.tags)?)?);
    let view = session.view.iter();
    let view = view.map(|(key, value)| field(key, &line(value)?)).collect::<Result<_>>()?;
    fields.push(field("view", &lines('{', &[view], '}'))?);
    for (key, value) in &session.other {
        fields.push(field(key, &line(value)?)?);
    }
    Ok(format!("{{\n  {}\n}}\n", fields.join(",\n  ")))
}

fn field(key: &str, value: &str) -> Result<String> {
    Ok(line(&key)? + ": " + value)
}

/// Sorted entries, with a blank line between annotators: their lines are not adjacent in merges.
fn entries<'a, T: Entry + Serialize + 'a>(
    entries: impl IntoIterator<Item = &'a T>,
) -> Result<String> {
    let entries = sorted(entries.into_iter());
    let of_each = entries.chunk_by(|one, other| one.key().0 == other.key().0);
    let of_each = of_each.map(|these| these.iter().map(|one| line(*one)).collect());
    Ok(lines('[', &of_each.collect::<Result<Vec<_>>>()?, ']'))
}

/// Items on their own lines, commas first; if empty, the brackets are on two lines, which the first item leaves
/// unchanged.
fn lines(open: char, parts: &[Vec<String>], close: char) -> String {
    let parts: Vec<String> = parts.iter().map(|items| items.join("\n   ,")).collect();
    let items = parts.join("\n\n   ,");
    let first = if items.is_empty() { "" } else { "\n    " };
    format!("{open}{first}{items}\n  {close}")
}

/// A value on one line, with spaces.
fn line(value: &impl Serialize) -> Result<String> {
    let mut out = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut out, Spaced))?;
    Ok(String::from_utf8_lossy(&out).into_owned())
}

struct Spaced;

impl Formatter for Spaced {
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        json_text::write_part(writer, fragment)
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
