//! Nearest neighbours as FAISS and other search libraries write them: an array of item indices and,
//! where there is one, an array of distances or products, a row for each query.

use std::ops::Range;
use std::sync::Arc;

use super::{ItemsWriter, ListScores, Lists, ReadScores, ScoreMatrix};
use crate::data::npy::{Element, Npy};
use crate::data::parallel;
use crate::data::text::{grouped, shell_word};
use crate::error::{Error, Result};

/// Rows of a parallel task.
const TASK_ROWS: usize = 10_000;
/// Rows sampled to distinguish distances from products.
const SAMPLED_ROWS: usize = 1_000;

/// Nearest neighbours of every query: item indices, best first, then -1 where the search found no more.
#[derive(Debug, Clone)]
pub struct Knn {
    indices: Npy,
    values: Option<Values>,
    /// The largest index; -1 if there is none.
    largest: i64,
}

/// Distances or products of the neighbours.
#[derive(Debug, Clone)]
struct Values {
    matrix: ScoreMatrix,
    /// -1 for distances.
    sign: f64,
}

impl Knn {
    /// From the arrays of one search, queries x neighbours each.
    ///
    /// # Errors
    /// Other shapes or element types, an index below -1, NaN among `values`, unsorted rows of them.
    pub fn new(indices: Npy, values: Option<Npy>) -> Result<Self> {
        let name = || indices.source().display();
        if !matches!(indices.element, Element::Int { .. })
            || indices.shape.len() != 2
            || indices.fortran
        {
            return Err(Error::new(name(), "no array of neighbours")
                .expected("integers, a row for each query, in C order, as FAISS returns them"));
        }
        let values = values.map(|npy| check_values(npy, &indices)).transpose()?;
        let mut knn = Knn { indices, values, largest: -1 };
        let (lowest, highest) = knn.index_range();
        if lowest < -1 {
            return Err(Error::new(knn.indices.source().display(), format!("the index {lowest}"))
                .expected("0 and more, or -1 where there is no further neighbour"));
        }
        knn.largest = highest;
        Ok(knn)
    }

    /// The array of neighbours' indices, queries x k, best first.
    pub fn indices(&self) -> &Npy {
        &self.indices
    }

    /// Number of queries: rows of the array.
    pub fn query_count(&self) -> usize {
        self.indices.shape[0]
    }

    /// The lowest possible number of items: one more than the largest index.
    pub fn item_bound(&self) -> usize {
        usize::try_from(self.largest).map_or(0, |largest| largest.saturating_add(1))
    }

    /// The arrays as ranked lists over `item_count` items. Values stay in their file.
    ///
    /// # Errors
    /// An index beyond the items, one that is repeated in a row, or one behind -1.
    pub fn lists(self, item_count: usize) -> Result<Lists> {
        let error = |found: String, expected: String| {
            Error::new(self.indices.source().display(), found).expected(expected)
        };
        if self.item_bound() > item_count {
            let expected = format!("indices below {}, the number of items", grouped(item_count));
            return Err(error(format!("the index {}", self.largest), expected));
        }
        let width = self.indices.shape[1];
        if width == 0 {
            return Ok(Lists::empty(self.query_count(), item_count));
        }
        let writer = ItemsWriter::new(self.query_count() * width, item_count);
        let read_rows = |rows: Range<usize>| {
            let (mut seen, mut spans) = (vec![u32::MAX; item_count], Vec::new());
            let (mut items, start) = (vec![0; rows.len() * width], rows.start * width);
            for (row, row_items) in rows.zip(items.chunks_exact_mut(width)) {
                let (mut len, mut misplaced) = (0, None);
                self.for_each_index(row, |at, index| {
                    let Ok(item) = u32::try_from(index) else { return };
                    let last_row = std::mem::replace(&mut seen[item as usize], row as u32);
                    if last_row == row as u32 || len < at {
                        misplaced = misplaced.or(Some(item));
                    }
                    row_items[len] = item;
                    len += 1;
                });
                if let Some(item) = misplaced {
                    let row = grouped(row);
                    let found =
                        format!("item {item} twice, or behind -1, in row {row} (counted from 0)");
                    return Err(error(found, "every item once, and -1 behind the last one".into()));
                }
                spans.push(row * width..row * width + len);
            }
            writer.write(start, &items)?;
            Ok(spans)
        };
        let spans = parallel::try_map_ranges(self.query_count(), TASK_ROWS, read_rows)?.concat();
        let scores =
            self.values.map_or(ListScores::None, |values| ListScores::InFile(Arc::new(values)));
        Ok(Lists::from_spans(item_count, spans, writer.finish()?, scores))
    }

    /// The lowest and the highest index; -1 for both if there is none.
    fn index_range(&self) -> (i64, i64) {
        let range_of_rows = |rows: Range<usize>| {
            let (mut lowest, mut highest) = (i64::MAX, -1);
            for row in rows {
                self.for_each_index(row, |_, index| {
                    lowest = lowest.min(index);
                    highest = highest.max(index);
                });
            }
            (lowest, highest)
        };
        let found = parallel::map_ranges(self.query_count(), TASK_ROWS, range_of_rows);
        let join = |a: (i64, i64), b: (i64, i64)| (a.0.min(b.0), a.1.max(b.1));
        let (lowest, highest) = found.into_iter().fold((i64::MAX, -1), join);
        (lowest.min(highest.max(-1)), highest)
    }

    /// Calls `f` with position and index of every neighbour in a row.
    fn for_each_index(&self, row: usize, mut f: impl FnMut(usize, i64)) {
        let bytes = self.indices.shape[1] * self.indices.element.size();
        let raw = &self.indices.data()[row * bytes..(row + 1) * bytes];
        let big = self.indices.big_endian;
        match self.indices.element {
            Element::Int { bytes: 8, .. } if !big => {
                for (at, cell) in raw.as_chunks::<8>().0.iter().enumerate() {
                    f(at, i64::from_le_bytes(*cell));
                }
            }
            Element::Int { bytes: 4, signed: true } if !big => {
                for (at, cell) in raw.as_chunks::<4>().0.iter().enumerate() {
                    f(at, i32::from_le_bytes(*cell).into());
                }
            }
            _ => {
                for (at, cell) in raw.chunks_exact(self.indices.element.size()).enumerate() {
                    f(at, self.indices.integer(cell));
                }
            }
        }
    }
}

impl ReadScores for Values {
    fn read(&self, span: Range<usize>) -> Option<Vec<f64>> {
        let (row, mut buffer) = (span.start / self.matrix.captions().max(1), Vec::new());
        let values = self.matrix.row_f64(row, &mut buffer)[..span.len()].iter();
        Some(values.map(|value| self.sign * value).collect())
    }
}

/// Checks the values of a search, and finds whether they are distances (ascending) or products (descending).
///
/// # Errors
/// Another shape, NaN, or rows that are not sorted.
fn check_values(npy: Npy, indices: &Npy) -> Result<Values> {
    let name = npy.source().display();
    if npy.shape != indices.shape || npy.fortran {
        return Err(Error::new(name, "an array of another shape").expected(format!(
            "{} x {} in C order, as in {}",
            indices.shape[0],
            indices.shape[1],
            indices.source().display()
        )));
    }
    let values = ScoreMatrix::new(npy, false)?;
    if let Some(([row, column], _)) = values.first_cell(f64::is_nan) {
        let found =
            format!("NaN at row {}, column {} (counted from 0)", grouped(row), grouped(column));
        return Err(Error::new(name, found)
            .expected("a distance or a product of every neighbour")
            .fix(format!(
                "without them the neighbours count in their order: --knn {}",
                shell_word(&indices.source().display())
            )));
    }
    let (mut ascending, mut descending) = (false, false);
    let mut buffer = Vec::new();
    for row in 0..values.images().min(SAMPLED_ROWS) {
        for pair in values.row_f64(row, &mut buffer).windows(2) {
            // FAISS fills the ranks without a neighbour with the largest number of either sign.
            let filled = pair[1].abs() >= f64::from(f32::MAX);
            ascending |= pair[0] < pair[1] && !filled;
            descending |= pair[0] > pair[1] && !filled;
        }
    }
    if ascending && descending {
        return Err(Error::new(name, "rows that neither ascend nor descend")
            .expected("distances (ascending) or products (descending), best first"));
    }
    Ok(Values { matrix: values, sign: if ascending { -1.0 } else { 1.0 } })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::source::Source;

    fn npy(descr: &str, [rows, columns]: [usize; 2], data: Vec<u8>) -> Npy {
        let mut file = crate::data::scores::save::header(descr, [rows, columns]);
        file.extend(data);
        Npy::open(Arc::new(Source::in_memory("k.npy", file))).unwrap()
    }

    fn indices(columns: usize, cells: &[i64]) -> Npy {
        let shape = [cells.len() / columns, columns];
        npy("<i8", shape, cells.iter().flat_map(|i| i.to_le_bytes()).collect())
    }

    fn values(columns: usize, cells: &[f32]) -> Npy {
        let shape = [cells.len() / columns, columns];
        npy("<f4", shape, cells.iter().flat_map(|i| i.to_le_bytes()).collect())
    }

    #[test]
    fn rows_are_lists_and_minus_one_ends_them() {
        let distances = values(3, &[0.1, 0.4, 0.9, 0.2, f32::MAX, f32::MAX]);
        let knn = Knn::new(indices(3, &[2, 0, 1, 4, -1, -1]), Some(distances)).unwrap();
        assert_eq!((knn.query_count(), knn.item_bound()), (2, 5));
        let lists = knn.lists(7).unwrap();
        let mut buffer = Vec::new();
        assert_eq!(lists.items(0, &mut buffer), [2, 0, 1]);
        assert_eq!(lists.items(1, &mut buffer), [4]);
        assert_eq!(lists.scores(1), Some(vec![-f64::from(0.2f32)]));
        assert_eq!(lists.lengths(), Some((1, 3)));
    }

    #[test]
    fn every_integer_type_is_read() {
        for (descr, data) in [
            ("<i4", [3i32, -1].map(i32::to_le_bytes).concat()),
            (">i4", [3i32, -1].map(i32::to_be_bytes).concat()),
            (">i8", [3i64, -1].map(i64::to_be_bytes).concat()),
            ("<u2", [3u16, 1].map(u16::to_le_bytes).concat()),
        ] {
            let lists = Knn::new(npy(descr, [1, 2], data), None).unwrap().lists(4).unwrap();
            assert_eq!(lists.items(0, &mut Vec::new())[0], 3, "{descr}");
            assert_eq!(lists.scores(0), None);
        }
    }

    #[test]
    fn wrong_indices_are_refused() {
        let lists = |cells: &[i64]| Knn::new(indices(2, cells), None)?.lists(5);
        let error = |cells: &[i64]| lists(cells).unwrap_err().to_string();
        assert!(error(&[0, 1, 5, 2]).contains("the index 5"));
        assert!(error(&[0, 1, -2, 2]).contains("the index -2"));
        assert!(error(&[0, 1, -1, 2]).contains("item 2 twice, or behind -1, in row 1"));
        assert!(error(&[0, 1, 3, 3]).contains("item 3 twice, or behind -1, in row 1"));
        let unsorted = Knn::new(indices(3, &[0, 1, 2]), Some(values(3, &[1.0, 3.0, 2.0])));
        assert!(unsorted.unwrap_err().to_string().contains("neither ascend"));
        let nan = Knn::new(indices(2, &[0, 1]), Some(values(2, &[1.0, f32::NAN])));
        assert!(nan.unwrap_err().to_string().contains("NaN at row 0, column 1"));
    }
}
