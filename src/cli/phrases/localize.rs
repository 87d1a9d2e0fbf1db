//! `itm-explore phrases localize`: predicted boxes of phrases against those of Flickr30k Entities.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValue};
use rustc_hash::FxHashSet;

use crate::analysis::localisation::{differences, interval};
use crate::cli::correlate::{check_once, free_name};
use crate::cli::format::FormatArgs;
use crate::cli::say;
use crate::data::id::Id;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::phrase::Entities;
use crate::phrase::localisation::{
    Measured, PROTOCOLS, Predictions, Protocol, Targets, failures, measure,
};
use crate::report::localize::Localised;
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

fn protocols() -> Vec<PossibleValue> {
    let each = PROTOCOLS.iter();
    each.map(|protocol| PossibleValue::new(protocol.key).help(protocol.doc)).collect()
}

pub(super) fn run(args: &LocalizeArgs) -> anyhow::Result<()> {
    let opened = crate::cli::progress::waiting("reading", || open(args))?;
    let reading = || read(args, &opened);
    let models = crate::cli::progress::waiting("measuring", reading)?;
    let Opened { entities, targets, protocol } = &opened;
    if args.failures {
        let failures = failures(targets, &models);
        let told = Failures {
            entities,
            targets,
            protocol,
            failures: &failures[..args.limit.unwrap_or(usize::MAX).min(failures.len())],
            of: [failures.len(), targets.phrases.len() * models.len()],
        };
        args.format.print(|| told.report())?;
    } else {
        let intervals: Vec<_> = models.iter().map(|model| interval(targets, model, 0)).collect();
        let (models, intervals) = (&models, &intervals);
        let differences = &differences(targets, models);
        let is_xywh = args.xywh;
        let told = Localised { targets, protocol, is_xywh, models, intervals, differences };
        args.format.print(|| told.report())?;
    }
    Ok(())
}

/// Ground truth of boxes.
struct Opened {
    entities: Entities,
    targets: Targets,
    protocol: &'static Protocol,
}

fn open(args: &LocalizeArgs) -> Result<Opened> {
    let protocol =
        Protocol::named(&args.protocol).ok_or_else(|| Error::new("--protocol", &args.protocol))?;
    let split = args.split.as_deref();
    let split = split.map(|split| super::listed(&args.entities, split)).transpose()?;
    let wanted = split.as_ref().map(|ids| ids.iter().cloned().collect::<FxHashSet<Id>>());
    let entities = Entities::read(&args.entities, wanted.as_ref())?;
    let all = || entities.images().into_iter().map(|(id, _)| id.clone()).collect();
    let targets = Targets::for_images(&entities, &split.unwrap_or_else(all));
    if targets.phrases.is_empty() {
        return Err(Error::new(args.entities.display(), "no phrase has a box")
            .expected("Annotations/ID.xml with <bndbox>, of chains that Sentences/ID.txt names"));
    }
    say::warn_of_first(&entities.problems);
    if let Some(first) = targets.lacking.first() {
        let count = grouped(targets.lacking.len());
        let found = format!("no sentences of {count} images of the split, such as {first}");
        say::warn([Error::new(args.entities.display(), found).mend("their phrases do not count")]);
    }
    Ok(Opened { entities, targets, protocol })
}

/// The outcomes of each file; repeated names are numbered.
fn read(args: &LocalizeArgs, opened: &Opened) -> Result<Vec<Measured>> {
    check_once(&args.predictions)?;
    let mut models: Vec<Measured> = Vec::new();
    for path in &args.predictions {
        let source = Source::open(path)?;
        let predictions = Predictions::read(&source, &opened.targets, args.xywh, opened.protocol)?;
        say::warn(predictions.messages());
        let mut model = measure(&opened.targets, &predictions, opened.protocol);
        let is_known = |name: &str| models.iter().any(|known| known.name == name);
        model.name = free_name(&model.name, is_known);
        models.push(model);
    }
    Ok(models)
}
