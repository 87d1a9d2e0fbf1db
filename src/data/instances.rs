//! COCO `instances_*.json`: which object categories an image shows.

use rustc_hash::FxHashMap;
use serde::Deserialize;

use super::id::Id;
use super::json;
use super::source::Source;
use crate::error::{Error, Result};

/// The categories of every image that has any.
#[derive(Debug, Clone, Default)]
pub struct Instances {
    /// Category ids of each image, ascending, each once.
    pub categories: FxHashMap<Id, Vec<u32>>,
    /// Number of different categories that occur.
    pub category_count: usize,
}

/// Boxes and outlines, by far the largest part of the file, are skipped while parsing.
#[derive(Deserialize)]
struct File {
    annotations: Vec<Annotation>,
}

#[derive(Deserialize)]
struct Annotation {
    image_id: Id,
    category_id: u32,
}

/// Reads the file.
///
/// # Errors
/// Broken JSON or another structure, with line and column; no annotation at all.
pub fn read(source: &Source) -> Result<Instances> {
    let file: File = json::parse(source)?;
    if file.annotations.is_empty() {
        return Err(Error::new(source.display(), "no annotation")
            .expected("\"annotations\" with \"image_id\" and \"category_id\""));
    }
    let mut instances = Instances::default();
    let mut seen = std::collections::BTreeSet::new();
    for Annotation { image_id, category_id } in file.annotations {
        seen.insert(category_id);
        let of_image = instances.categories.entry(image_id).or_default();
        if let Err(at) = of_image.binary_search(&category_id) {
            of_image.insert(at, category_id);
        }
    }
    instances.category_count = seen.len();
    Ok(instances)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_stand_once_and_ascending() {
        let text = r#"{"images": [{"id": 7}], "annotations": [
            {"id": 1, "image_id": 7, "category_id": 44, "bbox": [1.5, 2, 3, 4]},
            {"id": 2, "image_id": 7, "category_id": 3, "segmentation": {"counts": [1]}},
            {"id": 3, "image_id": 7, "category_id": 44}]}"#;
        let source = |text: &str| Source::in_memory("i.json", text.as_bytes().to_vec());
        let instances = read(&source(text)).unwrap();
        assert_eq!(instances.categories[&Id::Number(7)], [3, 44]);
        assert_eq!(instances.category_count, 2);
        let error = read(&source(r#"{"annotations": []}"#)).unwrap_err();
        assert!(error.to_string().contains("no annotation"), "{error}");
    }
}
