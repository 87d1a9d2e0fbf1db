//! JSON: full precision, shares in 0 to 1, for programs; and JSON Lines: each row of the data as an object on one line,
//! for `jq` and data frames.

use std::io::{self, BufWriter, Write};

use super::Format;
use crate::data::json_text;
use crate::report::{Json, Table};

pub(super) const FORMAT: Format = Format {
    key: "json",
    write: |report, out| match report.json {
        Json::Tree(tree) => out.write_all(json_text::pretty(&tree())?.as_bytes()),
        Json::Rows => write_array(report.data, out),
    },
};

pub(super) const LINES: Format =
    Format { key: "jsonl", write: |report, out| write_lines(report.data, out) };

/// Writes an array with an object per line.
fn write_array(data: Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    let mut separator = "[\n";
    for record in data.records() {
        out.write_all(separator.as_bytes())?;
        separator = ",\n";
        json_text::write(&mut out, &record)?;
    }
    out.write_all(if separator == ",\n" { b"\n]\n" } else { b"[]\n" })?;
    out.flush()
}

fn write_lines(data: Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for record in data.records() {
        json_text::write(&mut out, &record)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
