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
//!
//! [texts]
//! refined = "MSCOCO_FG_ann.json"                # other texts of the captions; captions = "refined" in a model
//! ```
//!
//! Every flag has a key of the same name with `_` for `-`; flags override keys. Paths are relative to the file's
//! folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Deserializer};

use super::inputs::Inputs;
use super::loaded_scores::LoadedScores;
use super::recognise::{FileContents, recognise};
use super::score_inputs::ScoreInputs;
use super::{Phis, folders, pairing};
use crate::data::cider::Tokenisation;
use crate::data::source::Source;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::truth::TruthFile;
use crate::truth::conventions::{NoPositives, ShortLists};
use crate::truth::rule::{RULES, key};

/// A model with a custom name.
#[derive(Debug, Clone)]
pub struct NamedModel {
    /// Its name.
    pub name: String,
    /// A file of its scores, recognised by content; `None` if `scores` has them.
    pub file: Option<PathBuf>,
    /// Its scores in another form.
    pub scores: ScoreInputs,
    /// Its description file, for messages.
    pub source: PathBuf,
}

/// The files of a truth with a custom name.
#[derive(Debug, Clone)]
pub struct NamedTruth {
    /// Its name.
    pub name: String,
    /// Its files, one for each direction or one for both.
    pub files: Vec<PathBuf>,
}

impl NamedModel {
    /// Reads the scores of the model; `split` is the part of a Karpathy file to use.
    ///
    /// # Errors
    /// A file that cannot be read, has no scores, or has several models.
    pub(super) fn load(&self, split: &str) -> Result<LoadedScores> {
        let mut given = self.scores.load()?;
        if let Some(file) = &self.file {
            given.extend(read_scores(file, split)?);
        }
        self.scores.require_embeddings(&given).map_err(|_| {
            Error::new(
                self.source.display(),
                format!("cosine for {:?} without embeddings", self.name),
            )
            .expected("image_emb and text_emb")
        })?;
        let found = given.len();
        match given.pop() {
            Some(one) if found == 1 => Ok(LoadedScores { name: self.name.clone(), ..one }),
            _ => {
                let file = self.file.as_ref().unwrap_or(&self.source);
                let what = match found {
                    0 => format!("no scores in it, though {:?} names it for some", self.name),
                    _ => format!("{found} models, named {:?}", self.name),
                };
                let error = Error::new(file.display(), what).expected("the scores of one model");
                Err(if found == 0 { error.fix("name a matrix, such as scores.npy") } else { error })
            }
        }
    }
}

impl NamedTruth {
    /// Reads the files of the truth, and the partner file of the other direction if it is not listed; returns each file
    /// with its contents. `split` is the part of a Karpathy file to use.
    ///
    /// # Errors
    /// As for any file; other content, or several truths.
    pub(super) fn load(&self, split: &str) -> Result<Vec<(String, TruthFile)>> {
        let sources =
            folders::open_sources(&self.files.iter().collect::<Vec<_>>(), false, &mut Vec::new())?;
        let read = |source: &Arc<Source>| match recognise(source, split)? {
            FileContents::Truths(file, mut parts) if has_one_truth(&parts) => {
                for listed in &mut parts.truths {
                    listed.name.clone_from(&self.name);
                }
                Ok((file, parts))
            }
            _ => Err(Error::new(
                source.display(),
                format!("not one ground truth to name {:?}", self.name),
            )
            .expected("a file of one ground truth")),
        };
        sources.iter().map(read).collect()
    }
}

/// Reads the models in a file; none if it has no scores.
fn read_scores(file: &Path, split: &str) -> Result<Vec<LoadedScores>> {
    Ok(match recognise(&Arc::new(Source::open(file)?), split)? {
        FileContents::Scores { models, .. } => models,
        FileContents::Run(run) => pairing::pair_up(vec![run]),
        _ => Vec::new(),
    })
}

/// Whether all lists of a file are of one truth.
fn has_one_truth(parts: &TruthFile) -> bool {
    let names = parts.truths.windows(2);
    !parts.truths.is_empty() && names.into_iter().all(|pair| pair[0].name == pair[1].name)
}

/// Keys of a description, besides the flags of rules.
#[derive(Deserialize)]
struct Description {
    #[serde(default)]
    files: Vec<PathBuf>,
    image_ids: Option<PathBuf>,
    caption_ids: Option<PathBuf>,
    images: Option<PathBuf>,
    entities: Option<PathBuf>,
    captions_per_image: Option<u32>,
    captions_first: Option<bool>,
    #[serde(default)]
    table: Vec<PathBuf>,
    #[serde(default)]
    series: bool,
    split: Option<String>,
    no_positives: Option<NoPositives>,
    short_lists: Option<ShortLists>,
    relevant_from: Option<std::num::NonZeroU32>,
    #[serde(default)]
    dense: bool,
    #[serde(default)]
    phi: Vec<String>,
    #[serde(default)]
    phi_model: Vec<String>,
    phi_m: Option<u32>,
    phi_close: Option<f64>,
    tokens: Option<Tokenisation>,
    #[serde(default)]
    drop_self: bool,
    #[serde(default)]
    models: Vec<ModelTable>,
    #[serde(default)]
    truths: BTreeMap<String, Paths>,
    #[serde(default)]
    pools: BTreeMap<String, Paths>,
    #[serde(default)]
    texts: BTreeMap<String, Paths>,
    #[serde(flatten)]
    rules: toml::Table,
}

/// A `[[models]]` table.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelTable {
    name: String,
    captions: Option<String>,
    scores: Option<PathBuf>,
    #[serde(default)]
    seeds: Vec<PathBuf>,
    #[serde(flatten)]
    other_form: ScoreInputs,
}

/// One path or a list of paths.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected FILE or [FILE, FILE]")]
enum Paths {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

impl Paths {
    fn into_vec(self) -> Vec<PathBuf> {
        match self {
            Paths::One(file) => vec![file],
            Paths::Several(files) => files,
        }
    }
}

/// Deserializes one path or a list of paths.
pub(super) fn deserialize_paths<'de, D: Deserializer<'de>>(
    source: D,
) -> std::result::Result<Vec<PathBuf>, D::Error> {
    Paths::deserialize(source).map(Paths::into_vec)
}

/// Replaces every `study.toml`, and every folder that has one, by the files and options that it lists.
///
/// # Errors
/// An invalid description, with line and column.
pub(super) fn expand(inputs: &Inputs) -> Result<Inputs> {
    let mut all = inputs.clone();
    all.files.clear();
    for path in &inputs.files {
        let in_folder = path.join("study.toml");
        if path.extension().is_some_and(|extension| extension == "toml") {
            add_description(&mut all, path)?;
        } else if in_folder.is_file() {
            add_description(&mut all, &in_folder)?;
        } else {
            all.files.push(path.clone());
        }
    }
    Ok(all)
}

/// Adds the files and options of a description to the inputs; options that are set already are kept.
fn add_description(inputs: &mut Inputs, path: &Path) -> Result<()> {
    let source = Source::open(path)?;
    let text = str::from_utf8(source.bytes())
        .map_err(|_| Error::new(path.display(), "text that is not UTF-8").expected("UTF-8"))?;
    let mut read: Description =
        toml::from_str(text).map_err(|error| with_example(Error::toml(path.display(), &error)))?;
    set_rules(inputs, &mut read, path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let in_folder = |file: PathBuf| folder.join(file);
    let with_paths = |(name, files): (String, Paths)| -> (String, Vec<PathBuf>) {
        (shown(&name), files.into_vec().into_iter().map(in_folder).collect())
    };
    let per_file = |named: BTreeMap<String, Paths>| {
        let named = named.into_iter().map(with_paths);
        named.flat_map(|(name, files)| files.into_iter().map(move |file| (name.clone(), file)))
    };
    inputs.files.extend(read.files.into_iter().map(in_folder));
    inputs.tables.extend(read.table.into_iter().map(in_folder));
    let named = [
        (&mut inputs.image_ids, read.image_ids),
        (&mut inputs.caption_ids, read.caption_ids),
        (&mut inputs.images, read.images),
        (&mut inputs.entities, read.entities),
    ];
    for (known, file) in named {
        *known = known.take().or(file.map(in_folder));
    }
    inputs.captions_per_image = inputs.captions_per_image.or(read.captions_per_image);
    inputs.captions_first = inputs.captions_first.or(read.captions_first);
    inputs.series |= read.series;
    inputs.split = inputs.split.take().or(read.split);
    inputs.scores.dense |= read.dense;
    inputs.no_positives = inputs.no_positives.or(read.no_positives);
    inputs.short_lists = inputs.short_lists.or(read.short_lists);
    let relevant_from = read.relevant_from.map(std::num::NonZeroU32::get);
    inputs.relevant_from = inputs.relevant_from.or(relevant_from);
    let phis = &mut inputs.phis;
    for phi in read.phi {
        let (name, file) = Phis::parse(&phi).map_err(|wanted| {
            Error::new(path.display(), format!("phi = {phi:?}")).expected(wanted)
        })?;
        if !phis.named.iter().any(|(known, _)| *known == name) {
            phis.named.push((name, file.map(in_folder)));
        }
    }
    phis.models.extend(read.phi_model);
    phis.models.dedup();
    phis.m = phis.m.or(read.phi_m);
    phis.close = phis.close.or(read.phi_close);
    phis.tokens = phis.tokens.or(read.tokens);
    phis.drop_self |= read.drop_self;
    inputs.texts |= inputs.phis.needs_texts();
    for model in read.models {
        for run in split_runs(model, path)? {
            let captions = run.captions.clone().map(|texts| (shown(&run.name), texts));
            inputs.captions_of.extend(captions);
            inputs.models.push(NamedModel {
                name: shown(&run.name),
                file: run.scores.map(in_folder),
                scores: run.other_form.with_folder(folder),
                source: path.to_owned(),
            });
        }
    }
    let truths = read.truths.into_iter().map(with_paths);
    inputs.truths.extend(truths.map(|(name, files)| NamedTruth { name, files }));
    inputs.pools.extend(per_file(read.pools));
    inputs.text_sets.extend(per_file(read.texts));
    Ok(())
}

/// Adds the expected content of a description to an error.
fn with_example(error: Error) -> Error {
    error
        .expected("files = [..], [[models]] with name and scores, [truths] and [pools] with NAME = [files]")
        .fix("docs/inputs.md has an example")
}

/// Sets the flags of rules from their keys, which are removed from `read`; flags set already are kept. Any other key
/// left is an error.
fn set_rules(inputs: &mut Inputs, read: &mut Description, path: &Path) -> Result<()> {
    let wrong = |key: &str, found: String, expected: &str| {
        Error::new(path.display(), format!("{key}: {found}")).expected(expected)
    };
    for rule in RULES {
        let (name, number) = (rule.name, rule.number);
        let number_key = key(number.flag);
        if let Some(value) = read.rules.remove(&number_key) {
            let value = value.to_string();
            let [least, most] = number.range;
            let given = number.parse(&value).map_err(|_| {
                let expected = format!("{}, {least} to {most}", number.what);
                wrong(&number_key, value, &expected)
            })?;
            inputs.rules.numbers[name].get_or_insert(given);
        }
        let Some(switch) = rule.switch else { continue };
        if let Some(value) = read.rules.remove(&key(switch.flag)) {
            let is_set = value.as_bool();
            inputs.rules.switches[name] |= is_set
                .ok_or_else(|| wrong(&key(switch.flag), value.to_string(), "true or false"))?;
        }
    }
    let unknown = read.rules.keys().next().map(|key| format!("unknown key {key}"));
    unknown.map_or(Ok(()), |found| Err(with_example(Error::new(path.display(), found))))
}

/// Splits a model with several training runs into one model per run, `NAME@1`, `NAME@2`; other models are unchanged.
fn split_runs(mut model: ModelTable, path: &Path) -> Result<Vec<ModelTable>> {
    let seeds = std::mem::take(&mut model.seeds);
    if seeds.is_empty() {
        return Ok(vec![model]);
    }
    if model.scores.is_some() {
        let found = format!("the model {:?} has scores and seeds", model.name);
        return Err(Error::new(path.display(), found).expected("one of them: seeds = [FILE, FILE]"));
    }
    let run = |(at, file)| ModelTable {
        name: format!("{}@{at}", model.name),
        scores: Some(file),
        ..model.clone()
    };
    Ok((1..).zip(seeds).map(run).collect())
}
