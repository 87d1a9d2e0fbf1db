//! Files of numbers where text is read: named as what they are.

use super::source::Source;
use super::{npy, npz};
use crate::error::{Error, Result};

/// How files begin that hold no text, and what they are.
const KINDS: [(&[u8], &str); 4] = [
    (npy::MAGIC, "a NumPy array (.npy)"),
    (npz::MAGIC, "a zip archive, as .npz files are"),
    (b"PAR1", "a Parquet table"),
    (b"\x89HDF", "an HDF5 file"),
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
