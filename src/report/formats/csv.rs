//! CSV in full precision, for data frames.

use std::borrow::Cow;
use std::io::{self, BufWriter, Write};

use super::Format;
use crate::report::Table;

pub(super) const FORMAT: Format =
    Format { key: "csv", write: |report, out| write(report.data, out) };

/// Writes rows as CSV, in which no cell is a formula.
fn write(data: Table<'_>, out: &mut dyn Write) -> io::Result<()> {
    let mut file = csv::Writer::from_writer(BufWriter::new(out));
    file.write_record(data.head.iter().map(|cell| escape_formula(cell).into_owned()))?;
    for row in data.rows {
        file.write_record(row.iter().map(|cell| escape_formula(&cell.full_text()).into_owned()))?;
    }
    file.flush()
}

/// Puts an apostrophe before text that a spreadsheet would read as a formula. Numbers, negative ones too, stay numbers.
/// This program never reads such a cell again.
fn escape_formula(cell: &str) -> Cow<'_, str> {
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
        write(Table::new("", row, 0, [row.map(Cell::from).to_vec()]), &mut out).unwrap();
        let expected = "'=1+1,'+a,\"'-b, c\",'@d,'\te,\"'\rf\",'g,a=b,-1.5e-3,+2,-inf,\n";
        assert_eq!(String::from_utf8(out).unwrap(), expected.repeat(2));
    }
}
