//! HDF5: datasets of numbers. Contiguous ones stay mapped; chunked and packed ones are read into memory.

use std::sync::Arc;

use hdf5_reader::messages::HdfMessage;
use hdf5_reader::messages::layout::DataLayout;
use hdf5_reader::{ByteOrder, Dataset, Datatype, Hdf5File, OpenOptions};
use rustc_hash::FxHashSet;

use super::tensor::{Data, Tensor};
use crate::data::source::{MAX_INFLATION, Source, UNPACKED_LIMIT};
use crate::error::{Error, Result};

/// Maximum bytes of an object header: those of arrays take some hundred.
const MAX_HEADER_BYTES: usize = 1 << 20;
/// Maximum bytes of a chunk: usual ones have a few MB.
const MAX_CHUNK_BYTES: u64 = 256 << 20;
/// Maximum number of groups and datasets that are listed.
const MAX_OBJECTS: usize = 10_000;
/// Command that saves one dataset as `.npy`.
const SAVE: &str = "python3 -c \"import h5py, numpy; numpy.save(open('scores.npy', 'xb'), \
                    h5py.File('FILE')['NAME'][:].astype('float32'))\"";

/// Supported storage of datasets, for errors.
const LAYOUT: &str = "datasets that are contiguous, or in chunks with gzip, shuffle or fletcher32";

/// Gives the crate the bytes of a file.
struct Bytes(Arc<Source>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        self.0.bytes()
    }
}

/// The error of a file or dataset that cannot be read.
fn failure(name: &str, error: &hdf5_reader::error::Error) -> Error {
    let found = format!("HDF5 that cannot be read: {error}");
    Error::new(name, found).expected(LAYOUT).fix(SAVE)
}

/// Lists the datasets of all groups.
///
/// # Errors
/// A damaged file, or too many objects.
pub(super) fn tensors(source: &Arc<Source>) -> Result<Vec<Tensor>> {
    let name = source.display();
    let fail = |error: hdf5_reader::error::Error| failure(&name, &error);
    let most = (source.bytes().len() as u64).saturating_mul(MAX_INFLATION);
    let options = OpenOptions::default()
        .with_max_read_bytes(most.min(UNPACKED_LIMIT) as usize)
        .with_max_chunk_bytes(most.min(MAX_CHUNK_BYTES) as usize)
        .with_max_object_header_bytes(MAX_HEADER_BYTES)
        .with_chunk_cache_bytes(0);
    let file = Hdf5File::from_owner(Bytes(source.clone()), options).map_err(fail)?;
    let root = file.root_group().map_err(fail)?;
    // A group may hold itself.
    let mut seen = FxHashSet::from_iter([root.address()]);
    let mut groups = vec![(String::new(), root)];
    let mut found = Vec::new();
    let mut at = 0;
    while let Some((path, group)) = groups.get(at) {
        let (inner, datasets) = group.members().map_err(fail)?;
        for dataset in datasets {
            let name = format!("{path}{}", dataset.name());
            found.push(tensor(source, &file, dataset, name));
        }
        let inner = inner.into_iter().filter(|inner| seen.insert(inner.address()));
        let inner: Vec<_> =
            inner.map(|inner| (format!("{path}{}/", inner.name()), inner)).collect();
        groups.extend(inner);
        at += 1;
        if groups.len() + found.len() > MAX_OBJECTS {
            return Err(Error::new(&name, "more than 10,000 groups and datasets")
                .expected("a file of a few matrices")
                .fix(SAVE));
        }
    }
    Ok(found)
}

/// A dataset as an array, its data not loaded; `name` is its path in the file.
fn tensor(source: &Arc<Source>, file: &Hdf5File, dataset: Dataset, name: String) -> Tensor {
    let shape = dataset.shape().iter();
    let shape = shape.map(|&len| usize::try_from(len).unwrap_or(usize::MAX));
    Tensor {
        element: element_type(&dataset),
        fortran: false,
        shape: shape.collect(),
        data: block_data(source, file, &dataset).unwrap_or_else(|| packed_data(source, dataset)),
        fix: SAVE,
        name,
    }
}

/// Byte range of a contiguous dataset; `None` of another one, or if it is not completely in the file.
fn block_data(source: &Source, file: &Hdf5File, dataset: &Dataset) -> Option<Data> {
    let header = file.get_or_parse_header(dataset.address()).ok()?;
    let mut address = None;
    for message in &header.messages {
        match message {
            HdfMessage::DataLayout(message) => match message.layout {
                DataLayout::Contiguous { address: start, .. } => address = Some(start),
                _ => return None,
            },
            HdfMessage::ExternalFiles(_) => return None,
            _ => {}
        }
    }
    // Addresses count from behind the user block. An address with all bits set marks data that were never written.
    let start = address?.checked_add(file.superblock().base_address)?;
    let start = usize::try_from(start).ok()?;
    let end = start.checked_add(dataset.raw_byte_len().ok()?)?;
    (end <= source.bytes().len()).then_some(Data::Block(start..end))
}

/// Data of a dataset that is read into memory when it is needed.
fn packed_data(source: &Source, dataset: Dataset) -> Data {
    let name = format!("{}/{}", source.display(), dataset.name());
    Data::Packed(Box::new(move || dataset.read_raw_bytes().map_err(|error| failure(&name, &error))))
}

/// The element type of a dataset as in a `.npy` header; else the name of an unsupported type.
fn element_type(dataset: &Dataset) -> std::result::Result<String, String> {
    let (kind, order) = match dataset.dtype() {
        Datatype::FixedPoint { size: size @ (1 | 2 | 4 | 8), signed, byte_order } => {
            (format!("{}{size}", if *signed { 'i' } else { 'u' }), byte_order)
        }
        Datatype::FloatingPoint { size, byte_order } => {
            let kind =
                float_type(dataset).ok_or_else(|| format!("other floats of {size} bytes"))?;
            (kind.to_owned(), byte_order)
        }
        Datatype::Compound { .. } => return Err("compound (complex numbers or fields)".to_owned()),
        Datatype::String { .. } | Datatype::VarLen { .. } => return Err("text".to_owned()),
        Datatype::Enum { .. } => return Err("enumeration (booleans are one)".to_owned()),
        Datatype::Opaque { .. } => return Err("opaque".to_owned()),
        _ => return Err("no numbers".to_owned()),
    };
    Ok(match order {
        ByteOrder::LittleEndian => format!("<{kind}"),
        ByteOrder::BigEndian => format!(">{kind}"),
    })
}

/// The float type of a dataset by the layout of its bits, since two bytes may be either of two types; `None` of others.
/// Layout of the message: <https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html>, class 1.
fn float_type(dataset: &Dataset) -> Option<&'static str> {
    /// Bits of both byte orders of a VAX.
    const VAX: u8 = 0x41;
    let raw = dataset.raw_datatype().ok()?;
    let (head, size) = (raw.first_chunk::<4>()?, raw.get(4..8)?);
    let (offset, precision) = (raw.get(8..10)?, raw.get(10..12)?);
    let &[exponent_at, exponent, mantissa_at, mantissa] = raw.get(12..16)? else {
        return None;
    };
    let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |n, &byte| n << 8 | u32::from(byte));
    let (size, bias) = (number(size), number(raw.get(16..20)?));
    let is_whole = number(offset) == 0 && number(precision) == 8 * size;
    // The sign is the highest bit, and the exponent lies above the mantissa.
    let is_ordered =
        mantissa_at == 0 && exponent_at == mantissa && u32::from(head[2]) == 8 * size - 1;
    if head[1] & VAX == VAX || !is_whole || !is_ordered {
        return None;
    }
    Some(match (size, exponent, mantissa, bias) {
        (2, 5, 10, 15) => "f2",
        (2, 8, 7, 127) => "V2",
        (4, 8, 23, 127) => "f4",
        (8, 11, 52, 1023) => "f8",
        _ => return None,
    })
}
