//! Matrices as nested JSON lists, `[[0.1, 0.2], [0.3, 0.4]]`.

use super::json;
use super::npy::Npy;
use super::source::Source;
use crate::error::{Error, Result};

/// Whether a file starts as a list of lists of numbers does.
pub fn is_matrix(source: &Source) -> bool {
    let mut start = source.bytes().iter().filter(|b| !b.is_ascii_whitespace());
    let number = |b: &u8| b.is_ascii_digit() || *b == b'-';
    start.next() == Some(&b'[') && start.next() == Some(&b'[') && start.next().is_some_and(number)
}

/// Reads the lists as the rows of a matrix of `f8`.
///
/// # Errors
/// Broken JSON, anything but numbers, with line and column; rows of different lengths.
pub fn read(source: &Source) -> Result<Npy> {
    let rows: Vec<Vec<f64>> = json::parse(source)?;
    let columns = rows.first().map_or(0, Vec::len);
    if let Some((at, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != columns) {
        let len = row.len();
        let found = format!("row {at} has {len} numbers, the rows before have {columns}");
        return Err(Error::new(source.display(), found).expected("rows of one length"));
    }
    let path = source.path().to_string_lossy();
    Ok(Npy::in_memory(&path, [rows.len(), columns], rows.into_iter().flatten()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::in_memory("m.json", text.as_bytes().to_vec())
    }

    #[test]
    fn rows_become_a_matrix() {
        let text = " [ [1, -2.5, 3e2],\n[4, 5, 6]]\n";
        assert!(is_matrix(&source(text)));
        let npy = read(&source(text)).unwrap();
        assert_eq!(npy.shape, [2, 3]);
        assert_eq!(npy.data()[8..16], (-2.5f64).to_le_bytes());
    }

    #[test]
    fn other_lists_are_not_and_uneven_rows_are_told() {
        for text in ["[1, 2]", "[]", "{\"a\": [[1]]}", "[{\"image\": 1}]", "[[\"a\"]]"] {
            assert!(!is_matrix(&source(text)), "{text}");
        }
        for (text, what) in [
            ("[[1, 2], [3]]", "row 1 has 1 numbers"),
            ("[[1, null]]", "null"),
            ("[[1, 2]", "broken JSON at line 1"),
            ("[[1]] x", "trailing"),
        ] {
            let error = read(&source(text)).unwrap_err().to_string();
            assert!(error.contains(what), "{error}");
        }
    }
}
