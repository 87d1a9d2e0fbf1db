//! What the user named, and what each file turned out to hold.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;

use super::given::{self, Given, OneMatrix};
use super::runs::RunFile;
use super::score_inputs::ScoreInputs;
use super::{Note, TruthRules, folders, tables, trec};
use crate::data::captions::{self, CaptionFile};
use crate::data::id::Id;
use crate::data::instances::{self, Instances};
use crate::data::json::{self, Shape};
use crate::data::npy::{self, Element, Npy};
use crate::data::source::Source;
use crate::error::{Error, Result};
use crate::truth::{FORMATS, Parts};

/// The files and flags that a study is opened from.
#[derive(Debug, Clone, Default)]
pub struct Inputs {
    /// Files and folders, in any order, recognised by content.
    pub files: Vec<PathBuf>,
    /// A list of image ids (npy, json, txt), in matrix order.
    pub image_ids: Option<PathBuf>,
    /// A list of caption ids, in matrix order.
    pub caption_ids: Option<PathBuf>,
    /// Whether the first index of every matrix is the caption.
    pub captions_first: bool,
    /// Scores that flags name.
    pub scores: ScoreInputs,
    /// Whether caption texts are wanted; numbers do without.
    pub texts: bool,
    /// How truths are made from object categories.
    pub rules: TruthRules,
}

/// What the files hold.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    pub models: Vec<Given>,
    /// Lists of ids whose side is not said.
    pub ids: Vec<Ids>,
    pub image_ids: Option<Ids>,
    pub caption_ids: Option<Ids>,
    pub captions: Vec<(String, CaptionFile)>,
    pub parts: Vec<(String, Parts)>,
    pub instances: Vec<(String, Instances)>,
    pub notes: Vec<Note>,
}

/// A list of ids and the file it comes from.
#[derive(Debug, Clone)]
pub(super) struct Ids {
    pub file: String,
    pub ids: Vec<Id>,
}

enum Found {
    Scores(Vec<Given>),
    Run(RunFile),
    Ids(Ids),
    Captions(String, CaptionFile),
    Parts(String, Parts),
    Instances(String, Instances),
}

impl Inputs {
    pub(super) fn load(&self) -> Result<Loaded> {
        let mut notes = Vec::new();
        let (tables, files): (Vec<&PathBuf>, Vec<&PathBuf>) =
            self.files.iter().partition(|path| folders::is_table(path));
        let sources = sources(&files, &mut notes)?;
        let mut loaded = Loaded::read(&sources, self.texts)?;
        loaded.notes.splice(0..0, notes);
        let open = |path: &&PathBuf| tables::open_folder(path, None);
        let runs = tables.iter().map(open).collect::<Result<_>>()?;
        loaded.models.extend(given::lists(runs));
        loaded.models.extend(self.scores.load()?);
        loaded.image_ids = self.image_ids.as_deref().map(id_list).transpose()?;
        loaded.caption_ids = self.caption_ids.as_deref().map(id_list).transpose()?;
        Ok(loaded)
    }
}

/// All files: folders looked into, partner files picked up, each file once.
fn sources(files: &[&PathBuf], notes: &mut Vec<Note>) -> Result<Vec<Arc<Source>>> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in files {
        if path.is_dir() {
            paths.extend(folders::truths(path, notes)?);
        } else {
            paths.push((*path).clone());
            paths.extend(folders::partner(path));
        }
    }
    let mut seen = std::collections::HashSet::new();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    paths
        .par_iter()
        .map(|path| Source::open(path).map(Arc::new))
        .collect()
}

impl Loaded {
    /// Reads all files at once. Captions that only numbers are wanted of are read where nothing
    /// else tells the ids or the original pairing.
    pub(super) fn read(sources: &[Arc<Source>], texts: bool) -> Result<Loaded> {
        let (late, early): (Vec<_>, Vec<_>) =
            sources.iter().partition(|source| !texts && is_coco(source));
        let mut loaded = Loaded::default();
        loaded.take(&early)?;
        let has_original = loaded.parts.iter().flat_map(|(_, parts)| &parts.truths);
        let has_original = has_original.filter(|l| matches!(l.name.as_str(), "original" | "coco"));
        let has_ids = !loaded.ids.is_empty()
            || loaded
                .parts
                .iter()
                .any(|(_, parts)| parts.gallery.caption_ids.is_some());
        if has_original.count() < 2 || !has_ids || given::has_other_widths(&loaded) {
            loaded.take(&late)?;
        }
        Ok(loaded)
    }

    fn take(&mut self, sources: &[&Arc<Source>]) -> Result<()> {
        let found: Vec<Found> = sources
            .par_iter()
            .map(|&source| recognise(source))
            .collect::<Result<_>>()?;
        let mut runs = Vec::new();
        for found in found {
            match found {
                Found::Scores(given) => self.models.extend(given),
                Found::Run(run) => runs.push(run),
                Found::Ids(ids) => self.ids.push(ids),
                Found::Captions(file, captions) => self.captions.push((file, captions)),
                Found::Parts(file, parts) => self.parts.push((file, parts)),
                Found::Instances(file, instances) => self.instances.push((file, instances)),
            }
        }
        self.models.extend(given::lists(runs));
        Ok(())
    }
}

fn is_coco(source: &Source) -> bool {
    is_json(source) && json::shape(source).is_ok_and(|shape| shape == Shape::Coco)
}

fn is_json(source: &Source) -> bool {
    let first = source
        .bytes()
        .iter()
        .find(|byte| !byte.is_ascii_whitespace());
    matches!(first, Some(b'{' | b'['))
}

/// What a file is, told from its content.
fn recognise(source: &Arc<Source>) -> Result<Found> {
    if source.bytes().starts_with(npy::MAGIC) {
        let npy = Npy::open(source.clone())?;
        return Ok(match npy.element {
            Element::Float(_) => Found::Scores(vec![Given::Matrix(OneMatrix::new(npy)?)]),
            _ => Found::Ids(Ids {
                file: source.display(),
                ids: npy.ids()?,
            }),
        });
    }
    if let Some(given) = given::contained(source)? {
        return Ok(Found::Scores(given));
    }
    if tables::is_table(source) {
        return Ok(Found::Run(tables::open(source, None)?));
    }
    if trec::is_run(source) {
        return Ok(Found::Run(trec::read(source)?));
    }
    if !is_json(source) {
        return Err(
            Error::new(source.display(), described(source.bytes())).expected(
                "scores as .npy, .npz, JSON, Parquet or a TREC run; a JSON truth, captions or bundle; or a folder of truths",
            ),
        );
    }
    let shape = json::shape(source)?;
    if let Some(format) = FORMATS.iter().find(|format| format.accepts(shape)) {
        return Ok(Found::Parts(source.display(), format.read(source)?));
    }
    match shape {
        Shape::Coco => Ok(Found::Captions(source.display(), captions::coco(source)?)),
        Shape::Instances => Ok(Found::Instances(source.display(), instances::read(source)?)),
        Shape::Karpathy | Shape::CaptionMap | Shape::CaptionList => Err(Error::new(
            source.display(),
            "captions of a kind not read yet",
        )),
        Shape::Other(what) => Err(Error::new(source.display(), format!("JSON, but {what}"))
            .expected("{id: [ids]}, {\"i2t\": .., \"t2i\": ..}, a bundle, or COCO captions")),
        Shape::Pairs | Shape::Bundle => unreachable!("a format accepts this shape"),
    }
}

fn described(bytes: &[u8]) -> String {
    match bytes {
        [] => "an empty file".into(),
        [0x80, 2..=5, ..] => {
            "a Python pickle, which is never opened (reading one runs code)".into()
        }
        [b'P', b'K', ..] => "an empty zip archive".into(),
        _ if bytes
            .iter()
            .take(512)
            .all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace()) =>
        {
            "text of an unknown kind".into()
        }
        _ => "bytes of an unknown kind".into(),
    }
}

/// A list of ids: `.npy`, a JSON list, or one id per line.
fn id_list(path: &Path) -> Result<Ids> {
    let source = Arc::new(Source::open(path)?);
    let ids = if source.bytes().starts_with(npy::MAGIC) {
        Npy::open(source.clone())?.ids()?
    } else if is_json(&source) {
        json::parse(&source)?
    } else {
        let text = std::str::from_utf8(source.bytes()).map_err(|_| {
            Error::new(source.display(), "no text")
                .expected("ids: .npy, a JSON list, or one a line")
        })?;
        text.lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .map(Id::parse)
            .collect()
    };
    Ok(Ids {
        file: source.display(),
        ids,
    })
}
