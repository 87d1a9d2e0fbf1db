//! `itm-explore semantic recall`: semantic recall over m.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::analysis::semantic_recall::{RecallByM, semantic_recall};
use crate::cli::InputArgs;
use crate::cli::direction::DirectionArgs;
use crate::cli::drawn::write;
use crate::cli::format::PrintArgs;
use crate::error::Result;
use crate::figure::Options;
use crate::figure::chart::chart;
use crate::figure::charts::{self, semantic_recall::K};
use crate::rank::pass::CancelToken;
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore semantic recall lsa.npy minilm.npy coco5k/ --phi cider\n  \
                  itm-explore semantic recall lsa.npy coco5k/ --phi cider --k 1,5,10 --direction t2i\n  \
                  itm-explore semantic recall lsa.npy coco5k/ --phi spice=spice.npy --chart recall.svg"
)]
pub(in crate::cli) struct RecallArgs {
    /// Depths of the rankings
    #[arg(long, short, value_delimiter = ',', default_values_t = [K], value_parser = crate::cli::depths::above_zero)]
    k: Vec<u32>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Draw it over m at the greatest depth (.svg, .png, .pdf)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &RecallArgs) -> anyhow::Result<u8> {
    crate::cli::end_on_closed_pipe();
    let study = args.input.open(false)?;
    crate::cli::report_notes(&study, args.print.quiet);
    (charts::semantic_recall::CHART.check)(&study)?;
    let token = CancelToken::default();
    let find = || semantic_recall(&study, &args.direction.list(), &args.k, &token);
    let found = crate::cli::progress::shown(|| token.progress(), find)?.unwrap_or_default();
    if let Some(file) = &args.chart {
        args.input.inputs(false).spare(file)?;
        draw(&found, file)?;
    }
    args.print.format.put(report::semantic_recall::report(&found))?;
    Ok(0)
}

/// Draws a line for each model, similarity and direction at the greatest depth.
fn draw(found: &[RecallByM], file: &Path) -> Result<()> {
    let k = found.iter().map(|one| one.k).max().unwrap_or_default();
    let drawn: Vec<&RecallByM> = found.iter().filter(|one| one.k == k).collect();
    let of = charts::semantic_recall::chart(&drawn, k);
    write(&chart(&of, &Options::default())?, file)
}
