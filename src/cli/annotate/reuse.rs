//! `itm-explore annotate reuse`: what a pooled ground truth says of models that were not in the pool.

use clap::Args;

use super::super::progress;
use super::pooled::PooledArgs;
use crate::annotate::effect::Effect;
use crate::annotate::reuse::reuse;
use crate::report;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore annotate reuse pool.jsonl lsa.npy minilm.npy coco5k/ human/\n  \
                  itm-explore annotate reuse pool.jsonl lsa.npy coco5k/ human/ --truth human --base original\n  \
                  itm-explore annotate reuse pool.jsonl lsa.npy coco5k/ human/ --truth human --format json"
)]
pub(in crate::cli) struct ReuseArgs {
    #[command(flatten)]
    pooled: PooledArgs,
}

pub(super) fn run(args: &ReuseArgs) -> anyhow::Result<u8> {
    super::super::end_on_closed_pipe();
    let pooled = args.pooled.read()?;
    args.pooled.check_base(&pooled.truth)?;
    pooled.study.require_models_and_truths()?;
    let count = || reuse(&pooled.study, &pooled.truth, &pooled.proposed);
    let models = progress::waiting("measuring", count)?;
    let losses: Vec<Effect> = models.iter().flat_map(|one| one.losses.clone()).collect();
    let report = report::reuse::report(&pooled.truth.name, &models, &losses);
    args.pooled.print.format.put(report)?;
    Ok(0)
}
