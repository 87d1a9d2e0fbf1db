//! `itm-explore truth ratings`: labels, similarities and models by human ratings.

use std::path::PathBuf;

use clap::Args;

use super::super::drawn::write;
use super::super::format::PrintArgs;
use super::super::resampling::resamples;
use super::super::{InputArgs, progress, report_notes};
use crate::analysis::bootstrap::Draws;
use crate::analysis::ratings::{by_rating, ratings};
use crate::figure::Options;
use crate::figure::chart::chart;
use crate::figure::charts;
use crate::rank::pass::CancelToken;
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth ratings coco5k/ sits_test.csv captions_test5k.json --phi cider\n  \
                  itm-explore truth ratings lsa.npy coco5k/ --phi cider --phi spice=spice.npy --format json\n  \
                  itm-explore truth ratings lsa.npy minilm.npy coco5k/ --phi cider --chart ratings.svg"
)]
pub(in crate::cli) struct RatingsArgs {
    /// Resamples of the images for the intervals
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = resamples)]
    resamples: usize,
    /// Random seed
    #[arg(long, default_value_t = Draws::default().seed, value_name = "N", value_parser = super::super::resampling::seed)]
    seed: u64,
    /// Draw scores by rating as boxes (.svg, .png, .pdf)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &RatingsArgs) -> anyhow::Result<u8> {
    let inputs = args.input.inputs(true);
    let study = progress::waiting("reading", || crate::study::open(&inputs))?;
    report_notes(&study, args.print.quiet);
    let draws = Draws { resamples: args.resamples, seed: args.seed };
    let compared = progress::waiting("comparing with ratings", || ratings(&study, draws))?;
    if let Some(file) = &args.chart {
        inputs.spare(file)?;
        let found = by_rating(&study, &CancelToken::default())?.unwrap_or_default();
        let of = charts::ratings::chart(&found)?;
        write(&chart(&of, &Options::default())?, file)?;
    }
    args.print.format.put(report::ratings::report(&compared, draws))?;
    Ok(0)
}
