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
use crate::truth::{FORMATS, Parts};

const INPUTS: &str = "scores as .npy, .npz, .safetensors, .pt, HDF5, JSON, CSV, Parquet or a TREC run; a ground truth as JSON, qrels or ratings; captions; or a folder of ground truths";

/// File name ending of sessions, which are not study files.
pub const SESSION: &str = ".itm.json";

/// The contents of one file, recognised by its bytes.
pub(super) enum FileContents {
    /// Scores, ids of rows and columns if the file has them, and notes on the rest of it.
    Scores {
        models: Vec<LoadedScores>,
        ids: Vec<Ids>,
        note: Option<Note>,
    },
    Run(RunFile),
    Ids(Ids),
    /// The image of each caption, by place.
    Indexed(String, Vec<Id>),
    Captions(CaptionFile),
    Parts(String, Parts),
    RuleFile(RuleFile),
}

/// Maximum characters for names of unused arrays.
const NAMES: usize = 200;

/// Reads a file; `split` is the part of a Karpathy file to use.
pub(super) fn recognise(source: &Arc<Source>, split: &str) -> Result<FileContents> {
    if npy::is_npy(source) {
        return of_arrays(source, vec![Npy::open(source.clone())?], None);
    }
    if let Some(Arrays { taken, left }) = loaded_scores::contained(source)? {
        let note = (!left.is_empty()).then(|| {
            let names = brief(left.join(", "), NAMES);
            Note::fine(format!("{}: not read beside the matrix: {names}", source.display()))
        });
        return of_arrays(source, taken, note);
    }
    if source.bytes().starts_with(table::MAGIC) {
        return Ok(FileContents::Run(RunFile::of_table(source, None)?));
    }
    own_files::refuse_others((&source.display(), source.bytes()), &[], INPUTS)?;
    if names_a_truth(source) {
        return Ok(FileContents::Parts(source.display(), id_map::read(source)?));
    }
    let is_object = is_json(source);
    let shape = is_object.then(|| json::shape(source)).transpose()?;
    if let Some(format) = FORMATS.iter().find(|format| (format.accepts)(source, shape)) {
        return Ok(FileContents::Parts(source.display(), (format.read)(source)?));
    }
    if shape == Some(Shape::Scored) || shape.is_none() && rows::are_rows(source) {
        return run_of_rows(source);
    }
    match shape {
        Some(shape) => of_json(source, shape, split),
        None => of_text(source),
    }
}

/// Arrays of floats as scores; others as ids.
fn of_arrays(source: &Source, arrays: Vec<Npy>, note: Option<Note>) -> Result<FileContents> {
    if let [array] = arrays.as_slice()
        && !array.element.is_float()
    {
        return of_ids(source, array.ids()?);
    }
    let models = arrays.into_iter().map(LoadedScores::matrix).collect::<Result<_>>()?;
    Ok(FileContents::Scores { models, ids: Vec::new(), note })
}

/// Whether the file name is that of one direction of a ground truth.
fn names_a_truth(source: &Source) -> bool {
    let stem = source.stem();
    let is_direction = |word: &str| stem.ends_with(word);
    is_json(source) && ["image_to_caption", "caption_to_image"].into_iter().any(is_direction)
}

/// Ids of one side, or if repeated, the image of each caption.
fn of_ids(source: &Source, ids: Vec<Id>) -> Result<FileContents> {
    if original::is_index(&ids) {
        return Ok(FileContents::Indexed(source.display(), ids));
    }
    Ok(FileContents::Ids(listed(source, ids)?))
}

/// Content for a rule; `None` for other files.
fn of_rule(source: &Source, shape: Option<Shape>) -> Option<Result<FileContents>> {
    let rule = RULES.iter().find(|rule| (rule.accepts)(source, shape))?;
    let found =
        |given| FileContents::RuleFile(RuleFile { rule: rule.name, file: source.display(), given });
    Some((rule.read)(source).map(found))
}

/// A run whose numbers are not grades.
fn run_of_rows(source: &Source) -> Result<FileContents> {
    let rows = rows::read(source, None)?;
    if rows.meaning() == Meaning::Scores {
        return Ok(FileContents::Run(RunFile::of_rows(source, rows)));
    }
    let file = source.display();
    let found = "whole numbers that may be scores of a run or grades of a ground truth";
    Err(Error::new(&file, found).expected("scores with fractions, or grades from 0 to 4").mend(
        format!(
            "a run: --run {}; a ground truth: name the numbers grade in a table query,item,grade",
            shell_word(&file)
        ),
    ))
}

fn of_json(source: &Source, shape: Shape, split: &str) -> Result<FileContents> {
    if let Some(found) = of_rule(source, Some(shape)) {
        return found;
    }
    Ok(match shape {
        Shape::Coco => FileContents::Captions(captions::json::coco(source)?),
        Shape::Karpathy => FileContents::Captions(captions::json::karpathy(source, split)?),
        Shape::CaptionList => FileContents::Captions(captions::json::list(source)?),
        Shape::CaptionMap => FileContents::Captions(captions::json::map(source)?),
        Shape::List => of_ids(source, json::parse(source)?)?,
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

fn of_text(source: &Source) -> Result<FileContents> {
    if trec::is_run(source) {
        return Ok(FileContents::Run(RunFile::of_rows(source, trec::read_run(source)?)));
    }
    if let Some(found) = of_rule(source, None) {
        return found;
    }
    if captions::text::has_named_captions(source) {
        return Ok(FileContents::Captions(captions::text::named_lines(source)?));
    }
    if matrix_text::is_matrix(source) {
        let LabelledMatrix { npy, rows, columns } = matrix_text::read(source)?;
        let ids = [rows, columns].into_iter().flatten();
        let ids = ids.map(|ids| listed(source, ids)).collect::<Result<_>>()?;
        let models = vec![LoadedScores::matrix(npy)?];
        return Ok(FileContents::Scores { models, ids, note: None });
    }
    if captions::text::has_captions(source) {
        return Ok(FileContents::Captions(captions::text::lines(source)?));
    }
    let (found, mend) = described(source.bytes());
    let error = Error::new(source.display(), found).expected(INPUTS);
    Err(match mend {
        Some(mend) => error.mend(mend),
        None => error,
    })
}

/// Whether this file has only texts, as far as metrics go: it gives ids and the original pairing if nothing else does.
pub(super) fn is_captions(source: &Source) -> bool {
    let shape = || json::shape(source).ok();
    is_json(source)
        && !names_a_truth(source)
        && matches!(
            shape(),
            Some(Shape::Coco | Shape::Karpathy | Shape::CaptionList | Shape::CaptionMap)
        )
}

fn is_json(source: &Source) -> bool {
    let first = source.bytes().iter().find(|byte| !byte.is_ascii_whitespace());
    matches!(first, Some(b'{' | b'['))
}

/// Characters of the first line shown.
const LINE: usize = 40;

/// Description of an unsupported file and, if recognised, its fix.
fn described(bytes: &[u8]) -> (String, Option<&'static str>) {
    let (what, mend) = match bytes {
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
            let line: String = line.chars().take(LINE).collect();
            return (format!("text of an unknown kind, which begins: {line}"), None);
        }
        _ => ("bytes of an unknown kind", None),
    };
    (what.to_owned(), mend)
}

/// Ids of a file without other content.
fn listed(source: &Source, ids: Vec<Id>) -> Result<Ids> {
    if ids.is_empty() {
        return Err(Error::new(source.display(), "an empty list of ids")
            .expected("the id of every image or of every caption, in matrix order")
            .mend("leave it out: without ids, these are the places in the matrix"));
    }
    Ok(Ids::new(source.display(), ids))
}

/// A list of ids of all images or captions: `.npy`, a JSON list, or one id per line.
pub(super) fn id_list(path: &Path) -> Result<Ids> {
    let (source, ids) = any_ids(path)?;
    listed(&source, ids)
}

/// Ids like [`id_list`], but of a subset or empty.
pub(super) fn some_ids(path: &Path) -> Result<Ids> {
    let (source, ids) = any_ids(path)?;
    Ok(Ids::new(source.display(), ids))
}

fn any_ids(path: &Path) -> Result<(Arc<Source>, Vec<Id>)> {
    let source = Arc::new(Source::open(path)?);
    let ids = if npy::is_npy(&source) {
        Npy::open(source.clone())?.ids()?
    } else if let Some(array) = arrays::only(&source, &[])? {
        array.ids()?
    } else if is_json(&source) {
        if source.bytes().trim_ascii_start().starts_with(b"{") {
            let error = Error::new(source.display(), "a JSON object, no list of ids");
            let error = error.expected("ids: .npy, a JSON list, or one a line");
            return Err(error.mend("captions and ground truths are named without an option"));
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
