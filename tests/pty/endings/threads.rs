//! A system that starts fewer threads than there are cores: one line says so, and the numbers are the same.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Output};

use super::BIN;
use crate::common::{stderr, stdout};

/// Evaluates the demo as a user who may have so many processes and threads.
fn limited(limit: u32) -> Output {
    let folder = tempfile::tempdir().unwrap();
    // A place that every user can read.
    let binary = folder.path().join("itm-explore");
    fs::copy(BIN, &binary).unwrap();
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new("prlimit");
    command.arg(format!("--nproc={limit}"));
    // Root has no limit.
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        let user = 50_000 + limit;
        command.args(["setpriv", "--clear-groups"]);
        command.args([format!("--reuid={user}"), format!("--regid={user}")]);
    }
    command.arg(&binary).args(["eval", "--demo", "-q", "--metrics", "r1", "--format", "csv"]);
    command.env("XDG_STATE_HOME", folder.path()).output().unwrap()
}

#[test]
fn work_goes_on_with_the_threads_that_there_are() {
    let numbers = stdout(&limited(4_096));
    assert!(numbers.contains("original_r1"), "{numbers}");
    for limit in 1..=6 {
        let output = limited(limit);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(0), "{limit}: {said}");
        assert_eq!(stdout(&output), numbers, "{limit}");
        assert!(said.lines().count() <= 1, "{limit}: {said}");
    }
    let said = stderr(&limited(1));
    assert!(said.contains("0 more threads"), "{said}");
}
