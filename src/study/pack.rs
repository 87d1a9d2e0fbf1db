//! Writes a study's gallery and truths as one bundle.

use std::io::{BufWriter, Write};
use std::path::Path;

use super::inputs::Inputs;
use super::{Study, load};
use crate::data::text::Text;
use crate::data::{Direction, PerDirection, output};
use crate::error::{Error, Result};
use crate::truth::Listed;
use crate::truth::bundle::{BundleFile, FORMAT, Truths};
use crate::truth::pairs::Pairs;

/// Writes the gallery and the truths of `inputs` to `out`, which appears whole or not at all.
/// Ids that the gallery lacks stay in the lists, so that R stays the same.
///
/// # Errors
/// As [`load::open`]; when there is no truth; when `out` cannot be written.
pub fn pack(inputs: &Inputs, out: &Path) -> Result<Study> {
    let (study, listed) = load::build(inputs.load()?, inputs)?;
    if study.truths.is_empty() {
        return Err(Error::new(out.display(), "not written: no truth to pack")
            .expected("at least one truth among the files"));
    }
    let texts = |texts: &[Text]| {
        (!texts.is_empty()).then(|| texts.iter().map(|text| text.raw().to_owned()).collect())
    };
    let bundle = BundleFile {
        format: Some(FORMAT.to_owned()),
        image_ids: Some(study.gallery.images.as_slice().to_vec()),
        caption_ids: Some(study.gallery.captions.as_slice().to_vec()),
        captions: texts(&study.gallery.texts),
        file_names: texts(&study.gallery.file_names),
        truths: truths(&study, listed),
        ..BundleFile::default()
    };
    output::write_whole(out, |file| serialize(file, &bundle))?;
    Ok(study)
}

/// The lists as the files have them, or as they were made from categories, in the study's order of
/// truths.
fn truths(study: &Study, listed: Vec<Listed>) -> Truths {
    let name = |truth: &crate::truth::Truth| (truth.name.clone(), PerDirection::default());
    let mut truths = Truths(study.truths.iter().map(name).collect());
    for Listed {
        name,
        direction,
        pairs,
        ..
    } in listed
    {
        let (_, directions) = truths
            .0
            .iter_mut()
            .find(|(other, _)| *other == name)
            .expect("every list has its truth");
        directions[direction.expect("found out at load")] = Some(pairs);
    }
    for (truth, (_, directions)) in study.truths.iter().zip(&mut truths.0) {
        for direction in Direction::BOTH {
            let made = truth.relevance[direction].as_ref();
            if let (None, Some(made)) = (&directions[direction], made) {
                let (queries, items) = (
                    study.gallery.queries(direction),
                    study.gallery.items(direction),
                );
                directions[direction] = Some(Pairs::of(made, queries, items));
            }
        }
    }
    truths
}

fn serialize(file: impl Write, bundle: &BundleFile) -> std::io::Result<()> {
    let mut writer = BufWriter::new(file);
    serde_json::to_writer(&mut writer, bundle)?;
    writer.write_all(b"\n")?;
    writer.flush()
}
