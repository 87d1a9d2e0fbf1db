//! Gallery indices of many ranked lists, one after the other.
//!
//! A hundred million of them are 400 MB: too much for a study. Beyond [`MAX_MEMORY_BYTES`] they go to an unnamed
//! temporary file, which is mapped like scores, and gone when the program ends. It has no more bytes of each index than
//! the gallery needs: writing is much of the work.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::data::source::Source;
use crate::error::{Error, Result};

/// Maximum bytes of indices in memory.
const MAX_MEMORY_BYTES: usize = 64 << 20;

/// Gallery indices of ranked items, in memory or in a temporary file.
#[derive(Debug, Clone)]
pub enum Items {
    /// In memory.
    InMemory(Arc<Vec<u32>>),
    /// In a mapped file, with this many bytes for each, little-endian.
    InFile(Arc<Source>, usize),
}

impl Items {
    /// The indices of a range: in `buffer` if they are in a file.
    pub fn read<'a>(&'a self, range: Range<usize>, buffer: &'a mut Vec<u32>) -> &'a [u32] {
        match self {
            Items::InMemory(items) => &items[range],
            Items::InFile(source, width) => {
                let bytes = &source.all_bytes()[range.start * width..range.end * width];
                buffer.clear();
                match width {
                    1 => append_indices::<1>(bytes, buffer),
                    2 => append_indices::<2>(bytes, buffer),
                    3 => append_indices::<3>(bytes, buffer),
                    _ => append_indices::<4>(bytes, buffer),
                }
                buffer
            }
        }
    }
}

impl From<Vec<u32>> for Items {
    fn from(items: Vec<u32>) -> Self {
        Items::InMemory(Arc::new(items))
    }
}

/// Appends indices of `WIDTH` bytes each to `items`.
fn append_indices<const WIDTH: usize>(bytes: &[u8], items: &mut Vec<u32>) {
    let (narrow, _) = bytes.as_chunks::<WIDTH>();
    items.extend(narrow.iter().map(|narrow| {
        let mut bytes = [0; 4];
        bytes[..WIDTH].copy_from_slice(narrow);
        u32::from_le_bytes(bytes)
    }));
}

/// Encodes indices in `WIDTH` bytes each, which drops their higher bytes.
fn encode_indices<const WIDTH: usize>(items: &[u32]) -> Vec<u8> {
    let mut bytes = vec![0; items.len() * WIDTH];
    let (narrow, _) = bytes.as_chunks_mut::<WIDTH>();
    for (narrow, item) in narrow.iter_mut().zip(items) {
        narrow.copy_from_slice(&item.to_le_bytes()[..WIDTH]);
    }
    bytes
}

/// Collects indices in pieces, from many threads.
pub struct ItemsWriter {
    storage: Storage,
    /// Bytes of an index in a file.
    width: usize,
}

/// Where the indices are collected.
enum Storage {
    Memory(Mutex<Vec<u32>>),
    File(File),
}

impl ItemsWriter {
    /// A writer of `count` indices below `item_count`, all 0 at first. In memory if no temporary file can be created.
    pub fn new(count: usize, item_count: usize) -> Self {
        Self::with_memory_limit(count, item_count, MAX_MEMORY_BYTES)
    }

    /// [`ItemsWriter::new`] with at most `bytes` in memory.
    fn with_memory_limit(count: usize, item_count: usize, bytes: usize) -> Self {
        let bits = item_count.saturating_sub(1).max(1).ilog2() + 1;
        let width = bits.div_ceil(8) as usize;
        let is_large = count > bytes / size_of::<u32>();
        let file = is_large.then(tempfile::tempfile);
        // Unwritten parts are holes, which take no room and read as zeros.
        let sized = |file: File| file.set_len((count * width) as u64).map(|()| file);
        let storage = match file.map(|file| file.and_then(sized)) {
            Some(Ok(file)) => Storage::File(file),
            _ => Storage::Memory(Mutex::new(vec![0; count])),
        };
        ItemsWriter { storage, width }
    }

    /// Stores indices from position `at` on. An index beyond the gallery may be truncated.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn write(&self, at: usize, items: &[u32]) -> Result<()> {
        match &self.storage {
            Storage::Memory(all) => {
                let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
                all[at..at + items.len()].copy_from_slice(items);
                Ok(())
            }
            Storage::File(file) => {
                let bytes = match self.width {
                    1 => encode_indices::<1>(items),
                    2 => encode_indices::<2>(items),
                    3 => encode_indices::<3>(items),
                    _ => encode_indices::<4>(items),
                };
                let written = file.write_all_at(&bytes, (at * self.width) as u64);
                written.map_err(|error| file_error(&error))
            }
        }
    }

    /// Returns all indices.
    ///
    /// # Errors
    /// A temporary file that cannot be mapped.
    pub fn finish(self) -> Result<Items> {
        Ok(match self.storage {
            Storage::Memory(all) => all.into_inner().unwrap_or_else(PoisonError::into_inner).into(),
            Storage::File(file) => {
                let source = Source::map_file("ranked lists", &file);
                Items::InFile(Arc::new(source.map_err(|error| file_error(&error))?), self.width)
            }
        })
    }
}

fn file_error(error: &std::io::Error) -> Error {
    Error::io(&std::env::temp_dir(), error)
        .expected("room for a temporary file: long lists are not held in memory")
        .fix("TMPDIR=FOLDER names another place")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_are_held_and_many_are_filed() {
        for (bytes, filed) in [(16, false), (12, true)] {
            for (count, expected) in [(1, 1), (256, 1), (257, 2), (70_000, 3), (1 << 30, 4)] {
                let last = count as u32 - 1;
                let writer = ItemsWriter::with_memory_limit(4, count, bytes);
                writer.write(2, &[last]).unwrap();
                writer.write(0, &[last / 2, u32::MAX]).unwrap();
                let items = writer.finish().unwrap();
                let mut buffer = vec![5];
                assert_eq!(items.read(2..4, &mut buffer), [last, 0]);
                assert_eq!(items.read(0..1, &mut buffer), [last / 2]);
                match items {
                    Items::InMemory(_) => assert!(!filed),
                    Items::InFile(_, width) => assert_eq!((filed, width), (true, expected)),
                }
            }
        }
    }
}
