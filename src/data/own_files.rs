//! Files that this program writes, recognised by their first bytes, so that a subcommand can refuse the wrong kind with
//! an error that names it. Also the folder of the program's state.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{Error, Result};

/// Kind of a file that this program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnFile {
    /// Output of `annotate pool`.
    Pool,
    /// Output of `annotate hits`.
    Hits,
    /// Answers of the `annotate hits` page.
    Answers,
    /// Session of the explorer.
    Session,
    /// JSON output of `eval` and `compare`.
    Results,
}

/// For each kind: first characters without white space, the kind, its description, and the commands that read it.
const KINDS: [(&str, OwnFile, &str, &str); 5] = [
    (
        r#"{"format":"itm-explorepool"#,
        OwnFile::Pool,
        "a pool (annotate pool)",
        "`annotate hits POOL FILES`, `annotate import --pool`, `annotate reuse`, `annotate bias` and `--annotate POOL` take it",
    ),
    (
        r#"{"format":"itm-explorehits"#,
        OwnFile::Hits,
        "HITs (annotate hits)",
        "`annotate import ANSWERS --hits FILE` takes them",
    ),
    (
        r#"{"format":"itm-exploreanswers"#,
        OwnFile::Answers,
        "answers of the page (annotate hits --html)",
        "`annotate import` takes them",
    ),
    (
        r#"{"format":"itm-explore-session/"#,
        OwnFile::Session,
        "a session, which is no input",
        "--session FILE counts its judgments; `itm-explore truth mine SESSION FILES` makes a ground truth of them",
    ),
    (
        r#"{"study":{"images":"#,
        OwnFile::Results,
        "results (--format json)",
        "`compare` and `correlate` take those of `eval`",
    ),
];

/// Bytes read to recognise a file.
const MAX_HEAD_BYTES: usize = 400;

/// Refuses a file, given by name and content, if this program writes such files and its kind is not `accepted`;
/// `expected` describes the accepted files.
///
/// # Errors
/// A file of another kind, with the commands that read it.
pub fn refuse_other_kinds(
    (file, bytes): (&dyn Display, &[u8]),
    accepted: &[OwnFile],
    expected: &str,
) -> Result<()> {
    match kind_of(bytes) {
        Some((kind, description, uses)) if !accepted.contains(&kind) => {
            Err(Error::new(file, description).expected(expected).fix(uses))
        }
        _ => Ok(()),
    }
}

/// Refuses a file, given by name and content, with merge conflict markers: no file of this program has such a line.
///
/// # Errors
/// A conflict, with its line.
pub fn refuse_conflict((file, bytes): (&dyn Display, &[u8])) -> Result<()> {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let Some(at) = lines.position(|line| line.starts_with(b"<<<<<<< ")) else {
        return Ok(());
    };
    Err(Error::new(file, format!("a merge conflict at line {}", at + 1)).expected("one version").fix(
        "`git show :2:./FILE > ours` and `git show :3:./FILE > theirs` write both versions; merge them with \
         `itm-explore annotate merge ours theirs -o merged.itm.json`",
    ))
}

/// Whether a file has the JSON results of `eval` or `compare`; false of a pipe, which is not read.
pub fn is_results(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(MAX_HEAD_BYTES as u64).read_to_end(&mut head));
    read.is_some() && matches!(kind_of(&head), Some((OwnFile::Results, ..)))
}

/// Kind of a file, its description, and the commands that read it; `None` of any other file.
fn kind_of(bytes: &[u8]) -> Option<(OwnFile, &'static str, &'static str)> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_HEAD_BYTES)]);
    let head: String = head.chars().filter(|c| !c.is_whitespace()).collect();
    let head = head.trim_start_matches('\u{feff}');
    let kind = KINDS.iter().find(|kind| head.starts_with(kind.0));
    kind.map(|&(_, kind, description, uses)| (kind, description, uses))
}

/// The program's folder for its state; `None` if neither `XDG_STATE_HOME` nor `HOME` is an absolute path.
pub fn state_folder() -> Option<PathBuf> {
    let folder = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    state.map(|state| state.join("itm-explore"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_told_from_how_it_begins() {
        let of = |text: &str, own: &[OwnFile]| {
            refuse_other_kinds((&"f", text.as_bytes()), own, "scores")
        };
        let pool = "{\"format\": \"itm-explore pool 1\", \"top\":5}\n";
        assert_eq!(of(pool, &[OwnFile::Pool]), Ok(()));
        let error = of(pool, &[OwnFile::Hits]).unwrap_err();
        assert_eq!(error.found(), "a pool (annotate pool)");
        assert_eq!(error.advice()[0], Some("scores"));
        assert_eq!(of("{\"format\":\"itm-explore/1\"}", &[]), Ok(()));
    }
}
