//! `itm-explore annotate bias`: how far a ground truth favours the models that proposed it.

use clap::Args;

use super::super::progress;
use super::pooled::PooledArgs;
use crate::annotate::bias::bias;
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate bias pool.jsonl lsa.npy minilm.npy coco5k/ human/\n  \
                  itm-explore annotate bias pool.jsonl lsa.npy coco5k/ human/ --truth human --base original\n  \
                  itm-explore annotate bias pool.jsonl lsa.npy coco5k/ human/ --truth human --format latex"
)]
pub(in crate::cli) struct BiasArgs {
    #[command(flatten)]
    pooled: PooledArgs,
}

pub(super) fn run(args: &BiasArgs) -> anyhow::Result<u8> {
    super::super::end_on_closed_pipe();
    let pooled = args.pooled.read()?;
    let count = || bias(&pooled.study, &pooled.truth, &pooled.proposed);
    let bias = progress::waiting("measuring", count)?;
    args.pooled.print.format.put(report::bias::report(&pooled.truth.name, &bias))?;
    Ok(0)
}
