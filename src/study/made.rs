//! Truths that are made from other files by a rule: Plausible Match from object categories.

use super::Note;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::instances::Instances;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::truth::{Kind, Truth, pm};

/// How truths are made from object categories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TruthRules {
    /// Plausible Match from COCO instances.
    pub pm: pm::Rule,
}

/// Adds the truth `pm`, if there is an instances file and no file gives `pm` itself.
pub(super) fn add_pm(
    truths: &mut Vec<Truth>,
    instances: &[(String, Instances)],
    gallery: &Gallery,
    rules: TruthRules,
) -> Result<Vec<Note>> {
    let [(file, instances)] = instances else {
        let second = instances.get(1).map(|(file, _)| file);
        return second.map_or(Ok(Vec::new()), |file| {
            Err(Error::new(file, "a second file of instances").expected("one of them"))
        });
    };
    if truths.iter().any(|truth| truth.name == "pm") {
        let line = format!("{file}: not used, the truth pm is in other files");
        return Ok(vec![Note::fine(line)]);
    }
    let known = gallery.images.as_slice().iter();
    let known = known
        .filter(|id| instances.categories.contains_key(id))
        .count();
    if known == 0 {
        return Err(no_image(file, instances, gallery));
    }
    let owner = owners(truths, gallery).ok_or_else(|| {
        Error::new(
            file,
            "categories of images, but nothing tells which image a caption belongs to",
        )
        .expected("an original truth (original_caption_to_image.json) or a captions file")
    })?;
    truths.push(pm::truth(instances, gallery, &owner, rules.pm));
    let own = if rules.pm.omit_own {
        "left out"
    } else {
        "included"
    };
    Ok(vec![Note::fine(format!(
        "{file}: {} categories of {} of the {} images, truth pm at zeta {}, own pairs {own}",
        instances.category_count,
        grouped(known),
        grouped(gallery.images.len()),
        rules.pm.zeta,
    ))])
}

fn no_image(file: &str, instances: &Instances, gallery: &Gallery) -> Error {
    let example = instances.categories.keys().min();
    let example = example.map_or(String::new(), |id| format!(" (for instance {id})"));
    let wanted = gallery.images.as_slice().first();
    let wanted = wanted.map_or("image ids".to_owned(), |id| format!("ids such as {id}"));
    Error::new(
        file,
        format!("none of its images is in the gallery{example}"),
    )
    .expected(wanted)
    .mend("name the ids of this gallery with --image-ids and --caption-ids, or a captions file")
}

/// The image that each caption was written for, from the original truth.
fn owners(truths: &[Truth], gallery: &Gallery) -> Option<Vec<Option<u32>>> {
    let original = truths.iter().find(|truth| truth.kind == Kind::Original)?;
    let mut owner = vec![None; gallery.captions.len()];
    for direction in Direction::BOTH {
        let Some(relevance) = &original.relevance[direction] else {
            continue;
        };
        for (place, &query) in relevance.queries().iter().enumerate() {
            for item in relevance.positives(place) {
                let (image, caption) = match direction {
                    Direction::I2t => (query, item),
                    Direction::T2i => (item, query),
                };
                owner[caption as usize].get_or_insert(image);
            }
        }
    }
    Some(owner)
}
