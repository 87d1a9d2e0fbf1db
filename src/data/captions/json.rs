//! Captions as JSON: of COCO, Karpathy's splits, the lists of ALBEF and BLIP, and the maps of MSCOCO-FG and Flickr30K-FG.

use std::borrow::Cow;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use serde::Deserialize;

use super::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::json;
use crate::data::source::Source;
use crate::data::text::grouped;
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
    caption: Cow<'a, str>,
}

/// Reads COCO captions.
///
/// # Errors
/// Broken JSON, or annotations without a caption.
pub fn read_coco(source: &Source) -> Result<CaptionFile> {
    let file: CocoFile = json::parse(source)?;
    let images =
        file.images.into_iter().map(|i| (i.id, i.file_name.map(Cow::into_owned))).collect();
    let caption = |a: CocoAnnotation| Caption {
        id: a.id,
        image: Some(a.image_id),
        text: a.caption.into_owned(),
    };
    Ok(CaptionFile {
        file: source.display(),
        images,
        captions: file.annotations.into_iter().map(caption).collect(),
        has_ids: true,
    })
}

/// Token lists, the largest part of the file, are skipped while parsing.
#[derive(Deserialize)]
struct KarpathyFile<'a> {
    #[serde(borrow)]
    images: Vec<KarpathyImage<'a>>,
}

#[derive(Deserialize)]
struct KarpathyImage<'a> {
    #[serde(borrow)]
    split: Cow<'a, str>,
    #[serde(borrow)]
    filename: Cow<'a, str>,
    cocoid: Option<Id>,
    #[serde(borrow)]
    sentences: Vec<Sentence<'a>>,
}

#[derive(Deserialize)]
struct Sentence<'a> {
    sentid: Id,
    #[serde(borrow)]
    raw: Cow<'a, str>,
}

/// Reads the images of one split with all their captions: 5,000 images of COCO's `test` have 25,010.
/// Image ids are COCO's, else the file names without ending; caption ids are the sentences'.
///
/// # Errors
/// Broken JSON or another structure; a split that the file lacks.
pub fn read_karpathy(source: &Source, split: &str) -> Result<CaptionFile> {
    let file: KarpathyFile = json::parse(source)?;
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for image in &file.images {
        *sizes.entry(&image.split).or_default() += 1;
    }
    if !sizes.contains_key(split) {
        let there = sizes.iter().map(|(name, size)| format!("{name} ({} images)", grouped(*size)));
        let there: Vec<String> = there.collect();
        return Err(Error::new(source.display(), format!("no image of the split {split:?}"))
            .expected(format!("one of its splits: {}", there.join(", ")))
            .fix("--split NAME"));
    }
    let mut read = CaptionFile { file: source.display(), has_ids: true, ..CaptionFile::default() };
    for image in file.images.into_iter().filter(|image| image.split == split) {
        let id = image.cocoid.unwrap_or_else(|| Id::from_file_name(&image.filename));
        for sentence in image.sentences {
            read.captions.push(Caption {
                id: sentence.sentid,
                image: Some(id.clone()),
                text: sentence.raw.into_owned(),
            });
        }
        read.images.push((id, Some(image.filename.into_owned())));
    }
    Ok(read)
}

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
pub fn read_list(source: &Source) -> Result<CaptionFile> {
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
    assemble(source, images)
}

/// Reads `{"COCO_val2014_000000452113": ["..", ..], ..}`.
///
/// # Errors
/// As [`read_list`].
pub fn read_map(source: &Source) -> Result<CaptionFile> {
    let json::Entries(images) = json::parse(source)?;
    assemble(source, images)
}

/// Assembles a caption file from the name and captions of each image. Image ids come from the names; an id that occurs
/// twice is an error.
pub(super) fn assemble(source: &Source, images: Vec<(String, Vec<String>)>) -> Result<CaptionFile> {
    let mut file = CaptionFile { file: source.display(), ..CaptionFile::default() };
    let mut seen = FxHashSet::default();
    for (name, texts) in images {
        let id = Id::from_file_name(&name);
        if !seen.insert(id.clone()) {
            return Err(Error::new(source.display(), format!("image {id} stands in two places"))
                .expected("all captions of an image side by side"));
        }
        for text in texts {
            file.push(Some(id.clone()), text);
        }
        file.images.push((id, Id::is_image_file(&name).then_some(name)));
    }
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"{"images": [
        {"filepath": "val2014", "sentids": [7, 9], "filename": "COCO_val2014_000000000042.jpg",
         "imgid": 0, "split": "test", "cocoid": 42, "sentences":
            [{"tokens": ["a"], "raw": "A \"dog\".", "imgid": 0, "sentid": 7}, {"raw": "b", "sentid": 9}]},
        {"filename": "1007129816.jpg", "split": "val", "sentences": [{"raw": "c", "sentid": 1}]}],
        "dataset": "coco"}"#;

    #[test]
    fn a_split_is_taken_and_a_missing_one_told() {
        let source = Source::in_memory("dataset.json", FILE.as_bytes().to_vec());
        let test = read_karpathy(&source, "test").unwrap();
        assert_eq!(test.images.len(), 1);
        assert_eq!(test.images[0].0, Id::Number(42));
        assert_eq!(test.captions.len(), 2);
        assert_eq!(test.captions[0].text, "A \"dog\".");
        assert_eq!(test.captions[1].id, Id::Number(9));
        let val = read_karpathy(&source, "val").unwrap();
        assert_eq!(val.captions[0].image, Some(Id::Number(1007129816)));
        let error = read_karpathy(&source, "dev").unwrap_err().to_string();
        assert!(error.contains("test (1 images), val (1 images)"), "{error}");
    }

    fn source(text: &str) -> Source {
        Source::in_memory("c.json", text.as_bytes().to_vec())
    }

    #[test]
    fn lists_and_maps_keep_the_order_and_read_ids_from_names() {
        let text = r#"[{"image": "val2014/COCO_val2014_000000000042.jpg", "caption": ["a b", "c"]},
            {"image": "flickr30k-images/1007.jpg", "caption": "d"},
            {"image": "flickr30k-images/1007.jpg", "caption": "e"}]"#;
        let file = read_list(&source(text)).unwrap();
        let ids: Vec<String> = file.images.iter().map(|(id, _)| id.to_string()).collect();
        assert_eq!(ids, ["42", "1007"]);
        let image = |one: &Caption| one.image.as_ref().unwrap().to_string();
        let found = file.captions.iter().map(|one| format!("{} {}", image(one), one.text));
        assert_eq!(found.collect::<Vec<_>>(), ["42 a b", "42 c", "1007 d", "1007 e"]);
        let file =
            read_map(&source(r#"{"COCO_val2014_000000000009": ["z"], "5": ["y", "x"]}"#)).unwrap();
        assert_eq!(file.images, [(Id::Number(9), None), (Id::Number(5), None)]);
        let last = &file.captions[2];
        assert_eq!((last.image.as_ref(), &*last.text), (Some(&Id::Number(5)), "x"));
    }

    #[test]
    fn an_image_in_two_places_is_an_error() {
        let text = r#"[{"image": "a.jpg", "caption": "x"}, {"image": "b.jpg", "caption": "y"},
            {"image": "a.jpg", "caption": "z"}]"#;
        let error = read_list(&source(text)).unwrap_err().to_string();
        assert!(error.contains("image a stands in two places"), "{error}");
    }
}
