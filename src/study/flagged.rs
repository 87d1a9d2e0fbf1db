//! Files that flags name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Neighbours;
use crate::data::npy::{self, Npy};
use crate::data::scores::{Embeddings, Knn};
use crate::data::source::Source;
use crate::data::{Direction, arrays, matrix_json, output};
use crate::error::{Error, Result};

/// Opens two files that go together; `None` where neither is named.
pub(super) fn both(named: [(&str, &Option<PathBuf>); 2], what: &str) -> Result<Option<[Npy; 2]>> {
    match named {
        [(_, None), (_, None)] => Ok(None),
        [(_, Some(first)), (_, Some(second))] => {
            Ok(Some([matrix_file(first)?, matrix_file(second)?]))
        }
        [(first, _), (second, given)] => {
            let missing = if given.is_none() { second } else { first };
            Err(Error::new(missing, "missing")
                .expected(format!("{first} FILE {second} FILE: {what}")))
        }
    }
}

/// Writes all scores; the file appears whole or not at all.
pub(super) fn save(embeddings: &Embeddings, out: &Path) -> Result<()> {
    output::write_whole(out, |file| embeddings.write_scores(file))
}

/// The one matrix of a file that a flag names.
fn matrix_file(path: &Path) -> Result<Npy> {
    let source = Arc::new(Source::open(path)?);
    if npy::is_npy(&source) {
        return Npy::open(source);
    }
    if matrix_json::is_matrix(&source) {
        return matrix_json::read(&source);
    }
    if let Some(matrix) = arrays::only(&source)? {
        return Ok(matrix);
    }
    Err(Error::new(source.display(), "not one matrix")
        .expected("floats in a .npy, .npz, .safetensors, .pt or HDF5 file, or as JSON lists"))
}

/// Opens the arrays that `--knn` names: indices, and scores where there are any.
pub(super) fn neighbours(named: &Neighbours) -> Result<(Option<Direction>, Knn)> {
    let open = |path: &PathBuf| Npy::open(Arc::new(Source::open(path)?));
    let values = named.values.as_ref().map(open).transpose()?;
    Ok((named.direction, Knn::new(open(&named.indices)?, values)?))
}
