//! Files that stay mapped into memory, while another program may change them.
//!
//! A map follows its file. If the file was truncated, touching it is SIGBUS, which kills the program at once; if it was
//! rewritten in place, old and new content are mixed. Against the first, the signal is handled: zeros replace the
//! missing bytes, so that the read ends. Against both, callers check [`change_error`] before they show or write a
//! result. This costs nothing until it happens: reads are as fast as those of any map. A caller that reloads a file,
//! and shows nothing more of the old one, [forgets](forget_before) the old map.
//!
//! A file that is replaced under its name, as careful programs save, stays whole while it is mapped: that is no change.

use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};

use memmap2::Mmap;

use super::text::grouped;
use crate::error::Error;

/// The content of a file, mapped.
pub struct Mapped {
    map: Mmap,
    region: &'static Region,
}

impl Mapped {
    /// Maps an open file; with a path, [`change_error`] watches it.
    ///
    /// # Errors
    /// When the system cannot map it, or 4,096 files are mapped already.
    pub fn new(file: &File, path: Option<&Path>) -> std::io::Result<Self> {
        handle_missing_pages();
        let facts = FileFacts::from_metadata(&file.metadata()?);
        let map = map_file(file)?;
        let mut maps = lock_maps();
        let region = Region::claim(&map)
            .ok_or_else(|| std::io::Error::other("too many files are mapped"))?;
        if let Some(path) = path {
            let number = maps.count;
            maps.count += 1;
            maps.watched.push(Watched { number, path: path.to_owned(), facts, region });
        }
        Ok(Mapped { map, region })
    }
}

impl AsRef<[u8]> for Mapped {
    fn as_ref(&self) -> &[u8] {
        &self.map
    }
}

impl Drop for Mapped {
    /// Checks the file once more: data read from it may be shown later.
    fn drop(&mut self) {
        let mut maps = lock_maps();
        let at = maps.watched.iter().position(|file| std::ptr::eq(file.region, self.region));
        if let Some(file) = at.map(|at| maps.watched.swap_remove(at))
            && let Some(error) = file.change_error()
        {
            maps.lost.get_or_insert((file.number, error));
        }
        self.region.end.store(0, Ordering::Release);
    }
}

/// The mapped files of the process: checked before any number is shown.
struct Maps {
    /// Number of files mapped so far: that of the next one.
    count: u64,
    watched: Vec<Watched>,
    /// Number and error of a changed file: reported even if it is no longer mapped.
    lost: Option<(u64, Error)>,
}

static MAPS: Mutex<Maps> = Mutex::new(Maps { count: 0, watched: Vec::new(), lost: None });

fn lock_maps() -> MutexGuard<'static, Maps> {
    MAPS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A point in the order in which files are mapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mark(u64);

impl Mark {
    /// The point after all files mapped so far.
    pub fn now() -> Self {
        Mark(lock_maps().count)
    }
}

/// The error of a mapped file that changed after it was opened; `None` if none did. With an error, nothing may be shown
/// or written. Called after the last read, it finds every earlier change; a change is reported at every call.
pub fn change_error() -> Option<Error> {
    let mut maps = lock_maps();
    if maps.lost.is_none() {
        maps.lost = maps.watched.iter().find_map(|file| Some((file.number, file.change_error()?)));
    }
    maps.lost.as_ref().map(|(_, error)| error.clone())
}

/// [`change_error`] of the files mapped since `mark` only.
pub fn change_error_since(mark: Mark) -> Option<Error> {
    let maps = lock_maps();
    let lost = maps.lost.clone().filter(|(number, _)| *number >= mark.0);
    let mut since = maps.watched.iter().filter(|file| file.number >= mark.0);
    lost.map(|(_, error)| error).or_else(|| since.find_map(Watched::change_error))
}

/// Stops watching files mapped before `mark`: nothing read from them is shown or written later.
pub fn forget_before(mark: Mark) {
    forget_numbers(|number| number < mark.0);
}

/// Stops watching files mapped since `mark`: nothing read from them is used.
pub fn forget_since(mark: Mark) {
    forget_numbers(|number| number >= mark.0);
}

fn forget_numbers(is_forgotten: impl Fn(u64) -> bool) {
    let mut maps = lock_maps();
    maps.lost.take_if(|(number, _)| is_forgotten(*number));
    maps.watched.retain(|file| !is_forgotten(file.number));
}

/// A file, and its state when it was mapped.
struct Watched {
    /// Its number in the order of mapping.
    number: u64,
    path: PathBuf,
    facts: FileFacts,
    region: &'static Region,
}

impl Watched {
    /// The error if the file is no longer as it was mapped.
    fn change_error(&self) -> Option<Error> {
        let now = std::fs::metadata(&self.path).map(|facts| FileFacts::from_metadata(&facts));
        let now = now.ok().filter(|now| now.file == self.facts.file);
        let was_cut = self.region.was_cut.load(Ordering::Acquire);
        match now {
            Some(now) if now != self.facts => Some(difference_error(&self.path, self.facts, now)),
            _ if was_cut => Some(difference_error(&self.path, self.facts, self.facts)),
            _ => None,
        }
    }
}

/// State of a file, to detect changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FileFacts {
    /// Device and inode.
    file: (u64, u64),
    len: u64,
    /// Seconds and nanoseconds of mtime, which can be set back, and of ctime, which cannot.
    times: [(i64, i64); 2],
}

impl FileFacts {
    /// From the metadata of a file.
    pub fn from_metadata(facts: &Metadata) -> Self {
        FileFacts {
            file: (facts.dev(), facts.ino()),
            len: facts.len(),
            times: [(facts.mtime(), facts.mtime_nsec()), (facts.ctime(), facts.ctime_nsec())],
        }
    }
}

/// The error of a file that changed while it was open. With equal states, it says that the file could not be read.
pub fn difference_error(path: &Path, before: FileFacts, now: FileFacts) -> Error {
    let [len, len_now] = [before, now].map(|facts| grouped(facts.len as usize));
    let found = if before == now {
        "could not be read any more: the file was cut, or the disk failed".to_owned()
    } else {
        format!("changed while it was open: {len} bytes, now {len_now}")
    };
    Error::new(path.display(), found).expected("a file that stays as it is while it is open").fix(
        "start again once it is written; to save while it is open, write a new file and rename it",
    )
}

/// Address range of a map, for the signal handler, which takes no lock.
struct Region {
    start: AtomicUsize,
    /// 0 where nothing is mapped.
    end: AtomicUsize,
    /// Whether missing bytes of the file were replaced by zeros.
    was_cut: AtomicBool,
}

/// The mapped regions of the process.
static REGIONS: [Region; 4096] = [const { Region::new() }; 4096];

impl Region {
    const fn new() -> Self {
        let (start, end) = (AtomicUsize::new(0), AtomicUsize::new(0));
        Region { start, end, was_cut: AtomicBool::new(false) }
    }

    /// Claims a free region for a map; `None` if there is none. One caller at a time.
    fn claim(map: &Mmap) -> Option<&'static Region> {
        let start = map.as_ptr().addr();
        let region = REGIONS.iter().find(|region| region.end.load(Ordering::Acquire) == 0)?;
        region.start.store(start, Ordering::Release);
        region.was_cut.store(false, Ordering::Release);
        region.end.store(start + map.len(), Ordering::Release);
        Some(region)
    }

    /// The region that holds an address, and its end.
    fn find(address: usize) -> Option<(&'static Region, usize)> {
        REGIONS.iter().find_map(|region| {
            let end = region.end.load(Ordering::Acquire);
            let start = region.start.load(Ordering::Acquire);
            (start..end).contains(&address).then_some((region, end))
        })
    }
}

#[expect(unsafe_code, reason = "a map is the only way to read 500 MB without copying them")]
fn map_file(file: &File) -> std::io::Result<Mmap> {
    // SAFETY: the map is read-only and private. Changes by another process are found by `change_error` before anything
    // read of it is shown.
    unsafe { Mmap::map(file) }
}

/// Handles SIGBUS from now on: replaces missing bytes of a mapped file by zeros, and aborts at any other address.
pub fn handle_missing_pages() {
    static HANDLED: Once = Once::new();
    HANDLED.call_once(set_handler);
}

#[expect(unsafe_code, reason = "the standard library knows no signals")]
fn set_handler() {
    // SAFETY: the handler only does what a handler may: it reads atomics and makes system calls.
    unsafe {
        let mut action = std::mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = zero_fill as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
        libc::sigaction(libc::SIGBUS, &raw const action, std::ptr::null_mut());
    }
}

/// Replaces the missing bytes of a file by zeros, from the address that was read to the end of its map. A fault
/// elsewhere is a bug: it aborts the program, which restores the terminal.
#[expect(unsafe_code, reason = "the standard library knows no signals")]
extern "C" fn zero_fill(_signal: i32, info: *mut libc::siginfo_t, _context: *mut libc::c_void) {
    // SAFETY: the system gives valid information with the signal; the pages that are replaced belong
    // to a map of ours that nobody can write.
    unsafe {
        let address = (*info).si_addr().addr();
        let page = libc::sysconf(libc::_SC_PAGESIZE) as usize;
        let from = address - address % page;
        let Some((region, end)) = Region::find(address) else {
            libc::abort();
        };
        region.was_cut.store(true, Ordering::Release);
        let zeros = libc::mmap(
            from as *mut libc::c_void,
            end - from,
            libc::PROT_READ,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED,
            -1,
            0,
        );
        if zeros == libc::MAP_FAILED {
            libc::abort();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const LEN: usize = 1 << 20;

    /// Not watched: changes to these files do not affect other tests.
    fn mapped(file: &mut tempfile::NamedTempFile) -> Mapped {
        file.write_all(&vec![7; LEN]).unwrap();
        Mapped::new(file.as_file(), None).unwrap()
    }

    #[test]
    fn what_a_file_lacks_is_read_as_zeros_and_told() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let map = mapped(&mut file);
        assert_eq!(map.as_ref()[LEN - 1], 7);
        file.as_file().set_len(100).unwrap();
        assert!(map.as_ref()[..100].iter().all(|&byte| byte == 7));
        assert!(map.as_ref()[100..].iter().all(|&byte| byte == 0));
        assert!(map.region.was_cut.load(Ordering::Acquire));
        let whole = mapped(&mut tempfile::NamedTempFile::new().unwrap());
        assert_eq!(whole.as_ref().iter().map(|&byte| usize::from(byte)).sum::<usize>(), 7 * LEN);
        assert!(!whole.region.was_cut.load(Ordering::Acquire));
    }

    #[test]
    fn a_change_of_size_or_time_is_told_and_another_file_is_none() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        let map = mapped(&mut file);
        let checked = Watched {
            number: 0,
            path: file.path().to_owned(),
            facts: FileFacts::from_metadata(&file.as_file().metadata().unwrap()),
            region: map.region,
        };
        assert_eq!(checked.change_error(), None);
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(2);
        file.as_file().set_modified(later).unwrap();
        let anew = checked.change_error().unwrap().to_string();
        assert!(anew.contains("changed while it was open"), "{anew}");
        let set_back = Watched {
            facts: FileFacts::from_metadata(&file.as_file().metadata().unwrap()),
            ..checked
        };
        while set_back.change_error().is_none() {
            std::fs::write(file.path(), vec![8; LEN]).unwrap();
            file.as_file().set_modified(later).unwrap();
        }
        let checked = set_back;
        file.as_file().set_len(3).unwrap();
        let cut = checked.change_error().unwrap().to_string();
        assert!(cut.contains("1,048,576 bytes, now 3"), "{cut}");
        std::fs::rename(file.path(), file.path().with_extension("old")).unwrap();
        assert_eq!(checked.change_error(), None);
        std::fs::write(file.path(), "another").unwrap();
        assert_eq!(checked.change_error(), None);
        std::fs::remove_file(file.path().with_extension("old")).unwrap();
    }
}
