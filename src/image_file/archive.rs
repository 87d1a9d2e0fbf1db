//! Image files in zip and tar archives, read in place: nothing is unpacked to disk, and member names are never used as
//! paths.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use flate2::read::DeflateDecoder;
use zip::{CompressionMethod, ZipArchive};

use super::NoImage;
use super::folder::{MAX_FILES, is_hidden, path_inside};
use crate::data::in_use;
use crate::data::text::shell_word;
use crate::error::{Error, Result};

/// An archive format.
#[derive(Debug, Clone, Copy)]
pub(super) enum Archive {
    Zip,
    Tar,
}

/// Number of bytes at the start of a file that identify its format.
const HEAD_LEN: u64 = 512;
/// Offset of `ustar` in a tar archive.
const TAR_MAGIC: usize = 257;

/// Members of an archive, in the order of their paths.
#[derive(Debug)]
pub(super) enum Members {
    /// The archive, and the index of each member in it.
    Zip(Mutex<ZipArchive<BufReader<File>>>, Vec<usize>),
    /// Offset and size of each member in bytes.
    Tar(Vec<(u64, u64)>),
}

/// One image file in an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    archive: Arc<Path>,
    /// Offset of the data in the archive.
    start: u64,
    /// Size of the data in the archive in bytes.
    packed: u64,
    /// Size of the unpacked file in bytes, as declared.
    size: u64,
    is_deflated: bool,
}

impl Archive {
    /// The format of a file, by its first bytes; `is_regular` tells whether it is a regular file.
    ///
    /// # Errors
    /// A file that is neither a zip nor a tar archive; a compressed tar, whose members cannot be read one by one.
    pub(super) fn detect(path: &Path, is_regular: bool) -> Result<Self> {
        let mut head = Vec::new();
        // Opening a pipe without a writer would block.
        if is_regular {
            let read = File::open(path).and_then(|file| file.take(HEAD_LEN).read_to_end(&mut head));
            read.map_err(|e| Error::io(path, &e))?;
        }
        if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
            return Ok(Archive::Zip);
        }
        if head.get(TAR_MAGIC..).is_some_and(|head| head.starts_with(b"ustar")) {
            return Ok(Archive::Tar);
        }
        let is_gzip = head.starts_with(b"\x1f\x8b");
        let found = if is_gzip { "a compressed archive" } else { "a file" };
        let error = Error::new(path.display(), found)
            .expected("the folder of the image files, or a .zip or an uncompressed .tar of them");
        Err(if is_gzip {
            error.fix(format!(
                "gunzip < {} > images.tar; --images images.tar",
                shell_word(&path.to_string_lossy())
            ))
        } else {
            error.fix("--images DIR")
        })
    }

    /// The paths of all visible files in an archive, in order, and their locations there.
    pub(super) fn list(self, path: &Path) -> std::io::Result<(Vec<PathBuf>, Members)> {
        let file = File::open(path)?;
        Ok(match self {
            Archive::Zip => {
                let archive = ZipArchive::new(BufReader::new(file))?;
                let names = archive.file_names().enumerate().take(MAX_FILES);
                let files = names.filter_map(|(index, name)| {
                    let name = name.ok().filter(|name| !name.ends_with('/'))?;
                    Some((safe_path(&name)?, index))
                });
                let (paths, indices) = files.collect::<BTreeMap<_, _>>().into_iter().unzip();
                (paths, Members::Zip(Mutex::new(archive), indices))
            }
            Archive::Tar => {
                let mut members = BTreeMap::new();
                for entry in tar::Archive::new(file).entries_with_seek()?.take(MAX_FILES) {
                    let entry = entry?;
                    let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
                    let name = safe_path(&name).filter(|_| entry.header().entry_type().is_file());
                    // Of equal paths the last one counts, as in unpacking.
                    members
                        .extend(name.map(|name| (name, (entry.raw_file_position(), entry.size()))));
                }
                let (paths, locations) = members.into_iter().unzip();
                (paths, Members::Tar(locations))
            }
        })
    }
}

/// The path of a member by its name, without parts that lead out of a folder; `None` if no part is left, or if one is
/// hidden, as in `__MACOSX/._a.jpg`.
fn safe_path(name: &str) -> Option<PathBuf> {
    path_inside(name).filter(|path| !path.iter().any(is_hidden))
}

impl Members {
    /// The member at an index of the paths of [`Archive::list`]; `path` is that of the archive.
    ///
    /// # Errors
    /// [`NoImage::Unreadable`] if it is encrypted, neither stored nor deflated, or has a damaged header.
    pub(super) fn get(&self, at: usize, path: &Arc<Path>) -> std::result::Result<Member, NoImage> {
        let archive = path.clone();
        match self {
            Members::Tar(locations) => {
                let (start, size) = locations[at];
                Ok(Member { archive, start, packed: size, size, is_deflated: false })
            }
            Members::Zip(zip, indices) => {
                let mut zip = zip.lock().unwrap_or_else(PoisonError::into_inner);
                let unreadable = |why: &dyn std::fmt::Display| NoImage::Unreadable(why.to_string());
                let file = zip.by_index_raw(indices[at]).map_err(|error| unreadable(&error))?;
                let is_deflated = match file.compression() {
                    _ if file.encrypted() => return Err(unreadable(&"encrypted")),
                    CompressionMethod::Stored => false,
                    CompressionMethod::Deflated => true,
                    other => return Err(unreadable(&format!("packed by {other}"))),
                };
                let start = file.data_start().ok_or(NoImage::CutOff)?;
                let (packed, size) = (file.compressed_size(), file.size());
                Ok(Member { archive, start, packed, size, is_deflated })
            }
        }
    }
}

impl Member {
    /// Reads and unpacks it, but no more than its declared size.
    ///
    /// # Errors
    /// A declared size of more than `max_bytes`; an archive that cannot be read.
    pub(super) fn read(&self, max_bytes: u64) -> std::result::Result<Vec<u8>, NoImage> {
        if self.size > max_bytes {
            return Err(NoImage::TooLong(self.size));
        }
        // If it is also an output, its writer reports the error.
        let _ = in_use::note_input(&self.archive);
        let mut bytes = Vec::new();
        let mut read = || {
            let mut file = File::open(&self.archive)?;
            file.seek(SeekFrom::Start(self.start))?;
            let packed = file.take(self.packed);
            if self.is_deflated {
                DeflateDecoder::new(packed).take(self.size).read_to_end(&mut bytes)
            } else {
                packed.take(self.size).read_to_end(&mut bytes)
            }
        };
        read().map_err(|error| super::load::read_failure(&error))?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::image_file::{ImageFile, ImageFolder, ImageLimits, load, read};

    const FILES: [&str; 6] = [
        "val2014/COCO_val2014_000000391895.jpg",
        "a/dog.png",
        "b/dog.png",
        "../../b/c/dog.png",
        "__MACOSX/b/._cat.png",
        "b/flickr/1000092795.webp",
    ];

    fn zip(method: CompressionMethod, content: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
        let mut bytes = std::io::Cursor::new(Vec::new());
        let mut zip = ZipWriter::new(&mut bytes);
        zip.add_directory("a", SimpleFileOptions::default()).unwrap();
        for file in FILES {
            let options = SimpleFileOptions::default().compression_method(method);
            zip.start_file(file, options).unwrap();
            zip.write_all(&content(file)).unwrap();
        }
        zip.finish().unwrap();
        bytes.into_inner()
    }

    fn tar(content: impl Fn(&str) -> Vec<u8>) -> Vec<u8> {
        let mut tar = tar::Builder::new(Vec::new());
        let mut add = |name: &str, kind, bytes: &[u8]| {
            let mut header = tar::Header::new_ustar();
            header.as_old_mut().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_entry_type(kind);
            header.set_size(bytes.len() as u64);
            header.set_cksum();
            tar.append(&header, bytes).unwrap();
        };
        add("a/", tar::EntryType::Directory, b"");
        add("lost.png", tar::EntryType::Symlink, b"");
        add("b/dog.png", tar::EntryType::Regular, b"an earlier one");
        for file in FILES {
            add(file, tar::EntryType::Regular, &content(file));
        }
        tar.into_inner().unwrap()
    }

    fn opened(bytes: &[u8]) -> (tempfile::NamedTempFile, ImageFolder) {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(&file, bytes).unwrap();
        let files = ImageFolder::open(file.path()).unwrap();
        (file, files)
    }

    #[test]
    fn members_are_found_as_files_of_a_folder_and_read_in_place() {
        let own_name = |name: &str| name.as_bytes().to_vec();
        for bytes in [
            zip(CompressionMethod::Stored, own_name),
            zip(CompressionMethod::Deflated, own_name),
            tar(own_name),
        ] {
            let (_file, files) = opened(&bytes);
            let found = |name: &str| {
                let bytes = read(&files.find(name)?, ImageLimits::default())?;
                Ok(String::from_utf8(bytes.into_owned()).unwrap())
            };
            for (name, file) in [
                ("b/dog.png", 2),
                ("dog.png", 1),
                ("x/b/dog.png", 2),
                ("x/c/dog.png", 3),
                ("391895", 0),
                ("elsewhere/COCO_val2014_000000391895.jpg", 0),
                ("1000092795", 5),
            ] {
                assert_eq!(found(name).as_deref(), Ok(FILES[file]), "{name}");
            }
            for name in ["", "..", "a", "lost.png", "._cat.png", "cat", "999"] {
                assert_eq!(found(name), Err(NoImage::Missing), "{name:?}");
            }
        }
    }

    #[test]
    fn what_unpacks_to_more_than_it_says_or_than_is_read_is_no_image() {
        let bomb = |_: &str| vec![0; 1 << 20];
        let mut bytes = zip(CompressionMethod::Deflated, bomb);
        let limits = ImageLimits { file: 1 << 16, ..ImageLimits::default() };
        let (_file, files) = opened(&bytes);
        let source = files.find("dog.png").unwrap();
        assert_eq!(load(&source, limits), Err(NoImage::TooLong(1 << 20)));
        // The index has a lower size.
        for at in 0..bytes.len() - 28 {
            if bytes[at..].starts_with(b"PK\x01\x02") {
                bytes[at + 24..at + 28].copy_from_slice(&100_u32.to_le_bytes());
            }
        }
        let (_file, files) = opened(&bytes);
        let read = read(&files.find("dog.png").unwrap(), limits);
        assert!(read.is_ok_and(|bytes| bytes.len() <= 100));
    }

    #[test]
    fn damaged_archives_and_those_without_an_index_are_told() {
        let whole = zip(CompressionMethod::Stored, |_| b"x".to_vec());
        let (_file, files) = opened(&whole[..whole.len() / 2]);
        assert!(matches!(files.find("dog.png"), Err(NoImage::Unreadable(_))));
        let whole = tar(|_| vec![7; 4_000]);
        for end in (512..whole.len()).step_by(97) {
            let (_file, files) = opened(&whole[..end]);
            let found =
                files.find("dog.png").and_then(|found| read(&found, ImageLimits::default()));
            assert!(found.is_err() || found.is_ok_and(|bytes| bytes.len() <= 4_000));
        }
        let file = tempfile::NamedTempFile::new().unwrap();
        for (bytes, found) in [(&b"\x1f\x8b\x08"[..], "gunzip"), (b"", "--images DIR")] {
            fs::write(&file, bytes).unwrap();
            let error = ImageFolder::open(file.path()).unwrap_err().to_string();
            assert!(error.contains(found) && error.contains("uncompressed .tar"), "{error}");
        }
    }

    #[test]
    fn an_archive_that_was_replaced_gives_no_image() {
        let (file, files) = opened(&tar(|_| vec![7; 4_000]));
        let source = files.find("dog.png").unwrap();
        fs::write(&file, b"").unwrap();
        assert_eq!(load(&source, ImageLimits::default()), Err(NoImage::NotAnImage));
        let ImageFile::Member(member) = source else { panic!() };
        assert_eq!(&*member.archive, file.path());
    }
}
