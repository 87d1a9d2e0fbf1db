//! Text format of sessions.
//!
//! Each judgment, pick or note is one line, with leading commas: an additional entry adds one line, and only a new
//! first line changes another.

#[cfg(test)]
mod tests;
mod write;

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

use super::{FORMAT, JudgmentEntry, Note, Pick, Session, StudyFacts, Tag, image_key};
use crate::data::own_files::{OwnFile, refuse_conflict, refuse_other_kinds};
use crate::data::text::count;
use crate::error::{Error, Result};

pub(super) use write::text;

/// The fix of every error in a session file.
const FIX: &str = "the file is left as it is: correct it, or rename it to begin anew";

/// The version of a session file, read before all other fields.
#[derive(Deserialize)]
struct Head {
    format: Option<Value>,
}

/// All fields of a session file.
#[derive(Deserialize)]
struct SessionFile {
    #[serde(rename = "format")]
    _format: IgnoredAny,
    study: Option<StudyFacts>,
    #[serde(rename = "verdicts", default)]
    judgments: Vec<JudgmentEntry>,
    #[serde(default)]
    cant_tell: Vec<JudgmentEntry>,
    #[serde(default)]
    picks: Vec<Pick>,
    #[serde(default)]
    notes: Vec<Note>,
    #[serde(default)]
    tags: Vec<Tag>,
    #[serde(default)]
    view: Map<String, Value>,
    #[serde(flatten)]
    other: Map<String, Value>,
}

/// Parses the content of a session file; `path` is for messages. Also returns warnings, one per line.
///
/// # Errors
/// Broken JSON with position, unexpected content, another format or a newer version.
pub(super) fn parse(path: &Path, bytes: &[u8]) -> Result<(Session, Vec<String>)> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let json_error = |e: serde_json::Error| Error::json(path.display(), &e).fix(FIX);
    refuse_conflict((&path.display(), bytes))?;
    refuse_other_kinds((&path.display(), bytes), &[OwnFile::Session], "the file of a session")?;
    if !matches!(bytes.trim_ascii_start().first(), None | Some(b'{')) {
        return Err(Error::new(path.display(), "no session: it does not begin with {")
            .expected("the file of a session, such as lsa.itm.json")
            .fix(FIX));
    }
    // Check the version before parsing the rest.
    let head: Head = serde_json::from_slice(bytes).map_err(json_error)?;
    check_format(path, head.format.as_ref())?;
    let file: SessionFile = serde_json::from_slice(bytes).map_err(json_error)?;
    let mut judgments = file.judgments;
    if let Some(at) = judgments.iter().position(|one| one.judgment.is_none()) {
        return Err(Error::new(
            path.display(),
            format!("\"verdicts\": entry {} has no \"verdict\"", at + 1),
        )
        .expected("yes, partial, mostly-no or no")
        .fix(FIX));
    }
    judgments.extend(file.cant_tell);
    let removed = keep_latest(&mut judgments);
    let warning = (removed > 0).then(|| {
        let lines = count(removed, "line");
        format!("{lines} of a pair and an annotator that stand again: the latest counts")
    });
    let session = Session {
        study: file.study,
        judgments,
        picks: file.picks,
        notes: file.notes,
        tags: file.tags,
        view: file.view,
        other: file.other,
    };
    Ok((session, warning.into_iter().collect()))
}

/// Checks the value of `format` in a session file.
fn check_format(path: &Path, format: Option<&Value>) -> Result<()> {
    let name = format.and_then(Value::as_str);
    if name == Some(FORMAT) {
        return Ok(());
    }
    let (family, version) = FORMAT.split_once('/').unwrap_or((FORMAT, ""));
    let newer = name.and_then(|name| name.strip_prefix(family)?.strip_prefix('/'));
    let (found, expected) = match (newer, format) {
        (Some(newer), _) => (format!("a session of version {newer}"), format!("version {version}")),
        (None, Some(other)) => {
            (format!("no session but the format {other}"), format!("\"format\": {FORMAT:?}"))
        }
        (None, None) => {
            ("no session: it has no format".to_owned(), format!("\"format\": {FORMAT:?}"))
        }
    };
    Err(Error::new(path.display(), found).expected(expected).fix(FIX))
}

/// Keeps one entry per annotator and pair, at the position of the first: the latest judgment, else the latest can't
/// tell. Files have several, for example, after they were concatenated. Returns the number of entries removed.
fn keep_latest(judgments: &mut Vec<JudgmentEntry>) -> usize {
    let before = judgments.len();
    let mut indices = HashMap::with_capacity(before);
    let mut kept: Vec<JudgmentEntry> = Vec::with_capacity(before);
    let rank = |one: &JudgmentEntry| (one.judgment.is_some(), one.at);
    for one in std::mem::take(judgments) {
        let key = (image_key(&one.image).into_owned(), one.caption.clone(), one.by.clone());
        let index = *indices.entry(key).or_insert(kept.len());
        match kept.get_mut(index) {
            Some(earlier) if rank(&one) >= rank(earlier) => *earlier = one,
            Some(_) => {}
            None => kept.push(one),
        }
    }
    *judgments = kept;
    before - judgments.len()
}
