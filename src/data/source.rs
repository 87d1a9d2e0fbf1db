//! A named byte buffer: a file, mapped if it is large, a pipe read to its end, or a file built into the program. Input
//! packed by `gzip` is unpacked into memory.

use std::fmt;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::arrays::{self, npz};
use super::file_states::{self, FileState};
use super::in_use;
use super::memory;
use super::mmap::{self, FileFacts, Mapped};
use super::near::nearest;
use super::npy;
use super::output::folder_of;
use super::table;
use crate::error::{Error, Result};
use flate2::read::MultiGzDecoder;

/// An input: its bytes and its path.
#[derive(Clone)]
pub struct Source {
    path: PathBuf,
    bytes: Bytes,
    /// The part of the bytes that belongs to this input.
    range: Range<usize>,
    /// Header of an array whose bytes are the data only.
    header: Option<String>,
    /// Name of the array, in a file of several.
    name: Option<String>,
}

/// Bytes that neither move nor change while they are held.
pub type Bytes = Arc<dyn AsRef<[u8]> + Send + Sync>;

impl fmt::Debug for Source {
    /// Without the content.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Source({}, {} bytes)", self.display(), self.bytes().len())
    }
}

impl Source {
    fn new(path: impl Into<PathBuf>, bytes: impl AsRef<[u8]> + Send + Sync + 'static) -> Self {
        Source::from_bytes(path, Arc::new(bytes))
    }

    fn from_bytes(path: impl Into<PathBuf>, bytes: Bytes) -> Self {
        let range = 0..(*bytes).as_ref().len();
        Source { path: path.into(), bytes, range, header: None, name: None }
    }

    /// Maps a large file; reads a small one, or anything else (a pipe), to its end. `FILE/NAME` is an array of a file
    /// of [several](super::arrays).
    ///
    /// # Errors
    /// When the file is going to be written, cannot be opened, mapped or read, or changes during the read.
    pub fn open(path: &Path) -> Result<Self> {
        if let Some(input) = memory::find(path) {
            return Ok(Source { header: input.header, ..Source::from_bytes(path, input.bytes) });
        }
        in_use::note_input(path)?;
        let fail = |error: std::io::Error| Error::io(path, &error);
        let mut file = match File::open(path) {
            Ok(file) => file,
            Err(error) => {
                let may_be_array = error.kind() == std::io::ErrorKind::NotADirectory;
                let array = may_be_array.then(|| arrays::open_named(path)).flatten();
                return array.unwrap_or_else(|| Err(open_error(path, &error)));
            }
        };
        let facts = file.metadata().map_err(fail)?;
        if facts.is_dir() {
            return Err(Error::new(path.display(), "a directory").expected("a file"));
        }
        if facts.file_type().is_char_device() || facts.file_type().is_block_device() {
            return Err(Error::new(path.display(), "a device").expected("a file or a pipe"));
        }
        let is_file = facts.is_file();
        let source = if is_file && facts.len() >= MAPPED_FROM {
            Source::new(path, Mapped::new(&file, Some(path)).map_err(fail)?)
        } else {
            let mut read = Vec::new();
            file.read_to_end(&mut read).map_err(fail)?;
            let now = FileFacts::from_metadata(&file.metadata().map_err(fail)?);
            let before = FileFacts::from_metadata(&facts);
            if is_file && before != now {
                return Err(mmap::difference_error(path, before, now));
            }
            Source::new(path, read)
        };
        let state = is_file.then(|| FileState::Facts(FileFacts::from_metadata(&facts)));
        file_states::record(path, state.as_ref());
        if !source.bytes().starts_with(GZIP) {
            return Ok(source);
        }
        let bytes = unpack(&source, MultiGzDecoder::new(source.bytes()), UNPACKED_LIMIT)?;
        Ok(Source::in_memory(path, bytes))
    }

    /// Maps a file that this program wrote, already open; `path` is its name in messages.
    ///
    /// # Errors
    /// When it cannot be mapped.
    pub fn map_file(path: &str, file: &File) -> std::io::Result<Self> {
        Ok(Source::new(path, Mapped::new(file, None)?))
    }

    /// The range `part` of the [`Source::bytes`] of `whole`, as an input of its own.
    pub fn part(path: impl Into<PathBuf>, whole: &Source, part: Range<usize>) -> Self {
        let start = whole.range.end - whole.bytes().len();
        let range = start + part.start..start + part.end;
        let (header, name) = (None, None);
        Source { path: path.into(), bytes: whole.bytes.clone(), range, header, name }
    }

    /// This input as the data of an array, with a header as in a `.npy` file; `name` is the default model name.
    #[must_use]
    pub fn as_array(self, header: String, name: Option<String>) -> Self {
        Source { header: Some(header), name, ..self }
    }

    /// A file built into the program.
    pub fn built_in(path: &str, bytes: &'static [u8]) -> Self {
        Source::new(path, bytes)
    }

    /// Bytes in memory; `path` is their name in messages.
    pub fn in_memory(path: impl Into<PathBuf>, bytes: Vec<u8>) -> Self {
        Source::new(path, bytes)
    }

    /// The path as it was given.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path as messages show it, safe for a terminal.
    pub fn display(&self) -> String {
        super::text::shown(&self.path.display().to_string())
    }

    /// A model's default name: the name of the array, else the file name without folder and last extension (`.gz` does
    /// not count).
    pub fn stem(&self) -> String {
        if let Some(name) = &self.name {
            return super::text::shown(name);
        }
        let mut path = self.path.clone();
        if path.extension().is_some_and(|extension| extension == "gz") {
            path.set_extension("");
        }
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        super::text::shown(&stem.to_string_lossy())
    }

    /// Header, as in a `.npy` file, of an array whose bytes are its data only; `None` for other inputs.
    pub fn header(&self) -> Option<&str> {
        self.header.as_deref()
    }

    /// The whole content, without a UTF-8 byte order mark.
    #[inline]
    pub fn bytes(&self) -> &[u8] {
        let bytes = self.all_bytes();
        if self.header.is_some() {
            return bytes;
        }
        bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
    }

    /// Checks that the input is no binary file; `expected` is the text format, for the error.
    ///
    /// # Errors
    /// A binary file of numbers.
    pub fn require_text(&self, expected: &str) -> Result<()> {
        match BINARY.iter().find(|(magic, _)| self.bytes().starts_with(magic)) {
            None => Ok(()),
            Some((_, what)) => Err(Error::new(self.display(), what)
                .expected(expected)
                .fix("name the file that was meant: this one holds numbers")),
        }
    }

    /// The whole content, with any byte order mark: for binary files.
    pub fn all_bytes(&self) -> &[u8] {
        &(*self.bytes).as_ref()[self.range.clone()]
    }
}

/// Files of at least this size are mapped. A smaller one is read at once, and its content cannot change later.
const MAPPED_FROM: u64 = 16 << 20;
/// First bytes of binary files, each with a description.
const BINARY: [(&[u8], &str); 4] = [
    (npy::MAGIC, "a NumPy array (.npy)"),
    (npz::MAGIC, "a zip archive, as .npz files are"),
    (table::MAGIC, "a Parquet table"),
    (arrays::HDF5, "an HDF5 file"),
];

/// UTF-8 byte order mark.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
/// Start of a `gzip` file.
const GZIP: &[u8] = &[0x1f, 0x8b, 8];
/// Deflate packs at most 258 bytes in two bits: nothing unpacks to more than this many times its size.
pub(super) const MAX_INFLATION: u64 = 1_032;
/// Maximum bytes unpacked into memory.
pub(super) const UNPACKED_LIMIT: u64 = 4 << 30;

/// Reads a decoder to its end, up to `limit` bytes; `source` is the packed file, for errors.
///
/// # Errors
/// Damaged data, or more than the limit.
pub fn unpack(source: &Source, decoder: impl Read, limit: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    decoder.take(limit + 1).read_to_end(&mut bytes).map_err(|e| {
        Error::new(source.display(), format!("damaged compressed data: {e}"))
            .fix("the file was cut or is still being written: copy it again")
    })?;
    if bytes.len() as u64 > limit {
        let found = "compressed data that unpacks to more than 4 GiB";
        return Err(Error::new(source.display(), found)
            .expected("at most 4 GiB, because they are unpacked into memory")
            .fix("unpack it into a file first: plain files may have any size"));
    }
    Ok(bytes)
}

/// Checks that a file or folder, or the file of an array, exists.
///
/// # Errors
/// A missing file, or one that cannot be read.
pub fn require_exists(path: &Path) -> Result<()> {
    match std::fs::metadata(path) {
        Err(error) if arrays::split_array_path(path).is_none() => Err(open_error(path, &error)),
        _ => Ok(()),
    }
}

/// The error of a file that cannot be opened; if it is missing, the fix is a similar name in its folder.
fn open_error(path: &Path, error: &std::io::Error) -> Error {
    let failure = Error::io(path, error);
    let is_missing = error.kind() == std::io::ErrorKind::NotFound;
    if is_missing && path == Path::new("-") {
        return failure.fix("standard input is named /dev/stdin");
    }
    match is_missing.then(|| similar_path(path)).flatten() {
        Some(similar) => failure.fix(format!("did you mean {}?", similar.display())),
        None => failure,
    }
}

/// A file or folder in the same folder with a similar name, or with an extension that was omitted.
fn similar_path(path: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(folder_of(path)).ok()?.flatten();
    let names: Vec<String> =
        entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let given = path.file_name()?.to_str()?;
    let with_ending = names.iter().find(|name| Path::new(name).file_stem() == Some(given.as_ref()));
    let similar = with_ending.map(String::as_str);
    let similar = similar.or_else(|| nearest(given, names.iter().map(String::as_str)))?;
    Some(path.with_file_name(similar))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn a_name_without_its_ending_means_the_file_that_has_one() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        for name in ["lsa.npy", "lsb.npy"] {
            std::fs::write(file(name), "").unwrap();
        }
        assert_eq!(similar_path(&file("lsa")), Some(file("lsa.npy")));
        assert_eq!(similar_path(&file("lsb.np")), Some(file("lsb.npy")));
        assert_eq!(similar_path(&file("colour")), None);
    }

    #[test]
    fn what_holds_numbers_is_no_text() {
        let of = |bytes: &[u8]| Source::in_memory("a.x", bytes.to_vec()).require_text("JSON");
        assert_eq!(of(b"{\"1\": [2]}"), Ok(()));
        for (magic, what) in BINARY {
            let error = of(&[magic, b" .. "].concat()).unwrap_err();
            assert_eq!((error.subject(), error.found()), ("a.x", what));
        }
    }

    #[test]
    fn gzip_is_unpacked_and_a_cut_file_is_told() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ours.run.gz");
        let packed = gzip(b"1 Q0 2 1 0.5 t\n");
        std::fs::write(&path, &packed).unwrap();
        let source = Source::open(&path).unwrap();
        assert_eq!((source.bytes(), source.stem().as_str()), (&b"1 Q0 2 1 0.5 t\n"[..], "ours"));
        std::fs::write(&path, &packed[..packed.len() - 9]).unwrap();
        let error = Source::open(&path).unwrap_err().to_string();
        assert!(error.contains("damaged compressed data"), "{error}");
    }

    #[test]
    fn unpacking_stops_at_the_limit() {
        let source = Source::in_memory("bomb.gz", Vec::new());
        let read = |limit| unpack(&source, std::io::repeat(0).take(1000), limit);
        assert_eq!(read(1000).unwrap().len(), 1000);
        assert!(read(999).unwrap_err().to_string().contains("more than"));
    }
}
