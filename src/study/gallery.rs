//! The gallery, put together from whatever names ids, texts and files.

use rustc_hash::{FxHashMap, FxHashSet};

use super::given;
use super::inputs::{Ids, Inputs, Loaded};
use crate::data::Direction;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::text::{Text, grouped};
use crate::error::{Error, Result};
use crate::truth::Listed;

/// A gallery, and which files named its sides.
pub(super) struct Assembled {
    pub gallery: Gallery,
    /// File that names the images; `None` where their number comes from a matrix.
    pub images_from: Option<String>,
    /// File that names the captions.
    pub captions_from: Option<String>,
}

/// Puts the gallery together: ids from flags, then bundles, id lists, captions files, then from the
/// original pairing; without any, ids are indices.
pub(super) fn assemble(loaded: &Loaded, inputs: &Inputs) -> Result<Assembled> {
    let caption_ids = caption_ids(loaded);
    let image_ids = image_ids(loaded, caption_ids.as_ref());
    let or_listed = |known: Option<Ids>, direction| match known {
        Some(known) => Ok(Some(known)),
        None => given::listed_ids(loaded, direction),
    };
    let caption_ids = or_listed(caption_ids, Direction::T2i)?;
    let image_ids = or_listed(image_ids, Direction::I2t)?;
    let sizes = loaded
        .models
        .first()
        .map(|given| given.sizes(inputs.captions_first))
        .transpose()?
        .flatten();
    let mut sides = [(image_ids, 0usize), (caption_ids, 0)];
    if let Some(sizes) = sizes {
        let known = sides
            .each_ref()
            .map(|(ids, _)| ids.as_ref().map(|ids| ids.ids.len()));
        let sizes = orient(sizes, known);
        for (side, size) in sides.iter_mut().zip(sizes) {
            side.1 = size;
        }
    }
    let from = sides
        .each_ref()
        .map(|(ids, _)| ids.as_ref().map(|ids| ids.file.clone()));
    let [images, captions] = sides.map(|(ids, size)| match ids {
        Some(ids) => id_list(ids),
        None => Ok(IdList::counted(size)),
    });
    let mut gallery = Gallery {
        images: images?,
        captions: captions?,
        ..Gallery::default()
    };
    add_texts(&mut gallery, loaded)?;
    let [images_from, captions_from] = from;
    Ok(Assembled {
        gallery,
        images_from,
        captions_from,
    })
}

fn id_list(ids: Ids) -> Result<IdList> {
    IdList::new(ids.ids).map_err(|(id, first, second)| {
        Error::new(
            &ids.file,
            format!("id {id} stands twice, at positions {first} and {second}"),
        )
        .expected("every id once, in matrix order")
    })
}

/// Turns the sizes round if a known side fits only that way.
fn orient(sizes: [usize; 2], known: [Option<usize>; 2]) -> [usize; 2] {
    let fits = |sizes: [usize; 2]| {
        sizes
            .iter()
            .zip(known)
            .all(|(&s, k)| k.is_none_or(|k| k == s))
    };
    let turned = [sizes[1], sizes[0]];
    if !fits(sizes) && fits(turned) {
        turned
    } else {
        sizes
    }
}

fn caption_ids(loaded: &Loaded) -> Option<Ids> {
    let bundled = || {
        loaded.parts.iter().find_map(|(file, parts)| {
            Some(Ids {
                file: file.clone(),
                ids: parts.gallery.caption_ids.clone()?,
            })
        })
    };
    let captions_file = || {
        loaded.captions.first().map(|(file, captions)| Ids {
            file: file.clone(),
            ids: captions
                .captions
                .iter()
                .map(|caption| caption.id.clone())
                .collect(),
        })
    };
    loaded
        .caption_ids
        .clone()
        .or_else(bundled)
        .or_else(|| {
            loaded
                .ids
                .iter()
                .find(|ids| side_of(ids, loaded) == Direction::T2i)
                .cloned()
        })
        .or_else(captions_file)
}

fn image_ids(loaded: &Loaded, captions: Option<&Ids>) -> Option<Ids> {
    let bundled = || {
        loaded.parts.iter().find_map(|(file, parts)| {
            Some(Ids {
                file: file.clone(),
                ids: parts.gallery.image_ids.clone()?,
            })
        })
    };
    loaded
        .image_ids
        .clone()
        .or_else(bundled)
        .or_else(|| {
            loaded
                .ids
                .iter()
                .find(|ids| side_of(ids, loaded) == Direction::I2t)
                .cloned()
        })
        .or_else(|| listed_images(loaded, captions?))
        .or_else(|| images_of(loaded, captions?))
}

/// The images of a captions file, if that file also gave the caption ids.
fn listed_images(loaded: &Loaded, captions: &Ids) -> Option<Ids> {
    let (file, listed) = loaded.captions.first()?;
    (*file == captions.file && !listed.images.is_empty()).then(|| Ids {
        file: file.clone(),
        ids: listed.images.iter().map(|(id, _)| id.clone()).collect(),
    })
}

/// The images in the order in which the captions mention them: a captions file or the original
/// truth says which image a caption was written for.
fn images_of(loaded: &Loaded, captions: &Ids) -> Option<Ids> {
    let mut image_of: FxHashMap<&Id, &Id> = FxHashMap::default();
    let mut file = None;
    for (name, listed) in &loaded.captions {
        file.get_or_insert_with(|| name.clone());
        image_of.extend(
            listed
                .captions
                .iter()
                .map(|caption| (&caption.id, &caption.image)),
        );
    }
    for listed in truths(loaded).filter(|listed| is_original(listed)) {
        if listed.direction == Some(Direction::T2i) {
            file.get_or_insert_with(|| listed.file.clone());
            let one = listed
                .pairs
                .iter()
                .filter_map(|(caption, mut images)| Some((caption, images.next()?)));
            image_of.extend(one);
        }
    }
    let mut seen = FxHashSet::default();
    let mut ids = Vec::new();
    for caption in &captions.ids {
        let image = *image_of.get(caption)?;
        if seen.insert(image) {
            ids.push(image.clone());
        }
    }
    Some(Ids { file: file?, ids })
}

pub(super) fn truths(loaded: &Loaded) -> impl Iterator<Item = &Listed> {
    loaded.parts.iter().flat_map(|(_, parts)| &parts.truths)
}

pub(super) fn is_original(listed: &Listed) -> bool {
    matches!(listed.name.as_str(), "original" | "coco")
}

/// Whether a bare list names captions (`T2i`: they are queries there) or images: by the truths' and
/// captions files' ids, else by the length of a matrix side, else captions.
fn side_of(ids: &Ids, loaded: &Loaded) -> Direction {
    let sample: FxHashSet<&Id> = ids.ids.iter().take(200).collect();
    let mut hits = [0usize; 2];
    for listed in truths(loaded) {
        if let Some(direction) = listed.direction {
            let found = listed
                .pairs
                .keys()
                .iter()
                .filter(|id| sample.contains(id))
                .count();
            hits[usize::from(direction == Direction::T2i)] += found;
        }
    }
    for (_, file) in &loaded.captions {
        hits[0] += file
            .images
            .iter()
            .filter(|(id, _)| sample.contains(id))
            .count();
        hits[1] += file
            .captions
            .iter()
            .filter(|caption| sample.contains(&caption.id))
            .count();
    }
    let first = loaded.models.first();
    let shape = first.and_then(|given| given.sizes(false).ok()?);
    match hits {
        [images, captions] if images > captions => Direction::I2t,
        [0, 0] if matches!(shape, Some([rows, columns]) if rows == ids.ids.len() && columns != rows) => {
            Direction::I2t
        }
        _ => Direction::T2i,
    }
}

fn add_texts(gallery: &mut Gallery, loaded: &Loaded) -> Result<()> {
    for (file, captions) in &loaded.captions {
        let texts: FxHashMap<&Id, &str> = captions
            .captions
            .iter()
            .map(|c| (&c.id, c.text.as_str()))
            .collect();
        let names = captions
            .images
            .iter()
            .filter_map(|(id, name)| Some((id, name.as_deref()?)));
        let names: FxHashMap<&Id, &str> = names.collect();
        let caption_ids = gallery.captions.as_slice();
        if !caption_ids.iter().any(|id| texts.contains_key(id)) {
            let example = &captions.captions[0].id;
            return Err(Error::new(
                file,
                format!("none of its captions is in the gallery (for instance {example})"),
            )
            .expected(
                caption_ids
                    .first()
                    .map_or("captions".into(), |id| format!("ids such as {id}")),
            ));
        }
        look_up(&mut gallery.texts, caption_ids, &texts);
        look_up(&mut gallery.file_names, gallery.images.as_slice(), &names);
    }
    for (file, parts) in &loaded.parts {
        in_order(
            &mut gallery.texts,
            parts.gallery.captions.as_ref(),
            gallery.captions.len(),
            file,
        )?;
        in_order(
            &mut gallery.file_names,
            parts.gallery.file_names.as_ref(),
            gallery.images.len(),
            file,
        )?;
    }
    Ok(())
}

/// Fills what is still empty of `into` with the texts known by id.
fn look_up(into: &mut Vec<Text>, ids: &[Id], known: &FxHashMap<&Id, &str>) {
    if known.is_empty() {
        return;
    }
    into.resize(ids.len(), Text::default());
    for (slot, id) in into
        .iter_mut()
        .zip(ids)
        .filter(|(slot, _)| slot.raw().is_empty())
    {
        *slot = known
            .get(id)
            .map(|text| Text::new(text))
            .unwrap_or_default();
    }
}

/// Texts that a bundle gives in matrix order.
fn in_order(
    into: &mut Vec<Text>,
    texts: Option<&Vec<String>>,
    expected: usize,
    file: &str,
) -> Result<()> {
    let Some(texts) = texts.filter(|_| into.is_empty()) else {
        return Ok(());
    };
    if texts.len() != expected {
        return Err(Error::new(
            file,
            format!(
                "{} texts for {} ids",
                grouped(texts.len()),
                grouped(expected)
            ),
        )
        .expected("one text for every id"));
    }
    *into = texts.iter().map(|text| Text::new(text)).collect();
    Ok(())
}
