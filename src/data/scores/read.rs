//! Scores out of the mapped bytes: parts of a contiguous run, and whole queries.

use std::ops::Range;

use ndarray::{ArrayView2, ShapeBuilder};

use super::matrix::{Rows, ScoreMatrix};
use super::pick::{self, Pick};
use crate::data::npy::Element;
use crate::data::{Direction, decode};

impl ScoreMatrix {
    /// A part of a contiguous run as `f32`: the mapped memory itself for native `f4`, else `buffer`,
    /// filled. Exact for `f2`, bfloat16 and `f4`.
    pub fn run_f32<'a>(
        &'a self,
        row: usize,
        columns: Range<usize>,
        buffer: &'a mut Vec<f32>,
    ) -> &'a [f32] {
        let (run, big) = (self.raw_row(row), self.npy.big_endian);
        let pick = self.along();
        match self.npy.element {
            Element::Float(4)
                if self.is_native()
                    && let Ok(run) = bytemuck::try_cast_slice(run) =>
            {
                return &run[columns];
            }
            Element::Float(2) => {
                let decode = |b: [u8; 2]| decode::f16_to_f32(u16::from_le_bytes(b));
                pick::refill(buffer, run, decode, big, pick, columns);
            }
            Element::BFloat16 => {
                let decode = |b: [u8; 2]| decode::bf16_to_f32(u16::from_le_bytes(b));
                pick::refill(buffer, run, decode, big, pick, columns);
            }
            Element::Float(4) => {
                pick::refill(buffer, run, f32::from_le_bytes, big, pick, columns);
            }
            _ => {
                let decode = |b: [u8; 8]| f64::from_le_bytes(b) as f32;
                pick::refill(buffer, run, decode, big, pick, columns);
            }
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
        let (run, big) = (self.raw_row(row), self.npy.big_endian);
        let pick = self.along();
        match self.npy.element {
            Element::Float(8)
                if self.is_native()
                    && let Ok(run) = bytemuck::try_cast_slice(run) =>
            {
                return &run[columns];
            }
            Element::Float(2) => {
                let decode = |b: [u8; 2]| f64::from(decode::f16_to_f32(u16::from_le_bytes(b)));
                pick::refill(buffer, run, decode, big, pick, columns);
            }
            Element::BFloat16 => {
                let decode = |b: [u8; 2]| f64::from(decode::bf16_to_f32(u16::from_le_bytes(b)));
                pick::refill(buffer, run, decode, big, pick, columns);
            }
            Element::Float(4) => {
                let decode = |b: [u8; 4]| f64::from(f32::from_le_bytes(b));
                pick::refill(buffer, run, decode, big, pick, columns);
            }
            _ => pick::refill(buffer, run, f64::from_le_bytes, big, pick, columns),
        }
        buffer
    }

    /// A whole contiguous run as `f64`.
    pub fn row_f64<'a>(&'a self, row: usize, buffer: &'a mut Vec<f64>) -> &'a [f64] {
        self.run_f64(row, 0..self.row_len(), buffer)
    }

    /// Whether the bytes of a run are numbers of this machine, side by side.
    fn is_native(&self) -> bool {
        let little = !self.npy.big_endian && cfg!(target_endian = "little");
        little && matches!(self.along(), Pick::All)
    }

    /// All scores of one query, over the whole gallery of the other side.
    pub fn of_query(&self, direction: Direction, query: usize) -> Vec<f64> {
        let mut scores = Vec::new();
        let all = 0..self.side_len(direction.flipped());
        if self.rows.direction() == direction {
            return self.run_f64(query, all, &mut scores).to_vec();
        }
        self.part_of_query(direction, query, all, &mut scores);
        scores
    }

    /// The scores of one query with these items.
    pub(super) fn of_items(&self, direction: Direction, query: usize, items: &[u32]) -> Vec<f64> {
        let mut scores = Vec::with_capacity(items.len());
        let items = items.iter().map(|&item| item as usize);
        self.part_of_query(direction, query, items, &mut scores);
        scores
    }

    /// The scores of one query with some items into `scores`, whichever way round the file is.
    pub(super) fn part_of_query(
        &self,
        direction: Direction,
        query: usize,
        items: impl Iterator<Item = usize>,
        scores: &mut Vec<f64>,
    ) {
        match self.npy.element {
            Element::Float(2) => self.line(direction, query, items, scores, |b: [u8; 2]| {
                f64::from(decode::f16_to_f32(u16::from_le_bytes(b)))
            }),
            Element::BFloat16 => self.line(direction, query, items, scores, |b: [u8; 2]| {
                f64::from(decode::bf16_to_f32(u16::from_le_bytes(b)))
            }),
            Element::Float(4) => self.line(direction, query, items, scores, |b: [u8; 4]| {
                f64::from(f32::from_le_bytes(b))
            }),
            _ => self.line(direction, query, items, scores, f64::from_le_bytes),
        }
    }

    fn line<const N: usize>(
        &self,
        direction: Direction,
        query: usize,
        items: impl Iterator<Item = usize>,
        scores: &mut Vec<f64>,
        number: impl Fn([u8; N]) -> f64,
    ) where
        [u8; N]: bytemuck::AnyBitPattern,
    {
        let view = self.view::<N>();
        let (line, pick) = match direction {
            Direction::I2t => (view.row(self.image_pick.stored(query)), &self.caption_pick),
            Direction::T2i => (view.column(self.caption_pick.stored(query)), &self.image_pick),
        };
        let big = self.npy.big_endian;
        scores.clear();
        scores.extend(items.map(|at| number(decode::little(line[pick.stored(at)], big))));
    }

    /// All cells of the file as `images x captions`, its own order hidden in the strides.
    fn view<const N: usize>(&self) -> ArrayView2<'_, [u8; N]>
    where
        [u8; N]: bytemuck::AnyBitPattern,
    {
        let shape = match self.rows {
            Rows::Images => self.stored.into_shape_with_order(),
            Rows::Captions => self.stored.f(),
        };
        let cells: &[[u8; N]] = bytemuck::cast_slice(self.npy.data());
        ArrayView2::from_shape(shape, cells)
            .expect("the header's shape fits the data, checked at load")
    }
}
