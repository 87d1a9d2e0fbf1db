//! `itm-explore [FILES]`: the explorer.

use clap::Args;

use super::InputArgs;

#[derive(Debug, Args)]
pub(super) struct ExploreArgs {
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &ExploreArgs) -> anyhow::Result<u8> {
    let study = args.input.open(true)?;
    super::report_notes(&study);
    Ok(0)
}
