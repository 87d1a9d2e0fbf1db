//! Captions by image, without ids of their own: the lists of ALBEF and BLIP, and the maps of
//! MSCOCO-FG and Flickr30K-FG.

use std::borrow::Cow;

use serde::Deserialize;

use super::Unnamed;
use crate::data::id::Id;
use crate::data::json;
use crate::data::source::Source;
use crate::error::{Error, Result};

#[derive(Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    image: Cow<'a, str>,
    #[serde(borrow)]
    caption: OneOrMany<'a>,
}

/// Training lists have one caption an entry, test lists all of an image.
#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany<'a> {
    One(#[serde(borrow)] Cow<'a, str>),
    Many(Vec<String>),
}

/// Reads `[{"image": "val2014/COCO_val2014_000000391895.jpg", "caption": ["..", ..]}, ..]`.
///
/// # Errors
/// Broken JSON or another structure; an image that stands in two places.
pub fn list(source: &Source) -> Result<Unnamed> {
    let entries: Vec<Entry> = json::parse(source)?;
    let mut images: Vec<(String, Vec<String>)> = Vec::new();
    for entry in entries {
        let captions = match entry.caption {
            OneOrMany::One(text) => vec![text.into_owned()],
            OneOrMany::Many(texts) => texts,
        };
        match images.last_mut() {
            Some((image, all)) if *image == entry.image => all.extend(captions),
            _ => images.push((entry.image.into_owned(), captions)),
        }
    }
    by_image(source, images)
}

/// Reads `{"COCO_val2014_000000452113": ["..", ..], ..}`.
///
/// # Errors
/// As [`list`].
pub fn map(source: &Source) -> Result<Unnamed> {
    let json::Entries(images) = json::parse(source)?;
    by_image(source, images)
}

pub(super) fn by_image(source: &Source, images: Vec<(String, Vec<String>)>) -> Result<Unnamed> {
    let mut file = Unnamed::default();
    let mut seen = rustc_hash::FxHashSet::default();
    for (place, (name, texts)) in (0..).zip(images) {
        let id = Id::of_file(&name);
        if !seen.insert(id.clone()) {
            return Err(Error::new(source.display(), format!("image {id} stands in two places"))
                .expected("all captions of an image side by side"));
        }
        file.images.push((id, Id::is_picture(&name).then_some(name)));
        let captions = texts.into_iter().map(|text| (Some(place), text));
        file.captions.extend(captions);
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(text: &str) -> Source {
        Source::in_memory("c.json", text.as_bytes().to_vec())
    }

    #[test]
    fn lists_and_maps_keep_the_order_and_read_ids_from_names() {
        let text = r#"[{"image": "val2014/COCO_val2014_000000000042.jpg", "caption": ["a b", "c"]},
            {"image": "flickr30k-images/1007.jpg", "caption": "d"},
            {"image": "flickr30k-images/1007.jpg", "caption": "e"}]"#;
        let file = list(&source(text)).unwrap();
        let ids: Vec<String> = file.images.iter().map(|(id, _)| id.to_string()).collect();
        assert_eq!(ids, ["42", "1007"]);
        let captions: Vec<_> =
            file.captions.iter().map(|(at, text)| (at.unwrap(), &text[..])).collect();
        assert_eq!(captions, [(0, "a b"), (0, "c"), (1, "d"), (1, "e")]);
        let file =
            map(&source(r#"{"COCO_val2014_000000000009": ["z"], "5": ["y", "x"]}"#)).unwrap();
        assert_eq!(file.images, [(Id::Number(9), None), (Id::Number(5), None)]);
        assert_eq!(file.captions[2], (Some(1), "x".to_owned()));
    }

    #[test]
    fn an_image_in_two_places_is_an_error() {
        let text = r#"[{"image": "a.jpg", "caption": "x"}, {"image": "b.jpg", "caption": "y"},
            {"image": "a.jpg", "caption": "z"}]"#;
        let error = list(&source(text)).unwrap_err().to_string();
        assert!(error.contains("image a stands in two places"), "{error}");
    }
}
