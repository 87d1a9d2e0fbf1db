//! `itm-explore phrases localize`: predicted boxes of phrases against those of Flickr30k Entities.

mod figures;

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum, builder::PossibleValue};
use rustc_hash::FxHashSet;

use super::stats::tell_problems;
use crate::analysis::localised::{differences, interval};
use crate::cli::format::PrintArgs;
use crate::data::id::Id;
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::localisation::Localisation;
use crate::phrase::Entities;
use crate::phrase::localisation::{
    Measured, PROTOCOLS, Predictions, Protocol, Reading, SortBy, Targets, measure,
};
use crate::picture::Folder;
use crate::report::localize::Localised;
use crate::report::localize::failures::Failures;
use crate::tui::phrases;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore phrases localize boxes.json --entities flickr30k_entities/ --split test\n  \
                  itm-explore phrases localize ours.jsonl --entities flickr30k_entities/ --protocol mdetr-any\n  \
                  itm-explore phrases localize ours.jsonl --entities flickr30k_entities/ --failures --limit 50"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
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
    /// Sort the boxes of a phrase by score [default: best first in the file]
    #[arg(long)]
    by_score: bool,
    /// Suppress boxes whose overlap with a better one is above T
    #[arg(long, value_name = "T", value_parser = share)]
    nms: Option<f64>,
    /// List the phrases whose first box is no hit
    #[arg(long)]
    failures: bool,
    /// Order of the failures
    #[arg(long, value_enum, default_value_t = Sort::Iou)]
    sort: Sort,
    /// Only the first N failures [default: all in a list, 12 in a figure]
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Draw failures on their images (.svg, .png, .pdf)
    #[arg(long, value_name = "FILE", group = "pictured")]
    figure: Option<PathBuf>,
    /// Browse failures on their images in the terminal
    #[arg(long, group = "pictured", conflicts_with_all = ["failures", "chart", "limit"])]
    browse: bool,
    /// Folder of the image files, found by file name or id
    #[arg(long, value_name = "DIR", requires = "pictured")]
    images: Option<PathBuf>,
    /// Draw recall over the overlap of a hit (.svg, .png, .pdf)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    print: PrintArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Sort {
    /// The worst first box first
    Iou,
    /// By type, and then the same
    Type,
    /// The smallest true boxes first
    Size,
}

impl From<Sort> for SortBy {
    fn from(sort: Sort) -> Self {
        match sort {
            Sort::Iou => SortBy::Iou,
            Sort::Type => SortBy::Type,
            Sort::Size => SortBy::Size,
        }
    }
}

fn protocols() -> Vec<PossibleValue> {
    let each = PROTOCOLS.iter();
    each.map(|protocol| PossibleValue::new(protocol.key).help(protocol.doc)).collect()
}

fn share(text: &str) -> std::result::Result<f64, String> {
    let number = text.parse().ok();
    let number = number.filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "a number from 0 to 1 is expected".to_owned())
}

pub(super) fn run(args: &LocalizeArgs) -> anyhow::Result<u8> {
    crate::cli::end_on_closed_pipe();
    let opened = crate::cli::progress::waiting("reading", || open(args))?;
    let reading = || read(args, &opened);
    let models = crate::cli::progress::waiting("measuring", reading)?;
    let pictures = args.images.as_deref().map(Folder::open).transpose()?.map(Arc::new);
    let of = Localisation {
        entities: &opened.entities,
        targets: &opened.targets,
        protocol: opened.protocol,
        models: &models,
        pictures: pictures.as_ref(),
    };
    if args.browse {
        return browse(args, of);
    }
    if let Some(file) = &args.chart {
        figures::recall(&opened, &models, file)?;
    }
    if args.failures || args.figure.is_some() {
        failed(args, of)?;
    }
    if !args.failures {
        put_numbers(args, &opened, &models)?;
    }
    Ok(0)
}

/// What boxes are held against.
struct Opened {
    entities: Entities,
    targets: Targets,
    protocol: &'static Protocol,
    reading: Reading,
}

fn open(args: &LocalizeArgs) -> Result<Opened> {
    let protocol =
        Protocol::named(&args.protocol).ok_or_else(|| Error::new("--protocol", &args.protocol))?;
    let split = args.split.as_deref();
    let split = split.map(|split| super::stats::listed(&args.entities, split)).transpose()?;
    let wanted = split.as_ref().map(|ids| ids.iter().cloned().collect::<FxHashSet<Id>>());
    let entities = Entities::read(&args.entities, wanted.as_ref())?;
    let all = || entities.images().into_iter().map(|(id, _)| id.clone()).collect();
    let targets = Targets::of(&entities, &split.unwrap_or_else(all));
    if targets.phrases.is_empty() {
        return Err(Error::new(args.entities.display(), "no phrase has a box")
            .expected("Annotations/ID.xml with <bndbox>, of chains that Sentences/ID.txt names"));
    }
    tell_problems(&entities, &args.entities, args.print.quiet);
    if let Some(first) = targets.lacking.first() {
        let count = grouped(targets.lacking.len());
        let found = format!("no sentences of {count} images of the split, such as {first}");
        say!(
            "warning: {}",
            Error::new(args.entities.display(), found).mend("their phrases do not count")
        );
    }
    Ok(Opened {
        entities,
        targets,
        protocol,
        reading: Reading { is_xywh: args.xywh, by_score: args.by_score, nms: args.nms },
    })
}

/// The outcomes of each file; names that stand before are numbered.
fn read(args: &LocalizeArgs, opened: &Opened) -> Result<Vec<Measured>> {
    crate::cli::names::check_once(&args.predictions)?;
    let mut models: Vec<Measured> = Vec::new();
    for path in &args.predictions {
        let source = Source::open(path)?;
        let predictions =
            Predictions::read(&source, &opened.targets, opened.reading, opened.protocol)?;
        for problem in predictions.messages() {
            say!("warning: {problem}");
        }
        let mut model = measure(&opened.targets, &predictions, opened.protocol);
        let is_known = |name: &str| models.iter().any(|known| known.name == name);
        model.name = crate::cli::names::free(&model.name, is_known);
        models.push(model);
    }
    Ok(models)
}

fn put_numbers(args: &LocalizeArgs, opened: &Opened, models: &[Measured]) -> Result<()> {
    let targets = &opened.targets;
    let intervals: Vec<_> = models.iter().map(|model| interval(targets, model, 0)).collect();
    let told = Localised {
        targets,
        protocol: opened.protocol,
        reading: opened.reading,
        models,
        intervals: &intervals,
        differences: &differences(targets, models),
    };
    args.print.format.put(told.report())
}

/// Draws and prints the phrases that fail.
fn failed(args: &LocalizeArgs, of: Localisation<'_>) -> Result<()> {
    let all = of.failures(args.sort.into());
    if let Some(file) = &args.figure {
        figures::failures(args, of, &all, file)?;
    }
    if args.failures {
        let told = Failures {
            entities: of.entities,
            targets: of.targets,
            protocol: of.protocol,
            failures: &all[..args.limit.unwrap_or(usize::MAX).min(all.len())],
            of: [all.len(), of.predictions()],
        };
        args.print.format.put(told.report())?;
    }
    Ok(())
}

/// Shows them in the terminal.
fn browse(args: &LocalizeArgs, of: Localisation<'_>) -> anyhow::Result<u8> {
    let look = crate::cli::explore::look()?;
    Ok(phrases::run(of, args.sort.into(), look)?)
}
