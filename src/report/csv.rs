//! CSV of reports that have no data yet.

use std::borrow::Cow;

/// Rows as text, quoted where it must be, no cell a formula.
pub(super) fn lines(rows: impl IntoIterator<Item = impl AsRef<[String]>>) -> String {
    let mut lines = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let cells = row.as_ref().iter().map(|cell| harmless(cell));
        let record = lines.write_record(cells.map(Cow::into_owned));
        record.expect("memory takes every record");
    }
    let bytes = lines.into_inner().expect("memory takes every record");
    String::from_utf8(bytes).expect("all fields are text")
}

/// A cell that no spreadsheet takes for a formula: text that begins like one gets an apostrophe
/// before it. Nothing here is read again by this program; numbers, negative ones too, stay numbers.
pub(super) fn harmless(cell: &str) -> Cow<'_, str> {
    let is_formula = cell.starts_with(['=', '+', '-', '@', '\t', '\r']);
    if is_formula && cell.parse::<f64>().is_err() {
        Cow::Owned(format!("'{cell}"))
    } else {
        Cow::Borrowed(cell)
    }
}

/// The shortest digits that read back as the same number; nothing for an undefined value.
pub(super) fn full(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}
