//! Truths that are made from other files by a rule: Plausible Match from object categories,
//! Crisscrossed Captions from ratings.

use super::Note;
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::instances::Instances;
use crate::data::ratings::Rated;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::truth::cxc::{self, Ratings};
use crate::truth::{Kind, Truth, pm};

/// How truths are made from object categories and ratings.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct TruthRules {
    /// Categories in which Plausible Match lets two images differ; 0, if nothing is said.
    pub pm_zeta: Option<u32>,
    /// Whether Plausible Match leaves out an image and its own captions.
    pub omit_own: bool,
    /// The least grade of a positive in truths with grades; without one, what the file says, else 1.
    pub relevant_from: Option<u32>,
    /// The least rating of a positive; without one, the published [`cxc::THRESHOLD`], and pairs in
    /// other files come first.
    pub cxc_threshold: Option<f64>,
}

/// Makes truths over a gallery.
pub(super) struct Maker<'a> {
    pub gallery: &'a Gallery,
    pub rules: TruthRules,
}

impl Maker<'_> {
    /// Adds the truth `pm`, if there is an instances file and no file gives `pm` itself.
    pub fn add_pm(
        &self,
        truths: &mut Vec<Truth>,
        instances: &[(String, Instances)],
    ) -> Result<Vec<Note>> {
        let Some((file, instances)) = only(instances, "instances")? else {
            return Ok(Vec::new());
        };
        if truths.iter().any(|truth| truth.name == pm::NAME) {
            let line = format!("{file}: not used, the truth pm is in other files");
            return Ok(vec![Note::fine(line + " (--pm-zeta makes it anew)")]);
        }
        let gallery = self.gallery;
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
        let rule = pm::Rule {
            zeta: self.rules.pm_zeta.unwrap_or_default(),
            omit_own: self.rules.omit_own,
        };
        truths.push(pm::truth(instances, gallery, &owner, rule));
        let own = ["included", "left out"][usize::from(rule.omit_own)];
        Ok(vec![Note::fine(format!(
            "{file}: {} categories of {} of the {} images, truth pm at zeta {}, own pairs {own}",
            instances.category_count,
            grouped(known),
            grouped(gallery.images.len()),
            rule.zeta,
        ))])
    }

    /// The ratings over the gallery. They make the truth `cxc`, if a threshold is asked for or no
    /// file lists its pairs.
    pub fn add_cxc(
        &self,
        truths: &mut Vec<Truth>,
        ratings: &[(String, Vec<Rated>)],
        notes: &mut Vec<Note>,
    ) -> Result<Option<Ratings>> {
        let Some((file, rated)) = only(ratings, "ratings")? else {
            return match self.rules.cxc_threshold {
                Some(_) => Err(
                    Error::new("inputs", "no ratings to make the truth cxc from")
                        .expected("CxC's sits_*.csv among the files"),
                ),
                None => Ok(None),
            };
        };
        let resolved = Ratings::resolve(rated, self.gallery);
        let (ratings, unresolved) = resolved.map_err(|(image, caption)| {
            let gallery = self.gallery;
            let (image, caption) = (
                &gallery.images[image as usize],
                &gallery.captions[caption as usize],
            );
            Error::new(
                file,
                format!("two ratings of image {image} with caption {caption}"),
            )
            .expected("every pair rated once")
        })?;
        if ratings.is_empty() {
            let found = "none of its pairs is in the gallery";
            return Err(Error::new(
                file,
                format!("{found} ({})", unresolved.item_examples.join(", ")),
            )
            .expected("ratings of COCO images and captions of this gallery"));
        }
        let use_of = if truths.iter().any(|truth| truth.name == cxc::NAME) {
            "shown beside the pairs of other files (--cxc-threshold makes the truth anew)"
                .to_owned()
        } else {
            let threshold = self.rules.cxc_threshold.unwrap_or(cxc::THRESHOLD);
            truths.push(ratings.truth(threshold, self.gallery));
            format!("truth cxc from {threshold} up")
        };
        notes.push(Note::fine(format!(
            "{file}: ratings of {} pairs, {use_of}",
            grouped(ratings.len())
        )));
        if unresolved.items > 0 {
            notes.push(Note::fine(format!(
                "{file}: {} pairs are not in the gallery and left out (for instance {})",
                grouped(unresolved.items),
                unresolved.item_examples[0]
            )));
        }
        Ok(Some(ratings))
    }
}

/// The one file of a kind.
fn only<'a, T>(files: &'a [(String, T)], what: &str) -> Result<Option<(&'a str, &'a T)>> {
    match files {
        [] => Ok(None),
        [(file, content)] => Ok(Some((file, content))),
        [_, (file, _), ..] => {
            Err(Error::new(file, format!("a second file of {what}")).expected("one of them"))
        }
    }
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
pub(super) fn owners(truths: &[Truth], gallery: &Gallery) -> Option<Vec<Option<u32>>> {
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
