//! COCO `captions_*.json`.

use std::borrow::Cow;

use serde::Deserialize;

use super::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::json;
use crate::data::source::Source;
use crate::error::Result;

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
    caption: Cow<'a, str>,
}

/// Reads COCO captions.
///
/// # Errors
/// Broken JSON, or annotations without a caption.
pub fn read(source: &Source) -> Result<CaptionFile> {
    let file: CocoFile = json::parse(source)?;
    let images =
        file.images.into_iter().map(|i| (i.id, i.file_name.map(Cow::into_owned))).collect();
    let caption = |a: CocoAnnotation| Caption {
        id: a.id,
        image: Some(a.image_id),
        text: a.caption.into_owned(),
    };
    Ok(CaptionFile { images, captions: file.annotations.into_iter().map(caption).collect() })
}
