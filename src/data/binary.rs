//! Files of numbers where text is read: named as what they are.

use super::arrays::npz;
use super::npy;
use super::source::Source;
use crate::error::{Error, Result};

/// How an HDF5 file starts, behind its user block if it has one.
const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
/// Sizes of a user block that are looked behind: MATLAB writes one of 512 bytes.
const USER_BLOCKS: [usize; 5] = [0, 512, 1024, 2048, 4096];
/// How a Parquet file starts.
pub const PARQUET: &[u8] = b"PAR1";

/// How files begin that hold no text, and what they are.
const KINDS: [(&[u8], &str); 4] = [
    (npy::MAGIC, "a NumPy array (.npy)"),
    (npz::MAGIC, "a zip archive, as .npz files are"),
    (PARQUET, "a Parquet table"),
    (HDF5, "an HDF5 file"),
];

/// Whether a file is HDF5.
pub fn is_hdf5(bytes: &[u8]) -> bool {
    let is_behind = |&start: &usize| bytes.get(start..).is_some_and(|rest| rest.starts_with(HDF5));
    USER_BLOCKS.iter().any(is_behind)
}

/// Checks that a file may hold text; `expected` says of what form.
///
/// # Errors
/// A file of numbers.
pub fn refuse(source: &Source, expected: &str) -> Result<()> {
    let bytes = source.bytes();
    match KINDS.iter().find(|(magic, _)| bytes.starts_with(magic)) {
        None => Ok(()),
        Some((_, what)) => Err(Error::new(source.display(), what)
            .expected(expected)
            .mend("name the file that was meant: this one holds numbers")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_numbers_is_named() {
        let of = |bytes: &[u8]| refuse(&Source::in_memory("a.x", bytes.to_vec()), "JSON");
        assert_eq!(of(b"{\"1\": [2]}"), Ok(()));
        for (magic, what) in KINDS {
            let error = of(&[magic, b" .. "].concat()).unwrap_err();
            assert_eq!((error.subject(), error.found()), ("a.x", what));
        }
    }
}
