//! `{id: [ids]}`: one direction per file, the format of the `eccv_caption` package.

use super::{Format, Listed, TruthFile};
use crate::data::Direction;
use crate::data::json::{self, Shape};
use crate::data::source::Source;
use crate::error::Result;

/// The format `{id: [ids]}`.
pub static ID_MAP: Format =
    Format { accepts: |_, shape| shape == Some(Shape::Pairs), ending: None, read };

/// Reads pairs of one direction.
///
/// # Errors
/// Broken or unexpected JSON.
pub fn read(source: &Source) -> Result<TruthFile> {
    let (name, direction) = name_and_direction(&source.stem());
    let listed = Listed { name, direction, pairs: json::parse(source)?, file: source.display() };
    Ok(TruthFile { truths: vec![listed], ..TruthFile::default() })
}

/// Endings of file stems, and the direction they stand for.
const DIRECTION_SUFFIXES: [(&str, Direction); 4] = [
    ("_image_to_caption", Direction::I2t),
    ("_caption_to_image", Direction::T2i),
    ("_i2t", Direction::I2t),
    ("_t2i", Direction::T2i),
];

/// Name and direction of a truth, from the stem of its file; `None` without an ending for a direction.
pub fn name_and_direction(stem: &str) -> (String, Option<Direction>) {
    for (suffix, direction) in DIRECTION_SUFFIXES {
        if let Some(name) = stem.strip_suffix(suffix).filter(|name| !name.is_empty()) {
            return (name.to_owned(), Some(direction));
        }
    }
    (stem.to_owned(), None)
}

/// Stem of the file of the other direction; `None` if the stem has no ending for a direction.
pub fn partner_stem(stem: &str) -> Option<String> {
    DIRECTION_SUFFIXES.iter().zip([1, 0, 3, 2]).find_map(|((suffix, _), other)| {
        Some(format!("{}{}", stem.strip_suffix(suffix)?, DIRECTION_SUFFIXES[other].0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_directions_and_partners() {
        assert_eq!(
            name_and_direction("eccv_image_to_caption"),
            ("eccv".into(), Some(Direction::I2t))
        );
        assert_eq!(name_and_direction("my_t2i"), ("my".into(), Some(Direction::T2i)));
        assert_eq!(name_and_direction("truth"), ("truth".into(), None));
        assert_eq!(partner_stem("cxc_caption_to_image").unwrap(), "cxc_image_to_caption");
        assert_eq!(partner_stem("my_i2t").unwrap(), "my_t2i");
        assert_eq!(partner_stem("truth"), None);
    }
}
