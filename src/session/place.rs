//! Where a session lies: one for each gallery and annotator, wherever the files of a study are.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use super::{Annotator, ENDING, Opened, Session};
use crate::data::gallery::{Gallery, fingerprint};
use crate::data::in_use;
use crate::data::output::folder_of;
use crate::data::scores::Model;
use crate::data::text::shown;
use crate::error::Result;
use crate::study::{Inputs, Study};

/// The folder of the sessions of galleries, in that for the state of programs.
const FOLDER: &str = "sessions";

/// The file of a session, and those in which earlier versions kept it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The file, whether it exists or not.
    pub path: PathBuf,
    /// Files beside those of the study, which may be sessions of other galleries.
    earlier: Vec<PathBuf>,
}

impl Place {
    /// A file that somebody named; of those that were named in other ways before, the ones that exist are taken over.
    pub fn named(path: PathBuf, earlier: impl IntoIterator<Item = PathBuf>) -> Self {
        let is_earlier = |before: &PathBuf| *before != path && before.is_file();
        let earlier = earlier.into_iter().filter(is_earlier).collect();
        Place { path, earlier }
    }

    /// The session of a gallery and an annotator, or of the demo. Where nobody chose the annotator, the only session of the
    /// gallery is meant, whosever it is.
    pub fn find(inputs: &Inputs, study: &Study, annotator: &Annotator) -> Self {
        let folder = state_folder().unwrap_or_default();
        if inputs.demo {
            return Place::named(folder.join(format!("demo{ENDING}")), []);
        }
        let folder = folder.join(FOLDER);
        let gallery = gallery_name(study);
        let of = |annotator: &str| folder.join(file_name(&gallery, annotator));
        let files = inputs.positional_and_scores();
        let mut place = Place::named(of(&annotator.name), files.into_iter().map(beside));
        if annotator.is_chosen || place.path.exists() {
            return place;
        }
        let mut earlier = place.to_take_over(&study.gallery).flatten();
        let other = match &*sessions_of(&folder, &gallery) {
            [only] => Some(only.clone()),
            [] => earlier.next().map(|(_, session)| of(annotator.in_session(&session))),
            _ => None,
        };
        drop(earlier);
        place.path = other.unwrap_or(place.path);
        place
    }

    /// The file of a session that there is, be it one of an earlier version.
    pub fn existing(self, gallery: &Gallery) -> Option<PathBuf> {
        if self.path.is_file() {
            return Some(self.path);
        }
        let mut earlier = self.to_take_over(gallery).flatten();
        earlier.next().map(|(path, _)| path.clone())
    }

    /// Opens the session. What earlier versions kept of the gallery is added to it.
    ///
    /// # Errors
    /// As [`Session::open`]; a session of another gallery.
    pub fn open(&self, gallery: &Gallery) -> Result<Opened> {
        if is_own(&self.path) {
            // Where there is no folder there is no lock either, until something is saved.
            let _ = fs::create_dir_all(folder_of(&self.path));
        }
        in_use::reads(&self.path)?;
        let mut opened = Session::open(&self.path)?;
        let session = &mut opened.session;
        session.require_of(&self.path, gallery)?;
        let mut names = Vec::new();
        for old in self.to_take_over(gallery) {
            let (path, old) = match old {
                Ok(old) => old,
                Err(error) => {
                    let note = format!("{}: {}", error.subject(), error.found());
                    opened.notes.push(note);
                    continue;
                }
            };
            let full = path.canonicalize().unwrap_or_else(|_| path.clone());
            let full = full.to_string_lossy().into_owned();
            if !session.taken_over.contains(&full) {
                session.add(old);
                session.taken_over.push(full);
                names.push(shown(&path.to_string_lossy()));
            }
        }
        if !names.is_empty() {
            let line = format!("taken over from {}, left as it was", names.join(", "));
            opened.taken_over = Some(line);
        }
        Ok(opened)
    }

    /// The sessions of earlier versions that are of a gallery, with their files.
    fn to_take_over(&self, gallery: &Gallery) -> impl Iterator<Item = Result<(&PathBuf, Session)>> {
        let all = self.earlier.iter().map(|path| Ok((path, Session::read(path)?.0)));
        all.filter(|read| !read.as_ref().is_ok_and(|(_, session)| !session.is_of(gallery)))
    }
}

/// The gallery of a study in the name of a file: its sizes and the fingerprint of its ids. Plain indices are those of any
/// gallery, which is then known by its texts; without texts, by the first folder of its scores.
fn gallery_name(study: &Study) -> String {
    let gallery = &study.gallery;
    let [images, captions] = [&gallery.images, &gallery.captions];
    let folder = |model: &Model| {
        let mut files = model.source.split(", ").flat_map(|file| file.split(" + "));
        let folder = folder_of(Path::new(files.next().unwrap_or_default()));
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    let known = match gallery.text_fingerprint.filter(|_| gallery.is_indexed()) {
        Some(texts) => texts,
        None if gallery.is_indexed() => {
            let first = study.models.iter().map(folder).min().unwrap_or_default();
            fingerprint(&[first.display()])
        }
        None => images.sorted_fingerprint().rotate_left(1) ^ captions.sorted_fingerprint(),
    };
    format!("{}x{}-{known:016x}", images.len(), captions.len())
}

/// The program's folder among those for the state of programs; `None` where nothing tells which that is.
pub(super) fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    state.map(|state| state.join("itm-explore"))
}

/// Whether the program chose where a session lies.
pub fn is_own(path: &Path) -> bool {
    state_folder().is_some_and(|folder| path.starts_with(folder))
}

/// The name of an annotator's session among those of one gallery or pool. No two annotators have the same.
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

/// The sessions in a folder that [`file_name`] gave their names, in the order of these.
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

/// Where earlier versions kept the session of the study whose first file this was: `lsa.npy` had `lsa.itm.json`. That
/// of a folder was inside, named as the folder, or as the description that it holds.
fn beside(path: &Path) -> PathBuf {
    if !path.is_dir() {
        let stem = path.file_stem().unwrap_or(path.as_os_str());
        let stem = Path::new(stem);
        let packed = path.extension().is_some_and(|ending| ending == "gz");
        let stem = stem.file_stem().filter(|_| packed).unwrap_or(stem.as_os_str());
        return path.with_file_name(with_ending(stem));
    }
    if path.join("study.toml").is_file() {
        return path.join(with_ending(OsStr::new("study")));
    }
    // The name of `.` or `..` is that of the folder it stands for.
    let full = path.canonicalize().ok();
    let name = path.file_name().or_else(|| full.as_deref()?.file_name());
    path.join(with_ending(name.unwrap_or(OsStr::new("study"))))
}

fn with_ending(stem: &OsStr) -> OsString {
    let mut name = stem.to_owned();
    name.push(ENDING);
    name
}

#[cfg(test)]
mod tests;
