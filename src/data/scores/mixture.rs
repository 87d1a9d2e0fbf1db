//! Two models mixed, cell by cell.
//!
//! score = w1 * ((a - o1) / s1) + w2 * ((b - o2) / s2), in 64 bits and in this order, so that it is
//! the same however it is asked for, and what the same formula gives in `NumPy`. Weights are neither
//! 0 nor 1 here (see [`super::ModelPair::model`]): an infinite score never meets a weight of 0.

use multiversion::multiversion;

use super::{MixedBlocks, MixedMatrices, Rows};
use crate::error::Error;

/// The weighted sum of the scores of two models of one gallery.
#[derive(Debug, Clone)]
pub enum Mixture {
    /// Both have their scores in files.
    Matrices(MixedMatrices),
    /// Those of one or both are computed.
    Blocks(MixedBlocks),
}

/// weight * ((score - offset) / scale)
#[derive(Debug, Clone, Copy)]
pub(super) struct Term {
    pub weight: f64,
    pub offset: f64,
    pub scale: f64,
}

impl Term {
    #[inline]
    pub fn of(self, score: f64) -> f64 {
        self.weight * ((score - self.offset) / self.scale)
    }
}

/// Mixes two runs into a third of the same length.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512dq+avx512vl",
    "x86_64+avx2",
    "aarch64+neon"
))]
pub(super) fn mix<A: Copy + Into<f64>, B: Copy + Into<f64>>(
    a: &[A],
    b: &[B],
    [first, second]: [Term; 2],
    mixed: &mut [f64],
) {
    for ((&a, &b), mixed) in a.iter().zip(b).zip(mixed) {
        *mixed = first.of(a.into()) + second.of(b.into());
    }
}

/// Infinities that cancel each other, in a cell of the mixture of these two.
pub(super) fn opposed_error(
    [first, second]: [String; 2],
    rows: Rows,
    row: usize,
    column: usize,
) -> Error {
    let place = rows.cell(row, column);
    Error::new(
        format!("the mixture of {first} and {second}"),
        format!("infinities of opposite sign at {place}"),
    )
    .expected("a sum that is a number, or an infinity, in every cell")
    .mend("numpy.clip(scores, least, most) makes them finite")
}
