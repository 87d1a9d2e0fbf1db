//! Files that hold arrays by name: `.npz`, `.safetensors`, files of `torch.save`, HDF5.
//!
//! Arrays that lie in the file as a block stay mapped; others are unpacked or gathered into memory, within limits.
//! `FILE/NAME` names one array of a file wherever a file of one array may stand.

#[cfg(feature = "hdf5")]
mod hdf5;
pub(super) mod npz;
mod pickle;
mod safetensors;
mod tensor;
mod torch;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use self::tensor::Tensor;
use super::npy::Npy;
use super::source::Source;
use super::text::{count, grouped};
use crate::error::{Error, Result};

/// First bytes of an HDF5 file, after its user block if it has one.
pub(super) const HDF5: &[u8] = b"\x89HDF\r\n\x1a\n";
/// Sizes of user blocks: MATLAB writes one of 512 bytes.
const USER_BLOCKS: [usize; 5] = [0, 512, 1024, 2048, 4096];

/// Whether a file is HDF5, perhaps behind a user block.
fn is_hdf5(bytes: &[u8]) -> bool {
    let has_magic = |&start: &usize| bytes.get(start..).is_some_and(|rest| rest.starts_with(HDF5));
    USER_BLOCKS.iter().any(has_magic)
}

/// Maximum number of arrays listed in a message.
const MAX_LISTED: usize = 12;

/// The arrays of a file that may be scores or embeddings, opened.
#[derive(Debug)]
pub struct Arrays {
    /// All matrices of floats; if there are none, the only array.
    pub opened: Vec<Npy>,
    /// Names of the other arrays.
    pub skipped: Vec<String>,
}

impl Arrays {
    /// Checks that all matrices share a length, as scores of one gallery do, and embeddings of one model.
    ///
    /// # Errors
    /// Matrices without a common length; lists all.
    pub fn check_sizes(&self, source: &Source) -> Result<()> {
        let [first, others @ ..] = self.opened.as_slice() else {
            return Ok(());
        };
        let is_shared = |len: &usize| others.iter().all(|npy| npy.shape.contains(len));
        if others.is_empty() || first.shape.iter().any(is_shared) {
            return Ok(());
        }
        let describe = |npy: &Npy| {
            let shape: Vec<String> = npy.shape.iter().map(|&len| grouped(len)).collect();
            format!("{} ({})", npy.source().stem(), shape.join(" x "))
        };
        let all: Vec<String> = self.opened.iter().map(describe).collect();
        let found = format!("matrices of different sizes: {}", join_names(&all));
        let name = first.source().display();
        Err(Error::new(source.display(), found)
            .expected("scores of one gallery, or the embeddings of its images and captions")
            .fix(format!("name the one that is meant, such as {name}")))
    }
}

/// Lists all arrays of a file; `None` of another format.
fn tensors(source: &Arc<Source>) -> Result<Option<Vec<Tensor>>> {
    let bytes = source.bytes();
    if source.header().is_some() {
        return Ok(None);
    }
    if let Some(tensors) = torch::tensors(source)? {
        return Ok(Some(tensors));
    }
    if bytes.starts_with(npz::MAGIC) {
        npz::tensors(source).map(Some)
    } else if safetensors::is_safetensors(bytes) {
        safetensors::tensors(source).map(Some)
    } else if is_hdf5(bytes) {
        hdf5::tensors(source).map(Some)
    } else {
        Ok(None)
    }
}

#[cfg(not(feature = "hdf5"))]
mod hdf5 {
    use super::{Arc, Error, Result, Source, Tensor};

    /// Refuses the file: how to build with the feature, or to save a matrix as `.npy`.
    ///
    /// # Errors
    /// Always: this build cannot read HDF5.
    pub(super) fn tensors(source: &Arc<Source>) -> Result<Vec<Tensor>> {
        Err(
            Error::new(source.display(), "an HDF5 file, which this program was built without").fix(
                "python3 -c \"import h5py, numpy; numpy.save(open('scores.npy', 'xb'), h5py.File('FILE')['NAME'][:])\", or in its \
                 source folder cargo install --path . --features hdf5",
            ),
        )
    }
}

/// Opens the arrays of a file that may be scores or embeddings; `None` of another format.
///
/// # Errors
/// A damaged file, or one without such arrays.
pub fn open(source: &Arc<Source>) -> Result<Option<Arrays>> {
    let Some(tensors) = tensors(source)? else {
        return Ok(None);
    };
    let (matrices, others): (Vec<_>, Vec<_>) = tensors.into_iter().partition(Tensor::is_matrix);
    let (opened, others) = match (matrices.is_empty(), others.len()) {
        (true, 1) => (others, Vec::new()),
        (true, _) => return Err(no_matrix_error(source, &others)),
        _ => (matrices, others),
    };
    tensor::check_memory(source, &opened)?;
    let is_alone = opened.len() == 1;
    let opened = opened.into_iter().map(|tensor| tensor.open(source, is_alone));
    Ok(Some(Arrays {
        opened: opened.collect::<Result<_>>()?,
        skipped: others.into_iter().map(|tensor| tensor.name).collect(),
    }))
}

/// Opens the only array of a file, or the only one whose name contains one of `words`; `None` of another format.
///
/// # Errors
/// Those of [`open`]; several matrices, with their names.
pub fn open_only(source: &Arc<Source>, words: &[&str]) -> Result<Option<Npy>> {
    let Some(Arrays { mut opened, .. }) = open(source)? else {
        return Ok(None);
    };
    let is_meant = |npy: &&Npy| {
        let name = npy.source().stem().to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    if let [one] = opened.iter().filter(is_meant).collect::<Vec<_>>()[..] {
        return Ok(Some(one.clone()));
    }
    if opened.len() == 1 {
        return Ok(opened.pop());
    }
    let names: Vec<String> = opened.iter().map(|npy| npy.source().stem()).collect();
    let found = format!("{}, where one is wanted", count(names.len(), "array"));
    Err(Error::new(source.display(), found)
        .expected(format!("one of {}", join_names(&names)))
        .fix(format!("name it: {}/{}", source.display(), names[0])))
}

/// Splits `FILE/NAME` into the path of a file and the name of an array; `None` if no parent of the path is a file.
pub(super) fn split_array_path(path: &Path) -> Option<(&Path, &str)> {
    let file = path.ancestors().skip(1).find(|file| file.is_file())?;
    Some((file, path.strip_prefix(file).ok()?.to_str()?))
}

/// Opens the array that `FILE/NAME` names; `None` if no parent of the path is a file.
pub(super) fn open_named(path: &Path) -> Option<Result<Source>> {
    let (file, name) = split_array_path(path)?;
    Some(Source::open(file).and_then(|source| open_array(&Arc::new(source), name, path)))
}

/// Opens the array `name` of a file; `path` is `FILE/NAME`, for errors.
fn open_array(source: &Arc<Source>, name: &str, path: &Path) -> Result<Source> {
    let Some(tensors) = tensors(source)? else {
        return Err(Error::new(path.display(), "no array: the file has no names")
            .expected("an array of a .npz, .safetensors, .pt or HDF5 file")
            .fix(format!("name the file: {}", source.display())));
    };
    let names: Vec<String> = tensors.iter().map(|tensor| tensor.name.clone()).collect();
    let Some(tensor) = tensors.into_iter().find(|tensor| tensor.name == name) else {
        return Err(Error::new(path.display(), "no array of this name")
            .expected(format!("one of {}", join_names(&names))));
    };
    tensor::check_memory(source, std::slice::from_ref(&tensor))?;
    let npy = tensor.open(source, false)?;
    Ok((**npy.source()).clone())
}

/// The names as a list for a message, at most [`MAX_LISTED`] of them.
fn join_names(names: &[String]) -> String {
    let first = names.iter().take(MAX_LISTED).cloned();
    let more = names.len().saturating_sub(MAX_LISTED);
    let more = (more > 0).then(|| format!("{} more", grouped(more)));
    first.chain(more).collect::<Vec<_>>().join(", ")
}

/// The error of a file without a matrix of floats; lists its arrays.
fn no_matrix_error(source: &Source, tensors: &[Tensor]) -> Error {
    let all: Vec<String> = tensors.iter().map(Tensor::describe).collect();
    let found = match all.len() {
        0 => "no array that is read".to_owned(),
        _ => format!("no matrix of floats among {}", join_names(&all)),
    };
    let error = Error::new(source.display(), found).expected(
        "a two-dimensional array of floats (f2, bf16, f4 or f8): scores of images x captions, or embeddings",
    );
    if torch::is_torch(source) {
        return error.fix(torch::SAVE);
    }
    error
}

/// The path of an array of a file, as `FILE/NAME`.
fn array_path(source: &Source, name: &str) -> PathBuf {
    source.path().join(name.trim_start_matches('/'))
}
