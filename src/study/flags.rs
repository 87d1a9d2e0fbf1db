//! Files given by flags.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Neighbours;
use crate::data::npy::{self, Npy};
use crate::data::scores::Knn;
use crate::data::source::Source;
use crate::data::{Direction, arrays, matrix_text, table};
use crate::error::{Error, Result};

/// Opens the files of two flags that need each other; `None` if neither is given. `flags` are pairs of flag and file,
/// which `open` receives; `what` names both files, for the error if one is missing.
pub(super) fn open_both<T>(
    flags: [(&str, &Option<PathBuf>); 2],
    what: &str,
    open: impl Fn(&str, &Path) -> Result<T>,
) -> Result<Option<[T; 2]>> {
    match flags {
        [(_, None), (_, None)] => Ok(None),
        [(one, Some(first)), (other, Some(second))] => {
            Ok(Some([open(one, first)?, open(other, second)?]))
        }
        [(missing, None), (_, Some(file))] | [(_, Some(file)), (missing, None)] => {
            let [(first, _), (second, _)] = flags;
            Err(Error::new(file.display(), format!("{missing} is missing"))
                .expected(format!("{first} FILE {second} FILE: {what}")))
        }
    }
}

/// The supported matrix files, for messages.
const MATRIX_FORMATS: &str =
    "floats in a .npy, .npz, .safetensors, .pt or HDF5 file, as JSON lists or as CSV";

/// Words by which the name of an array matches a flag.
fn array_names(flag: &str) -> &'static [&'static str] {
    match flag {
        "--i2t" => &["i2t", "image_to_caption", "image_to_text", "img2txt"],
        "--t2i" => &["t2i", "caption_to_image", "text_to_image", "txt2img"],
        "--image-emb" => &["image", "img", "vis"],
        _ => &["text", "txt", "caption", "cap"],
    }
}

/// Reads the matrix in the file of a flag; of several, the one whose name matches the flag.
pub(super) fn read_matrix(flag: &str, path: &Path) -> Result<Npy> {
    let source = Arc::new(Source::open(path)?);
    if source.bytes().starts_with(table::MAGIC) {
        return Err(Error::new(source.display(), "a Parquet table, not one matrix")
            .expected(MATRIX_FORMATS)
            .fix(table::SAVE_EMBEDDINGS));
    }
    if npy::is_npy(&source) {
        return Npy::open(source);
    }
    if matrix_text::is_nested_list(&source) {
        return matrix_text::read_lists(&source);
    }
    if matrix_text::is_matrix(&source) {
        return Ok(matrix_text::read(&source)?.npy);
    }
    arrays::open_only(&source, array_names(flag))?
        .ok_or_else(|| Error::new(source.display(), "not one matrix").expected(MATRIX_FORMATS))
}

/// Opens the arrays of `--knn`, indices and scores if given; returns them with their direction if given.
pub(super) fn open_neighbours(named: &Neighbours) -> Result<(Option<Direction>, Knn)> {
    let open = |path: &PathBuf| Npy::open(Arc::new(Source::open(path)?));
    let values = named.values.as_ref().map(open).transpose()?;
    Ok((named.direction, Knn::new(open(&named.indices)?, values)?))
}
