//! Karpathy's `dataset_coco.json` and `dataset_flickr30k.json`: all splits in one file.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;

use super::{Caption, CaptionFile};
use crate::data::id::Id;
use crate::data::json;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};

/// Token lists, the largest part of the file, are skipped while parsing.
#[derive(Deserialize)]
struct File<'a> {
    #[serde(borrow)]
    images: Vec<Image<'a>>,
}

#[derive(Deserialize)]
struct Image<'a> {
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
/// Broken JSON or another structure; a split that the file has not.
pub fn read(source: &Source, split: &str) -> Result<CaptionFile> {
    let file: File = json::parse(source)?;
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for image in &file.images {
        *sizes.entry(&image.split).or_default() += 1;
    }
    if !sizes.contains_key(split) {
        let there = sizes.iter().map(|(name, size)| format!("{name} ({} images)", grouped(*size)));
        let there: Vec<String> = there.collect();
        return Err(Error::new(source.display(), format!("no image of the split {split:?}"))
            .expected(format!("one of its splits: {}", there.join(", ")))
            .mend("--split NAME"));
    }
    let mut read = CaptionFile::default();
    for image in file.images.into_iter().filter(|image| image.split == split) {
        let id = image.cocoid.unwrap_or_else(|| Id::of_file(&image.filename));
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
        let test = read(&source, "test").unwrap();
        assert_eq!(test.images.len(), 1);
        assert_eq!(test.images[0].0, Id::Number(42));
        assert_eq!(test.captions.len(), 2);
        assert_eq!(test.captions[0].text, "A \"dog\".");
        assert_eq!(test.captions[1].id, Id::Number(9));
        let val = read(&source, "val").unwrap();
        assert_eq!(val.captions[0].image, Some(Id::Number(1007129816)));
        let error = read(&source, "dev").unwrap_err().to_string();
        assert!(error.contains("test (1 images), val (1 images)"), "{error}");
    }
}
