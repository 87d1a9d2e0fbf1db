//! CSV in full precision, for data frames.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use super::Format;
use crate::report::Table;

pub(super) const FORMAT: Format =
    Format { key: "csv", write: |report, out| lines(report.data, out) };

/// Rows as text, quoted if needed, no cell a formula.
fn lines(data: Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut lines = csv::Writer::from_writer(BufWriter::new(out));
    lines.write_record(data.head.iter().map(|cell| harmless(cell).into_owned()))?;
    for row in data.rows {
        lines.write_record(row.iter().map(|cell| harmless(&cell.full()).into_owned()))?;
    }
    lines.flush()
}

/// A cell that no spreadsheet reads as a formula: text that begins like one gets an apostrophe. This program never
/// reads it again; numbers, negative ones too, stay numbers.
fn harmless(cell: &str) -> Cow<'_, str> {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && cell.parse::<f64>().is_err() {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::cell::Cell;

    #[test]
    fn no_text_is_a_formula_and_numbers_stay_numbers() {
        let row =
            ["=1+1", "+a", "-b, c", "@d", "\te", "\rf", "'g", "a=b", "-1.5e-3", "+2", "-inf", ""];
        let mut out = Vec::new();
        lines(Table::new("", row, 0, [row.map(Cell::from).to_vec()]), &mut out).unwrap();
        let expected = "'=1+1,'+a,\"'-b, c\",'@d,'\te,\"'\rf\",'g,a=b,-1.5e-3,+2,-inf,\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected.repeat(2));
    }
}
