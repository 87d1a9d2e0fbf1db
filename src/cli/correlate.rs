//! `itm-explore correlate`: metrics correlated over models.

use std::path::PathBuf;

use clap::Args;

use super::InputArgs;
use super::eval::key;
use super::format::FormatArgs;
use super::values::resamples;
use crate::analysis::bootstrap::Draws;
use crate::analysis::correlate::correlate;
use crate::analysis::published_models::published;
use crate::analysis::results::{self, ModelValues, Sizes};
use crate::data::Direction;
use crate::data::own_files::is_results;
use crate::data::source::Source;
use crate::data::text::count;
use crate::error::{Error, Result};
use crate::report::correlate::Correlated;
use crate::study::Study;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore correlate --published\n  \
                  itm-explore correlate ours.json --published\n  \
                  itm-explore correlate ours.json theirs.json --metrics coco_5k_r1,eccv_map_at_r")]
pub(super) struct CorrelateArgs {
    /// Output of `eval --format json`
    #[arg(required_unless_present = "published")]
    results: Vec<PathBuf>,
    /// Add the 25 models of the ECCV Caption paper, and rank yours
    #[arg(long)]
    published: bool,
    /// Metrics [default: all that three models have in both directions]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    metrics: Vec<String>,
    /// Resamples of the models for the intervals
    #[arg(long, default_value_t = Draws::default().resamples, value_name = "N", value_parser = resamples)]
    resamples: usize,
    /// Random seed
    #[arg(long, default_value_t = Draws::default().seed, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(args: &CorrelateArgs) -> anyhow::Result<()> {
    let (models, galleries) = read(&args.results, &Direction::BOTH)?;
    if let Some((file, other)) = galleries.iter().find(|(_, other)| *other != galleries[0].1) {
        let others = format!("{} of {}", sizes_words(galleries[0].1), galleries[0].0);
        let told = "tau-b between metrics is meant for models on one gallery";
        say!("warning: {file}: of {}, {others}: {told}", sizes_words(*other));
    }
    let published = args.published.then(published);
    let mut all = models.clone();
    all.extend(published.iter().flat_map(|of| of.averages()));
    let draws = Draws { resamples: args.resamples, seed: args.seed };
    let metrics: Vec<String> = args.metrics.iter().map(|name| key(name)).collect();
    let correlation = correlate(&all, &metrics, draws)?;
    let told = Correlated { correlation: &correlation, models: &models, published, draws };
    Ok(args.format.print(|| told.report())?)
}

/// A file and the size of its gallery.
pub(super) type SizedFile = (String, Sizes);

/// The models of all files, with averages over some directions; repeated names are numbered. And the gallery of each
/// file that has it.
///
/// # Errors
/// A model in two files: it would count twice.
pub(super) fn read(
    files: &[PathBuf],
    directions: &[Direction],
) -> Result<(Vec<ModelValues>, Vec<SizedFile>)> {
    let mut models: Vec<ModelValues> = Vec::new();
    let mut galleries: Vec<SizedFile> = Vec::new();
    check_once(files)?;
    for file in files {
        let source = Source::open(file)?;
        let results = results::read(&source, directions)?;
        galleries.extend(results.gallery.map(|sizes| (source.display(), sizes)));
        for mut model in results.models {
            if models.contains(&model) {
                let found = format!("{} again, with the same numbers", model.name);
                return Err(Error::new(file.display(), found).expected("each model once"));
            }
            let is_known = |name: &str| models.iter().any(|known| known.name == name);
            model.name = free_name(&model.name, is_known);
            models.push(model);
        }
    }
    Ok((models, galleries))
}

/// The results among the files of a study, and the other inputs.
pub(super) fn split_results(input: &InputArgs) -> (Vec<PathBuf>, InputArgs) {
    let (results, files) = input.given.files.iter().cloned().partition(|file| is_results(file));
    let mut input = input.clone();
    input.given.files = files;
    (results, input)
}

/// Results next to the models of a study; names of these are numbered.
pub(super) fn renamed(results: Vec<ModelValues>, study: &Study) -> Vec<ModelValues> {
    let is_loaded = |name: &str| study.models.iter().any(|model| model.name == name);
    let renamed = |of: ModelValues| ModelValues { name: free_name(&of.name, is_loaded), ..of };
    results.into_iter().map(renamed).collect()
}

/// The size of a gallery, in words.
pub(super) fn sizes_words(sizes: Sizes) -> String {
    format!("{} x {}", count(sizes.images, "image"), count(sizes.captions, "caption"))
}

/// Checks that no file is named twice, by any name.
///
/// # Errors
/// Names the file.
pub(super) fn check_once(files: &[PathBuf]) -> Result<()> {
    let places: Vec<_> = files.iter().map(|file| file.canonicalize().ok()).collect();
    let is_known = |at: usize| places[at].is_some() && places[..at].contains(&places[at]);
    match (0..files.len()).find(|&at| is_known(at)) {
        None => Ok(()),
        Some(at) => Err(Error::new(files[at].display(), "named twice: it would count twice")
            .expected("each file once")),
    }
}

/// The name, numbered if it is taken: `sims`, `sims-2`.
pub(super) fn free_name(name: &str, is_known: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|count| format!("{name}-{count}"));
    let mut all = std::iter::once(name.to_owned()).chain(numbered);
    all.find(|name| !is_known(name)).unwrap_or_default()
}
