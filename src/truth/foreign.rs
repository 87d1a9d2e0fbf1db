//! Files whose ids are not those of the gallery.

use std::path::Path;

use crate::data::gallery::TEST_IDS;
use crate::data::id::{Id, IdList};
use crate::data::output::folder_of;
use crate::error::Error;

/// Of so many ids less than one is in the gallery: what fits is chance.
const CHANCE: usize = 100;
/// Ids that are named.
const EXAMPLES: usize = 3;

/// Whether a file is of another gallery: the ids here are plain indices, as no file names them, and of `all` of
/// the file hardly any is known.
pub(super) fn is_foreign(known: usize, all: usize, ids: &IdList) -> bool {
    known * CHANCE < all && ids.is_counted()
}

/// Says that ids of a file are not those of the gallery, and how these are named.
pub(super) fn error(file: &str, found: String, ids: &IdList) -> Error {
    let expected = if ids.is_empty() {
        "scores, or a file of ids or captions, that give the gallery".to_owned()
    } else {
        format!("ids such as {}", examples(ids.as_slice()))
    };
    let names =
        "name the ids of this gallery with --image-ids and --caption-ids, or a captions file";
    Error::new(file, found)
        .expected(expected)
        .mend(format!("{names}{}", beside(file)))
}

/// Some ids, with a comma between them.
pub(super) fn examples(ids: &[Id]) -> String {
    let ids = ids.iter().take(EXAMPLES).map(ToString::to_string);
    ids.collect::<Vec<_>>().join(", ")
}

/// The folder of a file, where the ids of COCO's test images lie in it.
fn beside(file: &str) -> String {
    let name = format!("{TEST_IDS}.npy");
    let folder = folder_of(Path::new(file));
    if folder.join(&name).is_file() {
        format!(
            ", or the folder {}, whose {name} holds them",
            folder.display()
        )
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chance_is_told_from_a_gallery_that_lacks_some() {
        let ids = IdList::counted(20);
        assert!(is_foreign(0, 10, &ids) && is_foreign(12, 44_833, &ids));
        assert!(!is_foreign(5, 20, &ids) && !is_foreign(0, 0, &ids));
        let named = IdList::new(vec![Id::Number(391_895)]).unwrap();
        assert!(!is_foreign(0, 10, &named));
    }

    #[test]
    fn the_folder_that_holds_the_ids_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("eccv.json").display().to_string();
        let told = || error(&file, "none".into(), &IdList::counted(2)).to_string();
        assert!(
            told().contains("--image-ids") && !told().contains("folder"),
            "{}",
            told()
        );
        std::fs::write(folder.path().join("coco_test_ids.npy"), "").unwrap();
        assert!(
            told().contains("whose coco_test_ids.npy holds them"),
            "{}",
            told()
        );
    }
}
