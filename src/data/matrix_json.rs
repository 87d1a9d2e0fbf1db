//! Matrices as nested JSON lists, `[[0.1, 0.2], [0.3, 0.4]]`.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error as _, SeqAccess, Visitor};

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
/// Broken JSON, anything but numbers, or rows of different lengths, with line and column.
pub fn read(source: &Source) -> Result<Npy> {
    let broken = |e: serde_json::Error| Error::json(source.display(), &e);
    let mut matrix = Matrix::default();
    let mut json = serde_json::Deserializer::from_slice(source.bytes());
    (&mut json).deserialize_seq(&mut matrix).map_err(broken)?;
    json.end().map_err(broken)?;
    let columns = matrix.cells.len() / matrix.rows.max(1);
    let path = source.path().to_string_lossy();
    Ok(Npy::in_memory(&path, [matrix.rows, columns], matrix.cells.into_iter()))
}

#[derive(Default)]
struct Matrix {
    rows: usize,
    cells: Vec<f64>,
}

impl<'de> Visitor<'de> for &mut Matrix {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of rows")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> std::result::Result<(), A::Error> {
        let mut columns = None;
        loop {
            let before = self.cells.len();
            if rows.next_element_seed(MatrixRow(&mut self.cells))?.is_none() {
                return Ok(());
            }
            let len = self.cells.len() - before;
            let first = *columns.get_or_insert(len);
            if len != first {
                let row = self.rows;
                return Err(A::Error::custom(format!(
                    "row {row} has {len} numbers, the rows before have {first}"
                )));
            }
            self.rows += 1;
        }
    }
}

/// Reads a row straight into the cells.
struct MatrixRow<'a>(&'a mut Vec<f64>);

impl<'de> DeserializeSeed<'de> for MatrixRow<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> std::result::Result<(), D::Error> {
        json.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for MatrixRow<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a list of numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut cells: A) -> std::result::Result<(), A::Error> {
        while let Some(cell) = cells.next_element()? {
            self.0.push(cell);
        }
        Ok(())
    }
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
