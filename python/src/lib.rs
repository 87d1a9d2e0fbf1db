//! The compiled part of the Python module `itm_explore`: it runs a subcommand of the program in this process and reads
//! arrays without copying them.

mod array;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use itm_explore::cli::library::{Answer, Failure, start};
use itm_explore::data::memory::MemoryInput;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

/// Interval between checks for a pressed Ctrl-C.
const POLL_TIMEOUT: Duration = Duration::from_millis(20);

/// Standard output of a subcommand; the same output in other formats, by key; and the lines of standard error.
type Written<'py> = (Bound<'py, PyBytes>, BTreeMap<&'static str, Bound<'py, PyBytes>>, Vec<String>);

/// Runs a subcommand. `arrays` and `contents` are inputs in memory, by the paths that name them among the arguments.
#[pyfunction]
fn run<'py>(
    py: Python<'py>,
    arguments: Vec<String>,
    arrays: Vec<(String, Bound<'py, PyAny>)>,
    contents: Vec<(String, PyBackedBytes)>,
) -> PyResult<Written<'py>> {
    let arrays = arrays.into_iter().map(|(path, array)| array::memory_input(path, &array));
    let mut inputs: Vec<MemoryInput> = arrays.collect::<PyResult<_>>()?;
    inputs.extend(contents.into_iter().map(|(path, bytes)| MemoryInput {
        path: path.into(),
        bytes: Arc::new(bytes),
        header: None,
    }));
    let arguments = ["itm-explore".to_owned()].into_iter().chain(arguments);
    // Ctrl-C interrupts only this thread; worker threads end by themselves, and nobody waits for them.
    let answer = wait_for_answer(py, start(arguments.map(OsString::from).collect(), inputs))?;
    let formats = answer.formats.iter().map(|(key, bytes)| (*key, PyBytes::new(py, bytes)));
    Ok((PyBytes::new(py, &answer.out), formats.collect(), answer.messages))
}

/// Waits without holding the interpreter's lock, until an answer arrives or Ctrl-C is pressed.
fn wait_for_answer(py: Python<'_>, outcome: Receiver<Result<Answer, Failure>>) -> PyResult<Answer> {
    let outcome = Mutex::new(outcome);
    loop {
        let poll = || Some(outcome.lock().ok()?.recv_timeout(POLL_TIMEOUT));
        match py.detach(poll) {
            Some(Ok(outcome)) => return outcome.map_err(exception),
            Some(Err(RecvTimeoutError::Timeout)) => py.check_signals()?,
            Some(Err(RecvTimeoutError::Disconnected)) | None => {
                return Err(PyRuntimeError::new_err("the computation ended without an answer"));
            }
        }
    }
}

fn exception(failure: Failure) -> PyErr {
    match failure {
        Failure::Usage(words) => PyTypeError::new_err(words),
        Failure::Input(words) => PyValueError::new_err(words),
        Failure::Defect(words) => PyRuntimeError::new_err(words),
    }
}

/// The compiled part of `itm_explore`.
#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(run, module)?)
}
