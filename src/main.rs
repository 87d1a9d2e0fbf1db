//! Parses the command line, runs it, and turns the outcome into an exit code.

use std::any::Any;
use std::panic::{catch_unwind, resume_unwind};
use std::process::ExitCode;

use itm_explore::cli;

fn main() -> ExitCode {
    configure_malloc();
    ignore_file_size_signal();
    match catch_unwind(cli::run) {
        Ok(Ok(code)) => ExitCode::from(code),
        Ok(Err(error)) => {
            cli::print_error(&error);
            ExitCode::FAILURE
        }
        Err(panic) if is_write_failure(panic.as_ref()) => ExitCode::FAILURE,
        Err(panic) => resume_unwind(panic),
    }
}

/// Makes writes beyond the file size limit fail with an error.
#[expect(unsafe_code, reason = "the standard library cannot set signals")]
fn ignore_file_size_signal() {
    // SAFETY: sets the action of a signal, before any thread is started.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Whether a library panicked because it could not write to the terminal, which is gone.
fn is_write_failure(panic: &(dyn Any + Send)) -> bool {
    let message = panic.downcast_ref::<String>();
    message.is_some_and(|message| message.starts_with("failed printing to std"))
}

/// Makes all threads share freed memory: per-thread arenas of glibc keep a third of the memory of a million queries.
/// Threads rarely allocate here. By default glibc maps new pages for every large buffer; reusing buffers up to 8 MB
/// saves a tenth of the time to the first frame.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the standard library offers no other way")
)]
fn configure_malloc() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets options of the allocator, before any thread is started.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
        libc::mallopt(libc::M_MMAP_THRESHOLD, 8 << 20);
    }
}
