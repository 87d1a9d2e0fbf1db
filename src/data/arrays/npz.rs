//! `.npz`: a zip archive of named `.npy` files, as `numpy.savez` and `savez_compressed` write it.

use std::io::{self, Cursor, Read};
use std::sync::Arc;

use zip::read::ZipFile;
use zip::{CompressionMethod, ZipArchive};

use super::tensor::{Data, Tensor};
use crate::data::npy;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Start of a zip archive.
pub const MAGIC: &[u8] = b"PK\x03\x04";
/// Maximum number of files in an archive.
const MAX_MEMBERS: usize = 1_000;
/// Command that saves an array in a readable form.
const SAVE: &str = "numpy.savez(\"scores.npz\", scores=scores.astype(\"float32\"))";

/// Lists the arrays of an archive. Members stored plainly stay in the mapped file; compressed ones are unpacked when
/// they are opened.
///
/// # Errors
/// A damaged or encrypted archive, or a member that is no `.npy` file or longer than its header says.
pub(super) fn tensors(source: &Arc<Source>) -> Result<Vec<Tensor>> {
    let archive = ZipArchive::new(Cursor::new(source.bytes()));
    let mut archive = archive.map_err(|error| archive_error(source, error))?;
    if archive.len() > MAX_MEMBERS {
        return Err(Error::new(source.display(), format!("an archive of {} files", archive.len()))
            .expected(format!("at most {MAX_MEMBERS} arrays")));
    }
    (0..archive.len())
        .map(|at| {
            let file = archive.by_index(at).map_err(|error| archive_error(source, error))?;
            tensor(source, at, file)
        })
        .collect()
}

/// The array of the member at index `at`.
fn tensor(source: &Arc<Source>, at: usize, mut file: ZipFile<'_, impl Read>) -> Result<Tensor> {
    let path = file.name().map_err(|error| archive_error(source, error))?.into_owned();
    let Some(name) = path.strip_suffix(".npy").map(str::to_owned) else {
        return Err(Error::new(source.display(), format!("a zip archive with {path}"))
            .expected("an .npz archive: .npy files only, as numpy.savez writes it"));
    };
    let size = file.size() as usize;
    let start = file.data_start().filter(|_| file.compression() == CompressionMethod::Stored);
    let mut head = Vec::new();
    let read = file.by_ref().take(npy::MAX_START_BYTES as u64).read_to_end(&mut head);
    read.map_err(|error| archive_error(source, format!("{path}: {error}")))?;
    let (header, data_start) = npy::Header::parse_start(&head)
        .ok_or_else(|| archive_error(source, format!("{path} has no .npy header")))?;
    let element = header.descr.as_deref().ok_or("named fields".to_owned());
    let element = element.and_then(|descr| match npy::Element::parse(descr) {
        Some(_) => Ok(descr.to_owned()),
        None => Err(format!("{descr:?}")),
    });
    let tensor = Tensor {
        name,
        element,
        fortran: header.fortran,
        shape: header.shape,
        data: if let Some(start) = start {
            let start = start as usize;
            Data::Block(start + data_start..start.saturating_add(size))
        } else {
            let source = source.clone();
            Data::Packed(Box::new(move || {
                unpack(&source, at, data_start, size)
                    .map_err(|error| archive_error(&source, format!("{path}: {error}")))
            }))
        },
        fix: SAVE,
    };
    match tensor.size() {
        Some(bytes) if bytes.saturating_add(data_start) != size => {
            let [size, bytes] = [size, bytes.saturating_add(data_start)].map(grouped);
            let found = format!("{} of {size} bytes, whose header asks for {bytes}", tensor.name);
            Err(Error::new(source.display(), found)
                .expected("arrays as numpy.savez writes them")
                .fix("the file was cut or is still being written: save or copy it again"))
        }
        _ => Ok(tensor),
    }
}

/// Unpacks the data of the member at index `at`, which has `size` bytes in all, the data from `data_start` on.
fn unpack(source: &Source, at: usize, data_start: usize, size: usize) -> io::Result<Vec<u8>> {
    let mut archive = ZipArchive::new(Cursor::new(source.bytes()))?;
    let mut file = archive.by_index(at)?;
    io::copy(&mut file.by_ref().take(data_start as u64), &mut io::sink())?;
    let mut bytes = Vec::with_capacity(size - data_start);
    // One more byte, to reach the end and verify the checksum.
    file.take((size - data_start) as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn archive_error(source: &Source, what: impl std::fmt::Display) -> Error {
    Error::new(source.display(), format!("an archive that cannot be read: {what}"))
        .expected("an archive as numpy.savez or torch.save writes it")
        .fix("the file was cut or is still being written: save or copy it again")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::data::npy::{MAGIC as NPY, Npy};

    fn npy(cells: &[f32]) -> Vec<u8> {
        let header = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {}), }}\n",
            cells.len()
        );
        let mut file =
            [NPY, &[1, 0], &(header.len() as u16).to_le_bytes(), header.as_bytes()].concat();
        file.extend(cells.iter().flat_map(|cell| cell.to_le_bytes()));
        file
    }

    fn archive(files: &[(&str, &[u8], CompressionMethod)]) -> Vec<u8> {
        let mut archive = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, bytes, method) in files {
            let options = SimpleFileOptions::default().compression_method(*method);
            archive.start_file(*name, options).unwrap();
            archive.write_all(bytes).unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    fn open(bytes: Vec<u8>) -> Result<Vec<Npy>> {
        let source = Arc::new(Source::in_memory("m.npz", bytes));
        crate::data::arrays::open(&source)
            .map(|arrays| arrays.map_or_else(Vec::new, |arrays| arrays.opened))
    }

    use CompressionMethod::{Deflated, Stored};

    #[test]
    fn stored_and_compressed_arrays_keep_their_names() {
        let (a, b) = (npy(&[1.0, 2.0]), npy(&[0.0; 500]));
        let found = open(archive(&[("ours.npy", &a, Stored), ("base.npy", &b, Deflated)])).unwrap();
        let named: Vec<(String, usize)> =
            found.iter().map(|npy| (npy.source().stem(), npy.shape[1])).collect();
        assert_eq!(named, [("ours".into(), 2), ("base".into(), 500)]);
        assert_eq!(found[0].data(), [1f32.to_le_bytes(), 2f32.to_le_bytes()].concat());
    }

    #[test]
    fn damaged_archives_end_in_one_error() {
        let (a, b) = (npy(&[1.0, 2.0]), npy(&[0.5; 500]));
        let whole = archive(&[("ours.npy", &a, Stored), ("base.npy", &b, Deflated)]);
        for cut in [5, whole.len() / 2, whole.len() - 5] {
            assert!(open(whole[..cut].to_vec()).is_err(), "cut at {cut}");
        }
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x55;
            // Most damage is an error; none is a panic.
            let _ = open(bytes);
        }
        let error = open(archive(&[("readme.txt", b"x", Stored)])).unwrap_err();
        assert!(error.to_string().contains("readme.txt"), "{error}");
    }

    #[test]
    fn sizes_beyond_the_limit_are_refused_before_anything_is_unpacked() {
        let file = npy(&[0.0; 500]);
        let mut bytes = archive(&[("a.npy", &file, Deflated), ("b.npy", &file, Deflated)]);
        for at in 0..bytes.len() - 28 {
            if bytes[at..].starts_with(b"PK\x01\x02") {
                bytes[at + 24..at + 28].copy_from_slice(&0xffff_fffe_u32.to_le_bytes());
            }
        }
        let error = open(bytes).unwrap_err().to_string();
        assert!(error.contains("4,294,967,294 bytes, whose header asks for"), "{error}");
    }

    /// Starts of the entries of an archive's directory.
    fn entries(bytes: &[u8]) -> Vec<usize> {
        let is_entry = |at: &usize| bytes[*at..].starts_with(b"PK\x01\x02");
        (0..bytes.len()).filter(is_entry).collect()
    }

    /// The attack: a small file whose directory lists one packed array again and again.
    #[test]
    fn one_member_under_many_names_is_refused_before_it_is_unpacked() {
        let large = npy(&vec![0.0; 13_000_000]);
        let names: Vec<String> = (0..200).map(|at| format!("{at:03}.npy")).collect();
        let small = npy(&[0.0; 4]);
        let mut files = vec![(names[0].as_str(), &large[..], Deflated)];
        files.extend(names[1..].iter().map(|name| (name.as_str(), &small[..], Deflated)));
        let mut bytes = archive(&files);
        let entries = entries(&bytes);
        let first = bytes[entries[0]..entries[1]].to_vec();
        for &at in &entries[1..] {
            // Checksum and sizes, and where the member is.
            bytes[at + 16..at + 28].copy_from_slice(&first[16..28]);
            bytes[at + 42..at + 46].copy_from_slice(&first[42..46]);
        }
        assert!(bytes.len() < 100_000, "{}", bytes.len());
        let error = open(bytes).unwrap_err().to_string();
        assert!(error.contains("bytes in memory"), "{error}");
    }

    #[test]
    fn no_more_is_unpacked_than_deflate_can_pack_or_the_array_needs() {
        let mut bytes = archive(&[("a.npy", &npy(&[0.0; 500]), Deflated)]);
        let at = entries(&bytes)[0];
        bytes[at + 24..at + 28].copy_from_slice(&1_000_000_u32.to_le_bytes());
        let error = open(bytes).unwrap_err().to_string();
        assert!(error.contains("a of 1,000,000 bytes, whose header asks for 2,0"), "{error}");
        let mut padded = npy(&[0.0; 500]);
        padded.resize(1_000_000, 0);
        let error = open(archive(&[("a.npy", &padded, Deflated)])).unwrap_err().to_string();
        assert!(error.contains("a of 1,000,000 bytes, whose header asks for 2,0"), "{error}");
    }
}
