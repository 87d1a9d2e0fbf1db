//! `itm-explore truth ratings`: labels, similarities and models by human ratings.

use clap::Args;

use crate::analysis::bootstrap::Draws;
use crate::analysis::ratings::ratings;
use crate::cli::format::FormatArgs;
use crate::cli::values::{resamples, seed};
use crate::cli::{InputArgs, progress};
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth ratings coco5k/ sits_test.csv captions_test5k.json --phi cider\n  \
                  itm-explore truth ratings lsa.npy coco5k/ --phi cider --phi spice=spice.npy --format json\n  \
                  itm-explore truth ratings lsa.npy minilm.npy coco5k/ --phi cider --format csv"
)]
pub(in crate::cli) struct RatingsArgs {
    /// Resamples of the images for the intervals
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = resamples)]
    resamples: usize,
    /// Random seed
    #[arg(long, default_value_t = Draws::default().seed, value_name = "N", value_parser = seed)]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &RatingsArgs) -> anyhow::Result<u8> {
    let inputs = args.input.inputs(true);
    let study = progress::waiting("reading", || crate::study::open(&inputs))?;
    args.input.report_notes(&study);
    let draws = Draws { resamples: args.resamples, seed: args.seed };
    let compared = progress::waiting("comparing with ratings", || ratings(&study, draws))?;
    args.format.put(report::ratings::report(&compared, draws))?;
    Ok(0)
}
