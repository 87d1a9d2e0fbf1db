//! Files that this program writes, recognised by their first bytes: given to a subcommand that expects another kind,
//! they are named in the error; and the folder of its state.

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

/// First characters without white space; the kind; its description; and its uses.
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

/// Bytes that identify a file.
const HEAD: usize = 400;

/// Refuses the files of other subcommands; `own` is the kind that is accepted here, and `expected` describes it.
///
/// # Errors
/// A file of another kind.
pub fn refuse_others(
    (file, bytes): (&dyn Display, &[u8]),
    own: &[OwnFile],
    expected: &str,
) -> Result<()> {
    match kind_of(bytes) {
        Some((kind, what, taken)) if !own.contains(&kind) => {
            Err(Error::new(file, what).expected(expected).mend(taken))
        }
        _ => Ok(()),
    }
}

/// Refuses a file with merge conflict markers: none of our texts has such a line.
///
/// # Errors
/// A conflict: names the line.
pub fn refuse_conflict((file, bytes): (&dyn Display, &[u8])) -> Result<()> {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let Some(at) = lines.position(|line| line.starts_with(b"<<<<<<< ")) else {
        return Ok(());
    };
    Err(Error::new(file, format!("a merge conflict at line {}", at + 1)).expected("one version").mend(
        "`git show :2:./FILE > ours` and `git show :3:./FILE > theirs` write both versions; merge them with \
         `itm-explore annotate merge ours theirs -o merged.itm.json`",
    ))
}

/// Whether a file has results; a pipe is not read.
pub fn is_results(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(HEAD as u64).read_to_end(&mut head));
    read.is_some() && matches!(kind_of(&head), Some((OwnFile::Results, ..)))
}

/// Kind of a file, its description, and its uses.
fn kind_of(bytes: &[u8]) -> Option<(OwnFile, &'static str, &'static str)> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let head: String = head.chars().filter(|c| !c.is_whitespace()).collect();
    let head = head.trim_start_matches('\u{feff}');
    let known = KINDS.iter().find(|kind| head.starts_with(kind.0));
    known.map(|&(_, kind, what, taken)| (kind, what, taken))
}

/// The program's folder for its state; `None` if the environment does not give it.
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
        let of =
            |text: &str, own: &[OwnFile]| refuse_others((&"f", text.as_bytes()), own, "scores");
        let pool = "{\"format\": \"itm-explore pool 1\", \"top\":5}\n";
        assert_eq!(of(pool, &[OwnFile::Pool]), Ok(()));
        let error = of(pool, &[OwnFile::Hits]).unwrap_err();
        assert_eq!(error.found(), "a pool (annotate pool)");
        assert_eq!(error.advice()[0], Some("scores"));
        assert_eq!(of("{\"format\":\"itm-explore/1\"}", &[]), Ok(()));
    }
}
