//! Files whose ids are not those of the gallery.

use crate::data::id::{Id, IdList};
use crate::error::Error;

/// Maximum ratio of all ids to those in the gallery; above it, the few known ones match by chance.
const MAX_RATIO: usize = 100;
/// Number of ids that a message shows.
const MAX_EXAMPLES: usize = 3;

/// Whether the ids of a file are indices or ids of another gallery; `known` of the file's `all` ids are in `gallery`.
pub(super) fn is_foreign(ids: &[Id], (known, all): (usize, usize), gallery: &IdList) -> bool {
    known * MAX_RATIO < all && gallery.is_indexed() || known * 2 < all && are_indices(ids, gallery)
}

/// Whether ids are indices of images or captions although the gallery has other ids.
pub(crate) fn are_indices(ids: &[Id], gallery: &IdList) -> bool {
    let indices = 0..gallery.len() as i64;
    let is_index = |id: &Id| matches!(id, Id::Number(number) if indices.contains(number));
    !ids.is_empty() && ids.iter().all(is_index) && !gallery.is_indexed()
}

/// Error for the `ids` of a file that are not those of the gallery, with examples of the latter and a fix.
pub(crate) fn error(file: &str, found: String, ids: &[Id], gallery: &IdList) -> Error {
    let expected = if gallery.is_empty() {
        "scores, or a file of ids or captions, that give the gallery".to_owned()
    } else {
        format!("ids such as {}", examples(gallery.as_slice()))
    };
    Error::new(file, found).expected(expected).fix(fix(ids, gallery))
}

/// Text of the fix for `ids` that are not those of the gallery.
pub(crate) fn fix(ids: &[Id], gallery: &IdList) -> String {
    if are_indices(ids, gallery) {
        return "these look like indices: write ids instead, or drop the file that gives the gallery its ids".into();
    }
    "name the ids of this gallery with --image-ids and --caption-ids, or a captions file".into()
}

/// The first three ids, joined by commas.
pub(crate) fn examples(ids: &[Id]) -> String {
    let ids = ids.iter().take(MAX_EXAMPLES).map(ToString::to_string);
    ids.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_told_from_a_gallery_that_lacks_some() {
        let ids = IdList::for_len(20);
        let file = [Id::Number(391_895)];
        assert!(is_foreign(&file, (0, 10), &ids) && is_foreign(&file, (12, 44_833), &ids));
        assert!(!is_foreign(&file, (5, 20), &ids) && !is_foreign(&file, (0, 0), &ids));
        assert!(is_foreign(&file, (1, 101), &ids) && !is_foreign(&file, (1, 100), &ids));
        let named = IdList::new(file.to_vec()).unwrap();
        assert!(!is_foreign(&file, (0, 10), &named));
    }

    /// 0, 1, 2 in a gallery with ids 2, 40, 60: one matches by chance.
    #[test]
    fn indices_are_told_from_ids() {
        let list = |ids: [i64; 3]| IdList::new(ids.map(Id::Number).to_vec()).unwrap();
        let (named, indices) = (list([2, 40, 60]), [0, 1, 2].map(Id::Number));
        assert!(is_foreign(&indices, (1, 3), &named));
        assert!(fix(&indices, &named).contains("look like indices"));
        assert!(!is_foreign(&indices, (2, 3), &named) && !is_foreign(&indices, (1, 2), &named));
        let ids = [2, 41, 61].map(Id::Number);
        assert!(!is_foreign(&ids, (1, 3), &named));
        assert!(fix(&ids, &named).contains("--image-ids"));
        assert!(!are_indices(&indices, &IdList::for_len(3)));
    }
}
