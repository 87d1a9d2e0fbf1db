//! Texts and file names of the gallery.

use rustc_hash::FxHashMap;

use super::files::Files;
use crate::data::gallery::Gallery;
use crate::data::id::Id;
use crate::data::text::{Text, grouped};
use crate::error::{Error, Result};

/// Adds texts of captions files and bundles. Of several, the last file given wins, and captions without own ids come
/// before others: this opens a gallery with refined captions.
///
/// # Errors
/// Captions of another gallery; different numbers of texts and ids.
pub(super) fn add(gallery: &mut Gallery, loaded: &Files) -> Result<()> {
    for captions in loaded.captions.iter().rev() {
        let texts: FxHashMap<&Id, &str> =
            captions.captions.iter().map(|c| (&c.id, c.text.as_str())).collect();
        let names = captions.images.iter().filter_map(|(id, name)| Some((id, name.as_deref()?)));
        let names: FxHashMap<&Id, &str> = names.collect();
        let caption_ids = gallery.captions.as_slice();
        if !caption_ids.iter().any(|id| texts.contains_key(id)) {
            let found = match captions.captions.first() {
                Some(first) => {
                    format!("none of its captions is in the gallery (for instance {})", first.id)
                }
                None => "images without any caption".to_owned(),
            };
            let error = Error::new(&captions.file, found).expected(
                caption_ids
                    .first()
                    .map_or("captions".into(), |id| format!("captions with ids such as {id}")),
            );
            return Err(error);
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

/// Fills missing texts of `into` by id.
fn look_up(into: &mut Vec<Text>, ids: &[Id], known: &FxHashMap<&Id, &str>) {
    if known.is_empty() {
        return;
    }
    into.resize(ids.len(), Text::default());
    for (slot, id) in into.iter_mut().zip(ids).filter(|(slot, _)| slot.raw().is_empty()) {
        *slot = known.get(id).map(|text| Text::new(text)).unwrap_or_default();
    }
}

/// Texts of a bundle, in matrix order.
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
            format!("{} texts for {} ids", grouped(texts.len()), grouped(expected)),
        )
        .expected("one text for every id"));
    }
    *into = texts.iter().map(|text| Text::new(text)).collect();
    Ok(())
}
