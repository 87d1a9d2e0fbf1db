//! Pools from files: ids or file names of images or captions.

use std::path::PathBuf;

use indexmap::IndexMap;

use super::{ALL, ENLARGED, FOLDS, NamedPool, ORIGINAL, RandomPool};
use crate::data::candidate_mask::Part;
use crate::data::gallery::Gallery;
use crate::data::text::{count, grouped, shown};
use crate::data::{Direction, PerDirection};
use crate::error::{Error, Result};
use crate::study::direction::count_by_side;
use crate::study::files::Ids;
use crate::study::recognise::read_some_ids;
use crate::study::{Note, Study};
use crate::truth::foreign::examples;
use crate::truth::original_images;

impl Study {
    /// Adds pools from pairs of a name and a file; a pool has a list of images, one of captions, or both. Also adds the
    /// pool `original`, the images with captions, if there are other images and no file gives a pool of that name.
    ///
    /// # Errors
    /// A list that cannot be read or has nothing in the gallery, two lists of one side, a name already used.
    pub fn add_pools(&mut self, given: &[(String, PathBuf)]) -> Result<()> {
        let mut pools: IndexMap<&str, Vec<PathBuf>> = IndexMap::new();
        for (name, file) in given {
            pools.entry(name).or_default().push(file.clone());
        }
        for (name, files) in pools {
            check_name(name, self)?;
            let (name, part) = (shown(name), read_part(&files, self)?);
            self.notes.push(Note::fact(format!(
                "pool {name}: {}, {}",
                count(part.images.len(), "image"),
                count(part.captions.len(), "caption")
            )));
            self.pools.push(NamedPool { name, part });
        }
        if !self.pools.iter().any(|pool| pool.name == ORIGINAL)
            && let Some(part) = original_part(self)
        {
            self.notes.push(Note::fact(format!(
                "pool {ORIGINAL}: the {} images that captions were written for; all {} are the pool {ENLARGED}",
                grouped(part.images.len()),
                grouped(self.gallery.images.len())
            )));
            let name = ORIGINAL.into();
            self.pools.insert(0, NamedPool { name, part });
        }
        Ok(())
    }

    /// Queries listed in files by id or file name, as gallery indices; `None` for a direction without a file. There may
    /// be one file of images and one of captions. Adds a warning if ids are missing from the gallery.
    ///
    /// # Errors
    /// A list that cannot be read or has nothing in the gallery, two lists of one side.
    pub fn listed_queries(&mut self, files: &[PathBuf]) -> Result<PerDirection<Option<Vec<u32>>>> {
        let mut lists: PerDirection<Option<Vec<u32>>> = PerDirection::default();
        for file in files {
            let ids = read_some_ids(file)?;
            let side = detect_side(&ids, lists.i2t.is_some(), &self.gallery)?;
            if lists[side].replace(find_indices(&ids, side, self)).is_some() {
                let what = format!("a second list of {}", plural(side));
                let expected = "one list of images and one of captions";
                return Err(Error::new(&ids.file, what).expected(expected));
            }
        }
        Ok(lists)
    }
}

/// Images that captions were written for, and their captions; `None` if these are all images or none, or if no file
/// lists which image a caption was written for.
fn original_part(study: &Study) -> Option<Part> {
    let owners = original_images(&study.truths, &study.gallery)?;
    let mut has_caption = vec![false; study.gallery.images.len()];
    for &image in owners.iter().flatten() {
        has_caption[image as usize] = true;
    }
    let images = (0..).zip(&has_caption).filter(|(_, has)| **has);
    let images: Vec<u32> = images.map(|(image, _)| image).collect();
    let are_some = !images.is_empty() && images.len() < has_caption.len();
    are_some.then(|| study.part_of_images(images, &owners))
}

/// Checks that a pool may have this name.
fn check_name(name: &str, study: &Study) -> Result<()> {
    let is_taken = [ALL, FOLDS, ENLARGED].contains(&name)
        || name.starts_with("fold")
        || RandomPool::parse(name).is_some()
        || name.starts_with("similar")
        || study.pools.iter().any(|pool| pool.name == name);
    if is_taken || name.is_empty() {
        return Err(Error::new("--pool-file", format!("a pool cannot be named {name:?}"))
            .expected("a name of its own, other than all, enlarged, folds, fold1 or random1000"));
    }
    Ok(())
}

/// Reads a pool from a list of images, of captions, or both. One list is completed with the captions or images of its
/// items.
fn read_part(files: &[PathBuf], study: &mut Study) -> Result<Part> {
    let lists = study.listed_queries(files)?;
    match (lists.i2t, lists.t2i) {
        (Some(images), Some(captions)) => {
            Ok(Part { images: images.into(), captions: captions.into() })
        }
        (None, captions) => part_of_captions(captions.unwrap_or_default(), study),
        (Some(images), None) => Ok(study.part_of_images(images, &study.owners()?)),
    }
}

/// The pool of these captions and the images that they were written for.
fn part_of_captions(captions: Vec<u32>, study: &Study) -> Result<Part> {
    let owners = study.owners()?;
    let images = captions.iter().filter_map(|&caption| owners[caption as usize]);
    let mut images: Vec<u32> = images.collect();
    images.sort_unstable();
    images.dedup();
    Ok(Part { images: images.into(), captions: captions.into() })
}

/// Plural noun for the items of a side, for messages.
fn plural(side: Direction) -> &'static str {
    match side {
        Direction::I2t => "images",
        Direction::T2i => "captions",
    }
}

/// The side of the gallery with more of the ids: i2t for images, t2i for captions. If both sides have equally many,
/// captions if `has_images`, that is, if another list has the images; else images. An error if no id is in the gallery.
pub(in crate::study) fn detect_side(
    ids: &Ids,
    has_images: bool,
    gallery: &Gallery,
) -> Result<Direction> {
    match count_by_side(&ids.ids, gallery) {
        [0, 0] => {
            let examples = examples(&ids.ids);
            let [images, captions] =
                [&gallery.images, &gallery.captions].map(|ids| self::examples(ids.as_slice()));
            let found = format!(
                "a list of which nothing is in the gallery ({})",
                if examples.is_empty() { "it is empty" } else { &examples }
            );
            Err(Error::new(&ids.file, found).expected(format!(
                "file names or ids of images such as {images}, or of captions such as {captions}"
            )))
        }
        [images, captions] if images > captions || images == captions && !has_images => {
            Ok(Direction::I2t)
        }
        _ => Ok(Direction::T2i),
    }
}

/// Gallery indices of the ids, ascending, each once; adds a warning if ids are missing.
fn find_indices(ids: &Ids, side: Direction, study: &mut Study) -> Vec<u32> {
    let list = study.gallery.queries(side);
    let mut found: Vec<u32> = ids.ids.iter().filter_map(|id| list.find(id)).collect();
    let missing = ids.ids.len() - found.len();
    if missing > 0 {
        let example = ids.ids.iter().find(|id| list.find(id).is_none());
        let example = example.map_or(String::new(), ToString::to_string);
        study.notes.push(Note::warning(format!(
            "{}: {} of {} {} are not in the gallery and excluded (for instance {example})",
            ids.file,
            grouped(missing),
            grouped(ids.ids.len()),
            plural(side)
        )));
    }
    found.sort_unstable();
    found.dedup();
    found
}
