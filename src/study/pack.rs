//! Writes a study's gallery and truths as one bundle.

use std::io::Write;
use std::path::Path;

use super::inputs::Inputs;
use super::{Study, description, load};
use crate::data::gallery::Gallery;
use crate::data::text::Text;
use crate::data::{Direction, PerDirection, json_text, output};
use crate::error::{Error, Result};
use crate::truth::bundle::{BundleFile, FORMAT, Truths};
use crate::truth::pairs::Pairs;
use crate::truth::{Listed, Truth};

/// Writes the gallery and the truths of these names, or all, to `out`, which appears whole or not at all.
/// Ids that the gallery lacks stay in the lists, so that R stays the same.
///
/// # Errors
/// As [`load::open`]; when there is no truth; when `out` cannot be written.
pub fn pack(inputs: &Inputs, names: &[String], out: &Path) -> Result<Study> {
    // What is only assumed is no ground truth to hand on.
    let said = Inputs {
        captions_per_image: Some(inputs.captions_per_image.unwrap_or(0)),
        ..inputs.clone()
    };
    let (study, listed) = load::build(&said)?;
    if study.truths.is_empty() {
        return Err(Error::new(out.display(), "not written: no ground truth to write")
            .expected("at least one ground truth among the files"));
    }
    names.iter().try_for_each(|name| study.require_truth(name).map(drop))?;
    description::expanded(inputs)?.spare(out)?;
    write(Some(&study.gallery), truths(&study, names, listed), out)?;
    Ok(study)
}

/// Writes truths, with the gallery where there is one.
pub(super) fn write(gallery: Option<&Gallery>, truths: Truths, out: &Path) -> Result<()> {
    let texts = |texts: &[Text]| {
        (!texts.is_empty()).then(|| texts.iter().map(|text| text.raw().to_owned()).collect())
    };
    let bundle = BundleFile {
        format: Some(FORMAT.to_owned()),
        image_ids: gallery.map(|gallery| gallery.images.as_slice().to_vec()),
        caption_ids: gallery.map(|gallery| gallery.captions.as_slice().to_vec()),
        captions: gallery.and_then(|gallery| texts(&gallery.texts)),
        file_names: gallery.and_then(|gallery| texts(&gallery.file_names)),
        truths,
        ..BundleFile::default()
    };
    output::write_whole(out, |file| serialize(file, &bundle))
}

/// The truths of these names, or all, in the study's order.
fn truths(study: &Study, names: &[String], mut listed: Vec<Listed>) -> Truths {
    let both = |truth: &Truth| {
        let pairs = |direction| pairs(study, &mut listed, truth, direction);
        (truth.name.clone(), PerDirection::from_fn(pairs))
    };
    let is_named = |truth: &&Truth| names.is_empty() || names.contains(&truth.name);
    Truths(study.truths.iter().filter(is_named).map(both).collect())
}

/// The lists of a truth as its file has them, taken out of `listed`, or as they were made by a rule.
pub(super) fn pairs(
    study: &Study,
    listed: &mut Vec<Listed>,
    truth: &Truth,
    direction: Direction,
) -> Option<Pairs> {
    let is_it = |one: &Listed| one.name == truth.name && one.direction == Some(direction);
    if let Some(place) = listed.iter().position(is_it) {
        return Some(listed.swap_remove(place).pairs);
    }
    let gallery = &study.gallery;
    let made = truth.relevance[direction].as_ref()?;
    Some(Pairs::of(made, gallery.queries(direction), gallery.items(direction)))
}

fn serialize(mut writer: impl Write, bundle: &BundleFile) -> std::io::Result<()> {
    json_text::write(&mut writer, bundle)?;
    writer.write_all(b"\n")
}
