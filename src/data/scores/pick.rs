//! Parts of a matrix: images that a file repeats are taken once, captions that the gallery lacks are
//! left out. Nothing is copied but what a loop needs at the moment.

use std::ops::Range;
use std::sync::Arc;

use crate::data::decode;

/// The part of a side of the file that belongs to the matrix.
#[derive(Debug, Clone)]
pub(super) enum Pick {
    /// All of it.
    All,
    /// One of so many.
    Every(usize),
    /// These places, in this order.
    Listed(Arc<[u32]>),
}

impl Pick {
    /// How many of `len` are picked.
    pub(super) fn count(&self, len: usize) -> usize {
        match self {
            Pick::All => len,
            Pick::Every(step) => len / step,
            Pick::Listed(places) => places.len(),
        }
    }

    /// The place in the file of what is at `at`.
    pub(super) fn stored(&self, at: usize) -> usize {
        match self {
            Pick::All => at,
            Pick::Every(step) => at * step,
            Pick::Listed(places) => places[at] as usize,
        }
    }
}

/// Decodes what is picked of a run into `buffer`, those at `columns` of it.
pub(super) fn refill<T, const N: usize>(
    buffer: &mut Vec<T>,
    run: &[u8],
    decode: impl Fn([u8; N]) -> T,
    big_endian: bool,
    pick: &Pick,
    columns: Range<usize>,
) {
    let cells = run.as_chunks::<N>().0;
    let one = |cell: &[u8; N]| decode(decode::little(*cell, big_endian));
    match pick {
        Pick::All => {
            let run = cells[columns].as_flattened();
            decode::refill(buffer, run, decode, big_endian);
        }
        Pick::Every(step) => {
            buffer.clear();
            buffer.extend(columns.map(|at| one(&cells[at * step])));
        }
        Pick::Listed(places) => {
            buffer.clear();
            let places = places[columns].iter();
            buffer.extend(places.map(|&at| one(&cells[at as usize])));
        }
    }
}
