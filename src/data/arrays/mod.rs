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

fn is_hdf5(bytes: &[u8]) -> bool {
    let is_behind = |&start: &usize| bytes.get(start..).is_some_and(|rest| rest.starts_with(HDF5));
    USER_BLOCKS.iter().any(is_behind)
}

/// Maximum number of listed arrays.
const MAX_LISTED: usize = 12;

/// The arrays of a file that are read.
#[derive(Debug)]
pub struct Arrays {
    /// All matrices of floats; where there are none, the only array.
    pub taken: Vec<Npy>,
    /// Names of the others.
    pub left: Vec<String>,
}

impl Arrays {
    /// Checks that the matrices share a length, as scores of one gallery do, and embeddings of one model.
    ///
    /// # Errors
    /// They do not: lists all.
    pub fn check_sizes(&self, source: &Source) -> Result<()> {
        let [first, others @ ..] = self.taken.as_slice() else {
            return Ok(());
        };
        let is_shared = |len: &usize| others.iter().all(|npy| npy.shape.contains(len));
        if others.is_empty() || first.shape.iter().any(is_shared) {
            return Ok(());
        }
        let described = |npy: &Npy| {
            let shape: Vec<String> = npy.shape.iter().map(|&len| grouped(len)).collect();
            format!("{} ({})", npy.source().stem(), shape.join(" x "))
        };
        let all: Vec<String> = self.taken.iter().map(described).collect();
        let found = format!("matrices of different sizes: {}", listed(&all));
        let name = first.source().display();
        Err(Error::new(source.display(), found)
            .expected("scores of one gallery, or the embeddings of its images and captions")
            .mend(format!("name the one that is meant, such as {name}")))
    }
}

/// All arrays of a file; `None` of another format.
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
            Error::new(source.display(), "an HDF5 file, which this program was built without").mend(
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
    let (taken, others) = match (matrices.is_empty(), others.len()) {
        (true, 1) => (others, Vec::new()),
        (true, _) => return Err(without_matrix(source, &others)),
        _ => (matrices, others),
    };
    tensor::check_memory(source, &taken)?;
    let is_alone = taken.len() == 1;
    let taken = taken.into_iter().map(|one| one.open(source, is_alone));
    Ok(Some(Arrays {
        taken: taken.collect::<Result<_>>()?,
        left: others.into_iter().map(|one| one.name).collect(),
    }))
}

/// The only array of a file, or the only one whose name has one of some `words`; `None` of another format.
///
/// # Errors
/// As [`open`]; several matrices, with their names.
pub fn only(source: &Arc<Source>, words: &[&str]) -> Result<Option<Npy>> {
    let Some(Arrays { mut taken, .. }) = open(source)? else {
        return Ok(None);
    };
    let is_meant = |npy: &&Npy| {
        let name = npy.source().stem().to_lowercase();
        words.iter().any(|word| name.contains(word))
    };
    if let [one] = taken.iter().filter(is_meant).collect::<Vec<_>>()[..] {
        return Ok(Some(one.clone()));
    }
    if taken.len() == 1 {
        return Ok(taken.pop());
    }
    let names: Vec<String> = taken.iter().map(|npy| npy.source().stem()).collect();
    let found = format!("{}, where one is wanted", count(names.len(), "array"));
    Err(Error::new(source.display(), found)
        .expected(format!("one of {}", listed(&names)))
        .mend(format!("name it: {}/{}", source.display(), names[0])))
}

/// The file of the array that `FILE/NAME` names, and the name; `None` where no part of the path is a file.
pub(super) fn file_of(path: &Path) -> Option<(&Path, &str)> {
    let file = path.ancestors().skip(1).find(|file| file.is_file())?;
    Some((file, path.strip_prefix(file).ok()?.to_str()?))
}

/// The array that `FILE/NAME` names; `None` where no part of the path is a file.
pub(super) fn named(path: &Path) -> Option<Result<Source>> {
    let (file, name) = file_of(path)?;
    Some(Source::open(file).and_then(|source| array(&Arc::new(source), name, path)))
}

fn array(source: &Arc<Source>, name: &str, path: &Path) -> Result<Source> {
    let Some(tensors) = tensors(source)? else {
        return Err(Error::new(path.display(), "no array: the file has no names")
            .expected("an array of a .npz, .safetensors, .pt or HDF5 file")
            .mend(format!("name the file: {}", source.display())));
    };
    let names: Vec<String> = tensors.iter().map(|one| one.name.clone()).collect();
    let Some(tensor) = tensors.into_iter().find(|one| one.name == name) else {
        return Err(Error::new(path.display(), "no array of this name")
            .expected(format!("one of {}", listed(&names))));
    };
    tensor::check_memory(source, std::slice::from_ref(&tensor))?;
    let npy = tensor.open(source, false)?;
    Ok((**npy.source()).clone())
}

fn listed(names: &[String]) -> String {
    let first = names.iter().take(MAX_LISTED).cloned();
    let more = names.len().saturating_sub(MAX_LISTED);
    let more = (more > 0).then(|| format!("{} more", grouped(more)));
    first.chain(more).collect::<Vec<_>>().join(", ")
}

fn without_matrix(source: &Source, tensors: &[Tensor]) -> Error {
    let all: Vec<String> = tensors.iter().map(Tensor::described).collect();
    let found = match all.len() {
        0 => "no array that is read".to_owned(),
        _ => format!("no matrix of floats among {}", listed(&all)),
    };
    let error = Error::new(source.display(), found).expected(
        "a two-dimensional array of floats (f2, bf16, f4 or f8): scores of images x captions, or embeddings",
    );
    if torch::is_torch(source) {
        return error.mend(torch::SAVE);
    }
    error
}

/// The path of an array of a file, as `FILE/NAME`.
fn path_of(source: &Source, name: &str) -> PathBuf {
    source.path().join(name.trim_start_matches('/'))
}
