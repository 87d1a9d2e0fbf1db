//! `.pt`, `.pth`: what `torch.save` writes, as a zip archive (from torch 1.6 on) or in the older format.
//!
//! The index is a pickle, in which only tensors are looked for: nothing of it is executed.

use std::io::{Cursor, Read};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use zip::{CompressionMethod, ZipArchive};

use super::npz;
use super::pickle::{Listed, Reader};
use super::tensor::{Data, Tensor};
use crate::data::npy::Element;
use crate::data::source::Source;
use crate::error::{Error, Result};

/// The longest index: a tensor takes 160 bytes of it.
const MAX_INDEX: u64 = 4 << 20;
/// The index of an archive.
const INDEX: &str = "/data.pkl";
/// How files of the older format begin: a pickle of a number.
const OLDER: &[u8] = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.";
/// How a tensor becomes one that is read: dense, of floats, no view of others.
const CONVERT: &str = "python3 -c \"import torch; torch.save(torch.load('FILE', weights_only=True)['NAME']\
                       .to_dense().float() + 0, open('scores.pt', 'xb'))\"  (a tensor alone has no ['NAME'])";
/// How the tensor of an object of a class of its own is saved alone.
pub(super) const SAVE: &str =
    "save the tensor alone, in the program that made it: torch.save(scores, \"scores.pt\")";
const SAVE_AGAIN: &str = "python3 -c \"import torch; torch.save(torch.load('FILE', map_location='cpu', weights_only=True), open('scores.pt', 'xb'))\"";

/// Whether a file is of the older format.
fn is_older(source: &Source) -> bool {
    source.bytes().starts_with(OLDER)
}

/// Whether `torch.save` wrote a file.
pub(super) fn is_torch(source: &Source) -> bool {
    is_older(source) || archive(source).is_some()
}

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// The archive, and what all names in it begin with; `None` where the file is no archive with an index.
fn archive(source: &Source) -> Option<(Archive<'_>, String)> {
    if !source.bytes().starts_with(npz::MAGIC) {
        return None;
    }
    let archive = ZipArchive::new(Cursor::new(source.bytes())).ok()?;
    let prefix = |name: &[u8]| {
        let prefix = std::str::from_utf8(name).ok()?.strip_suffix(INDEX)?;
        Some(prefix.to_owned())
    };
    let prefix = archive.file_names_raw().find_map(prefix)?;
    Some((archive, prefix))
}

/// The tensors of a file; `None` where `torch.save` did not write it.
///
/// # Errors
/// A damaged file.
pub(super) fn tensors(source: &Arc<Source>) -> Result<Option<Vec<Tensor>>> {
    let broken = |found: String| {
        Error::new(source.display(), found)
            .expected("a file as torch.save writes it")
            .mend(SAVE_AGAIN)
    };
    let file = if let Some((archive, prefix)) = archive(source) {
        zipped(archive, &prefix)
    } else if is_older(source) {
        older(source.bytes())
    } else {
        return Ok(None);
    };
    let file = file.map_err(broken)?;
    let listed = file.listed.into_iter();
    Ok(Some(listed.map(|one| tensor(one, &file.storages, file.big_endian)).collect()))
}

/// What a file says of its tensors.
struct Contents {
    listed: Vec<Listed>,
    /// The bytes of each storage.
    storages: FxHashMap<String, Range<usize>>,
    big_endian: bool,
}

fn zipped(mut archive: Archive<'_>, prefix: &str) -> std::result::Result<Contents, String> {
    let mut read = |name: &str, most: u64| {
        let file = archive.by_name(&format!("{prefix}{name}")).ok()?;
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= most).then_some(bytes)
    };
    let index = read(INDEX, MAX_INDEX);
    let index = index.ok_or("an index that is damaged or longer than 4 MB")?;
    let big_endian = read("/byteorder", 16).is_some_and(|order| order == b"big");
    let mut reader = Reader::new(&index);
    let root = reader.read()?;
    let listed = reader.tensors(root)?;
    let mut storages = FxHashMap::default();
    for key in listed.iter().filter_map(|one| Some(&one.view.as_ref()?.key)) {
        let Ok(file) = archive.by_name(&format!("{prefix}/data/{key}")) else {
            continue;
        };
        if file.compression() != CompressionMethod::Stored {
            return Err("a storage that is compressed".to_owned());
        }
        if let Some(start) = file.data_start() {
            let (start, len) = (start as usize, file.size() as usize);
            storages.insert(key.clone(), start..start.saturating_add(len));
        }
    }
    Ok(Contents { listed, storages, big_endian })
}

/// The older format: five pickles (a number, a version, a description of the machine, the tensors, the keys of the storages),
/// and each storage behind the number of its elements.
fn older(bytes: &[u8]) -> std::result::Result<Contents, String> {
    let start = &bytes[..bytes.len().min(MAX_INDEX as usize)];
    let mut reader = Reader::new(start);
    for _ in 0..3 {
        reader.read()?;
    }
    let root = reader.read()?;
    let listed = reader.tensors(root)?;
    let keys = reader.read()?;
    let mut storages = FxHashMap::default();
    let mut at = reader.position();
    for (key, kind, elements) in reader.storages(keys)? {
        let element = Element::parse(element(&kind, false)?);
        let len = element.and_then(|one| one.bytes_of(&[usize::try_from(elements).ok()?]));
        let len = len.ok_or("a storage of no size")?;
        at += size_of::<u64>();
        let end = at.saturating_add(len);
        storages.insert(key, at..end);
        at = end;
    }
    Ok(Contents { listed, storages, big_endian: false })
}

fn tensor(listed: Listed, storages: &FxHashMap<String, Range<usize>>, big_endian: bool) -> Tensor {
    let Some(view) = listed.view else {
        return Tensor {
            name: listed.name,
            element: Err(listed.kind.trim_start_matches("_rebuild_").to_owned()),
            fortran: false,
            shape: Vec::new(),
            data: Data::Block(0..0),
            mend: CONVERT,
        };
    };
    Tensor {
        name: listed.name,
        element: element(&listed.kind, big_endian).map(str::to_owned),
        fortran: false,
        shape: view.shape,
        data: Data::Strided {
            bytes: storages.get(&view.key).cloned().unwrap_or_default(),
            offset: view.offset,
            strides: view.strides,
        },
        mend: CONVERT,
    }
}

/// The element type of a storage or a type of torch.
fn element(kind: &str, big_endian: bool) -> std::result::Result<&'static str, String> {
    let [little, big] = match kind {
        "HalfStorage" => ["<f2", ">f2"],
        "BFloat16Storage" => ["<V2", ">V2"],
        "FloatStorage" => ["<f4", ">f4"],
        "DoubleStorage" => ["<f8", ">f8"],
        "CharStorage" => ["|i1"; 2],
        "ShortStorage" => ["<i2", ">i2"],
        "IntStorage" => ["<i4", ">i4"],
        "LongStorage" => ["<i8", ">i8"],
        "ByteStorage" | "BoolStorage" => ["|u1"; 2],
        "uint16" => ["<u2", ">u2"],
        "uint32" => ["<u4", ">u4"],
        "uint64" => ["<u8", ">u8"],
        _ => return Err(kind.trim_end_matches("Storage").to_owned()),
    };
    Ok(if big_endian { big } else { little })
}
