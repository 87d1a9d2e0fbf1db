//! Image files in a folder or an archive: listed once, when an image is not at its path.

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
use super::{Source, Why};
use crate::data::id::Id;
use crate::data::output::replace;
use crate::data::own_files::state_folder;
use crate::error::{Error, Result};

/// A folder and the files below it, or a zip or tar archive.
#[derive(Debug)]
pub struct ImageFolder {
    root: Arc<Path>,
    archive: Option<Archive>,
    index: OnceLock<std::result::Result<Index, Why>>,
}

/// The files below a folder or in an archive.
#[derive(Debug)]
struct Index {
    /// Paths from the folder on, in order.
    paths: Vec<PathBuf>,
    /// [`Id::of_file`] of each name, with the index of its path, in order.
    ids: Vec<(Id, u32)>,
    /// Locations in an archive.
    members: Option<Members>,
}

impl ImageFolder {
    /// Opens a folder or an archive; its files are looked up later, by [`ImageFolder::find`].
    ///
    /// # Errors
    /// When it is missing, or neither a folder nor a zip or an uncompressed tar archive.
    pub fn open(root: &Path) -> Result<Self> {
        let facts = fs::metadata(root).map_err(|e| Error::io(root, &e))?;
        let archive =
            if facts.is_dir() { None } else { Some(Archive::detect(root, facts.is_file())?) };
        Ok(ImageFolder { root: root.into(), archive, index: OnceLock::new() })
    }

    /// The file with this name, which may include folders: at exactly this path, or else the one of the same base name
    /// whose folders agree in most components from the end, or else one whose name has the same number, as in COCO
    /// (`391895`: `COCO_val2014_000000391895.jpg`). Among equals the first in the order of paths. The first call that
    /// needs it lists all files: that can be slow, and must not be done on the screen's thread.
    ///
    /// # Errors
    /// [`Why::Missing`]; [`Why::Unreadable`] for a damaged archive.
    pub fn find(&self, file_name: &str) -> std::result::Result<Source, Why> {
        // Names come from other people: none leads out of the folder.
        let name = inside(file_name).ok_or(Why::Missing)?;
        let exact = self.root.join(&name);
        if self.archive.is_none() && exact.is_file() {
            return Ok(Source::File(exact));
        }
        let index = self.index.get_or_init(|| self.list()).as_ref().map_err(Why::clone)?;
        let at = index.find(&name, file_name).ok_or(Why::Missing)?;
        match &index.members {
            None => Ok(Source::File(self.root.join(&index.paths[at]))),
            Some(members) => members.at(at, &self.root).map(Source::Member),
        }
    }

    fn list(&self) -> std::result::Result<Index, Why> {
        let Some(archive) = self.archive else {
            let kept = state_folder().map(|folder| folder.join("images.json"));
            let paths = files_below(&self.root, kept.as_deref(), MIN_SAVED_LISTING_TIME);
            return Ok(Index::new(paths, None));
        };
        let (paths, members) = archive
            .list(&self.root)
            .map_err(|error| Why::Unreadable(format!("{}: {error}", self.root.display())))?;
        Ok(Index::new(paths, Some(members)))
    }
}

/// The folders and the name of a path, without components that lead out.
pub(super) fn inside(file_name: &str) -> Option<PathBuf> {
    // A zero byte ends a name for the system.
    if file_name.contains('\0') {
        return None;
    }
    let parts = Path::new(file_name).components();
    let parts = parts.filter(|part| matches!(part, Component::Normal(_)));
    let path: PathBuf = parts.collect();
    (!path.as_os_str().is_empty()).then_some(path)
}

impl Index {
    /// Of paths in order.
    fn new(paths: Vec<PathBuf>, members: Option<Members>) -> Self {
        let id = |(at, path): (usize, &PathBuf)| {
            let name = path.file_name()?.to_string_lossy();
            Some((Id::of_file(&name), at as u32))
        };
        let mut ids: Vec<_> = paths.iter().enumerate().filter_map(id).collect();
        ids.sort_unstable();
        Index { paths, ids, members }
    }

    fn find(&self, name: &Path, file_name: &str) -> Option<usize> {
        if let Ok(exact) = self.paths.binary_search_by(|path| path.as_path().cmp(name)) {
            return Some(exact);
        }
        let id = Id::of_file(file_name);
        let start = self.ids.partition_point(|(other, _)| *other < id);
        let same = self.ids[start..].iter().take_while(|(other, _)| *other == id);
        let places = same.map(|&(_, at)| at as usize);
        places.min_by_key(|&at| Reverse(agreement(&self.paths[at], name)))
    }
}

/// Number of equal components at the end of two paths.
fn agreement(a: &Path, b: &Path) -> usize {
    let parts = a.iter().rev().zip(b.iter().rev());
    parts.take_while(|(a, b)| a == b).count()
}

/// Maximum number of files in a folder: a link may lead to a whole disk.
pub(super) const MAX_FILES: usize = 1_000_000;
/// Listings that take less time are not saved for the next start.
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

/// The paths of all files below a folder, in order: from `kept` if no folder changed since.
fn files_below(root: &Path, kept: Option<&Path>, slow: Duration) -> Vec<PathBuf> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let known = kept.and_then(|kept| fs::File::open(kept).ok());
    let known: Option<Listing> =
        known.and_then(|file| serde_json::from_reader(BufReader::new(file)).ok());
    if let Some(known) = known.filter(|known| known.root == root && known.is_fresh()) {
        return known.paths;
    }
    let start = Instant::now();
    let mut listing = Listing { root, ..Listing::default() };
    listing.walk();
    listing.paths.sort_unstable();
    if let Some(kept) = kept.filter(|_| start.elapsed() >= slow) {
        // If it fails, the next start lists again.
        let _ = fs::create_dir_all(kept.parent().unwrap_or(Path::new("")));
        let _ = replace(kept, |file| Ok(serde_json::to_writer(file, &listing)?));
    }
    listing.paths
}

/// Modification time of a folder, or of what a link leads to.
fn changed(folder: &Path) -> Option<SystemTime> {
    fs::metadata(folder).and_then(|facts| facts.modified()).ok()
}

impl Listing {
    fn is_fresh(&self) -> bool {
        let mut folders = self.folders.iter();
        folders.all(|(folder, then)| changed(&self.root.join(folder)) == Some(*then))
    }

    /// Adds the regular files below the folder, each folder once: links may form a cycle. Skips folders that
    /// cannot be read, and stops after [`MAX_FILES`] files.
    fn walk(&mut self) {
        let mut seen = HashSet::new();
        let mut folders = vec![PathBuf::new()];
        while let Some(folder) = folders.pop().filter(|_| self.paths.len() < MAX_FILES) {
            let whole = self.root.join(&folder);
            let Some(changed) = changed(&whole) else { continue };
            self.folders.push((folder.clone(), changed));
            if !whole.canonicalize().is_ok_and(|real| seen.insert(real)) {
                continue;
            }
            for entry in fs::read_dir(&whole).into_iter().flatten().flatten() {
                let name = entry.file_name();
                if is_hidden(&name) {
                    continue;
                }
                let Ok(mut kind) = entry.file_type() else {
                    continue;
                };
                if kind.is_symlink() {
                    let Ok(facts) = fs::metadata(entry.path()) else {
                        continue;
                    };
                    kind = facts.file_type();
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
        let Ok(Source::File(path)) = folder.find(name) else { return None };
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
            assert_eq!(folder.find(&way), Err(Why::Missing), "{way}");
        }
        for name in ["", "..", "/", "a\0b", "lost.png", "hidden.png", "999"] {
            assert_eq!(folder.find(name), Err(Why::Missing), "{name:?}");
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
