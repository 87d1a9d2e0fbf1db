//! `study.toml`: the files of a study and the names of its models and truths, written down once.
//!
//! ```toml
//! files = ["coco5k/", "captions_val2014.json"]   # anything that may stand on the command line
//! images = "val2014/"
//!
//! [[models]]
//! name = "ours"
//! scores = "runs/2024/sims_final.npy"
//!
//! [[models]]
//! name = "baseline"
//! seeds = ["baseline_1.npy", "baseline_2.npy"]   # runs of one model, compared as one
//!
//! [[models]]
//! name = "re-ranker"
//! i2t = "score_i2t.npy"
//! t2i = "score_t2i.npy"
//!
//! [truths]
//! eccv = ["eccv_image_to_caption.json", "eccv_caption_to_image.json"]
//!
//! [pools]
//! held_out = "held_out_images.npy"
//! ```
//!
//! Every flag has a key of the same name with `_` for `-`; a flag that is given overrides its key.
//! Paths start at the folder of the file.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use super::given::{self, Given};
use super::inputs::Inputs;
use super::recognise::{Found, recognise};
use super::score_inputs::{Neighbours, ScoreInputs};
use super::{PoolFiles, folders, tables};
use crate::data::ratings::BEST;
use crate::data::source::Source;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::truth::Parts;
use crate::truth::conventions::{NoPositives, ShortLists};

/// A model that has a name of its own.
#[derive(Debug, Clone)]
pub struct NamedModel {
    /// Its name.
    pub name: String,
    /// A file of its scores, recognised by content.
    pub file: Option<PathBuf>,
    /// Its scores in another form.
    pub scores: ScoreInputs,
    /// The file that names it, for messages.
    pub source: PathBuf,
}

/// The files of a truth that has a name of its own.
#[derive(Debug, Clone)]
pub struct NamedTruth {
    /// Its name.
    pub name: String,
    /// Its files, one for each direction or one for both.
    pub files: Vec<PathBuf>,
}

impl NamedModel {
    /// Reads its scores.
    ///
    /// # Errors
    /// As for any file; a file that holds something else, or several models.
    pub(super) fn load(&self, split: &str) -> Result<Given> {
        let mut given = self.scores.load()?;
        if let Some(file) = &self.file {
            given.extend(scores(file, split)?);
        }
        let found = given.len();
        match given.pop() {
            Some(one) if found == 1 => Ok(one),
            _ => {
                let file = self.file.as_ref().unwrap_or(&self.source);
                Err(Error::new(
                    file.display(),
                    format!("{found} models, named {:?}", self.name),
                )
                .expected("the scores of one model"))
            }
        }
    }
}

impl NamedTruth {
    /// Reads its files, and the partner of one that stands alone.
    ///
    /// # Errors
    /// As for any file; a file that holds something else, or several truths.
    pub(super) fn load(&self, split: &str) -> Result<Vec<(String, Parts)>> {
        let sources = folders::sources(&self.files.iter().collect::<Vec<_>>(), &mut Vec::new())?;
        let read = |source: &Arc<Source>| match recognise(source, split)? {
            Found::Parts(file, mut parts) if is_one(&parts) => {
                for listed in &mut parts.truths {
                    listed.name.clone_from(&self.name);
                }
                Ok((file, parts))
            }
            _ => Err(Error::new(
                source.display(),
                format!("not one truth to name {:?}", self.name),
            )
            .expected("a file of one truth")),
        };
        sources.iter().map(read).collect()
    }
}

/// The models that a file, or a folder of the parts of a table, holds.
fn scores(file: &Path, split: &str) -> Result<Vec<Given>> {
    if folders::is_table(file) {
        return Ok(given::lists(vec![tables::open_folder(file, None)?]).collect());
    }
    Ok(match recognise(&Arc::new(Source::open(file)?), split)? {
        Found::Scores(found) => found,
        Found::Run(run) => given::lists(vec![run]).collect(),
        _ => Vec::new(),
    })
}

fn is_one(parts: &Parts) -> bool {
    let names = parts.truths.windows(2);
    !parts.truths.is_empty() && names.into_iter().all(|pair| pair[0].name == pair[1].name)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    #[serde(default)]
    files: Vec<PathBuf>,
    image_ids: Option<PathBuf>,
    caption_ids: Option<PathBuf>,
    images: Option<PathBuf>,
    #[serde(default)]
    captions_first: bool,
    split: Option<String>,
    pm_zeta: Option<u32>,
    #[serde(default)]
    omit_own: bool,
    cxc_threshold: Option<f64>,
    no_positives: Option<NoPositives>,
    short_lists: Option<ShortLists>,
    relevant_from: Option<u32>,
    #[serde(default)]
    dense: bool,
    #[serde(default)]
    models: Vec<ModelTable>,
    #[serde(default)]
    truths: toml::Table,
    #[serde(default)]
    pools: toml::Table,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelTable {
    name: String,
    scores: Option<PathBuf>,
    #[serde(default)]
    seeds: Vec<PathBuf>,
    i2t: Option<PathBuf>,
    t2i: Option<PathBuf>,
    image_emb: Option<PathBuf>,
    text_emb: Option<PathBuf>,
    #[serde(default)]
    cosine: bool,
    save_scores: Option<PathBuf>,
    run: Option<PathBuf>,
    run_i2t: Option<PathBuf>,
    run_t2i: Option<PathBuf>,
    #[serde(default)]
    knn: Vec<String>,
}

/// The inputs with every description among the files, and every folder that holds one, replaced by
/// what it names.
///
/// # Errors
/// A description that cannot be read, with line and column.
pub(super) fn expanded(inputs: &Inputs) -> Result<Inputs> {
    let mut all = inputs.clone();
    all.files.clear();
    for path in &inputs.files {
        let within = path.join("study.toml");
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            add(&mut all, path)?;
        } else if within.is_file() {
            add(&mut all, &within)?;
        } else {
            all.files.push(path.clone());
        }
    }
    Ok(all)
}

fn add(inputs: &mut Inputs, path: &Path) -> Result<()> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
    let read: Description = toml::from_str(&text).map_err(|e| wrong(path, &e))?;
    let place = Place(path);
    inputs
        .files
        .extend(read.files.iter().map(|file| place.of(file)));
    inputs.image_ids = inputs.image_ids.take().or(place.maybe(read.image_ids));
    inputs.caption_ids = inputs.caption_ids.take().or(place.maybe(read.caption_ids));
    inputs.images = inputs.images.take().or(place.maybe(read.images));
    inputs.captions_first |= read.captions_first;
    inputs.split = inputs.split.take().or(read.split);
    inputs.scores.dense |= read.dense;
    inputs.no_positives = inputs.no_positives.or(read.no_positives);
    inputs.short_lists = inputs.short_lists.or(read.short_lists);
    let rules = &mut inputs.rules;
    rules.pm_zeta = rules.pm_zeta.or(read.pm_zeta);
    rules.omit_own |= read.omit_own;
    rules.cxc_threshold = rules.cxc_threshold.or(read.cxc_threshold);
    rules.relevant_from = rules.relevant_from.or(read.relevant_from);
    if read.relevant_from == Some(0) {
        let error = Error::new(path.display(), "relevant_from = 0");
        return Err(error.expected("the least grade of a positive, 1 or more"));
    }
    if let Some(threshold) = read.cxc_threshold.filter(|t| !(0.0..=BEST).contains(t)) {
        let found = format!("cxc_threshold = {threshold}");
        return Err(Error::new(path.display(), found).expected(format!("a rating, 0 to {BEST}")));
    }
    for model in read.models {
        for run in runs(model, path)? {
            inputs.models.push(place.model(run)?);
        }
    }
    for (name, files) in read.truths {
        let files = place.files("truth", &name, files)?;
        let name = shown(&name);
        inputs.truths.push(NamedTruth { name, files });
    }
    for (name, files) in read.pools {
        let files = place.files("pool", &name, files)?;
        inputs.pools.push(PoolFiles { name, files });
    }
    Ok(())
}

/// The runs of a model that was trained several times, each a model named `NAME@1`, `NAME@2`; any other
/// model by itself.
fn runs(mut model: ModelTable, path: &Path) -> Result<Vec<ModelTable>> {
    let seeds = std::mem::take(&mut model.seeds);
    if seeds.is_empty() {
        return Ok(vec![model]);
    }
    if model.scores.is_some() {
        let found = format!("the model {:?} has scores and seeds", model.name);
        return Err(Error::new(path.display(), found).expected("one of them: seeds = [FILE, FILE]"));
    }
    let run = |(seed, file): (usize, PathBuf)| ModelTable {
        name: format!("{}@{seed}", model.name),
        scores: Some(file),
        ..model.clone()
    };
    Ok((1..).zip(seeds).map(run).collect())
}

fn wrong(path: &Path, error: &toml::de::Error) -> Error {
    let text = error.to_string();
    Error::new(path.display(), text.trim_end().replace('\n', "; "))
        .expected("files = [..], [[models]] with name and scores, [truths] and [pools] with NAME = [files]")
        .mend("README.md has an example")
}

/// Where a description stands: its paths start there.
struct Place<'a>(&'a Path);

impl Place<'_> {
    fn of(&self, path: &Path) -> PathBuf {
        self.0.parent().unwrap_or(Path::new("")).join(path)
    }

    fn maybe(&self, path: Option<PathBuf>) -> Option<PathBuf> {
        path.map(|path| self.of(&path))
    }

    fn model(&self, table: ModelTable) -> Result<NamedModel> {
        let neighbours = |named: &String| {
            let knn = Neighbours::parse(named);
            Neighbours {
                indices: self.of(&knn.indices),
                values: self.maybe(knn.values),
                ..knn
            }
        };
        let model = NamedModel {
            name: shown(&table.name),
            file: self.maybe(table.scores),
            source: self.0.to_owned(),
            scores: ScoreInputs {
                i2t: self.maybe(table.i2t),
                t2i: self.maybe(table.t2i),
                image_emb: self.maybe(table.image_emb),
                text_emb: self.maybe(table.text_emb),
                cosine: table.cosine,
                save_scores: self.maybe(table.save_scores),
                runs: self.maybe(table.run).into_iter().collect(),
                run_i2t: self.maybe(table.run_i2t),
                run_t2i: self.maybe(table.run_t2i),
                knn: table.knn.iter().map(neighbours).collect(),
                dense: false,
            },
        };
        let of_embeddings = model.scores.cosine || model.scores.save_scores.is_some();
        if of_embeddings && model.scores.image_emb.is_none() {
            let found = format!("cosine or save_scores in the model {:?}", model.name);
            return Err(
                Error::new(self.0.display(), found).expected("both go with image_emb and text_emb")
            );
        }
        if model.file.is_some() != model.scores.is_empty() {
            return Err(Error::new(
                self.0.display(),
                format!("the model {:?} has not one form of scores", model.name),
            )
            .expected("scores = FILE; or i2t and t2i; or image_emb and text_emb; or run, run_i2t, run_t2i, knn"));
        }
        Ok(model)
    }

    /// The files of what is named so: one or several.
    fn files(&self, what: &str, name: &str, files: toml::Value) -> Result<Vec<PathBuf>> {
        let listed = match files {
            toml::Value::String(one) => Some(vec![one]),
            toml::Value::Array(many) => {
                let text = |file: toml::Value| Some(file.as_str()?.to_owned());
                many.into_iter().map(text).collect()
            }
            _ => None,
        };
        let files = listed.filter(|files| !files.is_empty()).ok_or_else(|| {
            Error::new(
                self.0.display(),
                format!("the {what} {name:?} names no files"),
            )
            .expected(format!("{name} = FILE, or {name} = [FILE, FILE]"))
        })?;
        Ok(files.iter().map(|file| self.of(Path::new(file))).collect())
    }
}
