//! Gallery indices of many ranked lists, one after the other.
//!
//! A hundred million of them are 400 MB: more than a study may hold. Beyond [`HELD_BYTES`] they go to
//! a temporary file without a name, which is mapped as scores are, and gone when the program ends.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::data::source::Source;
use crate::error::{Error, Result};

/// Most bytes that are held in memory.
const HELD_BYTES: usize = 64 << 20;

/// Indices, in memory or in a file of their own.
#[derive(Debug, Clone)]
pub enum Items {
    /// In memory.
    Held(Arc<Vec<u32>>),
    /// In a mapped file, in the byte order of this machine.
    Filed(Arc<Source>),
}

impl Items {
    /// All of them.
    pub fn as_slice(&self) -> &[u32] {
        match self {
            Items::Held(items) => items,
            Items::Filed(source) => bytemuck::cast_slice(source.all_bytes()),
        }
    }
}

impl From<Vec<u32>> for Items {
    fn from(items: Vec<u32>) -> Self {
        Items::Held(Arc::new(items))
    }
}

/// Takes indices piece by piece, from many threads.
pub struct ItemsWriter(Place);

enum Place {
    Held(Mutex<Vec<u32>>),
    Filed(File),
}

impl ItemsWriter {
    /// For so many indices, zeros at first. Where no temporary file can be made they are held after
    /// all.
    pub fn new(count: usize) -> Self {
        Self::holding(count, HELD_BYTES)
    }

    fn holding(count: usize, bytes: usize) -> Self {
        let is_large = count > bytes / size_of::<u32>();
        let file = is_large.then(tempfile::tempfile);
        // What is not written is a hole, which takes no room and reads as zeros.
        let sized = |file: File| {
            file.set_len((count * size_of::<u32>()) as u64)
                .map(|()| file)
        };
        ItemsWriter(match file.map(|file| file.and_then(sized)) {
            Some(Ok(file)) => Place::Filed(file),
            _ => Place::Held(Mutex::new(vec![0; count])),
        })
    }

    /// Puts indices where they belong.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn put(&self, at: usize, items: &[u32]) -> Result<()> {
        match &self.0 {
            Place::Held(held) => {
                let mut held = held.lock().unwrap_or_else(PoisonError::into_inner);
                held[at..at + items.len()].copy_from_slice(items);
                Ok(())
            }
            Place::Filed(file) => {
                let start = (at * size_of::<u32>()) as u64;
                let written = file.write_all_at(bytemuck::cast_slice(items), start);
                written.map_err(|error| failed(&error))
            }
        }
    }

    /// All that was put.
    ///
    /// # Errors
    /// A temporary file that cannot be mapped.
    pub fn finish(self) -> Result<Items> {
        Ok(match self.0 {
            Place::Held(held) => held
                .into_inner()
                .unwrap_or_else(PoisonError::into_inner)
                .into(),
            Place::Filed(file) => {
                let source = Source::mapped("ranked lists", &file);
                Items::Filed(Arc::new(source.map_err(|error| failed(&error))?))
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
            let writer = ItemsWriter::holding(4, bytes);
            writer.put(2, &[9]).unwrap();
            writer.put(0, &[7, u32::MAX]).unwrap();
            let items = writer.finish().unwrap();
            assert_eq!(items.as_slice(), [7, u32::MAX, 9, 0]);
            assert_eq!(matches!(items, Items::Filed(_)), filed);
        }
    }
}
