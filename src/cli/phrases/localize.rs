//! `itm-explore phrases localize`: evaluates predicted boxes of phrases on those of Flickr30k Entities.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValue};
use rustc_hash::FxHashSet;

use crate::analysis::localisation::{recall_interval, test_differences};
use crate::cli::correlate::{free_name, require_distinct};
use crate::cli::format::FormatArgs;
use crate::cli::say;
use crate::data::id::Id;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::phrase::Entities;
use crate::phrase::localisation::{
    Outcomes, PROTOCOLS, Predictions, Protocol, Targets, evaluate, failures,
};
use crate::report::localize::LocalizationReport;
use crate::report::localize::failures::Failures;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore phrases localize boxes.json --entities flickr30k_entities/ --split test\n  \
                  itm-explore phrases localize ours.jsonl --entities flickr30k_entities/ --protocol mdetr-any\n  \
                  itm-explore phrases localize ours.jsonl --entities flickr30k_entities/ --failures --limit 50"
)]
pub(in crate::cli) struct LocalizeArgs {
    /// Predicted boxes (JSON Lines, MDETR, GLIP); a file per model
    #[arg(required = true)]
    predictions: Vec<PathBuf>,
    /// Folder of Flickr30k Entities, with Sentences/ and Annotations/
    #[arg(long, value_name = "DIR")]
    entities: PathBuf,
    /// Evaluate only these images: a list, or its name in the folder
    #[arg(long, value_name = "FILE")]
    split: Option<PathBuf>,
    /// What counts as a hit, and among how many boxes
    #[arg(long, value_name = "NAME", default_value = PROTOCOLS[0].key, value_parser = protocols())]
    protocol: String,
    /// Predicted boxes are x, y, width, height instead of corners
    #[arg(long)]
    xywh: bool,
    /// List the phrases whose first box is no hit
    #[arg(long)]
    failures: bool,
    /// Only the first N failures [default: all]
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    #[command(flatten)]
    format: FormatArgs,
}

/// The possible values of `--protocol`.
fn protocols() -> Vec<PossibleValue> {
    let value = |protocol: &Protocol| PossibleValue::new(protocol.key).help(protocol.doc);
    PROTOCOLS.iter().map(value).collect()
}

pub(super) fn run(args: &LocalizeArgs) -> anyhow::Result<()> {
    let truth = crate::cli::progress::with_spinner("reading", || read_box_truth(args))?;
    let evaluate = || evaluate_files(args, &truth);
    let models = crate::cli::progress::with_spinner("measuring", evaluate)?;
    let BoxTruth { entities, targets, protocol } = &truth;
    if args.failures {
        let failures = failures(targets, &models);
        let report = Failures {
            entities,
            targets,
            protocol,
            failures: &failures[..args.limit.unwrap_or(usize::MAX).min(failures.len())],
            counts: [failures.len(), targets.phrases.len() * models.len()],
        };
        args.format.print(|| report.report())?;
    } else {
        let intervals: Vec<_> =
            models.iter().map(|model| recall_interval(targets, model, 0)).collect();
        let (models, intervals) = (&models, &intervals);
        let differences = &test_differences(targets, models);
        let is_xywh = args.xywh;
        let report =
            LocalizationReport { targets, protocol, is_xywh, models, intervals, differences };
        args.format.print(|| report.report())?;
    }
    Ok(())
}

/// Phrases with ground-truth boxes, and the protocol to evaluate predictions by.
struct BoxTruth {
    entities: Entities,
    targets: Targets,
    protocol: &'static Protocol,
}

/// Reads the phrases and boxes of the split, or of all images; prints problems as warnings.
///
/// # Errors
/// No phrase has a box.
fn read_box_truth(args: &LocalizeArgs) -> Result<BoxTruth> {
    let protocol = Protocol::from_key(&args.protocol)
        .ok_or_else(|| Error::new("--protocol", &args.protocol))?;
    let split = args.split.as_deref();
    let split = split.map(|split| super::read_named_split(&args.entities, split)).transpose()?;
    let images = split.as_ref().map(|ids| ids.iter().cloned().collect::<FxHashSet<Id>>());
    let entities = Entities::read(&args.entities, images.as_ref())?;
    let all = || entities.images().into_iter().map(|(id, _)| id.clone()).collect();
    let targets = Targets::for_images(&entities, &split.unwrap_or_else(all));
    if targets.phrases.is_empty() {
        return Err(Error::new(args.entities.display(), "no phrase has a box")
            .expected("Annotations/ID.xml with <bndbox>, of chains that Sentences/ID.txt names"));
    }
    say::warn_alike(&entities.problems);
    if let Some(first) = targets.missing_images.first() {
        let count = grouped(targets.missing_images.len());
        let found = format!("no sentences of {count} images of the split, such as {first}");
        say::warn([Error::new(args.entities.display(), found).fix("their phrases do not count")]);
    }
    Ok(BoxTruth { entities, targets, protocol })
}

/// Evaluates the predictions of each file, a model per file. Repeated names are numbered.
fn evaluate_files(args: &LocalizeArgs, truth: &BoxTruth) -> Result<Vec<Outcomes>> {
    require_distinct(&args.predictions)?;
    let mut models: Vec<Outcomes> = Vec::new();
    for path in &args.predictions {
        let source = Source::open(path)?;
        let predictions = Predictions::read(&source, &truth.targets, args.xywh, truth.protocol)?;
        say::warn(predictions.messages());
        let mut model = evaluate(&truth.targets, &predictions, truth.protocol);
        let is_taken = |name: &str| models.iter().any(|known| known.name == name);
        model.name = free_name(&model.name, is_taken);
        models.push(model);
    }
    Ok(models)
}
