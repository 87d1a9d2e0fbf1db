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

mod place;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;

use self::place::Place;
use super::given::{self, Given};
use super::inputs::Inputs;
use super::keys;
use super::recognise::{Found, recognise};
use super::score_inputs::ScoreInputs;
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
    let source = Source::open(path)?;
    let text = str::from_utf8(source.bytes()).map_err(|_| {
        Error::new(path.display(), "text that is no UTF-8").expected("a description in UTF-8")
    })?;
    let read: Description = toml::from_str(text).map_err(|e| wrong(path, text, &e))?;
    let mut place = Place {
        path,
        named: Vec::new(),
    };
    for (at, file) in read.files.iter().enumerate() {
        let file = place.of(file, &format!("files[{at}]"));
        inputs.files.push(file);
    }
    let mut file = |key: &str, file| place.maybe(file, key);
    let [image_ids, caption_ids, images] = [
        file("image_ids", read.image_ids),
        file("caption_ids", read.caption_ids),
        file("images", read.images),
    ];
    inputs.image_ids = inputs.image_ids.take().or(image_ids);
    inputs.caption_ids = inputs.caption_ids.take().or(caption_ids);
    inputs.images = inputs.images.take().or(images);
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
    for (at, model) in read.models.into_iter().enumerate() {
        let key = format!("models[{at}]");
        for (run, file_key) in runs(model, &key, path)? {
            inputs.models.push(place.model(run, &key, &file_key)?);
        }
    }
    for (name, files) in read.truths {
        let files = place.files(&format!("truths.{name}"), files)?;
        let name = shown(&name);
        inputs.truths.push(NamedTruth { name, files });
    }
    for (name, files) in read.pools {
        let files = place.files(&format!("pools.{name}"), files)?;
        inputs.pools.push(PoolFiles { name, files });
    }
    inputs.named.append(&mut place.named);
    Ok(())
}

/// The runs of a model that was trained several times, each a model named `NAME@1`, `NAME@2`; any other
/// model by itself. Each with the key of its file of scores.
fn runs(mut model: ModelTable, key: &str, path: &Path) -> Result<Vec<(ModelTable, String)>> {
    let seeds = std::mem::take(&mut model.seeds);
    if seeds.is_empty() {
        return Ok(vec![(model, format!("{key}.scores"))]);
    }
    if model.scores.is_some() {
        let found = format!("{key}: the model {:?} has scores and seeds", model.name);
        return Err(Error::new(path.display(), found).expected("one of them: seeds = [FILE, FILE]"));
    }
    let run = |(at, file): (usize, PathBuf)| {
        let run = ModelTable {
            name: format!("{}@{}", model.name, at + 1),
            scores: Some(file),
            ..model.clone()
        };
        (run, format!("{key}.seeds[{at}]"))
    };
    Ok(seeds.into_iter().enumerate().map(run).collect())
}

fn wrong(path: &Path, text: &str, error: &toml::de::Error) -> Error {
    keys::wrong(path, text, error)
        .expected("files = [..], [[models]] with name and scores, [truths] and [pools] with NAME = [files]")
        .mend("README.md has an example")
}
