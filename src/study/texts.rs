//! Texts and file names of the gallery.

use super::files::Files;
use crate::data::gallery::Gallery;
use crate::data::id::{Id, IdList};
use crate::data::text::{Text, grouped};
use crate::error::{Error, Result};

/// Adds texts and file names from captions files and bundles. If several captions files have a text of a caption, the
/// last file counts. Files without ids come after those with ids, so that a gallery opens with refined captions.
///
/// # Errors
/// Captions of another gallery; different numbers of texts and ids.
pub(super) fn add_to_gallery(gallery: &mut Gallery, loaded: &Files) -> Result<()> {
    for captions in loaded.captions.iter().rev() {
        let texts = captions.captions.iter().map(|one| (&one.id, one.text.as_str()));
        if !fill(&mut gallery.texts, &gallery.captions, texts) {
            let found = match captions.captions.first() {
                Some(first) => {
                    format!("none of its captions is in the gallery (for instance {})", first.id)
                }
                None => "images without any caption".to_owned(),
            };
            let error = Error::new(&captions.file, found).expected(
                gallery
                    .captions
                    .as_slice()
                    .first()
                    .map_or("captions".into(), |id| format!("captions with ids such as {id}")),
            );
            return Err(error);
        }
        let names = captions.images.iter().filter_map(|(id, name)| Some((id, name.as_deref()?)));
        fill(&mut gallery.file_names, &gallery.images, names);
    }
    for (file, parts) in &loaded.parts {
        set_in_order(
            &mut gallery.texts,
            parts.gallery.captions.as_ref(),
            gallery.captions.len(),
            file,
        )?;
        set_in_order(
            &mut gallery.file_names,
            parts.gallery.file_names.as_ref(),
            gallery.images.len(),
            file,
        )?;
    }
    Ok(())
}

/// Fills empty `texts`, in the order of `ids`, from `known` pairs of id and text. If `known` has an id twice, its last
/// text counts. Returns whether `ids` has any id in `known`.
fn fill<'a>(
    texts: &mut Vec<Text>,
    ids: &IdList,
    known: impl DoubleEndedIterator<Item = (&'a Id, &'a str)>,
) -> bool {
    let mut is_any = false;
    for (id, text) in known.rev() {
        let Some(place) = ids.find_raw(id) else { continue };
        is_any = true;
        texts.resize(ids.len(), Text::default());
        let slot = &mut texts[place as usize];
        if slot.raw().is_empty() {
            *slot = Text::new(text);
        }
    }
    is_any
}

/// Sets `into` to the texts of a bundle, in matrix order; an error if their number is not `expected`. No effect if
/// `texts` is `None` or `into` has texts already.
fn set_in_order(
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
