//! Inputs in the memory of a program that calls this library: named and read like files, never copied.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::source::Bytes;

/// An input in memory, opened by its path like a file.
#[derive(Clone)]
pub struct MemoryInput {
    /// The path that names it.
    pub path: PathBuf,
    /// Its content; of an array, the data without a header.
    pub bytes: Bytes,
    /// The header of an array, as in a `.npy` file: `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 10)}`.
    pub header: Option<String>,
}

/// Inputs of the process; a path that is opened may name one of them.
static INPUTS: Mutex<Vec<MemoryInput>> = Mutex::new(Vec::new());

fn lock_inputs() -> MutexGuard<'static, Vec<MemoryInput>> {
    INPUTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes inputs in memory available by their paths until it is dropped. Studies opened before keep the data.
pub struct RegisteredInputs(Vec<PathBuf>);

impl RegisteredInputs {
    /// Registers `added` under their paths.
    pub fn new(added: Vec<MemoryInput>) -> Self {
        let paths = added.iter().map(|input| input.path.clone()).collect();
        lock_inputs().extend(added);
        RegisteredInputs(paths)
    }
}

impl Drop for RegisteredInputs {
    fn drop(&mut self) {
        lock_inputs().retain(|input| !self.0.contains(&input.path));
    }
}

/// The input registered under a path.
pub(super) fn find(path: &Path) -> Option<MemoryInput> {
    lock_inputs().iter().find(|input| input.path == path).cloned()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::data::npy::Npy;
    use crate::data::source::Source;

    fn array(path: &str, bytes: Vec<u8>, header: Option<&str>) -> MemoryInput {
        MemoryInput { path: path.into(), bytes: Arc::new(bytes), header: header.map(str::to_owned) }
    }

    #[test]
    fn an_array_is_read_without_a_file_and_no_longer_than_it_is_named() {
        // The second begins like a byte order mark, the third like a packed file.
        let header = "{'descr': '|u1', 'fortran_order': True, 'shape': (3, 1)}";
        let all = [[1, 2, 3], [0xef, 0xbb, 0xbf], [0x1f, 0x8b, 8]];
        for bytes in all {
            let path = Path::new("in-memory/three");
            let named =
                RegisteredInputs::new(vec![array("in-memory/three", bytes.to_vec(), Some(header))]);
            let npy = Npy::open(Arc::new(Source::open(path).unwrap())).unwrap();
            assert_eq!((npy.data(), npy.fortran), (&bytes[..], true));
            assert_eq!(npy.source().stem(), "three");
            drop(named);
            assert_eq!(npy.data(), bytes);
            assert!(Source::open(path).unwrap_err().to_string().contains("in-memory/three"));
        }
    }

    #[test]
    fn a_header_that_claims_more_than_is_there_is_refused() {
        let header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2)}";
        let _named = RegisteredInputs::new(vec![array("in-memory/few", vec![0; 31], Some(header))]);
        let source = Source::open(Path::new("in-memory/few")).unwrap();
        let error = Npy::open(Arc::new(source)).unwrap_err().to_string();
        assert!(error.contains("31 bytes"), "{error}");
    }
}
