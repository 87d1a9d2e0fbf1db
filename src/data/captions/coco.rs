//! COCO `captions_*.json`.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::json;
use crate::data::source::Source;
use crate::error::{Error, Result};

#[derive(Deserialize)]
struct CocoFile<'a> {
    #[serde(default, borrow)]
    images: Vec<CocoImage<'a>>,
    #[serde(borrow)]
    annotations: Vec<CocoAnnotation<'a>>,
}

#[derive(Deserialize)]
struct CocoImage<'a> {
    id: Id,
    #[serde(borrow)]
    file_name: Option<Cow<'a, str>>,
}

#[derive(Deserialize)]
struct CocoAnnotation<'a> {
    id: Id,
    image_id: Id,
    #[serde(borrow)]
    caption: Option<Cow<'a, str>>,
}

/// Reads COCO captions.
///
/// # Errors
/// Broken JSON, or annotations without a caption.
pub fn read(source: &Source) -> Result<CaptionFile> {
    let file: CocoFile = json::parse(source)?;
    let with_text = file.annotations.iter().filter(|a| a.caption.is_some()).count();
    if with_text < file.annotations.len() {
        let missing = file.annotations.len() - with_text;
        return Err(Error::new(
            source.display(),
            format!("{missing} annotations without a caption"),
        )
        .expected("a \"caption\" in every annotation"));
    }
    let images =
        file.images.into_iter().map(|i| (i.id, i.file_name.map(Cow::into_owned))).collect();
    let caption = |a: CocoAnnotation| {
        let text = a.caption.unwrap_or_default().into_owned();
        Caption { id: a.id, image: Some(a.image_id), text }
    };
    Ok(CaptionFile {
        images,
        captions: file.annotations.into_iter().map(caption).collect(),
        is_split: false,
    })
}
