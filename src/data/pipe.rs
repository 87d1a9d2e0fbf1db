//! Opening files that may be pipes, which wait for somebody to write to them.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::FileTypeExt;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use super::text::shown;

/// A pipe that opens sooner has its writer: nothing is said. A sign of life for other work comes
/// later than this, and does not get between.
const SOON: Duration = Duration::from_millis(300);

/// Opens a file for reading. A named pipe opens when somebody writes to it; where that takes long,
/// standard error says what is waited for.
///
/// # Errors
/// When it cannot be opened.
pub(super) fn open(path: &Path) -> io::Result<File> {
    if !fs::metadata(path).is_ok_and(|facts| facts.file_type().is_fifo()) {
        return File::open(path);
    }
    let (opened, ended) = mpsc::channel::<()>();
    let tell = move || {
        if ended.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout) {
            let name = shown(&path.display().to_string());
            // Where nobody reads it, nobody is told.
            let _ = writeln!(io::stderr(), "waiting for {name}: a pipe without a writer");
        }
    };
    thread::scope(|scope| {
        // Where the system starts no further thread, nobody is told that a pipe has no writer.
        let _ = thread::Builder::new().spawn_scoped(scope, tell);
        let file = File::open(path);
        drop(opened);
        file
    })
}
