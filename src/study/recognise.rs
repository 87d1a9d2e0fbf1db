//! Recognises files by content.

use std::path::Path;
use std::sync::Arc;

use super::derived_truths::RuleFile;
use super::files::Ids;
use super::loaded_scores::{self, LoadedScores};
use super::runs::RunFile;
use super::{Note, original};
use crate::data::arrays::{self, Arrays};
use crate::data::captions::{self, CaptionFile};
use crate::data::id::Id;
use crate::data::json::{self, Shape};
use crate::data::matrix_text::{self, LabelledMatrix};
use crate::data::npy::{self, Npy};
use crate::data::own_files;
use crate::data::rows::{self, Meaning};
use crate::data::source::Source;
use crate::data::table;
use crate::data::text::{brief, shell_word};
use crate::data::trec;
use crate::error::{Error, Result};
use crate::truth::id_map;
use crate::truth::rule::RULES;
use crate::truth::{FORMATS, TruthFile};

/// The supported input files, for messages.
const INPUTS: &str = "scores as .npy, .npz, .safetensors, .pt, HDF5, JSON, CSV, Parquet or a TREC run; a ground truth as JSON, qrels or ratings; captions; or a folder of ground truths";

/// File name ending of sessions, which are not study files.
pub const SESSION: &str = ".itm.json";

/// The contents of one file, recognised by its bytes.
pub(super) enum FileContents {
    /// Scores, the ids of rows and columns if the file has them, and a note on other arrays in it.
    Scores {
        models: Vec<LoadedScores>,
        ids: Vec<Ids>,
        note: Option<Note>,
    },
    /// Ranked lists.
    Run(RunFile),
    /// Ids of images or captions.
    Ids(Ids),
    /// The file, and the id or index of each caption's image.
    Indexed(String, Vec<Id>),
    Captions(CaptionFile),
    /// The file, and its ground truths.
    Truths(String, TruthFile),
    /// Object categories or ratings.
    RuleFile(RuleFile),
}

/// Maximum length of the names of unused arrays in a note.
const MAX_NAMES_LEN: usize = 200;

/// Reads a file, whose bytes and name tell its kind; `split` is the part of a Karpathy file to use.
pub(super) fn recognise(source: &Arc<Source>, split: &str) -> Result<FileContents> {
    if npy::is_npy(source) {
        return recognise_arrays(source, vec![Npy::open(source.clone())?], None);
    }
    if let Some(Arrays { opened, skipped }) = loaded_scores::read_arrays(source)? {
        let note = (!skipped.is_empty()).then(|| {
            let names = brief(skipped.join(", "), MAX_NAMES_LEN);
            Note::fact(format!("{}: not read beside the matrix: {names}", source.display()))
        });
        return recognise_arrays(source, opened, note);
    }
    if source.bytes().starts_with(table::MAGIC) {
        return Ok(FileContents::Run(RunFile::from_table(source, None)?));
    }
    own_files::refuse_other_kinds((&source.display(), source.bytes()), &[], INPUTS)?;
    if is_named_like_truth(source) {
        return Ok(FileContents::Truths(source.display(), id_map::read(source)?));
    }
    let is_object = is_json(source);
    let shape = is_object.then(|| json::shape(source)).transpose()?;
    if let Some(format) = FORMATS.iter().find(|format| (format.accepts)(source, shape)) {
        return Ok(FileContents::Truths(source.display(), (format.read)(source)?));
    }
    let is_table = || rows::has_header(source) && !captions::text::has_named_captions(source);
    if shape == Some(Shape::Scored) || shape.is_none() && is_table() {
        return recognise_rows(source);
    }
    match shape {
        Some(shape) => recognise_json(source, shape, split),
        None => recognise_text(source),
    }
}

/// Arrays as scores, with the note; a single array of integers or strings as ids.
fn recognise_arrays(source: &Source, arrays: Vec<Npy>, note: Option<Note>) -> Result<FileContents> {
    if let [array] = arrays.as_slice()
        && !array.element.is_float()
    {
        return recognise_ids(source, array.ids()?);
    }
    let models = arrays.into_iter().map(LoadedScores::from_matrix).collect::<Result<_>>()?;
    Ok(FileContents::Scores { models, ids: Vec::new(), note })
}

/// Whether this is a JSON file whose name, without ending, ends in `image_to_caption` or `caption_to_image`.
fn is_named_like_truth(source: &Source) -> bool {
    let stem = source.stem();
    let is_direction = |word: &str| stem.ends_with(word);
    is_json(source) && ["image_to_caption", "caption_to_image"].into_iter().any(is_direction)
}

/// Takes ids as the image of each caption if [`original::is_image_index`], else as the ids of images or of captions. An
/// error if there are none.
fn recognise_ids(source: &Source, ids: Vec<Id>) -> Result<FileContents> {
    if original::is_image_index(&ids) {
        return Ok(FileContents::Indexed(source.display(), ids));
    }
    Ok(FileContents::Ids(require_ids(source, ids)?))
}

/// Reads a file of a rule, such as ratings; `None` for other files. `shape` is `None` if the file is not JSON.
fn recognise_rule_file(source: &Source, shape: Option<Shape>) -> Option<Result<FileContents>> {
    let rule = RULES.iter().find(|rule| (rule.accepts)(source, shape))?;
    let found =
        |input| FileContents::RuleFile(RuleFile { rule: rule.name, file: source.display(), input });
    Some((rule.read)(source).map(found))
}

/// Rows of query, item and number as ranked lists. Numbers that may be grades are an error.
fn recognise_rows(source: &Source) -> Result<FileContents> {
    let rows = rows::read(source, None)?;
    if rows.meaning() == Meaning::Scores {
        return Ok(FileContents::Run(RunFile::from_rows(source, rows)));
    }
    let file = source.display();
    let found = "whole numbers that may be scores of a run or grades of a ground truth";
    Err(Error::new(&file, found).expected("scores with fractions, or grades from 0 to 4").fix(
        format!(
            "a run: --run {}; a ground truth: name the numbers grade in a table query,item,grade",
            shell_word(&file)
        ),
    ))
}

/// Reads JSON, given its shape.
fn recognise_json(source: &Source, shape: Shape, split: &str) -> Result<FileContents> {
    if let Some(found) = recognise_rule_file(source, Some(shape)) {
        return found;
    }
    Ok(match shape {
        Shape::Coco => FileContents::Captions(captions::json::read_coco(source)?),
        Shape::Karpathy => FileContents::Captions(captions::json::read_karpathy(source, split)?),
        Shape::CaptionList => FileContents::Captions(captions::json::read_list(source)?),
        Shape::CaptionMap => FileContents::Captions(captions::json::read_map(source)?),
        Shape::List => recognise_ids(source, json::parse(source)?)?,
        other => {
            let found = match other {
                Shape::Other(what) => format!("JSON, but {what}"),
                _ => "JSON that nothing here reads".to_owned(),
            };
            return Err(Error::new(source.display(), found)
                .expected("{id: [ids]}, {\"i2t\": .., \"t2i\": ..}, a bundle, or captions"));
        }
    })
}

/// Reads a file that is neither JSON nor binary.
fn recognise_text(source: &Source) -> Result<FileContents> {
    if trec::is_run(source) {
        return Ok(FileContents::Run(RunFile::from_rows(source, trec::read_run(source)?)));
    }
    if let Some(found) = recognise_rule_file(source, None) {
        return found;
    }
    if captions::text::has_named_captions(source) {
        return Ok(FileContents::Captions(captions::text::read_named(source)?));
    }
    if matrix_text::is_matrix(source) {
        let LabelledMatrix { npy, rows, columns } = matrix_text::read(source)?;
        let ids = [rows, columns].into_iter().flatten();
        let ids = ids.map(|ids| require_ids(source, ids)).collect::<Result<_>>()?;
        let models = vec![LoadedScores::from_matrix(npy)?];
        return Ok(FileContents::Scores { models, ids, note: None });
    }
    if captions::text::has_captions(source) {
        return Ok(FileContents::Captions(captions::text::read_lines(source)?));
    }
    let (found, fix) = describe_unknown(source.bytes());
    let error = Error::new(source.display(), found).expected(INPUTS);
    Err(match fix {
        Some(fix) => error.fix(fix),
        None => error,
    })
}

/// Whether this is a JSON file of captions. Metrics need only its ids and original pairing, and only if no other file
/// has them.
pub(super) fn is_captions(source: &Source) -> bool {
    let shape = || json::shape(source).ok();
    is_json(source)
        && !is_named_like_truth(source)
        && matches!(
            shape(),
            Some(Shape::Coco | Shape::Karpathy | Shape::CaptionList | Shape::CaptionMap)
        )
}

/// Whether the content begins like a JSON object or list.
fn is_json(source: &Source) -> bool {
    let first = source.bytes().iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(first, Some(b'{' | b'['))
}

/// Maximum number of characters of a file's first line in a message.
const MAX_LINE_CHARS: usize = 40;

/// Description of a file of unknown kind, and the fix, `None` if none is known.
fn describe_unknown(bytes: &[u8]) -> (String, Option<&'static str>) {
    let (what, fix) = match bytes {
        [] => ("an empty file", None),
        [0x80, 2..=5, ..] => (
            "a Python pickle, which is never opened (reading one runs code)",
            Some(
                "only if you trust its author (['NAME'] behind it for the matrix NAME of a dictionary): python3 -c \"import \
                 numpy as n; n.save(open('scores.npy', 'xb'), n.load('FILE', allow_pickle=True))\"",
            ),
        ),
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => {
            ("bytes of an unknown kind", Some("it begins as text in UTF-16: save it as UTF-8"))
        }
        [b'P', b'K', ..] => ("an empty zip archive", None),
        _ if bytes.iter().take(512).all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()) => {
            let line = bytes.split(|byte| b"\r\n".contains(byte)).next();
            let line = String::from_utf8_lossy(line.unwrap_or_default());
            let line: String = line.chars().take(MAX_LINE_CHARS).collect();
            let fix = "if it lists ids: --image-ids FILE or --caption-ids FILE";
            return (format!("text of an unknown kind, which begins: {line}"), Some(fix));
        }
        _ => ("bytes of an unknown kind", None),
    };
    (what.to_owned(), fix)
}

/// Ids with their file; an error if there are none.
fn require_ids(source: &Source, ids: Vec<Id>) -> Result<Ids> {
    if ids.is_empty() {
        return Err(Error::new(source.display(), "an empty list of ids")
            .expected("the id of every image or of every caption, in matrix order")
            .fix("leave it out: without ids, these are the places in the matrix"));
    }
    Ok(Ids::new(source.display(), ids))
}

/// Reads the ids of all images or captions: `.npy`, a JSON list, or one id per line.
pub(super) fn read_id_list(path: &Path) -> Result<Ids> {
    let (source, ids) = read_ids(path)?;
    require_ids(&source, ids)
}

/// Reads ids like [`read_id_list`], but of a subset, which may be empty.
pub(super) fn read_some_ids(path: &Path) -> Result<Ids> {
    let (source, ids) = read_ids(path)?;
    Ok(Ids::new(source.display(), ids))
}

/// Reads a list of ids, which may be empty; returns also the file.
fn read_ids(path: &Path) -> Result<(Arc<Source>, Vec<Id>)> {
    let source = Arc::new(Source::open(path)?);
    let ids = if npy::is_npy(&source) {
        Npy::open(source.clone())?.ids()?
    } else if let Some(array) = arrays::open_only(&source, &[])? {
        array.ids()?
    } else if is_json(&source) {
        if source.bytes().trim_ascii_start().starts_with(b"{") {
            let error = Error::new(source.display(), "a JSON object, no list of ids");
            let error = error.expected("ids: .npy, a JSON list, or one a line");
            return Err(error.fix("captions and ground truths are named without an option"));
        }
        json::parse(&source)?
    } else {
        let text = std::str::from_utf8(source.bytes()).map_err(|_| {
            Error::new(source.display(), "no text")
                .expected("ids: .npy, a JSON list, or one a line")
        })?;
        text.lines().map(str::trim).filter(|line| !line.is_empty()).map(Id::parse).collect()
    };
    Ok((source, ids))
}
