//! Where sessions are: one file per gallery and annotator, wherever the files of the study are.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Annotator, ENDING, OpenSession, Session};
use crate::data::gallery::{Gallery, fingerprint};
use crate::data::in_use;
use crate::data::output::folder_of;
use crate::data::own_files::state_folder;
use crate::data::scores::Model;
use crate::error::Result;
use crate::study::{Inputs, Study};

/// Folder of sessions in the user's state folder.
const FOLDER: &str = "sessions";

/// Default path of the session for a gallery and an annotator, or for the demo. If the annotator was not chosen and has
/// no session, but the gallery has exactly one session, the path of that session.
pub fn path_for(inputs: &Inputs, study: &Study, annotator: &Annotator) -> PathBuf {
    let folder = state_folder().unwrap_or_default();
    if inputs.demo {
        return folder.join(format!("demo{ENDING}"));
    }
    let folder = folder.join(FOLDER);
    let gallery = gallery_name(study);
    let path = folder.join(file_name(&gallery, &annotator.name));
    if annotator.is_chosen || path.exists() {
        return path;
    }
    match &*session_paths(&folder, &gallery) {
        [only] => only.clone(),
        _ => path,
    }
}

/// Opens a session, which must be of this gallery.
///
/// # Errors
/// As [`Session::open`]; a session of another gallery.
pub fn open(path: &Path, gallery: &Gallery) -> Result<OpenSession> {
    if is_default_location(path) {
        // Without the folder there is no lock until the first save.
        let _ = fs::create_dir_all(folder_of(path));
    }
    in_use::note_input(path)?;
    let opened = Session::open(path)?;
    opened.session.require_gallery(path, gallery)?;
    Ok(opened)
}

/// A gallery's name in file names: sizes and fingerprint of ids. Plain indices are not unique, so texts are used
/// instead; without texts, the first folder of its scores.
fn gallery_name(study: &Study) -> String {
    let gallery = &study.gallery;
    let [images, captions] = [&gallery.images, &gallery.captions];
    let score_folder = |model: &Model| {
        let mut files = model.source.split(", ").flat_map(|file| file.split(" + "));
        let folder = folder_of(Path::new(files.next().unwrap_or_default()));
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    let hash = match gallery.text_fingerprint {
        Some(texts) => texts,
        None if gallery.is_indexed() => {
            let first = study.models.iter().map(score_folder).min().unwrap_or_default();
            fingerprint(&[first.display()])
        }
        None => images.sorted_fingerprint().rotate_left(1) ^ captions.sorted_fingerprint(),
    };
    format!("{}x{}-{hash:016x}", images.len(), captions.len())
}

/// Whether a session is where the program puts sessions by default.
pub fn is_default_location(path: &Path) -> bool {
    state_folder().is_some_and(|folder| path.starts_with(folder))
}

/// File name of the session of an annotator. It begins with `stem`, the name of a gallery or pool, and is unique per
/// annotator.
pub fn file_name(stem: &str, annotator: &str) -> String {
    let mut name = format!("{stem}.");
    for c in annotator.chars() {
        if c.is_alphanumeric() || "-_".contains(c) {
            name.push(c);
        } else {
            for byte in c.to_string().bytes() {
                // Writing to a string cannot fail.
                let _ = write!(name, "%{byte:02X}");
            }
        }
    }
    name + ENDING
}

/// Sorted paths of the sessions in a folder whose file names begin with this stem: see [`file_name`].
pub fn session_paths(folder: &Path, stem: &str) -> Vec<PathBuf> {
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
