//! `itm-explore correlate`: metrics correlated over models.

use std::path::PathBuf;

use clap::Args;

use super::InputArgs;
use super::eval::metric_key;
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
use crate::report::correlate::CorrelationReport;
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
    let (models, galleries) = read_results(&args.results, &Direction::BOTH)?;
    if let Some((file, other)) = galleries.iter().find(|(_, other)| *other != galleries[0].1) {
        let first = format!("{} of {}", describe_sizes(galleries[0].1), galleries[0].0);
        let reason = "tau-b between metrics is meant for models on one gallery";
        say!("warning: {file}: of {}, {first}: {reason}", describe_sizes(*other));
    }
    let published = args.published.then(published);
    let mut all = models.clone();
    all.extend(published.iter().flat_map(|models| models.averages()));
    let draws = Draws { resamples: args.resamples, seed: args.seed };
    let metrics: Vec<String> = args.metrics.iter().map(|name| metric_key(name)).collect();
    let correlation = correlate(&all, &metrics, draws)?;
    let report = CorrelationReport { correlation: &correlation, models: &models, published, draws };
    Ok(args.format.print(|| report.report())?)
}

/// A result file and the size of its gallery.
pub(super) type SizedFile = (String, Sizes);

/// The models of all result files, with metrics averaged over `directions`, and the gallery size of each file that
/// states it. Repeated names are numbered.
///
/// # Errors
/// The same model in two files: it would count twice.
pub(super) fn read_results(
    files: &[PathBuf],
    directions: &[Direction],
) -> Result<(Vec<ModelValues>, Vec<SizedFile>)> {
    let mut models: Vec<ModelValues> = Vec::new();
    let mut galleries: Vec<SizedFile> = Vec::new();
    require_distinct(files)?;
    for file in files {
        let source = Source::open(file)?;
        let results = results::read(&source, directions)?;
        galleries.extend(results.gallery.map(|sizes| (source.display(), sizes)));
        for mut model in results.models {
            if models.contains(&model) {
                let found = format!("{} again, with the same numbers", model.name);
                return Err(Error::new(file.display(), found).expected("each model once"));
            }
            let is_taken = |name: &str| models.iter().any(|known| known.name == name);
            model.name = free_name(&model.name, is_taken);
            models.push(model);
        }
    }
    Ok((models, galleries))
}

/// Splits inputs into result files of `eval --format json` and the rest.
pub(super) fn split_results(input: &InputArgs) -> (Vec<PathBuf>, InputArgs) {
    let (results, files) = input.given.files.iter().cloned().partition(|file| is_results(file));
    let mut input = input.clone();
    input.given.files = files;
    (results, input)
}

/// Models of results, with numbers added to the names that models of the study have.
pub(super) fn with_free_names(results: Vec<ModelValues>, study: &Study) -> Vec<ModelValues> {
    let is_taken = |name: &str| study.models.iter().any(|model| model.name == name);
    let rename = |one: ModelValues| ModelValues { name: free_name(&one.name, is_taken), ..one };
    results.into_iter().map(rename).collect()
}

/// The size of a gallery: `5,000 images x 25,000 captions`.
pub(super) fn describe_sizes(sizes: Sizes) -> String {
    format!("{} x {}", count(sizes.images, "image"), count(sizes.captions, "caption"))
}

/// Checks that no file is given twice, also under different paths.
///
/// # Errors
/// Names the file.
pub(super) fn require_distinct(files: &[PathBuf]) -> Result<()> {
    let paths: Vec<_> = files.iter().map(|file| file.canonicalize().ok()).collect();
    let is_repeated = |at: usize| paths[at].is_some() && paths[..at].contains(&paths[at]);
    match (0..files.len()).find(|&index| is_repeated(index)) {
        None => Ok(()),
        Some(index) => Err(Error::new(files[index].display(), "named twice: it would count twice")
            .expected("each file once")),
    }
}

/// The name, with the first free number from 2 on if it is taken: `sims`, `sims-2`.
pub(super) fn free_name(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}
