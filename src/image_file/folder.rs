//! Image files in a folder or an archive. They are listed once, when first an image is not at its path.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::BufReader;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant, SystemTime};

use serde::{Deserialize, Serialize};

use super::archive::{Archive, Members};
use super::{ImageFile, NoImage};
use crate::data::id::Id;
use crate::data::output::replace;
use crate::data::own_files::state_folder;
use crate::error::{Error, Result};

/// A folder and the files below it, or a zip or tar archive.
#[derive(Debug)]
pub struct ImageFolder {
    root: Arc<Path>,
    /// `None` for a folder.
    archive: Option<Archive>,
    /// Filled by the first search that needs it.
    index: OnceLock<std::result::Result<Index, NoImage>>,
}

/// The files below a folder or in an archive.
#[derive(Debug)]
struct Index {
    /// Relative paths, in order.
    paths: Vec<PathBuf>,
    /// [`Id::from_file_name`] of each name, with the index of its path, in order.
    ids: Vec<(Id, u32)>,
    /// Locations of the paths in an archive; `None` for a folder.
    members: Option<Members>,
}

impl ImageFolder {
    /// Opens a folder or an archive; its files are looked up later, by [`ImageFolder::find`].
    ///
    /// # Errors
    /// When it is missing, or neither a folder nor a zip or an uncompressed tar archive.
    pub fn open(root: &Path) -> Result<Self> {
        let metadata = fs::metadata(root).map_err(|e| Error::io(root, &e))?;
        let detect = || Archive::detect(root, metadata.is_file());
        let archive = if metadata.is_dir() { None } else { Some(detect()?) };
        Ok(ImageFolder { root: root.into(), archive, index: OnceLock::new() })
    }

    /// The file with this name, which may include folders. A file at exactly this path comes first. Otherwise a file of
    /// the same base name matches, or of the same number in COCO's names (`391895`: `COCO_val2014_000000391895.jpg`).
    /// Of several, this is the one with most equal components at the end of the path, then the first in path order.
    /// The first call that needs it lists all files: that can be slow, and must not be done on the screen's thread.
    ///
    /// # Errors
    /// [`NoImage::Missing`]; [`NoImage::Unreadable`] for a damaged archive.
    pub fn find(&self, file_name: &str) -> std::result::Result<ImageFile, NoImage> {
        // Names come from other people: none leads out of the folder.
        let name = path_inside(file_name).ok_or(NoImage::Missing)?;
        let exact = self.root.join(&name);
        if self.archive.is_none() && exact.is_file() {
            return Ok(ImageFile::File(exact));
        }
        let index = self.index.get_or_init(|| self.list()).as_ref().map_err(NoImage::clone)?;
        let at = index.find(&name, file_name).ok_or(NoImage::Missing)?;
        match &index.members {
            None => Ok(ImageFile::File(self.root.join(&index.paths[at]))),
            Some(members) => members.get(at, &self.root).map(ImageFile::Member),
        }
    }

    /// Lists all files; for a folder, may load the list that an earlier run of the program saved.
    fn list(&self) -> std::result::Result<Index, NoImage> {
        let Some(archive) = self.archive else {
            let saved = state_folder().map(|folder| folder.join("images.json"));
            let paths = files_below(&self.root, saved.as_deref(), MIN_SAVED_LISTING_TIME);
            return Ok(Index::new(paths, None));
        };
        let (paths, members) = archive
            .list(&self.root)
            .map_err(|error| NoImage::Unreadable(format!("{}: {error}", self.root.display())))?;
        Ok(Index::new(paths, Some(members)))
    }
}

/// The path without components that lead out of its folder; `None` if nothing is left, or if it is no path.
pub(super) fn path_inside(file_name: &str) -> Option<PathBuf> {
    // A zero byte ends a name for the system.
    if file_name.contains('\0') {
        return None;
    }
    let parts = Path::new(file_name).components();
    let path: PathBuf = parts.filter(|part| matches!(part, Component::Normal(_))).collect();
    (!path.as_os_str().is_empty()).then_some(path)
}

impl Index {
    /// Index of relative paths, which must be in order.
    fn new(paths: Vec<PathBuf>, members: Option<Members>) -> Self {
        let id = |(at, path): (usize, &PathBuf)| {
            let name = path.file_name()?.to_string_lossy();
            Some((Id::from_file_name(&name), at as u32))
        };
        let mut ids: Vec<_> = paths.iter().enumerate().filter_map(id).collect();
        ids.sort_unstable();
        Index { paths, ids, members }
    }

    /// Index into `paths` of the file that fits best, as [`ImageFolder::find`] describes; `None` if none fits. `name`
    /// is the [`path_inside`] of `file_name`.
    fn find(&self, name: &Path, file_name: &str) -> Option<usize> {
        if let Ok(exact) = self.paths.binary_search_by(|path| path.as_path().cmp(name)) {
            return Some(exact);
        }
        let id = Id::from_file_name(file_name);
        let start = self.ids.partition_point(|(other, _)| *other < id);
        let same = self.ids[start..].iter().take_while(|(other, _)| *other == id);
        let indices = same.map(|&(_, at)| at as usize);
        indices.min_by_key(|&at| Reverse(equal_end_parts(&self.paths[at], name)))
    }
}

/// Number of equal components at the end of two paths.
fn equal_end_parts(a: &Path, b: &Path) -> usize {
    let parts = a.iter().rev().zip(b.iter().rev());
    parts.take_while(|(a, b)| a == b).count()
}

/// Maximum number of files that are listed: a link may lead to a whole disk.
pub(super) const MAX_FILES: usize = 1_000_000;
/// Minimum duration of a listing that is saved for the next start.
const MIN_SAVED_LISTING_TIME: Duration = Duration::from_millis(200);

/// The files below a folder, saved by one start of the program for the next.
#[derive(Default, Serialize, Deserialize)]
struct Listing {
    root: PathBuf,
    /// Every folder with its mtime: adding or removing an entry changes it.
    folders: Vec<(PathBuf, SystemTime)>,
    /// Relative, in order.
    paths: Vec<PathBuf>,
}

/// The relative paths of all files below a folder, in order. They are loaded from the file `saved` if no folder has
/// changed since; else they are listed, and saved there if listing took at least `min_time`.
fn files_below(root: &Path, saved: Option<&Path>, min_time: Duration) -> Vec<PathBuf> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let known = saved.and_then(|saved| fs::File::open(saved).ok());
    let known: Option<Listing> =
        known.and_then(|file| serde_json::from_reader(BufReader::new(file)).ok());
    if let Some(known) = known.filter(|known| known.root == root && known.is_current()) {
        return known.paths;
    }
    let start = Instant::now();
    let mut listing = Listing { root, ..Listing::default() };
    listing.walk();
    listing.paths.sort_unstable();
    if let Some(saved) = saved.filter(|_| start.elapsed() >= min_time) {
        // If it fails, the next start lists again.
        let _ = fs::create_dir_all(saved.parent().unwrap_or(Path::new("")));
        let _ = replace(saved, |file| Ok(serde_json::to_writer(file, &listing)?));
    }
    listing.paths
}

/// Modification time of a folder, or of the target of a link; `None` if it cannot be read.
fn modified_time(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|metadata| metadata.modified()).ok()
}

impl Listing {
    /// Whether no folder has changed since.
    fn is_current(&self) -> bool {
        let mut folders = self.folders.iter();
        folders.all(|(folder, time)| modified_time(&self.root.join(folder)) == Some(*time))
    }

    /// Adds the regular files below the folder, each folder once: links may form a cycle. Skips folders that
    /// cannot be read, and stops after [`MAX_FILES`] files.
    fn walk(&mut self) {
        let mut seen = HashSet::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop().filter(|_| self.paths.len() < MAX_FILES) {
            let whole = self.root.join(&folder);
            let Some(time) = modified_time(&whole) else { continue };
            self.folders.push((folder.clone(), time));
            if !whole.canonicalize().is_ok_and(|real| seen.insert(real)) {
                continue;
            }
            for entry in fs::read_dir(&whole).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if is_hidden(&name) {
                    continue;
                }
                let Ok(mut kind) = entry.file_type() else { continue };
                if kind.is_symlink() {
                    let Ok(metadata) = fs::metadata(entry.path()) else { continue };
                    kind = metadata.file_type();
                }
                if kind.is_dir() {
                    folders.push(folder.join(name));
                } else if kind.is_file() {
                    self.paths.push(folder.join(name));
                }
            }
        }
    }
}

pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    const FILES: [&str; 7] = [
        "val2014/COCO_val2014_000000391895.jpg",
        "val2017/000000000042.jpg",
        "a/dog.png",
        "b/dog.png",
        "b/c/dog.png",
        "b/flickr/1000092795.webp",
        ".cache/hidden.png",
    ];

    fn folder() -> (tempfile::TempDir, ImageFolder) {
        let made = tempfile::tempdir().unwrap();
        for file in FILES {
            let path = made.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        symlink("..", made.path().join("b/up")).unwrap();
        symlink("nowhere", made.path().join("b/lost.png")).unwrap();
        let folder = ImageFolder::open(made.path()).unwrap();
        (made, folder)
    }

    fn found(name: &str) -> Option<String> {
        let (made, folder) = folder();
        let Ok(ImageFile::File(path)) = folder.find(name) else { return None };
        let path = path.strip_prefix(made.path()).unwrap();
        Some(path.to_str().unwrap().to_owned())
    }

    #[test]
    fn by_path_by_name_and_by_number() {
        for (name, file) in [
            ("b/dog.png", 3),
            ("COCO_val2014_000000391895.jpg", 0),
            ("elsewhere/COCO_val2014_000000391895.jpg", 0),
            ("391895", 0),
            ("000000391895.jpg", 0),
            ("COCO_val2014_000000000042.jpg", 1),
            ("42", 1),
            ("1000092795", 5),
            ("dog", 2),
        ] {
            assert_eq!(found(name).as_deref(), Some(FILES[file]), "{name}");
        }
    }

    #[test]
    fn of_equal_names_the_folders_decide_and_then_the_order() {
        assert_eq!(found("dog.png").as_deref(), Some("a/dog.png"));
        assert_eq!(found("x/b/dog.png").as_deref(), Some("b/dog.png"));
        assert_eq!(found("x/c/dog.png").as_deref(), Some("b/c/dog.png"));
    }

    #[test]
    fn names_do_not_lead_out_of_the_folder() {
        let (made, folder) = folder();
        let outside = tempfile::NamedTempFile::new_in(made.path().parent().unwrap()).unwrap();
        let name = outside.path().file_name().unwrap().to_str().unwrap();
        for way in [format!("../{name}"), outside.path().display().to_string()] {
            assert_eq!(folder.find(&way), Err(NoImage::Missing), "{way}");
        }
        for name in ["", "..", "/", "a\0b", "lost.png", "hidden.png", "999"] {
            assert_eq!(folder.find(name), Err(NoImage::Missing), "{name:?}");
        }
    }

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = ImageFolder::open(file.path()).unwrap_err().to_string();
        assert!(error.contains("a file") && error.contains("--images DIR"), "{error}");
        let missing = file.path().with_extension("missing");
        assert!(ImageFolder::open(&missing).is_err());
    }

    #[test]
    fn a_listing_is_kept_until_a_folder_changes() {
        let (made, _) = folder();
        let state = tempfile::tempdir().unwrap();
        let kept = state.path().join("itm-explore/images.json");
        let listed = |slow| files_below(made.path(), Some(&kept), slow);
        let paths = listed(Duration::MAX);
        assert!(!kept.exists());
        assert_eq!(listed(Duration::ZERO), paths);
        let text = fs::read_to_string(&kept).unwrap().replace("dog.png", "cat.png");
        fs::write(&kept, text).unwrap();
        let from_kept = listed(Duration::MAX);
        assert!(from_kept.contains(&"a/cat.png".into()) && from_kept.len() == paths.len());
        fs::write(made.path().join("b/c/new.png"), "").unwrap();
        assert_eq!(listed(Duration::ZERO).len(), paths.len() + 1);
        fs::write(&kept, "{").unwrap();
        assert_eq!(listed(Duration::MAX).len(), paths.len() + 1);
    }
}
