//! Why a matrix of integers is no matrix of scores, and how its content is read.

use super::Direction;
use super::npy::{Element, Npy};
use super::text::{numpy_command, shell_word};
use crate::error::Error;

/// Rows that tell whether a matrix is of indices.
const SAMPLED_ROWS: usize = 1_000;

/// The largest index of a gallery.
const LARGEST: i64 = u32::MAX as i64;

/// The error for a two-dimensional array of integers or text, named where scores are expected. Indices, as `argsort`
/// gives them, are lists of neighbours; other integers are scores once they are floats.
pub(super) fn no_scores(npy: &Npy) -> Error {
    let file = npy.source().display();
    let error = |found: &str| Error::new(&file, found);
    let (&[rows, columns], Element::Int { .. }) = (npy.shape.as_slice(), npy.element) else {
        return error("a matrix of text").expected("scores as floats (f2, bf16, f4 or f8)");
    };
    let cell = |row: usize, column: usize| {
        let at = if npy.fortran { column * rows + row } else { row * columns + column };
        let size = npy.element.size();
        npy.integer(&npy.data()[at * size..(at + 1) * size])
    };
    let of_rows = largest_index([rows, columns], cell);
    let of_columns = largest_index([columns, rows], |row, column| cell(column, row));
    let scores = numpy_command(floats(npy), &file, "floats");
    let indices = |side: &str| {
        error(&format!("a matrix of indices: no number stands twice in a {side}"))
            .expected("scores as floats (f2, bf16, f4 or f8)")
    };
    if let Some(largest) = of_rows.filter(|_| !npy.fortran) {
        let lists = format!("lists of items, the best first: {}", knn(rows, largest, &file));
        // Rows that hold every index are an argsort; others may be scores that differ.
        return indices("row").mend(if largest < columns {
            lists
        } else {
            format!("{lists}; scores: {scores}")
        });
    }
    let lists = of_rows.map(|largest| ("row", "a", rows, largest)).or_else(|| {
        let largest = of_columns.filter(|&largest| largest < rows)?;
        Some(("column", "a.T", columns, largest))
    });
    if let Some((side, array, queries, largest)) = lists {
        let lists = numpy_command(&format!("n.ascontiguousarray({array})"), &file, "lists");
        let option = knn(queries, largest, "LISTS");
        return indices(side).mend(format!("{lists}, then {option}, LISTS that new file"));
    }
    error("a matrix of integers").expected("scores as floats (f2, bf16, f4 or f8)").mend(scores)
}

/// Python that makes floats in the order of an array `a`.
fn floats(npy: &Npy) -> &'static str {
    let cells = npy.data().chunks_exact(npy.element.size().max(1));
    let is_unsigned = matches!(npy.element, Element::Int { signed: false, .. });
    let magnitude = |raw| match npy.integer(raw) {
        value if value < 0 && is_unsigned => u64::MAX,
        value => value.unsigned_abs(),
    };
    match cells.map(magnitude).max().unwrap_or(0) {
        0..=0xff_ffff => "a.astype('float32')",
        0x100_0000..=0x1f_ffff_ffff_ffff => "a.astype('float64')",
        // Places among the sorted scores keep an order that floats lose.
        _ => "n.unique(a, return_inverse=True)[1].reshape(a.shape).astype('float64')",
    }
}

/// The option for a file of neighbours of so many queries.
fn knn(queries: usize, largest: usize, file: &str) -> String {
    let directions = match (largest + 1).cmp(&queries) {
        std::cmp::Ordering::Greater => vec![Direction::I2t],
        std::cmp::Ordering::Less => vec![Direction::T2i],
        std::cmp::Ordering::Equal => Direction::BOTH.to_vec(),
    };
    let option = |direction| format!("--knn {}", shell_word(&format!("{direction}:{file}")));
    directions.into_iter().map(option).collect::<Vec<_>>().join(" or ")
}

/// The largest number, if the first rows hold indices: none below 0, and each once in a row.
fn largest_index([rows, columns]: [usize; 2], cell: impl Fn(usize, usize) -> i64) -> Option<usize> {
    let mut largest = None;
    for row in 0..rows.min(SAMPLED_ROWS) {
        let mut cells: Vec<i64> = (0..columns).map(|column| cell(row, column)).collect();
        cells.sort_unstable();
        let is_list = columns > 1 && cells[0] >= 0 && cells.is_sorted_by(|a, b| a < b);
        if !is_list || cells[columns - 1] > LARGEST {
            return None;
        }
        largest = largest.max(usize::try_from(cells[columns - 1]).ok());
    }
    largest
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::source::Source;

    fn refusal([rows, columns]: [usize; 2], cells: &[i64]) -> String {
        let header =
            format!("{{'descr': '<i8', 'fortran_order': False, 'shape': ({rows}, {columns})}}\n");
        let mut file = b"\x93NUMPY\x01\x00".to_vec();
        file.extend((header.len() as u16).to_le_bytes());
        file.extend(header.bytes());
        file.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        let npy = Npy::open(Arc::new(Source::in_memory("a.npy", file))).unwrap();
        no_scores(&npy).to_string()
    }

    #[test]
    fn indices_are_told_from_scores() {
        assert!(refusal([2, 3], &[2, 0, 1, 0, 2, 1]).contains("--knn i2t:a.npy"));
        assert!(refusal([3, 2], &[1, 0, 0, 1, 1, 0]).contains("--knn t2i:a.npy"));
        assert!(refusal([2, 2], &[1, 0, 0, 1]).contains("--knn i2t:a.npy or --knn t2i:a.npy"));
        assert!(refusal([2, 3], &[0, 1, 0, 1, 0, 1]).contains("a.T)"));
        assert!(refusal([2, 2], &[7, 7, 0, 1]).contains("a.astype('float32')"));
        let either = refusal([2, 2], &[5, 900, 8, 3]);
        assert!(either.contains("--knn i2t:a.npy; scores: python3"), "{either}");
        assert!(refusal([1, 2], &[1 << 40, 1 << 40]).contains("float64"));
        assert!(refusal([1, 2], &[1 << 60, 1 << 60]).contains("n.unique"));
    }
}
