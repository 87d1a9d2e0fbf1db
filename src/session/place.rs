//! Session locations: one per gallery and annotator, wherever a study's files are.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Annotator, ENDING, Opened, Session};
use crate::data::gallery::{Gallery, fingerprint};
use crate::data::in_use;
use crate::data::output::folder_of;
use crate::data::own_files::state_folder;
use crate::data::scores::Model;
use crate::error::Result;
use crate::study::{Inputs, Study};

/// Folder of sessions in the user's state folder.
const FOLDER: &str = "sessions";

/// Path of the session of a gallery and an annotator, or of the demo. If nobody chose the annotator, the only session
/// of the gallery is used.
pub fn find(inputs: &Inputs, study: &Study, annotator: &Annotator) -> PathBuf {
    let folder = state_folder().unwrap_or_default();
    if inputs.demo {
        return folder.join(format!("demo{ENDING}"));
    }
    let folder = folder.join(FOLDER);
    let gallery = gallery_name(study);
    let own = folder.join(file_name(&gallery, &annotator.name));
    if annotator.is_chosen || own.exists() {
        return own;
    }
    match &*sessions_of(&folder, &gallery) {
        [only] => only.clone(),
        _ => own,
    }
}

/// Opens the session of a gallery.
///
/// # Errors
/// As [`Session::open`]; a session of another gallery.
pub fn open(path: &Path, gallery: &Gallery) -> Result<Opened> {
    if is_own(path) {
        // Without the folder there is no lock until the first save.
        let _ = fs::create_dir_all(folder_of(path));
    }
    in_use::reads(path)?;
    let opened = Session::open(path)?;
    opened.session.require_of(path, gallery)?;
    Ok(opened)
}

/// A gallery's name in file names: sizes and fingerprint of ids. Plain indices are not unique, so texts are used
/// instead; without texts, the first folder of its scores.
fn gallery_name(study: &Study) -> String {
    let gallery = &study.gallery;
    let [images, captions] = [&gallery.images, &gallery.captions];
    let folder = |model: &Model| {
        let mut files = model.source.split(", ").flat_map(|file| file.split(" + "));
        let folder = folder_of(Path::new(files.next().unwrap_or_default()));
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    let known = match gallery.text_fingerprint {
        Some(texts) => texts,
        None if gallery.is_indexed() => {
            let first = study.models.iter().map(folder).min().unwrap_or_default();
            fingerprint(&[first.display()])
        }
        None => images.sorted_fingerprint().rotate_left(1) ^ captions.sorted_fingerprint(),
    };
    format!("{}x{}-{known:016x}", images.len(), captions.len())
}

/// Whether the program chose the location.
pub fn is_own(path: &Path) -> bool {
    state_folder().is_some_and(|folder| path.starts_with(folder))
}

/// File name of an annotator's session among those of a gallery or pool; unique per annotator.
pub fn file_name(stem: &str, annotator: &str) -> String {
    let mut name = format!("{stem}.");
    for sign in annotator.chars() {
        if sign.is_alphanumeric() || "-_".contains(sign) {
            name.push(sign);
        } else {
            for byte in sign.to_string().bytes() {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name + ENDING
}

/// Sessions in a folder named by [`file_name`], sorted by name.
pub fn sessions_of(folder: &Path, stem: &str) -> Vec<PathBuf> {
    let start = format!("{stem}.");
    let is_session = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let annotator = name.strip_prefix(&start);
        annotator.is_some_and(|rest| rest.len() > ENDING.len() && rest.ends_with(ENDING))
    };
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(is_session).collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests;
