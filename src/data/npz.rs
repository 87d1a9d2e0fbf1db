//! `.npz`: a zip archive of named `.npy` files, as `numpy.savez` and `savez_compressed` write it.

use std::io::{self, Cursor, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::npy::{self, Npy};
use super::source::{Source, UNPACKED_LIMIT, too_large};
use super::text::{grouped, shown};
use crate::error::{Error, Result};

/// How a zip archive starts.
pub const MAGIC: &[u8] = b"PK\x03\x04";
/// How an entry of the directory of an archive starts.
const ENTRY: &[u8] = b"PK\x01\x02";
/// More arrays than anybody puts into one file.
const MOST_MEMBERS: usize = 1_000;

/// What deflate packs best is 258 bytes in two bits: nothing unpacks to more than this many times
/// its size.
pub(super) const MOST_UNPACKED: u64 = 1_032;
/// The longest beginning of an array that is unpacked to see how long the array is.
const LONGEST_HEAD: u64 = 66_000;

/// The arrays of an archive, each named `archive/name.npy`. Members stored plainly stay in the mapped
/// file; compressed ones are read into memory, all of them together at most [`UNPACKED_LIMIT`].
///
/// # Errors
/// A damaged or encrypted archive, a member that is no `.npy` file or is packed in a way that
/// `numpy` does not write, members that share bytes, or more data than the limit or than the arrays
/// need. Sizes are checked before anything is unpacked.
pub fn members(source: &Arc<Source>) -> Result<Vec<Npy>> {
    let mut archive =
        ZipArchive::new(Cursor::new(source.bytes())).map_err(|e| broken(source, &e))?;
    if let Some(name) = repeated(source.bytes(), archive.central_directory_start()) {
        return Err(Error::new(source.display(), format!("two arrays of the name {name}"))
            .expected("every array under a name of its own")
            .mend("save the arrays under names that differ: numpy.savez(FILE, a=A, b=B)"));
    }
    if archive.len() > MOST_MEMBERS {
        return Err(Error::new(source.display(), format!("an archive of {} files", archive.len()))
            .expected(format!("at most {MOST_MEMBERS} arrays")));
    }
    let listed = (0..archive.len()).map(|at| Member::listed(source, &mut archive, at));
    let listed: Vec<Member> = listed.collect::<Result<_>>()?;
    check(source, &listed)?;
    let read = |(at, member): (usize, &Member)| {
        let path = format!("{}/{}", source.path().display(), member.name);
        let inside = if member.is_stored {
            Source::part(&path, source, member.data.clone())
        } else {
            let file = archive.by_index(at).map_err(|e| broken(source, &e))?;
            Source::in_memory(&path, member.unpacked(source, file)?)
        };
        Npy::open(Arc::new(inside))
    };
    listed.iter().enumerate().map(read).collect()
}

/// A name that the directory of an archive, which starts at `start`, lists twice: the crate keeps the last
/// of such files alone.
fn repeated(bytes: &[u8], start: u64) -> Option<String> {
    let mut rest = bytes.get(usize::try_from(start).ok()?..)?;
    let mut names = std::collections::HashSet::new();
    while let Some(entry) = rest.strip_prefix(ENTRY) {
        let length =
            |at: usize| Some(usize::from(u16::from_le_bytes(*entry.get(at..)?.first_chunk()?)));
        let [name, extra, comment] = [length(24)?, length(26)?, length(28)?];
        let listed = entry.get(42..42 + name)?;
        if !names.insert(listed) {
            return Some(shown(&String::from_utf8_lossy(listed)));
        }
        rest = entry.get(42 + name + extra + comment..)?;
    }
    None
}

/// What an archive says of a file in it.
struct Member {
    name: String,
    /// Where its header starts.
    start: usize,
    /// Where its bytes are.
    data: Range<usize>,
    /// How many bytes it says that it unpacks to.
    size: u64,
    is_stored: bool,
}

impl Member {
    fn listed(source: &Source, archive: &mut ZipArchive<Cursor<&[u8]>>, at: usize) -> Result<Self> {
        let file = archive.by_index(at).map_err(|e| broken(source, &e))?;
        let name = file.name().map_err(|e| broken(source, &e))?.into_owned();
        let is_stored = file.compression() == CompressionMethod::Stored;
        let packed = if is_stored { file.size() } else { file.compressed_size() };
        let ends = || {
            let start = usize::try_from(file.data_start()?).ok()?;
            let end = start.checked_add(usize::try_from(packed).ok()?)?;
            (end <= source.bytes().len()).then_some(start..end)
        };
        let data = ends().ok_or_else(|| damaged(source, "a member ends behind the file"))?;
        Ok(Member { name, start: file.header_start() as usize, data, size: file.size(), is_stored })
    }

    /// Unpacks the array, and no more than its header asks for.
    fn unpacked(&self, source: &Source, mut file: impl Read) -> Result<Vec<u8>> {
        let failed = |e: io::Error| damaged(source, &format!("{}: {e}", self.name));
        let mut bytes = Vec::new();
        let mut head = file.by_ref().take(self.size.min(LONGEST_HEAD));
        head.read_to_end(&mut bytes).map_err(failed)?;
        let Some(asked) = npy::length(&bytes) else {
            // Whoever opens it says what is wrong with it.
            return Ok(bytes);
        };
        if asked != self.size {
            let found = format!(
                "{} of {} bytes, whose header asks for {}",
                self.name,
                of_bytes(self.size),
                of_bytes(asked)
            );
            return Err(
                Error::new(source.display(), found).expected("arrays as numpy.savez writes them")
            );
        }
        bytes.reserve_exact(self.size as usize - bytes.len());
        // One more, to come to the end, where the checksum is looked at.
        let rest = self.size - bytes.len() as u64 + 1;
        file.take(rest).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() as u64 == self.size {
            return Ok(bytes);
        }
        let found = format!("{} unpacks to another size than is listed", self.name);
        Err(damaged(source, &found))
    }
}

fn of_bytes(bytes: u64) -> String {
    grouped(usize::try_from(bytes).unwrap_or(usize::MAX))
}

/// Checks the names and sizes that an archive lists, before any of it is believed.
fn check(source: &Source, listed: &[Member]) -> Result<()> {
    let is_array = |member: &&Member| Path::new(&member.name).extension() == Some("npy".as_ref());
    if let Some(other) = listed.iter().find(|member| !is_array(member)) {
        let found = format!("a zip archive with {}", other.name);
        return Err(Error::new(source.display(), found)
            .expected("an .npz archive: .npy files only, as numpy.savez writes it"));
    }
    let packed = || listed.iter().filter(|member| !member.is_stored);
    let sum = packed().try_fold(0u64, |sum, member| sum.checked_add(member.size));
    if sum.is_none_or(|sum| sum > UNPACKED_LIMIT) {
        return Err(too_large(source));
    }
    let is_too_much = |member: &&Member| member.size > MOST_UNPACKED * member.data.len() as u64;
    if let Some(member) = packed().find(is_too_much) {
        let (size, from) = (of_bytes(member.size), grouped(member.data.len()));
        let found = format!("{}: {size} bytes out of {from}", member.name);
        return Err(damaged(source, &found));
    }
    let mut places: Vec<&Member> = listed.iter().collect();
    places.sort_by_key(|member| member.start);
    let mut pairs = places.windows(2);
    match pairs.find(|pair| pair[0].data.end > pair[1].start) {
        Some([one, other]) => {
            let found = format!("{} and {} share bytes", one.name, other.name);
            Err(damaged(source, &found))
        }
        _ => Ok(()),
    }
}

fn broken(source: &Source, error: &ZipError) -> Error {
    damaged(source, &error.to_string())
}

fn damaged(source: &Source, what: &str) -> Error {
    Error::new(source.display(), format!("an archive that cannot be read: {what}"))
        .expected("an archive as numpy.savez or torch.save writes it")
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
        members(&Arc::new(Source::in_memory("m.npz", bytes)))
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
    fn one_name_twice_is_an_error() {
        let (a, b) = (npy(&[1.0, 2.0]), npy(&[3.0, 4.0]));
        let mut bytes = archive(&[("a.npy", &a, Stored), ("b.npy", &b, Stored)]);
        for at in 0..bytes.len() - 5 {
            if bytes[at..].starts_with(b"b.npy") {
                bytes[at] = b'a';
            }
        }
        let error = open(bytes).unwrap_err().to_string();
        assert!(error.contains("two arrays of the name a.npy"), "{error}");
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

    /// Where the entries of an archive's directory start.
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
        let listed = |count: usize| {
            let mut archive = ZipArchive::new(Cursor::new(&bytes[..])).unwrap();
            let source = Source::in_memory("m.npz", bytes.clone());
            let listed = (0..count).map(|at| Member::listed(&source, &mut archive, at));
            check(&source, &listed.collect::<Result<Vec<_>>>().unwrap())
        };
        let error = listed(2).unwrap_err().to_string();
        assert!(error.contains("000.npy and 001.npy share bytes"), "{error}");
        assert!(listed(1).is_ok());
        let error = open(bytes.clone()).unwrap_err().to_string();
        assert!(error.contains("more than 4 GiB"), "{error}");
    }

    #[test]
    fn no_more_is_unpacked_than_deflate_can_pack_or_the_array_needs() {
        let mut bytes = archive(&[("a.npy", &npy(&[0.0; 500]), Deflated)]);
        let at = entries(&bytes)[0];
        bytes[at + 24..at + 28].copy_from_slice(&1_000_000_u32.to_le_bytes());
        let error = open(bytes).unwrap_err().to_string();
        assert!(error.contains("a.npy: 1,000,000 bytes out of"), "{error}");
        let mut padded = npy(&[0.0; 500]);
        padded.resize(1_000_000, 0);
        let error = open(archive(&[("a.npy", &padded, Deflated)])).unwrap_err().to_string();
        assert!(error.contains("a.npy of 1,000,000 bytes, whose header asks for 2,0"), "{error}");
    }
}
