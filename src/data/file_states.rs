//! The files that were read, with their state then; later changes are found by size, times and inode.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::mmap::FileFacts;
use super::npy;

/// A file that was read, or a folder that was searched for matrices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedFile {
    /// Its path, as given.
    pub path: PathBuf,
    /// Its state when it was read; `None` for a pipe.
    pub state: Option<FileState>,
}

/// State of a file or folder, compared to find changes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum FileState {
    /// Size, times and inode. Those of a folder change when a file in it is added, removed or replaced.
    Facts(FileFacts),
    /// Paths of the matrices in a folder. Other files do not matter: a session may be saved there.
    Matrices(Vec<PathBuf>),
}

impl FileState {
    /// State of the file or folder at `path`; `None` if there is neither.
    fn from_path(path: &Path) -> Option<Self> {
        let facts = std::fs::metadata(path).ok()?;
        let has_state = facts.is_file() || facts.is_dir();
        has_state.then(|| FileState::Facts(FileFacts::from_metadata(&facts)))
    }
}

impl OpenedFile {
    /// Its current state, of the same kind; `None` if `state` is `None`, or if it is gone or cannot be read.
    pub fn current_state(&self) -> Option<FileState> {
        match self.state.as_ref()? {
            FileState::Facts(_) => FileState::from_path(&self.path),
            FileState::Matrices(_) => matrix_paths(&self.path).map(FileState::Matrices),
        }
    }

    /// Whether it is a folder that was searched for matrices, and `other` is a file in it.
    pub fn is_folder_of(&self, other: &OpenedFile) -> bool {
        let is_folder = matches!(self.state, Some(FileState::Matrices(_)));
        is_folder && other.path.parent() == Some(&*self.path)
    }

    /// The name of the file without its folder, safe for a terminal.
    pub fn name(&self) -> String {
        let name = self.path.file_name().unwrap_or(self.path.as_os_str());
        super::text::shown(&name.to_string_lossy())
    }
}

/// Whether the extension of a file is that of a matrix.
pub fn is_matrix(path: &Path) -> bool {
    let ending = path.extension().and_then(std::ffi::OsStr::to_str);
    matches!(ending, Some("npy" | "npz"))
}

/// Paths of the matrices in a folder, sorted; `None` if it cannot be read.
fn matrix_paths(folder: &Path) -> Option<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).ok()?;
    let paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let mut paths: Vec<PathBuf> = paths.filter(|path| is_matrix(path)).collect();
    paths.sort();
    Some(paths)
}

/// Whether a file is as long as its header says, if it has one; false while it is still being written, or if it is
/// missing. A folder is whole if all its matrices are.
pub fn is_whole(path: &Path) -> bool {
    if path.is_dir() {
        return matrix_paths(path).is_some_and(|paths| paths.iter().all(|path| is_whole(path)));
    }
    let (Ok(file), Ok(facts)) = (File::open(path), std::fs::metadata(path)) else {
        return false;
    };
    let mut start = vec![0; (facts.len() as usize).min(npy::MAX_START_BYTES)];
    file.read_exact_at(&mut start, 0).is_ok() && npy::is_whole(&start, facts.len())
}

/// Records the files that are read, by any thread, until it is dropped.
pub struct Recording(usize);

/// Active recordings: number and files of each. One list per process: readers record on any thread.
static RECORDINGS: Mutex<Vec<(usize, Vec<OpenedFile>)>> = Mutex::new(Vec::new());

fn lock_recordings() -> MutexGuard<'static, Vec<(usize, Vec<OpenedFile>)>> {
    RECORDINGS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Recording {
    /// Starts to record.
    pub fn start() -> Self {
        let mut all = lock_recordings();
        let number = all.last().map_or(0, |(number, _)| number + 1);
        all.push((number, Vec::new()));
        Recording(number)
    }

    /// The files read so far, each once, by path.
    pub fn files(&self) -> Vec<OpenedFile> {
        let all = lock_recordings();
        let own = all.iter().find(|(number, _)| *number == self.0);
        let mut files = own.map_or_else(Vec::new, |(_, files)| files.clone());
        files.sort_by(|one, other| one.path.cmp(&other.path));
        files.dedup_by(|one, other| one.path == other.path);
        files
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        lock_recordings().retain(|(number, _)| *number != self.0);
    }
}

/// Records a file and its state, `None` for a pipe.
pub(super) fn record(path: &Path, state: Option<&FileState>) {
    for (_, files) in lock_recordings().iter_mut() {
        files.push(OpenedFile { path: path.to_owned(), state: state.cloned() });
    }
}

/// Records a folder that was searched for matrices, to notice new ones.
pub fn record_folder(path: &Path) {
    record(path, matrix_paths(path).map(FileState::Matrices).as_ref());
}

/// Records a file or folder that is read without [`super::source::Source`]; does nothing if it is missing.
pub fn record_state(path: &Path) {
    if let Some(state) = FileState::from_path(path) {
        record(path, Some(&state));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::data::source::Source;

    impl OpenedFile {
        fn has_changed(&self) -> bool {
            self.current_state() != self.state
        }
    }

    /// A file of `len` bytes, as recorded.
    fn opened(folder: &Path, len: usize) -> OpenedFile {
        let path = folder.join("a.bin");
        fs::write(&path, vec![7; len]).unwrap();
        let recording = Recording::start();
        Source::open(&path).unwrap();
        let files = recording.files();
        files.into_iter().find(|file| file.path == path).unwrap()
    }

    #[test]
    fn every_kind_of_change_is_seen() {
        for len in [0, 10, 5_000, 20 << 20] {
            let folder = tempfile::tempdir().unwrap();
            let file = opened(folder.path(), len);
            assert!(!file.has_changed(), "{len}");
            assert_eq!(file.name(), "a.bin");
            // With its mtime set back, the ctime differs.
            let time = fs::metadata(&file.path).unwrap().modified().unwrap();
            while len > 0 && !file.has_changed() {
                fs::write(&file.path, vec![8; len]).unwrap();
                File::options().write(true).open(&file.path).unwrap().set_modified(time).unwrap();
            }
            fs::write(folder.path().join("b"), vec![7; len]).unwrap();
            fs::rename(folder.path().join("b"), &file.path).unwrap();
            assert!(file.has_changed(), "replaced, {len}");
            fs::remove_file(&file.path).unwrap();
            assert!(file.has_changed(), "gone, {len}");
        }
    }

    #[test]
    fn a_folder_changes_with_the_files_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let [here, aside] = ["1.txt", "2.tmp"].map(|name| folder.path().join(name));
        fs::write(&here, "a").unwrap();
        let recording = Recording::start();
        record_state(folder.path());
        record_state(&folder.path().join("none"));
        let files = recording.files();
        let [file] = &files[..] else { panic!("what is not there is not noted: {files:?}") };
        assert!(!file.has_changed() && is_whole(&file.path));
        // A different time on any file system.
        let before = fs::metadata(folder.path()).unwrap().modified().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(elsewhere.path().join("2"), "b").unwrap();
        while fs::metadata(folder.path()).unwrap().modified().unwrap() == before {
            fs::copy(elsewhere.path().join("2"), &aside).unwrap();
            fs::rename(&aside, &here).unwrap();
        }
        assert!(file.has_changed());
    }

    #[test]
    fn a_matrix_that_joins_a_folder_is_seen_once_it_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let demo = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/broad.npy");
        let demo = fs::read(demo).unwrap();
        let recording = Recording::start();
        record_folder(folder.path());
        let files = recording.files();
        let of_folder = files.iter().find(|file| file.path == folder.path());
        let of_folder = of_folder.unwrap();
        fs::write(folder.path().join("run.itm.json"), "{}").unwrap();
        fs::write(folder.path().join("step-1.npy.writing"), "half").unwrap();
        assert!(!of_folder.has_changed());
        let step = folder.path().join("step-1.npy");
        fs::write(&step, &demo[..500]).unwrap();
        assert!(of_folder.has_changed() && !is_whole(folder.path()));
        fs::write(&step, &demo).unwrap();
        assert!(of_folder.has_changed() && is_whole(folder.path()));
    }

    #[test]
    fn nothing_is_noted_after_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("late.txt");
        fs::write(&path, "1").unwrap();
        let recording = Recording::start();
        let before = recording.files();
        assert!(before.iter().all(|file| file.path != path));
        drop(recording);
        Source::open(&path).unwrap();
        let again = Recording::start().files();
        assert!(again.iter().all(|file| file.path != path));
    }

    #[test]
    fn a_matrix_is_whole_when_its_header_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sims.npy");
        let demo = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/demo/broad.npy"));
        let demo = demo.unwrap();
        for (len, whole) in [(demo.len(), true), (demo.len() - 1, false), (9, false)] {
            fs::write(&path, &demo[..len]).unwrap();
            assert_eq!(is_whole(&path), whole, "{len}");
        }
        fs::write(&path, "{\"1\": [2]}").unwrap();
        assert!(is_whole(&path), "no header, nothing to say");
        fs::remove_file(&path).unwrap();
        assert!(!is_whole(&path));
    }
}
