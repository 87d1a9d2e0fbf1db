//! Files that flags name.

use std::io::BufWriter;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::data::npy::{self, Npy};
use crate::data::scores::{Embeddings, Knn};
use crate::data::source::Source;
use crate::data::{Direction, matrix_json, npz};
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
    let write = || {
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
        let file = tempfile::Builder::new()
            .permissions(std::fs::Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        embeddings.write_scores(BufWriter::new(file.as_file()))?;
        file.persist(out)?;
        Ok(())
    };
    write().map_err(|e| Error::io(out, &e))
}

/// The one matrix of a file that a flag names.
fn matrix_file(path: &Path) -> Result<Npy> {
    let source = Arc::new(Source::open(path)?);
    if source.bytes().starts_with(npy::MAGIC) {
        return Npy::open(source);
    }
    if matrix_json::is_matrix(&source) {
        return matrix_json::read(&source);
    }
    if source.bytes().starts_with(npz::MAGIC)
        && let [one] = npz::members(&source)?.as_slice()
    {
        return Ok(one.clone());
    }
    Err(Error::new(source.display(), "not one matrix")
        .expected("floats in a .npy file, in an .npz file of one array, or as JSON lists"))
}

/// The arrays that `--knn` names, and the direction where it says so.
pub(super) fn neighbours(named: &str) -> Result<(Option<Direction>, Knn)> {
    let prefixed = named.split_once(':').and_then(|(word, files)| {
        let direction = Direction::BOTH.into_iter().find(|d| d.key() == word)?;
        Some((Some(direction), files))
    });
    let (direction, files) = prefixed.unwrap_or((None, named));
    let (indices, values) = match files.split_once(',') {
        Some((indices, values)) => (indices, Some(values)),
        None => (files, None),
    };
    let open = |path: &str| Npy::open(Arc::new(Source::open(Path::new(path))?));
    let values = values.map(open).transpose()?;
    Ok((direction, Knn::new(open(indices)?, values)?))
}
