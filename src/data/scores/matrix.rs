//! One model's score matrix: images x captions, in either orientation of the file.

use std::ops::Range;
use std::sync::Arc;

use super::{Buffer, Scalar, Source};
use itm_explore_kernels::{bf16_to_f32, f16_to_f32, to_little_endian};

use crate::data::candidate_mask::Part;
use crate::data::npy::{Element, Npy, no_scores_error};
use crate::data::text::count;
use crate::data::{Direction, PerDirection, parallel};
use crate::error::{Error, Result};

/// Scores of every image with every caption, in a mapped file. Higher is better.
#[derive(Debug, Clone)]
pub struct ScoreMatrix {
    pub(super) npy: Npy,
    /// The direction whose queries are rows: contiguous runs of the file.
    pub(super) rows: Direction,
    /// Numbers of images and captions in the file.
    file_sizes: PerDirection<usize>,
    /// The images and captions of the file that are in the matrix.
    pub(super) subsets: PerDirection<Subset>,
}

/// Images or captions of the file that are in the matrix: repeated images are read once, captions that the gallery
/// lacks are skipped.
#[derive(Debug, Clone)]
pub(super) enum Subset {
    /// All of them.
    All,
    /// Every n-th one, from the first.
    Every(usize),
    /// Those at these indices of the file, in this order.
    Listed(Arc<[u32]>),
}

/// Maximum bytes of a compact matrix.
const MAX_COMPACT_BYTES: usize = 64 << 20;

impl Subset {
    /// The index in the file of index `at` in the matrix.
    pub(super) fn file_index(&self, at: usize) -> usize {
        match self {
            Subset::All => at,
            Subset::Every(step) => at * step,
            Subset::Listed(places) => places[at] as usize,
        }
    }
}

/// The error for an array that is no matrix.
pub fn no_matrix_error(name: &str, dimensions: usize) -> Error {
    let dimensions = count(dimensions, "dimension");
    Error::new(name, format!("an array of {dimensions}"))
        .expected("a matrix: images x captions")
        .fix("save it with two dimensions, as by a.squeeze() or a.reshape(images, captions)")
}

impl ScoreMatrix {
    /// From a two-dimensional float array of scores, `images x captions`.
    ///
    /// `captions_first` says that the first index of the file is the caption.
    ///
    /// # Errors
    /// When the array is not two-dimensional or does not hold floats.
    pub fn new(npy: Npy, captions_first: bool) -> Result<Self> {
        let &[first, second] = npy.shape.as_slice() else {
            return Err(no_matrix_error(&npy.source().display(), npy.shape.len()));
        };
        if !npy.element.is_float() {
            return Err(no_scores_error(&npy));
        }
        let (i2t, t2i) = if captions_first { (second, first) } else { (first, second) };
        Ok(ScoreMatrix {
            rows: if captions_first == npy.fortran { Direction::I2t } else { Direction::T2i },
            npy,
            file_sizes: PerDirection { i2t, t2i },
            subsets: PerDirection::from_fn(|_| Subset::All),
        })
    }

    /// The matrix with these captions of the file only, in this order. Nothing is copied.
    #[must_use]
    pub fn with_captions(mut self, captions: Arc<[u32]>) -> Self {
        self.subsets.t2i = Subset::Listed(captions);
        self
    }

    /// The matrix of a part of the gallery. Nothing is copied.
    pub(super) fn within(&self, part: &Part) -> Self {
        let mut part_matrix = self.clone();
        for side in Direction::BOTH {
            let places = part.queries(side);
            if places.len() < self.side_len(side) {
                let indices =
                    places.iter().map(|&at| self.subsets[side].file_index(at as usize) as u32);
                part_matrix.subsets[side] = Subset::Listed(indices.collect());
            }
        }
        part_matrix
    }

    /// A copy of the matrix in memory; `None` if it is large, or its cells are not scattered in the rows of the file.
    pub(super) fn compact(&self) -> Option<Self> {
        let (height, width, size) = (self.row_count(), self.row_len(), self.npy.element.size());
        let subset = &self.subsets[self.rows.flipped()];
        if !matches!(subset, Subset::Listed(_)) || height * width * size > MAX_COMPACT_BYTES {
            return None;
        }
        let copy_row = |row: usize| {
            let (raw, mut cells) = (self.raw_row(row), Vec::with_capacity(width * size));
            for at in 0..width {
                cells.extend_from_slice(&raw[subset.file_index(at) * size..][..size]);
            }
            cells
        };
        let bytes = parallel::map_indices(height, copy_row).concat();
        Some(ScoreMatrix {
            npy: self.npy.with_data([height, width], bytes),
            rows: self.rows,
            file_sizes: PerDirection::from_fn(|side| self.side_len(side)),
            subsets: PerDirection::from_fn(|_| Subset::All),
        })
    }

    /// Number of images in the matrix.
    pub fn images(&self) -> usize {
        self.side_len(Direction::I2t)
    }

    /// Number of captions in the matrix.
    pub fn captions(&self) -> usize {
        self.side_len(Direction::T2i)
    }

    /// Number of queries of a direction.
    pub fn side_len(&self, direction: Direction) -> usize {
        match &self.subsets[direction] {
            Subset::All => self.file_sizes[direction],
            Subset::Every(step) => self.file_sizes[direction] / step,
            Subset::Listed(places) => places.len(),
        }
    }

    /// The direction whose queries are rows: contiguous runs of the file.
    pub fn rows(&self) -> Direction {
        self.rows
    }

    /// Number of rows.
    pub fn row_count(&self) -> usize {
        self.side_len(self.rows)
    }

    /// Scores in a row.
    pub fn row_len(&self) -> usize {
        self.side_len(self.rows.flipped())
    }

    /// Whether the first index of the file is the caption.
    pub fn captions_first(&self) -> bool {
        (self.rows == Direction::I2t) == self.npy.fortran
    }

    /// The array of the file.
    pub fn npy(&self) -> &Npy {
        &self.npy
    }

    /// Whether scores need 64 bits: narrowing them would make ties.
    pub fn is_double(&self) -> bool {
        self.npy.element == Element::Float(8)
    }

    /// The index in the file of a row's first cell.
    fn row_start(&self, row: usize) -> usize {
        self.subsets[self.rows].file_index(row) * self.file_sizes[self.rows.flipped()]
    }

    /// The bytes of a whole row of the file.
    pub(super) fn raw_row(&self, row: usize) -> &[u8] {
        let (start, size) = (self.row_start(row), self.npy.element.size());
        &self.npy.data()[start * size..(start + self.file_sizes[self.rows.flipped()]) * size]
    }

    /// The scores of a row in `columns`: the mapped memory itself if it has this number type, else decoded in `buffer`.
    pub fn run<'a, T: Scalar>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Vec<T>,
    ) -> &'a [T] {
        let (start, subset) = (self.row_start(row), &self.subsets[self.rows.flipped()]);
        if !matches!(subset, Subset::All) {
            self.gather(columns.map(|at| start + subset.file_index(at)), buffer);
            return buffer;
        }
        let (size, big) = (self.npy.element.size(), self.npy.big_endian);
        let cells = &self.npy.data()[(start + columns.start) * size..(start + columns.end) * size];
        let is_native = !big && cfg!(target_endian = "little");
        if is_native
            && self.npy.element == Element::Float(size_of::<T>())
            && let Ok(run) = bytemuck::try_cast_slice(cells)
        {
            return run;
        }
        let decode = match self.npy.element {
            Element::Float(2) => T::loops().decode_f16,
            Element::BFloat16 => T::loops().decode_bf16,
            Element::Float(4) => T::loops().decode_f32,
            _ => T::loops().decode_f64,
        };
        decode(buffer, cells, big);
        buffer
    }

    /// A whole row in 64 bits.
    pub fn row_f64<'a>(&'a self, row: usize, buffer: &'a mut Vec<f64>) -> &'a [f64] {
        self.run(row, 0..self.row_len(), buffer)
    }

    /// Decodes the cells at some indices of the file into `buffer`, replacing its content.
    fn gather<T: Scalar>(&self, indices: impl Iterator<Item = usize>, buffer: &mut Vec<T>) {
        buffer.clear();
        let half = |bits: [u8; 2]| u16::from_le_bytes(bits);
        match self.npy.element {
            Element::Float(2) => self.push_cells(indices, buffer, |b| f16_to_f32(half(b)).into()),
            Element::BFloat16 => self.push_cells(indices, buffer, |b| bf16_to_f32(half(b)).into()),
            Element::Float(4) => self.push_cells(indices, buffer, |b| f32::from_le_bytes(b).into()),
            _ => self.push_cells(indices, buffer, |b| T::narrow(f64::from_le_bytes(b))),
        }
    }

    /// Appends the cells at some indices of the file, decoded by a function of little-endian bytes.
    fn push_cells<T: Scalar, const N: usize>(
        &self,
        indices: impl Iterator<Item = usize>,
        buffer: &mut Vec<T>,
        decode: impl Fn([u8; N]) -> T,
    ) {
        let (cells, big) = (self.npy.data().as_chunks().0, self.npy.big_endian);
        buffer.extend(indices.map(|at| decode(to_little_endian(cells[at], big))));
    }

    /// The scores of one query with all items.
    pub fn query_scores(&self, direction: Direction, query: usize) -> Vec<f64> {
        let mut scores = Vec::new();
        if self.rows == direction {
            return self.row_f64(query, &mut scores).to_vec();
        }
        self.gather_items(direction, query, 0..self.side_len(direction.flipped()), &mut scores);
        scores
    }

    /// Replaces the content of `scores` by the scores of one query with some items, in either orientation of the file.
    pub(super) fn gather_items<T: Scalar>(
        &self,
        direction: Direction,
        query: usize,
        items: impl Iterator<Item = usize>,
        scores: &mut Vec<T>,
    ) {
        let query = self.subsets[direction].file_index(query);
        let subset = &self.subsets[direction.flipped()];
        let width = self.file_sizes[self.rows.flipped()];
        let [by_query, by_item] = if self.rows == direction { [width, 1] } else { [1, width] };
        let start = query * by_query;
        self.gather(items.map(|item| start + subset.file_index(item) * by_item), scores);
    }

    /// Describes the size of the matrix and the storage of the file in one line.
    pub fn describe(&self) -> String {
        let element = match self.npy.element {
            Element::Float(bytes) => format!("f{bytes}"),
            _ => "bf16".to_owned(),
        };
        let big = if self.npy.big_endian { ", big-endian" } else { "" };
        let fortran = if self.npy.fortran { ", Fortran order" } else { "" };
        let first = ["images first", "captions first"][usize::from(self.captions_first())];
        let [images, captions] = [count(self.images(), "image"), count(self.captions(), "caption")];
        format!("scores of {images} x {captions} ({element}{big}{fortran}, {first})")
    }
}

impl<T: Scalar> Source<T> for ScoreMatrix {
    fn side_len(&self, direction: Direction) -> usize {
        self.side_len(direction)
    }

    fn row_direction(&self) -> Option<Direction> {
        Some(self.rows)
    }

    fn segment<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Buffer<T>,
    ) -> &'a [T] {
        self.run(row, columns, &mut buffer.cells)
    }

    fn column(&self, direction: Direction, query: usize, column: &mut [T]) {
        let mut scores = Vec::with_capacity(column.len());
        self.gather_items(direction, query, 0..column.len(), &mut scores);
        column.copy_from_slice(&scores);
    }

    fn item_scores(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<T> {
        let mut scores = Vec::with_capacity(items.len());
        self.gather_items(direction, query, items.iter().map(|&item| item as usize), &mut scores);
        scores
    }

    fn nan_error(&self, _: Direction, _: &[usize]) -> Option<Error> {
        self.nan_error()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Queries adjacent and apart, in any order, as rows and as columns.
    #[test]
    fn every_half_is_decoded_exactly() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (f16_to_f32(bits), half::f16::from_bits(bits).to_f32());
            let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
            assert!(same, "{bits:#06x}: {ours} for {theirs}");
        }
    }

    #[test]
    fn every_bfloat16_is_decoded_exactly() {
        for bits in 0..=u16::MAX {
            let (ours, theirs) = (bf16_to_f32(bits), half::bf16::from_bits(bits).to_f32());
            let same = ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan();
            assert!(same, "{bits:#06x}: {ours} for {theirs}");
        }
    }

    #[test]
    fn blocks_are_the_queries() {
        for captions_first in [false, true] {
            let npy = Npy::in_memory("s.npy", [37, 37], (0..37 * 37).map(f64::from));
            let matrix = ScoreMatrix::new(npy, captions_first).unwrap();
            for direction in Direction::BOTH {
                let queries: Vec<usize> = (3..29).chain([30, 2, 31, 32, 0, 1]).collect();
                let rows = queries.iter().map(|&query| matrix.query_scores(direction, query));
                let mut block = vec![0.0; queries.len() * 37];
                Source::<f64>::block(&matrix, direction, &queries, &mut block);
                assert_eq!(block, rows.collect::<Vec<_>>().concat());
            }
        }
    }
}
