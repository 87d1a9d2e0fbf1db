//! `.npz`: a zip archive of named `.npy` files, as `numpy.savez` and `savez_compressed` write it.

use std::io::Cursor;
use std::path::Path;
use std::sync::Arc;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::npy::Npy;
use super::source::{Source, UNPACKED_LIMIT, too_large, unpacked};
use crate::error::{Error, Result};

/// How a zip archive starts.
pub const MAGIC: &[u8] = b"PK\x03\x04";
/// More arrays than anybody puts into one file.
const MOST_MEMBERS: usize = 1_000;

/// The arrays of an archive, each named `archive/name.npy`. Members stored plainly stay in the mapped
/// file; compressed ones are read into memory, all of them together at most [`UNPACKED_LIMIT`].
///
/// # Errors
/// A damaged or encrypted archive, a member that is no `.npy` file or is packed in a way that
/// `numpy` does not write, or more data than the limit.
pub fn members(source: &Arc<Source>) -> Result<Vec<Npy>> {
    let mut archive =
        ZipArchive::new(Cursor::new(source.bytes())).map_err(|e| broken(source, &e))?;
    if archive.len() > MOST_MEMBERS {
        return Err(Error::new(
            source.display(),
            format!("an archive of {} files", archive.len()),
        )
        .expected(format!("at most {MOST_MEMBERS} arrays")));
    }
    let mut left = UNPACKED_LIMIT;
    let mut members = Vec::new();
    for at in 0..archive.len() {
        let (name, bytes) = member(source, &mut archive, at, &mut left)?;
        if Path::new(&name)
            .extension()
            .is_none_or(|extension| extension != "npy")
        {
            return Err(
                Error::new(source.display(), format!("a zip archive with {name}"))
                    .expected("an .npz archive: .npy files only, as numpy.savez writes it"),
            );
        }
        let path = format!("{}/{name}", source.path().display());
        members.push(Npy::open(Arc::new(match bytes {
            Bytes::At(range) => Source::part(&path, source, range),
            Bytes::Unpacked(bytes) => Source::in_memory(&path, bytes),
        }))?);
    }
    Ok(members)
}

enum Bytes {
    At(std::ops::Range<usize>),
    Unpacked(Vec<u8>),
}

/// A member's name and where its bytes are; compressed ones use up what is `left`.
fn member(
    source: &Source,
    archive: &mut ZipArchive<Cursor<&[u8]>>,
    at: usize,
    left: &mut u64,
) -> Result<(String, Bytes)> {
    let file = archive.by_index(at).map_err(|e| broken(source, &e))?;
    let name = file.name().map_err(|e| broken(source, &e))?.into_owned();
    if file.compression() == CompressionMethod::Stored {
        let start = file
            .data_start()
            .and_then(|start| usize::try_from(start).ok());
        let range = start.and_then(|start| Some(start..start.checked_add(file.size() as usize)?));
        let inside = range.filter(|range| range.end <= source.bytes().len());
        let range = inside.ok_or_else(|| damaged(source, "a member ends behind the file"))?;
        return Ok((name, Bytes::At(range)));
    }
    let size = file.size();
    *left = left.checked_sub(size).ok_or_else(|| too_large(source))?;
    let bytes = unpacked(source, file, size)?;
    Ok((name, Bytes::Unpacked(bytes)))
}

fn broken(source: &Source, error: &ZipError) -> Error {
    damaged(source, &error.to_string())
}

fn damaged(source: &Source, what: &str) -> Error {
    Error::new(
        source.display(),
        format!("an archive that cannot be read: {what}"),
    )
    .expected("an .npz archive, as numpy.savez or numpy.savez_compressed writes it")
    .mend("the file was cut or is still being written: save or copy it again")
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use zip::write::SimpleFileOptions;

    use super::*;
    use crate::data::npy::MAGIC as NPY;

    fn npy(cells: &[f32]) -> Vec<u8> {
        let header = format!(
            "{{'descr': '<f4', 'fortran_order': False, 'shape': (1, {}), }}\n",
            cells.len()
        );
        let mut file = [
            NPY,
            &[1, 0],
            &(header.len() as u16).to_le_bytes(),
            header.as_bytes(),
        ]
        .concat();
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
        members(&Arc::new(Source::in_memory("m.npz", bytes)))
    }

    use CompressionMethod::{Deflated, Stored};

    #[test]
    fn stored_and_compressed_arrays_keep_their_names() {
        let (a, b) = (npy(&[1.0, 2.0]), npy(&[0.0; 500]));
        let found = open(archive(&[
            ("ours.npy", &a, Stored),
            ("base.npy", &b, Deflated),
        ]))
        .unwrap();
        let named: Vec<(String, usize)> = found
            .iter()
            .map(|npy| (npy.source().stem(), npy.shape[1]))
            .collect();
        assert_eq!(named, [("ours".into(), 2), ("base".into(), 500)]);
        assert_eq!(
            found[0].data(),
            [1f32.to_le_bytes(), 2f32.to_le_bytes()].concat()
        );
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
        assert!(error.contains("more than 4 GiB"), "{error}");
    }
}
