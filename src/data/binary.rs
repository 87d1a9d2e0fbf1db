//! Files of numbers where text is read: named as what they are.

use super::source::Source;
use super::{npy, npz};
use crate::error::{Error, Result};

/// How an HDF5 file starts.
pub const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
/// How a Parquet file starts.
pub const PARQUET: &[u8] = b"PAR1";

/// How files begin that hold no text, and what they are.
const KINDS: [(&[u8], &str); 4] = [
    (npy::MAGIC, "a NumPy array (.npy)"),
    (npz::MAGIC, "a zip archive, as .npz files are"),
    (PARQUET, "a Parquet table"),
    (HDF5, "an HDF5 file"),
];

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
