//! Gallery indices of many ranked lists, one after the other.
//!
//! A hundred million of them are 400 MB: too much for a study. Beyond [`HELD_BYTES`] they go to an unnamed temporary
//! file, which is mapped like scores, and gone when the program ends. It has no more bytes of each index than the
//! gallery needs: writing is much of the work.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::data::source::Source;
use crate::error::{Error, Result};

/// Maximum bytes in memory.
const HELD_BYTES: usize = 64 << 20;

/// Indices, in memory or in a temporary file.
#[derive(Debug, Clone)]
pub enum Items {
    /// In memory.
    Held(Arc<Vec<u32>>),
    /// In a mapped file, this many bytes each, little-endian.
    Filed(Arc<Source>, usize),
}

impl Items {
    /// The indices of a range: in `buffer` if they are in a file.
    pub fn at<'a>(&'a self, places: Range<usize>, buffer: &'a mut Vec<u32>) -> &'a [u32] {
        match self {
            Items::Held(items) => &items[places],
            Items::Filed(source, width) => {
                let bytes = &source.all_bytes()[places.start * width..places.end * width];
                buffer.clear();
                match width {
                    1 => widen::<1>(bytes, buffer),
                    2 => widen::<2>(bytes, buffer),
                    3 => widen::<3>(bytes, buffer),
                    _ => widen::<4>(bytes, buffer),
                }
                buffer
            }
        }
    }
}

impl From<Vec<u32>> for Items {
    fn from(items: Vec<u32>) -> Self {
        Items::Held(Arc::new(items))
    }
}

fn widen<const WIDTH: usize>(bytes: &[u8], items: &mut Vec<u32>) {
    let (narrow, _) = bytes.as_chunks::<WIDTH>();
    items.extend(narrow.iter().map(|narrow| {
        let mut bytes = [0; 4];
        bytes[..WIDTH].copy_from_slice(narrow);
        u32::from_le_bytes(bytes)
    }));
}

fn narrow<const WIDTH: usize>(items: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; items.len() * WIDTH];
    let (narrow, _) = bytes.as_chunks_mut::<WIDTH>();
    for (narrow, item) in narrow.iter_mut().zip(items) {
        narrow.copy_from_slice(&item.to_le_bytes()[..WIDTH]);
    }
    bytes
}

/// Collects indices in pieces, from many threads.
pub struct ItemsWriter {
    place: Storage,
    /// Bytes of an index in a file.
    width: usize,
}

enum Storage {
    Held(Mutex<Vec<u32>>),
    Filed(File),
}

impl ItemsWriter {
    /// For `count` indices of a gallery of `item_count`, zeros at first. In memory if no temporary file can be created.
    pub fn new(count: usize, item_count: usize) -> Self {
        Self::holding(count, item_count, HELD_BYTES)
    }

    fn holding(count: usize, item_count: usize, bytes: usize) -> Self {
        let bits = item_count.saturating_sub(1).max(1).ilog2() + 1;
        let width = bits.div_ceil(8) as usize;
        let is_large = count > bytes / size_of::<u32>();
        let file = is_large.then(tempfile::tempfile);
        // Unwritten parts are holes, which take no room and read as zeros.
        let sized = |file: File| file.set_len((count * width) as u64).map(|()| file);
        let place = match file.map(|file| file.and_then(sized)) {
            Some(Ok(file)) => Storage::Filed(file),
            _ => Storage::Held(Mutex::new(vec![0; count])),
        };
        ItemsWriter { place, width }
    }

    /// Stores indices from position `at` on. An index beyond the gallery may be truncated.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn write(&self, at: usize, items: &[u32]) -> Result<()> {
        match &self.place {
            Storage::Held(held) => {
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                held[at..at + items.len()].copy_from_slice(items);
                Ok(())
            }
            Storage::Filed(file) => {
                let bytes = match self.width {
                    1 => narrow::<1>(items),
                    2 => narrow::<2>(items),
                    3 => narrow::<3>(items),
                    _ => narrow::<4>(items),
                };
                let written = file.write_all_at(&bytes, (at * self.width) as u64);
                written.map_err(|error| failed(&error))
            }
        }
    }

    /// All indices.
    ///
    /// # Errors
    /// A temporary file that cannot be mapped.
    pub fn finish(self) -> Result<Items> {
        Ok(match self.place {
            Storage::Held(held) => held.into_inner().unwrap_or_else(PoisonError::into_inner).into(),
            Storage::Filed(file) => {
                let source = Source::mapped("ranked lists", &file);
                Items::Filed(Arc::new(source.map_err(|error| failed(&error))?), self.width)
            }
        })
    }
}

fn failed(error: &std::io::Error) -> Error {
    Error::io(&std::env::temp_dir(), error)
        .expected("room for a temporary file: long lists are not held in memory")
        .mend("TMPDIR=FOLDER names another place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_held_and_many_are_filed() {
        for (bytes, filed) in [(16, false), (12, true)] {
            for (count, expected) in [(1, 1), (256, 1), (257, 2), (70_000, 3), (1 << 30, 4)] {
                let last = count as u32 - 1;
                let writer = ItemsWriter::holding(4, count, bytes);
                writer.write(2, &[last]).unwrap();
                writer.write(0, &[last / 2, u32::MAX]).unwrap();
                let items = writer.finish().unwrap();
                let mut buffer = vec![5];
                assert_eq!(items.at(2..4, &mut buffer), [last, 0]);
                assert_eq!(items.at(0..1, &mut buffer), [last / 2]);
                match items {
                    Items::Held(_) => assert!(!filed),
                    Items::Filed(_, width) => assert_eq!((filed, width), (true, expected)),
                }
            }
        }
    }
}
