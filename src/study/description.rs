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
//! Every flag has a key of the same name with `_` for `-`; a flag that is given overrides its key.
//! Paths start at the folder of the file.

mod place;
mod similarities;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Deserialize;
use toml::de::{DeTable, ValueDeserializer};

use self::place::DescriptionPaths;
use super::inputs::Inputs;
use super::keys;
use super::loaded_scores::{self, LoadedScores};
use super::recognise::{FileContents, recognise};
use super::score_inputs::ScoreInputs;
use super::{PoolFiles, TruthRules, folders, tables};
use crate::data::source::Source;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::truth::Parts;
use crate::truth::conventions::{NoPositives, ShortLists};
use crate::truth::rule::{RULES, Rule, key};

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
    pub(super) fn load(&self, split: &str) -> Result<LoadedScores> {
        let mut given = self.scores.load()?;
        if let Some(file) = &self.file {
            given.extend(scores(file, split)?);
        }
        let found = given.len();
        match given.pop() {
            Some(one) if found == 1 => Ok(one),
            _ => {
                let file = self.file.as_ref().unwrap_or(&self.source);
                let what = match found {
                    0 => format!("no scores in it, though {:?} names it for some", self.name),
                    _ => format!("{found} models, named {:?}", self.name),
                };
                let error = Error::new(file.display(), what).expected("the scores of one model");
                Err(if found == 0 {
                    error.mend("name a matrix, such as scores.npy")
                } else {
                    error
                })
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
        let sources =
            folders::sources(&self.files.iter().collect::<Vec<_>>(), false, &mut Vec::new())?;
        let read = |source: &Arc<Source>| match recognise(source, split)? {
            FileContents::Parts(file, mut parts) if is_one(&parts) => {
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

/// The models that a file, or a folder of the parts of a table, holds.
fn scores(file: &Path, split: &str) -> Result<Vec<LoadedScores>> {
    if folders::is_table(file) {
        return Ok(loaded_scores::lists(vec![tables::open_folder(file, None)?]).collect());
    }
    Ok(match recognise(&Arc::new(Source::open(file)?), split)? {
        FileContents::Scores(found, _) => found,
        FileContents::Run(run) => loaded_scores::lists(vec![run]).collect(),
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
    entities: Option<PathBuf>,
    captions_per_image: Option<u32>,
    captions_first: Option<bool>,
    #[serde(default)]
    series: bool,
    split: Option<String>,
    no_positives: Option<NoPositives>,
    short_lists: Option<ShortLists>,
    relevant_from: Option<u32>,
    #[serde(default)]
    dense: bool,
    #[serde(default)]
    phi: Vec<String>,
    #[serde(default)]
    phi_model: Vec<String>,
    phi_m: Option<u32>,
    phi_close: Option<f64>,
    tokens: Option<String>,
    #[serde(default)]
    drop_self: bool,
    #[serde(default)]
    models: Vec<ModelTable>,
    #[serde(default)]
    truths: toml::Table,
    #[serde(default)]
    pools: toml::Table,
    #[serde(default)]
    texts: toml::Table,
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelTable {
    name: String,
    captions: Option<String>,
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
        if path.extension().is_some_and(|extension| extension == "toml") {
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
    let (read, rules) = parsed(text).map_err(|e| wrong(path, text, &e))?;
    let mut place = DescriptionPaths { path, named: Vec::new() };
    for (at, file) in read.files.iter().enumerate() {
        let file = place.of(file, &format!("files[{at}]"));
        inputs.files.push(file);
    }
    let mut file = |key: &str, file| place.maybe(file, key);
    let [image_ids, caption_ids, images, entities] = [
        file("image_ids", read.image_ids),
        file("caption_ids", read.caption_ids),
        file("images", read.images),
        file("entities", read.entities),
    ];
    inputs.image_ids = inputs.image_ids.take().or(image_ids);
    inputs.caption_ids = inputs.caption_ids.take().or(caption_ids);
    inputs.images = inputs.images.take().or(images);
    inputs.entities = inputs.entities.take().or(entities);
    inputs.captions_per_image = inputs.captions_per_image.or(read.captions_per_image);
    inputs.captions_first = inputs.captions_first.or(read.captions_first);
    inputs.series |= read.series;
    inputs.split = inputs.split.take().or(read.split);
    inputs.scores.dense |= read.dense;
    inputs.no_positives = inputs.no_positives.or(read.no_positives);
    inputs.short_lists = inputs.short_lists.or(read.short_lists);
    inputs.rules.relevant_from = inputs.rules.relevant_from.or(read.relevant_from);
    if read.relevant_from == Some(0) {
        let error = Error::new(path.display(), "relevant_from = 0");
        return Err(error.expected("the least grade of a positive, 1 or more"));
    }
    take_rules(&mut inputs.rules, rules, path)?;
    let table = similarities::Table {
        phi: read.phi,
        phi_model: read.phi_model,
        phi_m: read.phi_m,
        phi_close: read.phi_close,
        tokens: read.tokens,
        drop_self: read.drop_self,
    };
    similarities::take(&mut inputs.phis, table, &mut place)?;
    inputs.texts |= inputs.phis.need_texts();
    for (at, model) in read.models.into_iter().enumerate() {
        let key = format!("models[{at}]");
        for (run, file_key) in runs(model, &key, path)? {
            let captions = run.captions.clone().map(|texts| (shown(&run.name), texts));
            inputs.captions_of.extend(captions);
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
    for (name, files) in read.texts {
        let files = place.files(&format!("texts.{name}"), files)?;
        inputs.text_sets.extend(files.into_iter().map(|file| (shown(&name), file)));
    }
    inputs.named.append(&mut place.named);
    Ok(())
}

/// A description, and what it says of rules that make truths.
fn parsed(text: &str) -> std::result::Result<(Description, TruthRules), toml::de::Error> {
    let mut table = DeTable::parse(text)?;
    let mut rules = TruthRules::default();
    for rule in RULES {
        let (name, number) = (rule.name(), rule.number());
        if let Some(value) = table.get_mut().remove(&*key(number.flag)) {
            rules.numbers[name] = Some(if number.is_whole {
                f64::from(u32::deserialize(ValueDeserializer::from(value))?)
            } else {
                f64::deserialize(ValueDeserializer::from(value))?
            });
        }
        let switch = rule.switch().and_then(|switch| table.get_mut().remove(&*key(switch.flag)));
        if let Some(value) = switch {
            rules.switches[name] = bool::deserialize(ValueDeserializer::from(value))?;
        }
    }
    Ok((Description::deserialize(toml::Deserializer::from(table))?, rules))
}

/// Takes what a description says of rules, as far as no flag does.
fn take_rules(rules: &mut TruthRules, read: TruthRules, path: &Path) -> Result<()> {
    for rule in RULES {
        let (name, number) = (rule.name(), rule.number());
        rules.numbers[name] = rules.numbers[name].or(read.numbers[name]);
        rules.switches[name] |= read.switches[name];
        if let Some(wrong) = read.numbers[name].filter(|read| !number.allows(*read)) {
            let [least, most] = number.range;
            let found = format!("{} = {wrong}", key(number.flag));
            return Err(Error::new(path.display(), found)
                .expected(format!("{}, {least} to {most}", number.what)));
        }
    }
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
    let lists_keys = error.message().contains("expected one of `files`");
    let also = if lists_keys { rule_keys() } else { String::new() };
    keys::wrong(path, text, error, &also)
        .expected("files = [..], [[models]] with name and scores, [truths] and [pools] with NAME = [files]")
        .mend("docs/inputs.md has an example")
}

/// The keys of rules, at the end of a list of keys.
fn rule_keys() -> String {
    let switch = |rule: &dyn Rule| rule.switch().map(|switch| switch.flag);
    let flags = RULES.iter().flat_map(|rule| [Some(rule.number().flag), switch(*rule)]);
    let add = |keys: String, flag| keys + ", `" + &key(flag) + "`";
    flags.flatten().fold(String::new(), add)
}
