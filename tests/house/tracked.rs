//! Nothing is committed that nobody meant to: the entries at the top of the repository are known, and its version is one.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

const TOP: &str = ".ci .github .gitignore CHANGELOG.md CITATION.cff CONTRIBUTING.md Cargo.lock Cargo.toml LICENSE \
                   README.md benches deny.toml docs fixtures pyproject.toml python rustfmt.toml src tests themes";

/// The tracked files; `None` outside of a clone, or without git.
fn tracked(root: &Path) -> Option<String> {
    if !root.join(".git").exists() {
        return None;
    }
    let mut git = Command::new("git");
    git.current_dir(root).args(["-c", "safe.directory=*", "ls-files"]);
    let output = git.output().ok()?;
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn top_level_entries_are_known() {
    let Some(files) = tracked(Path::new(env!("CARGO_MANIFEST_DIR"))) else { return };
    let top: BTreeSet<&str> = files.lines().map(|file| file.split('/').next().unwrap()).collect();
    assert_eq!(top, TOP.split(' ').collect(), "a new entry is named in tests/house/tracked.rs");
}

#[test]
fn the_version_is_in_changelog_and_citation() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let version = env!("CARGO_PKG_VERSION");
    for (file, start) in [
        ("CHANGELOG.md", format!("## [{version}]")),
        ("CITATION.cff", format!("version: {version}")),
    ] {
        let text = std::fs::read_to_string(root.join(file)).unwrap();
        assert!(text.lines().any(|line| line.starts_with(&start)), "{file} has no line {start:?}");
    }
}
