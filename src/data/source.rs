//! A named run of bytes: a mapped file, a pipe read to its end, or a file built into the program.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use memmap2::Mmap;

use crate::error::{Error, Result};

/// Where an input comes from, and its bytes.
#[derive(Debug)]
pub struct Source {
    path: PathBuf,
    bytes: Bytes,
}

#[derive(Debug)]
enum Bytes {
    Mapped(Mmap),
    Owned(Vec<u8>),
    BuiltIn(&'static [u8]),
}

impl Source {
    /// Maps a regular file; reads anything else (a pipe, an empty file) to its end.
    ///
    /// # Errors
    /// When the file cannot be opened, mapped or read.
    pub fn open(path: &Path) -> Result<Self> {
        let fail = |error: std::io::Error| Error::io(path, &error);
        let mut file = File::open(path).map_err(fail)?;
        let facts = file.metadata().map_err(fail)?;
        if facts.is_dir() {
            return Err(Error::new(path.display(), "a directory").expected("a file"));
        }
        let bytes = if facts.is_file() && facts.len() > 0 {
            Bytes::Mapped(map(&file).map_err(fail)?)
        } else {
            let mut read = Vec::new();
            file.read_to_end(&mut read).map_err(fail)?;
            Bytes::Owned(read)
        };
        Ok(Source {
            path: path.to_owned(),
            bytes,
        })
    }

    /// A file that is part of the program.
    pub fn built_in(path: &str, bytes: &'static [u8]) -> Self {
        Source {
            path: path.into(),
            bytes: Bytes::BuiltIn(bytes),
        }
    }

    /// Bytes made in memory, under a name.
    pub fn in_memory(path: &str, bytes: Vec<u8>) -> Self {
        Source {
            path: path.into(),
            bytes: Bytes::Owned(bytes),
        }
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path for messages.
    pub fn display(&self) -> String {
        super::text::shown(&self.path.display().to_string())
    }

    /// The file's name without folder and last extension: a model's default name.
    pub fn stem(&self) -> String {
        let stem = self.path.file_stem().unwrap_or(self.path.as_os_str());
        super::text::shown(&stem.to_string_lossy())
    }

    /// The whole content.
    pub fn bytes(&self) -> &[u8] {
        match &self.bytes {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
            Bytes::BuiltIn(bytes) => bytes,
        }
    }
}

#[expect(
    unsafe_code,
    reason = "a map is the only way to read 500 MB without copying them"
)]
fn map(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is read-only and private. A file that another process truncates meanwhile
    // ends this process with SIGBUS; nothing that we save lives in such a file.
    unsafe { Mmap::map(file) }
}
