//! Parses the command line, runs it, and turns the outcome into an exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    one_arena();
    survive_full_files();
    match itm_explore::cli::Cli::read().run() {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Lets a write that goes beyond the largest size of a file fail, and be told, as any other does.
#[expect(unsafe_code, reason = "the standard library knows no signals")]
fn survive_full_files() {
    // SAFETY: sets the action of a signal, before any thread is started.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Lets all threads share what has been given back: glibc otherwise keeps it for each apart, which
/// is a third of the memory of a million queries. Threads here seldom allocate.
#[cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "the standard library offers no other way")
)]
fn one_arena() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    // SAFETY: sets an option of the allocator, before any thread is started.
    unsafe {
        libc::mallopt(libc::M_ARENA_MAX, 1);
    }
}
