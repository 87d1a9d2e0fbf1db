//! A folder of pictures: looked into once, when a picture is not where its name says.

use std::cmp::Reverse;
use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use crate::data::id::Id;
use crate::error::{Error, Result};

/// A folder and the files below it.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
    index: OnceLock<Index>,
}

/// The files below a folder.
#[derive(Debug)]
struct Index {
    /// Paths from the folder on, in order.
    paths: Vec<PathBuf>,
    /// What [`Id::of_file`] makes of each name, with the place of its path, in order.
    ids: Vec<(Id, u32)>,
}

impl Folder {
    /// Opens a folder; what is in it is looked up later, by [`Folder::find`].
    ///
    /// # Errors
    /// When it is missing, or no folder.
    pub fn open(root: &Path) -> Result<Self> {
        let facts = fs::metadata(root).map_err(|e| Error::io(root, &e))?;
        if !facts.is_dir() {
            return Err(Error::new(root.display(), "a file")
                .expected("the folder that holds the pictures, or folders of them")
                .mend("--images DIR"));
        }
        Ok(Folder { root: root.to_owned(), index: OnceLock::new() })
    }

    /// The folder's path, as it was given.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The file of this name, which may have folders before it: at exactly this place, or else the one
    /// of the same base name whose folders agree in most places from the end, or else one whose name
    /// holds the same number, as those of COCO do (`391895`: `COCO_val2014_000000391895.jpg`). Among
    /// equals the first in the order of paths. The first call that needs it walks the folder: that can
    /// take a while, and is no work for the screen's thread.
    pub fn find(&self, file_name: &str) -> Option<PathBuf> {
        // Names come from files of others: none leads out of the folder.
        let name = inside(file_name)?;
        let exact = self.root.join(&name);
        if exact.is_file() {
            return Some(exact);
        }
        let index = self.index.get_or_init(|| Index::of(&self.root));
        Some(self.root.join(index.find(&name, file_name)?))
    }
}

/// The folders and the name of a path, without anything that leads elsewhere.
fn inside(file_name: &str) -> Option<PathBuf> {
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
    fn of(root: &Path) -> Self {
        let mut paths = Vec::new();
        walk(root, &mut paths);
        paths.sort_unstable();
        let id = |(at, path): (usize, &PathBuf)| {
            let name = path.file_name()?.to_string_lossy();
            Some((Id::of_file(&name), at as u32))
        };
        let mut ids: Vec<_> = paths.iter().enumerate().filter_map(id).collect();
        ids.sort_unstable();
        Index { paths, ids }
    }

    fn find(&self, name: &Path, file_name: &str) -> Option<&Path> {
        let id = Id::of_file(file_name);
        let start = self.ids.partition_point(|(other, _)| *other < id);
        let same = self.ids[start..].iter().take_while(|(other, _)| *other == id);
        let paths = same.map(|&(_, at)| self.paths[at as usize].as_path());
        paths.min_by_key(|path| Reverse(agreement(path, name)))
    }
}

/// In how many parts two paths agree, from their ends on.
fn agreement(a: &Path, b: &Path) -> usize {
    let parts = a.iter().rev().zip(b.iter().rev());
    parts.take_while(|(a, b)| a == b).count()
}

/// Files looked at in a folder at most: a link may lead to a whole disk.
const MOST: usize = 1_000_000;

/// The regular files below `root`, each folder once: links may lead round in a circle. A folder that
/// cannot be read is passed over, and what comes after [`MOST`] files.
fn walk(root: &Path, paths: &mut Vec<PathBuf>) {
    let mut seen = HashSet::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop().filter(|_| paths.len() < MOST) {
        let whole = root.join(&folder);
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
                paths.push(folder.join(name));
            }
        }
    }
}

fn is_hidden(name: &OsStr) -> bool {
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

    fn folder() -> (tempfile::TempDir, Folder) {
        let made = tempfile::tempdir().unwrap();
        for file in FILES {
            let path = made.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, file).unwrap();
        }
        symlink("..", made.path().join("b/up")).unwrap();
        symlink("nowhere", made.path().join("b/lost.png")).unwrap();
        let folder = Folder::open(made.path()).unwrap();
        (made, folder)
    }

    fn found(name: &str) -> Option<String> {
        let (made, folder) = folder();
        let path = folder.find(name)?;
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
            assert_eq!(folder.find(&way), None, "{way}");
        }
        for name in ["", "..", "/", "a\0b", "lost.png", "hidden.png", "999"] {
            assert_eq!(folder.find(name), None, "{name:?}");
        }
    }

    #[test]
    fn a_file_is_no_folder() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Folder::open(file.path()).unwrap_err().to_string();
        assert!(error.contains("a file") && error.contains("--images DIR"), "{error}");
        let missing = file.path().with_extension("missing");
        assert!(Folder::open(&missing).is_err());
    }
}
