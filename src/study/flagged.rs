//! Files that flags name.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Neighbours;
use super::files::Ids;
use super::loaded_scores::Labels;
use crate::data::captions::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::npy::{self, Npy};
use crate::data::scores::Knn;
use crate::data::source::Source;
use crate::data::table::{self, EmbeddingTable};
use crate::data::{Direction, arrays, matrix_text};
use crate::error::{Error, Result};

/// Opens two files that go together; `None` where neither is named.
pub(super) fn both<T>(
    named: [(&str, &Option<PathBuf>); 2],
    what: &str,
    open: impl Fn(&str, &Path) -> Result<T>,
) -> Result<Option<[T; 2]>> {
    match named {
        [(_, None), (_, None)] => Ok(None),
        [(one, Some(first)), (other, Some(second))] => {
            Ok(Some([open(one, first)?, open(other, second)?]))
        }
        [(first, _), (second, given)] => {
            let missing = if given.is_none() { second } else { first };
            Err(Error::new(missing, "missing")
                .expected(format!("{first} FILE {second} FILE: {what}")))
        }
    }
}

/// Words in the names of the arrays that a flag means among several.
fn words(flag: &str) -> &'static [&'static str] {
    match flag {
        "--i2t" => &["i2t", "image_to_caption", "image_to_text", "img2txt"],
        "--t2i" => &["t2i", "caption_to_image", "text_to_image", "txt2img"],
        "--image-emb" => &["image", "img", "vis"],
        _ => &["text", "txt", "caption", "cap"],
    }
}

/// The embeddings of a file that a flag names, and what a table tells of its rows.
pub(super) fn embeddings(flag: &str, path: &Path) -> Result<(Npy, Labels)> {
    let source = Arc::new(Source::open(path)?);
    if !source.bytes().starts_with(table::MAGIC) {
        return Ok((of_source(flag, source)?, Labels::default()));
    }
    let side = match flag {
        "--image-emb" => Direction::I2t,
        _ => Direction::T2i,
    };
    let EmbeddingTable { embeddings, ids, images, texts } = EmbeddingTable::read(&source, side)?;
    let file = source.display();
    let is_captions = images.is_some() || texts.is_some();
    let captions = ids.as_ref().filter(|_| is_captions).map(|ids| {
        let caption = |(at, id): (usize, &Id)| Caption {
            id: id.clone(),
            image: images.as_ref().map(|images| images[at].clone()),
            text: texts.as_ref().map_or_else(String::new, |texts| texts[at].clone()),
        };
        CaptionFile {
            file: file.clone(),
            images: Vec::new(),
            captions: ids.iter().enumerate().map(caption).collect(),
            has_ids: true,
        }
    });
    let ids = ids.map(|ids| Ids::new(file, ids));
    Ok((embeddings, Labels { ids, captions }))
}

/// The one matrix of a file that a flag names, or the one of several whose name tells that it is meant.
pub(super) fn matrix(flag: &str, path: &Path) -> Result<Npy> {
    of_source(flag, Arc::new(Source::open(path)?))
}

fn of_source(flag: &str, source: Arc<Source>) -> Result<Npy> {
    if npy::is_npy(&source) {
        return Npy::open(source);
    }
    if matrix_text::are_lists(&source) {
        return matrix_text::read_lists(&source);
    }
    if matrix_text::is_matrix(&source) {
        return Ok(matrix_text::read(&source)?.npy);
    }
    arrays::only(&source, words(flag))?.ok_or_else(|| {
        Error::new(source.display(), "not one matrix").expected(
            "floats in a .npy, .npz, .safetensors, .pt or HDF5 file, as JSON lists or as CSV",
        )
    })
}

/// Opens the arrays that `--knn` names: indices, and scores where there are any.
pub(super) fn neighbours(named: &Neighbours) -> Result<(Option<Direction>, Knn)> {
    let open = |path: &PathBuf| Npy::open(Arc::new(Source::open(path)?));
    let values = named.values.as_ref().map(open).transpose()?;
    Ok((named.direction, Knn::new(open(&named.indices)?, values)?))
}
