//! A session as text: a line for each thing that a person made.

use std::io;

use serde::Serialize;
use serde_json::ser::Formatter;
use serde_json::{Result, Serializer};

use crate::data::json_text;
use crate::session::{FORMAT, Judgment, Session};

/// The text of a session.
///
/// # Errors
/// Never for what a session holds: its maps have texts for keys.
pub(in crate::session) fn text(session: &Session) -> Result<String> {
    let mut fields = vec![field("format", &line(&FORMAT)?)?];
    if let Some(study) = &session.study {
        fields.push(field("study", &line(study)?)?);
    }
    let is_told = |one: &&Judgment| one.verdict.is_some();
    let cant_tell = list(session.judgments.iter().filter(|one| !is_told(one)))?;
    fields.push(field("verdicts", &list(session.judgments.iter().filter(is_told))?)?);
    if cant_tell != EMPTY {
        fields.push(field("cant_tell", &cant_tell)?);
    }
    fields.push(field("picks", &list(session.picks.iter())?)?);
    fields.push(field("notes", &list(session.notes.iter())?)?);
    let view = session.view.iter();
    let view = view.map(|(key, value)| field(key, &line(value)?));
    fields.push(field("view", &lines('{', view, '}')?)?);
    for (key, value) in &session.other {
        fields.push(field(key, &line(value)?)?);
    }
    Ok(format!("{{\n  {}\n}}\n", fields.join(",\n  ")))
}

fn field(key: &str, value: &str) -> Result<String> {
    Ok(line(&key)? + ": " + value)
}

/// A list without items.
const EMPTY: &str = "[]";

fn list<'a, T: Serialize + 'a>(items: impl Iterator<Item = &'a T>) -> Result<String> {
    lines('[', items.map(line), ']')
}

/// Items on lines of their own, commas first.
fn lines(open: char, items: impl Iterator<Item = Result<String>>, close: char) -> Result<String> {
    let items = items.collect::<Result<Vec<String>>>()?;
    if items.is_empty() {
        return Ok(format!("{open}{close}"));
    }
    let items = items.join("\n   ,");
    Ok(format!("{open}\n    {items}\n  {close}"))
}

/// A value on one line, with blanks where people put them.
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
