//! A session as text, and back.
//!
//! One verdict, pick or note is one line, and commas stand before lines rather than after them: a
//! verdict more is a line more, and no other line changes.

mod write;

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{CantTell, FORMAT, Facts, Judgement, Note, Pick, Session, image_key};
use crate::data::own_files::{OwnFile, refuse_others};
use crate::error::{Error, Result};

pub(super) use write::text;

/// What is said of a file that cannot be read.
const MEND: &str = "the file is left as it is: put it right, rename it to begin anew, or name another with --session FILE";

#[derive(Deserialize)]
struct Head {
    format: Option<Value>,
}

#[derive(Deserialize)]
struct Whole {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    study: Option<Facts>,
    #[serde(default)]
    verdicts: Vec<Judgement>,
    #[serde(default)]
    cant_tell: Vec<CantTell>,
    #[serde(default)]
    picks: Vec<Pick>,
    #[serde(default)]
    notes: Vec<Note>,
    #[serde(default)]
    view: Map<String, Value>,
    #[serde(default)]
    taken_over: Vec<String>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// Reads a session; the lines tell what in it was doubtful.
///
/// # Errors
/// Broken JSON with its place, another structure, another format or a newer version.
pub(super) fn read(path: &Path, bytes: &[u8]) -> Result<(Session, Vec<String>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let wrong = |e: serde_json::Error| Error::json(path.display(), &e).mend(MEND);
    refuse_others((&path.display(), bytes), &[OwnFile::Session], "the file of a session")?;
    if bytes.first().is_some_and(|&first| first.is_ascii_graphic() && first != b'{' || first >= 128)
    {
        let found = "no session: it does not begin with {";
        return Err(Error::new(path.display(), found)
            .expected("the file of a session, such as lsa.itm.json")
            .mend("name that file in its place, in the explorer with --session FILE; this one is left as it is"));
    }
    // The version decides before anything is expected of the rest.
    let head: Head = serde_json::from_slice(bytes).map_err(wrong)?;
    check(path, head.format.as_ref())?;
    let mut whole: Whole = serde_json::from_slice(bytes).map_err(wrong)?;
    let mut notes = Vec::new();
    let twice = keep_latest(&mut whole.verdicts);
    if twice > 0 {
        let lines = if twice == 1 { "line" } else { "lines" };
        notes.push(format!(
            "{twice} {lines} of a pair and an annotator that stand again: the latest counts"
        ));
    }
    let mut session = Session {
        study: whole.study,
        verdicts: whole.verdicts,
        cant_tell: whole.cant_tell,
        picks: whole.picks,
        notes: whole.notes,
        view: whole.view,
        taken_over: whole.taken_over,
        other: whole.other,
    };
    session.drop_told();
    Ok((session, notes))
}

fn check(path: &Path, format: Option<&Value>) -> Result<()> {
    let name = format.and_then(Value::as_str);
    if name == Some(FORMAT) {
        return Ok(());
    }
    let (family, version) = FORMAT.split_once('/').unwrap_or((FORMAT, ""));
    let newer = name.and_then(|name| name.strip_prefix(family)?.strip_prefix('/'));
    let error = match (newer, format) {
        (Some(newer), _) => Error::new(
            path.display(),
            format!("a session of version {newer}, which this program does not know"),
        )
        .expected(format!("version {version}"))
        .mend("use the version of itm-explore that wrote it, or name another file with --session FILE; this one is left as it is"),
        (None, Some(other)) => {
            Error::new(path.display(), format!("no session but the format {other}"))
                .expected(format!("\"format\": {FORMAT:?}"))
                .mend(MEND)
        }
        (None, None) => Error::new(path.display(), "no session: it has no format")
            .expected(format!("\"format\": {FORMAT:?}"))
            .mend(MEND),
    };
    Err(error)
}

/// Keeps the latest verdict of each annotator on each pair, in the place of the first, as when lines
/// of two files were put together; gives the number of lines that went.
pub(super) fn keep_latest(verdicts: &mut Vec<Judgement>) -> usize {
    let before = verdicts.len();
    let mut places = HashMap::with_capacity(before);
    let mut kept: Vec<Judgement> = Vec::with_capacity(before);
    for one in std::mem::take(verdicts) {
        let image = image_key(&one.image).into_owned();
        let place =
            *places.entry((image, one.caption.clone(), one.by.clone())).or_insert(kept.len());
        match kept.get_mut(place) {
            Some(there) if one.at >= there.at => *there = one,
            Some(_) => {}
            None => kept.push(one),
        }
    }
    *verdicts = kept;
    before - verdicts.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SAVED: &str = r#"{
  "format": "itm-explore-session/1",
  "study": {"files": ["a.npy"], "images": 2, "captions": 3, "image_ids": "0a", "caption_ids": "0b", "disk": 7},
  "verdicts": [
    {"image": 391895, "caption": 770337, "verdict": "yes", "at": "2026-11-21T10:00:00Z", "by": "mk", "sure": [1, 2.5]}
   ,{"image": "x y", "caption": 4, "verdict": "mostly-no", "at": "2026-11-21T10:00:01Z", "by": "mk"}
  ],
  "picks": [
    {"query": 4, "direction": "t2i", "models": ["a", "b"], "truth": "eccv", "depth": 5, "note": "", "at": "2026-11-21T10:00:02Z", "by": "mk", "star": true}
  ],
  "notes": [],
  "view": {
    "truth": "eccv"
   ,"sort": {"by": "rank"}
  },
  "later": {"a": null}
}
"#;

    fn read_text(text: &str) -> Result<(Session, Vec<String>)> {
        read(Path::new("s.itm.json"), text.as_bytes())
    }

    #[test]
    fn what_was_read_is_written_again_and_a_verdict_more_is_a_line_more() {
        let (mut session, notes) = read_text(SAVED).unwrap();
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(text(&session).unwrap(), SAVED);
        let added = r#"   ,{"image": 1, "caption": 2, "verdict": "no", "at": "2026-11-22T00:00:00Z", "by": "bo"}"#;
        session.verdicts.push(serde_json::from_str(&added[4..]).unwrap());
        let after = text(&session).unwrap();
        let old: Vec<&str> = SAVED.lines().collect();
        let new: Vec<&str> = after.lines().filter(|line| *line != added).collect();
        assert_eq!(new, old);
        assert_eq!(after.lines().count(), old.len() + 1);
    }

    #[test]
    fn what_could_not_be_told_stands_apart_unless_a_verdict_was_given_too() {
        let line = r#"{"image": 5, "caption": 6, "at": "2026-11-21T10:00:00Z", "by": "mk"}"#;
        let told =
            line.replace("\"image\": 5, \"caption\": 6", "\"image\": 391895, \"caption\": 770337");
        let lines = format!("  ],\n  \"cant_tell\": [\n    {line}\n  ],\n  \"picks\"");
        let saved = SAVED.replace("  ],\n  \"picks\"", &lines);
        let both = saved.replace(line, &format!("{line}\n   ,{told}"));
        let (session, _) = read_text(&both).unwrap();
        assert_eq!((session.verdicts.len(), session.cant_tell.len()), (2, 1));
        assert_eq!(text(&session).unwrap(), saved);
    }

    #[test]
    fn fields_stand_in_any_order_and_lists_may_be_absent() {
        let (session, _) =
            read_text("\u{feff}{\"picks\": [], \"format\": \"itm-explore-session/1\"}").unwrap();
        assert_eq!(session, Session::default());
    }

    #[test]
    fn what_is_no_session_is_told_with_its_place() {
        let line = SAVED.find("770337").unwrap();
        for (text, told) in [
            (&SAVED[..line], "broken JSON at line 5"),
            ("", "empty, where JSON is expected"),
            (&SAVED.replace("\"yes\"", "\"maybe\""), "at line 5, column"),
            (&SAVED.replace("770337", "7.5"), "at line 5, column"),
            (&SAVED.replace("\"depth\": 5", "\"depth\": \"5\""), "at line 9, column"),
            (&SAVED.replace("2026-11-21T10:00:01Z", "yesterday"), "is no time such as"),
            (&SAVED.replace("\"t2i\"", "\"up\""), "is no direction"),
            (&SAVED.replace(", \"by\": \"mk\"}", "}"), "missing field `by`"),
            ("{}", "it has no format"),
            ("[1]", "no session"),
            (r#"{"format": "itm-explore/1"}"#, "the format \"itm-explore/1\""),
            (r#"{"verdicts": 3, "format": "itm-explore-session/2"}"#, "of version 2"),
        ] {
            let error = read_text(text).unwrap_err().to_string();
            assert!(error.contains(told) && error.contains("--session"), "{told}: {error}");
        }
    }

    #[test]
    fn of_a_pair_that_stands_twice_the_latest_counts() {
        let line = |verdict: &str, image: &str, second: u32| {
            format!(
                r#"{{"image": {image}, "caption": 1, "verdict": "{verdict}", "at": "2026-11-21T10:00:0{second}Z", "by": "mk"}}"#
            )
        };
        let lines = [
            line("no", "9", 4),
            line("yes", "3", 0),
            line("partial", "\"000000000009.jpg\"", 3),
            line("partial", "3", 0),
        ];
        let text =
            format!(r#"{{"format": "itm-explore-session/1", "verdicts": [{}]}}"#, lines.join(","));
        let (session, notes) = read_text(&text).unwrap();
        let left: Vec<&str> = session.verdicts.iter().map(|one| one.verdict.key()).collect();
        assert_eq!(left, ["no", "partial"]);
        assert!(notes[0].starts_with("2 lines of a pair"), "{notes:?}");
    }
}
