//! Parts of a matrix: images that a file repeats are taken once, captions that the gallery lacks are
//! left out. Nothing is copied but what a loop needs at the moment.

use std::sync::Arc;

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

/// Decodes what is picked of `raw` into `buffer`.
pub(super) fn refill<'a, T, const N: usize>(
    buffer: &'a mut Vec<T>,
    raw: &[u8],
    decode: impl Fn([u8; N]) -> T,
    big_endian: bool,
    pick: &Pick,
) -> &'a [T] {
    let cells = raw.as_chunks::<N>().0;
    let decode = |cell: &[u8; N]| decode(little(*cell, big_endian));
    buffer.clear();
    match pick {
        Pick::All => buffer.extend(cells.iter().map(decode)),
        Pick::Every(step) => buffer.extend(cells.iter().step_by(*step).map(decode)),
        Pick::Listed(places) => {
            buffer.extend(places.iter().map(|&at| decode(&cells[at as usize])));
        }
    }
    buffer
}

/// The bytes, least significant first.
pub(super) fn little<const N: usize>(mut bytes: [u8; N], big_endian: bool) -> [u8; N] {
    if big_endian {
        bytes.reverse();
    }
    bytes
}
