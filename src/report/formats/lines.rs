//! JSON Lines: each row of the data as an object on a line of its own, for `jq` and data frames.

use std::io::{self, BufWriter, Write};

use super::Format;
use crate::data::json_text;
use crate::report::Table;

pub(super) const FORMAT: Format =
    Format { key: "jsonl", is_text: true, write: |report, out| rows(report.data, out) };

fn rows(data: Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut out = BufWriter::new(out);
    for record in data.records() {
        json_text::write(&mut out, &record)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}
