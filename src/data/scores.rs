//! One model's score matrix: images x captions, whatever way round the file has it.

use std::ops::Range;
use std::sync::Arc;

use half::f16;
use ndarray::{ArrayView2, ShapeBuilder};

use super::npy::{Element, Npy};
use super::text::grouped;
use super::{Direction, decode};
use crate::error::{Error, Result};

/// Which side of the gallery the rows of the file (its contiguous runs) stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// A run holds one image's score for every caption.
    Images,
    /// A run holds one caption's score for every image.
    Captions,
}

/// Scores of every image with every caption, in a mapped file. Higher is better.
#[derive(Debug, Clone)]
pub struct ScoreMatrix {
    npy: Npy,
    images: usize,
    captions: usize,
    rows: Rows,
}

impl ScoreMatrix {
    /// Takes a two-dimensional float array as scores of `images x captions`.
    ///
    /// `captions_first` says that the first index of the file is the caption.
    ///
    /// # Errors
    /// When the array is not two-dimensional or does not hold floats.
    pub fn new(npy: Npy, captions_first: bool) -> Result<Self> {
        let name = npy.source().display();
        if !matches!(npy.element, Element::Float(_)) {
            return Err(Error::new(name, "a matrix of integers or text")
                .expected("scores as floats (f2, f4 or f8)")
                .mend("save it as scores.astype('float32')"));
        }
        let &[first, second] = npy.shape.as_slice() else {
            return Err(
                Error::new(name, format!("an array of {} dimensions", npy.shape.len()))
                    .expected("a matrix: images x captions"),
            );
        };
        let (images, captions) = if captions_first {
            (second, first)
        } else {
            (first, second)
        };
        let rows = if captions_first == npy.fortran {
            Rows::Images
        } else {
            Rows::Captions
        };
        Ok(ScoreMatrix {
            npy,
            images,
            captions,
            rows,
        })
    }

    /// Number of images.
    pub fn images(&self) -> usize {
        self.images
    }

    /// Number of captions.
    pub fn captions(&self) -> usize {
        self.captions
    }

    /// What a contiguous run of the file stands for.
    pub fn rows(&self) -> Rows {
        self.rows
    }

    /// Number of contiguous runs.
    pub fn row_count(&self) -> usize {
        match self.rows {
            Rows::Images => self.images,
            Rows::Captions => self.captions,
        }
    }

    /// Scores in a contiguous run.
    pub fn row_len(&self) -> usize {
        match self.rows {
            Rows::Images => self.captions,
            Rows::Captions => self.images,
        }
    }

    /// The file it comes from.
    pub fn npy(&self) -> &Npy {
        &self.npy
    }

    /// Whether scores need 64 bits: narrowing them would make ties.
    pub fn is_double(&self) -> bool {
        self.npy.element == Element::Float(8)
    }

    /// Position in the file of a pair: its run and the place within.
    pub fn cell(&self, image: usize, caption: usize) -> (usize, usize) {
        match self.rows {
            Rows::Images => (image, caption),
            Rows::Captions => (caption, image),
        }
    }

    /// A part of a contiguous run as `f32`: the mapped memory itself for native `f4`, else `buffer`,
    /// filled. Exact for `f2` and `f4`.
    pub fn run_f32<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Vec<f32>,
    ) -> &'a [f32] {
        let raw = self.raw_run(row, columns);
        let big = self.npy.big_endian;
        match self.npy.element {
            Element::Float(4)
                if self.is_native()
                    && let Ok(run) = bytemuck::try_cast_slice(raw) =>
            {
                return run;
            }
            Element::Float(2) => {
                let decode = |b: [u8; 2]| decode::f16_to_f32(u16::from_le_bytes(b));
                decode::refill(buffer, raw, decode, big);
            }
            Element::Float(4) => decode::refill(buffer, raw, f32::from_le_bytes, big),
            _ => decode::refill(buffer, raw, |b| f64::from_le_bytes(b) as f32, big),
        }
        buffer
    }

    /// A part of a contiguous run as `f64`: the mapped memory itself for native `f8`, else `buffer`,
    /// filled.
    pub fn run_f64<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Vec<f64>,
    ) -> &'a [f64] {
        let raw = self.raw_run(row, columns);
        let big = self.npy.big_endian;
        match self.npy.element {
            Element::Float(8)
                if self.is_native()
                    && let Ok(run) = bytemuck::try_cast_slice(raw) =>
            {
                return run;
            }
            Element::Float(2) => {
                let decode = |b: [u8; 2]| f64::from(decode::f16_to_f32(u16::from_le_bytes(b)));
                decode::refill(buffer, raw, decode, big);
            }
            Element::Float(4) => {
                decode::refill(buffer, raw, |b| f64::from(f32::from_le_bytes(b)), big);
            }
            _ => decode::refill(buffer, raw, f64::from_le_bytes, big),
        }
        buffer
    }

    fn is_native(&self) -> bool {
        !self.npy.big_endian && cfg!(target_endian = "little")
    }

    /// All scores of one query, over the whole gallery of the other side.
    pub fn of_query(&self, direction: Direction, query: usize) -> Vec<f64> {
        match self.npy.element {
            Element::Float(2) => self.line(direction, query, |b: [u8; 2]| {
                f16::from_bits(u16::from_le_bytes(b)).to_f64()
            }),
            Element::Float(4) => self.line(direction, query, |b: [u8; 4]| {
                f64::from(f32::from_le_bytes(b))
            }),
            _ => self.line(direction, query, f64::from_le_bytes),
        }
    }

    fn line<const N: usize>(
        &self,
        direction: Direction,
        query: usize,
        number: impl Fn([u8; N]) -> f64,
    ) -> Vec<f64>
    where
        [u8; N]: bytemuck::AnyBitPattern,
    {
        let view = self.view::<N>();
        let line = match direction {
            Direction::I2t => view.row(query),
            Direction::T2i => view.column(query),
        };
        let big = self.npy.big_endian;
        line.iter()
            .map(|&bytes| number(decode::little(bytes, big)))
            .collect()
    }

    /// The cells as `images x captions`, the file's own order hidden in the strides.
    fn view<const N: usize>(&self) -> ArrayView2<'_, [u8; N]>
    where
        [u8; N]: bytemuck::AnyBitPattern,
    {
        let shape = (self.images, self.captions);
        let shape = match self.rows {
            Rows::Images => shape.into_shape_with_order(),
            Rows::Captions => shape.f(),
        };
        let cells: &[[u8; N]] = bytemuck::cast_slice(self.npy.data());
        ArrayView2::from_shape(shape, cells)
            .expect("the header's shape fits the data, checked at load")
    }

    fn raw_run(&self, row: usize, columns: Range<usize>) -> &[u8] {
        let size = self.npy.element.size();
        let start = (row * self.row_len() + columns.start) * size;
        &self.npy.data()[start..start + columns.len() * size]
    }

    /// One line for people: size and how the file has it.
    pub fn described(&self) -> String {
        let element = match self.npy.element {
            Element::Float(bytes) => format!("f{bytes}"),
            _ => unreachable!("new() takes floats only"),
        };
        let order = match (self.npy.big_endian, self.npy.fortran) {
            (false, false) => "",
            (true, false) => ", big-endian",
            (false, true) => ", Fortran order",
            (true, true) => ", big-endian, Fortran order",
        };
        let first = if (self.rows == Rows::Images) == self.npy.fortran {
            "captions first"
        } else {
            "images first"
        };
        format!(
            "scores of {} images x {} captions ({element}{order}, {first})",
            grouped(self.images),
            grouped(self.captions)
        )
    }
}

/// One model: its name and its scores.
#[derive(Debug, Clone)]
pub struct Model {
    /// The name shown everywhere: the file's name without ending.
    pub name: String,
    /// Its scores.
    pub scores: Arc<ScoreMatrix>,
}
