//! `itm-explore pack`: ids, captions and truths as one bundle.

use std::path::PathBuf;

use clap::Args;

use super::InputArgs;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  itm-explore pack coco5k/ captions_val2014.json -o eccv.json")]
pub(super) struct PackArgs {
    /// The bundle to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Say on stderr what to heed, and nothing else about the inputs
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &PackArgs) -> anyhow::Result<u8> {
    let inputs = args.input.inputs(true);
    let pack = || crate::study::pack(&inputs, &args.output);
    let study = super::progress::waiting("packing", pack)?;
    super::report_notes(&study, args.quiet);
    say!("wrote {}", crate::data::text::shown(&args.output.display().to_string()));
    Ok(0)
}
