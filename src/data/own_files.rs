//! Files that this program writes for one of its subcommands, told from how they begin: given to another one, they are
//! named as what they are.

use std::fmt::Display;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::error::{Error, Result};

/// A kind of such files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnFile {
    /// What `annotate pool` writes.
    Pool,
    /// What `annotate hits` writes.
    Hits,
    /// What the page of `annotate hits` saves.
    Answers,
    /// What a person made in the explorer.
    Session,
    /// What `eval` and `compare` print as JSON.
    Results,
    /// What `find` prints as JSON.
    Found,
    /// What `eval --per-query` writes as CSV.
    PerQuery,
    /// A table as Markdown or LaTeX.
    Table,
    /// A page or a drawing: what `report`, `figure`, `plot` and `--format html` write.
    Drawn,
}

/// Each kind: how such a file begins, but for white space; what it is; and what takes it.
const KINDS: [(OwnFile, &str, &str, &str); 15] = [
    (
        OwnFile::Pool,
        r#"{"format":"itm-explorepool"#,
        "a pool (annotate pool)",
        "`annotate hits POOL FILES` makes HITs of it; `annotate import --pool`, `annotate reuse`, `annotate bias` and \
         `itm-explore FILES --annotate POOL` take it too",
    ),
    (
        OwnFile::Hits,
        r#"{"format":"itm-explorehits"#,
        "HITs (annotate hits)",
        "`annotate import ANSWERS --hits FILE` takes them",
    ),
    (
        OwnFile::Answers,
        r#"{"format":"itm-exploreanswers"#,
        "answers of the page (annotate hits --html)",
        "`annotate import` takes them",
    ),
    (
        OwnFile::Session,
        r#"{"format":"itm-explore-session/"#,
        "a session, which is no input",
        "--session FILE lets the explorer, `eval`, `compare`, `find`, `errors`, `mix` and `show` count its judgments, and \
         `itm-explore truth mine SESSION FILES` makes a ground truth of them",
    ),
    (
        OwnFile::Results,
        r#"{"study":{"images":"#,
        "results (--format json)",
        "`correlate` takes those of `eval`",
    ),
    (
        OwnFile::Found,
        r#"{"where":"#,
        "queries that `find` listed (--format json)",
        "`find --pick N --session FILE` puts queries into a session",
    ),
    (
        OwnFile::PerQuery,
        "model,direction,query,",
        "values of queries (eval --per-query)",
        "they are for programs of your own: no subcommand reads them",
    ),
    (
        OwnFile::Found,
        "direction,query,item,standing",
        "items that `find --items` listed",
        "they are for programs of your own: no subcommand reads them",
    ),
    (
        OwnFile::Found,
        "id,rank,r1,map_at_r",
        "queries that `find` listed",
        "`find --pick N --session FILE` puts queries into a session",
    ),
    (
        OwnFile::Table,
        "|metric|n",
        "a table in Markdown",
        "it is to be read: no subcommand reads it",
    ),
    (
        OwnFile::Table,
        "|direction|query|item|",
        "items that `find --items` listed, in Markdown",
        "they are to be read: no subcommand reads them",
    ),
    (
        OwnFile::Table,
        "|id|rank|",
        "queries that `find` listed, in Markdown",
        "they are to be read: no subcommand reads them",
    ),
    (
        OwnFile::Table,
        "%needs\\usepackage{booktabs",
        "a table in LaTeX",
        "it is to be read: no subcommand reads it",
    ),
    (
        OwnFile::Drawn,
        "<!DOCTYPEhtml",
        "a page (HTML)",
        "it is for a browser: no subcommand reads it",
    ),
    (OwnFile::Drawn, "<svg", "a drawing (SVG)", "it is to be looked at: no subcommand reads it"),
];

/// So much of a file tells what it is.
const HEAD: usize = 400;

/// Checks that a file is none of those that other subcommands take; `own` is the kind that is taken here, and `expected`
/// says what.
///
/// # Errors
/// A file of another kind.
pub fn refuse_others(
    (file, bytes): (&dyn Display, &[u8]),
    own: &[OwnFile],
    expected: &str,
) -> Result<()> {
    match kind_of(bytes) {
        Some((kind, _, what, taken)) if !own.contains(kind) => {
            Err(Error::new(file, what).expected(expected).mend(taken))
        }
        _ => Ok(()),
    }
}

fn kind_of(bytes: &[u8]) -> Option<&'static (OwnFile, &'static str, &'static str, &'static str)> {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD)]);
    let head: String = head.chars().filter(|c| !c.is_whitespace()).collect();
    let head = head.trim_start_matches('\u{feff}');
    KINDS.iter().find(|kind| head.starts_with(kind.1))
}

/// Whether a file is a session, told from how it begins. Nothing else than a file is opened: a pipe would be waited for.
pub fn is_session(path: &Path) -> bool {
    let mut head = Vec::new();
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(HEAD as u64).read_to_end(&mut head));
    read.is_some() && kind_of(&head).is_some_and(|kind| kind.0 == OwnFile::Session)
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
        for (text, what) in [
            ("direction,query,item,standing,original\n", "find --items"),
            ("id,rank,r1,map_at_r,text\n", "queries that `find`"),
            ("<!DOCTYPE html>\n<html>", "a page"),
            ("<svg xmlns=", "a drawing"),
            ("| metric | n i2t |\n| --- |", "a table in Markdown"),
            ("% needs \\usepackage{booktabs}\n", "a table in LaTeX"),
        ] {
            assert!(of(text, &[]).unwrap_err().found().contains(what), "{text}");
        }
    }
}
