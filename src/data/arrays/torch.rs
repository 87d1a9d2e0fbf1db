//! `.pt`, `.pth`: the zip archive that `torch.save` writes from torch 1.6 on.
//!
//! The index is a pickle, searched for tensors only: nothing of it is executed.

use std::io::{Cursor, Read};
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use zip::{CompressionMethod, ZipArchive};

use super::npz;
use super::pickle::{Reader, TensorInfo};
use super::tensor::{Data, Tensor};
use crate::data::source::Source;
use crate::error::{Error, Result};

/// Maximum bytes of the index: a tensor takes 160.
const MAX_INDEX_BYTES: u64 = 4 << 20;
/// Name of the index, after the prefix of the archive.
const INDEX: &str = "/data.pkl";
/// First bytes of files of torch before 1.6: a pickle of a number.
const OLD_MAGIC: &[u8] = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19.";
/// Command that makes a tensor readable: dense, of floats, no view of others.
const CONVERT: &str = "python3 -c \"import torch; torch.save(torch.load('FILE', weights_only=True)['NAME']\
                       .to_dense().float() + 0, open('scores.pt', 'xb'))\"  (a tensor alone has no ['NAME'])";
/// Command that saves the tensor of an object of a custom class.
pub(super) const SAVE: &str =
    "save the tensor alone, in the program that made it: torch.save(scores, \"scores.pt\")";
/// Command that saves a file in the current format.
const SAVE_AGAIN: &str = "python3 -c \"import torch; torch.save(torch.load('FILE', map_location='cpu', weights_only=True), open('scores.pt', 'xb'))\"";

/// Whether `torch.save` wrote a file.
pub(super) fn is_torch(source: &Source) -> bool {
    archive(source).is_some()
}

type Archive<'a> = ZipArchive<Cursor<&'a [u8]>>;

/// Opens the archive, and finds the common prefix of its names; `None` if the file is no archive with an index.
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

/// Lists the tensors of a file; `None` if `torch.save` did not write it.
///
/// # Errors
/// A damaged file.
pub(super) fn tensors(source: &Arc<Source>) -> Result<Option<Vec<Tensor>>> {
    let broken = |found: String| {
        Error::new(source.display(), found)
            .expected("a file as torch.save writes it")
            .fix(SAVE_AGAIN)
    };
    if source.bytes().starts_with(OLD_MAGIC) {
        return Err(broken("a file of torch before 1.6".to_owned()));
    }
    let Some((archive, prefix)) = archive(source) else {
        return Ok(None);
    };
    let file = read_contents(archive, &prefix).map_err(broken)?;
    let infos = file.tensors.into_iter();
    Ok(Some(infos.map(|info| tensor(info, &file.storages, file.big_endian)).collect()))
}

/// The tensors of an archive and their storages.
struct Contents {
    tensors: Vec<TensorInfo>,
    /// Byte range of each storage by its name.
    storages: FxHashMap<String, Range<usize>>,
    big_endian: bool,
}

/// Reads the index of an archive whose names begin with `prefix`; else what is wrong.
fn read_contents(mut archive: Archive<'_>, prefix: &str) -> std::result::Result<Contents, String> {
    let mut read = |name: &str, most: u64| {
        let file = archive.by_name(&format!("{prefix}{name}")).ok()?;
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= most).then_some(bytes)
    };
    let index = read(INDEX, MAX_INDEX_BYTES);
    let index = index.ok_or("an index that is damaged or longer than 4 MB")?;
    let big_endian = read("/byteorder", 16).is_some_and(|order| order == b"big");
    let tensors = Reader::new(&index).tensors()?;
    let mut storages = FxHashMap::default();
    for key in tensors.iter().filter_map(|info| Some(&info.view.as_ref()?.key)) {
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
    Ok(Contents { tensors, storages, big_endian })
}

/// A tensor as an array of the file; `ranges` are the byte ranges of the storages.
fn tensor(info: TensorInfo, ranges: &FxHashMap<String, Range<usize>>, big_endian: bool) -> Tensor {
    let Some(view) = info.view else {
        return Tensor {
            name: info.name,
            element: Err(info.kind.trim_start_matches("_rebuild_").to_owned()),
            fortran: false,
            shape: Vec::new(),
            data: Data::Block(0..0),
            fix: CONVERT,
        };
    };
    Tensor {
        name: info.name,
        element: element_type(&info.kind, big_endian),
        fortran: false,
        shape: view.shape,
        data: Data::Strided {
            bytes: ranges.get(&view.key).cloned().unwrap_or_default(),
            offset: view.offset,
            strides: view.strides,
        },
        fix: CONVERT,
    }
}

/// Element type of a storage as in a `.npy` header; else the name of an unsupported type.
fn element_type(storage: &str, big_endian: bool) -> std::result::Result<String, String> {
    let kind = match storage {
        "HalfStorage" => "f2",
        "BFloat16Storage" => "V2",
        "FloatStorage" => "f4",
        "DoubleStorage" => "f8",
        "CharStorage" => "i1",
        "ShortStorage" => "i2",
        "IntStorage" => "i4",
        "LongStorage" => "i8",
        "ByteStorage" | "BoolStorage" => "u1",
        _ => return Err(storage.trim_end_matches("Storage").to_owned()),
    };
    Ok(format!("{}{kind}", if big_endian { '>' } else { '<' }))
}
