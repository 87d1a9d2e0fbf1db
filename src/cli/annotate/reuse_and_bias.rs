//! `itm-explore annotate reuse` and `annotate bias`: effects of pooling on a ground truth made from a pool.

use std::path::PathBuf;

use clap::Args;

use crate::annotate::bias::compute_bias;
use crate::annotate::effect::Effect;
use crate::annotate::pool;
use crate::annotate::proposers::Proposers;
use crate::annotate::reuse::compute_reuse;
use crate::cli::format::FormatArgs;
use crate::cli::{InputArgs, progress};
use crate::data::source::Source;
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::report;
use crate::study::Study;
use crate::truth::Truth;

#[derive(Debug, Args)]
pub(in crate::cli) struct PooledArgs {
    /// Pool that the ground truth was made from
    #[arg(value_name = "POOL.jsonl")]
    pool: PathBuf,
    /// Ground truth [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Earlier ground truth, whose positives stay [default: none]
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Prints how the pooled ground truth judges each model without the pairs that the model alone proposed.
pub(super) fn print_reuse(args: &PooledArgs) -> anyhow::Result<()> {
    let (study, truth, proposers) = args.read_inputs()?;
    if args.base.as_ref() == Some(&truth.name) {
        return Err(Error::new("--base", format!("{}, which the pool made", truth.name))
            .expected("a ground truth that was there before the pool")
            .fix("leave --base out, or name another one with --truth")
            .into());
    }
    study.require_models_and_truths()?;
    let models = progress::with_spinner("measuring", || compute_reuse(&study, &truth, &proposers))?;
    let losses: Vec<Effect> = models.iter().flat_map(|one| one.losses.clone()).collect();
    Ok(args.format.print(|| report::reuse::report(&truth.name, &models, &losses))?)
}

/// Prints the metrics of each model under the positives that each model proposed.
pub(super) fn print_bias(args: &PooledArgs) -> anyhow::Result<()> {
    let (study, truth, proposers) = args.read_inputs()?;
    let bias = progress::with_spinner("measuring", || compute_bias(&study, &truth, &proposers))?;
    Ok(args.format.print(|| report::bias::report(&truth.name, &bias))?)
}

impl PooledArgs {
    /// Opens the study, its ground truth of `--truth`, and the models and ground truths that proposed pairs to the
    /// pool. Warns of pairs that the gallery lacks, and of models that proposed none.
    fn read_inputs(&self) -> Result<(Study, Truth, Proposers)> {
        let source = Source::open(&self.pool)?;
        let pool = pool::read(&source)?;
        let study = InputArgs::open_without_similar(&self.input.inputs(false))?;
        let truth = match (&self.truth, study.richest()) {
            (Some(name), _) => study.require_truth(name)?.clone(),
            (None, Some(richest)) => study.truths[richest].clone(),
            (None, None) => {
                return Err(Error::new("--truth", "no ground truth among the files"));
            }
        };
        let base = self.base.as_ref().map(|name| study.require_truth(name));
        let base = base.transpose()?.cloned();
        let proposers = Proposers::from_pool(&pool, &study, &source.display(), base)?;
        if proposers.outside > 0 {
            let outside = grouped(proposers.outside);
            say!("warning: {}: {outside} pairs not in the gallery are excluded", source.display());
        }
        for model in
            study.models.iter().filter(|model| proposers.model_index(&model.name).is_none())
        {
            say!("warning: {} was not in the pool", model.name);
        }
        Ok((study, truth, proposers))
    }
}
