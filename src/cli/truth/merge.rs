//! `itm-explore truth merge`: merges several ground truths.

use std::path::PathBuf;

use clap::Args;

use crate::analysis::clusters::Clustering;
use crate::annotate::effect::{Effect, compute_ranks, effects};
use crate::cli::convert::{BUNDLE, form, form_parser};
use crate::cli::format::FormatArgs;
use crate::cli::progress::with_spinner;
use crate::cli::{InputArgs, say};
use crate::error::Result;
use crate::report;
use crate::study::{self, Inputs, Study, Union};

/// Help of the positional argument `files`.
pub(super) const FILES: &str = "Ground truths, and models to measure before and after";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth merge human/ coco5k/ --truth human,original -o ours/\n  \
                  itm-explore truth merge human/ coco5k/ lsa.npy --truth human,cxc --as-name ours\n  \
                  itm-explore truth merge human/ coco5k/ --truth human,original --all-queries --format json",
    after_long_help = "A positive of any of them is a positive; judged not relevant stays so unless another one lists the pair.\n\
                       Models among the files are measured before and after. Sessions: `annotate merge`."
)]
pub(in crate::cli) struct MergeArgs {
    /// Ground truths to merge; the first decides which queries are covered
    #[arg(long, value_delimiter = ',', value_name = "NAMES", required = true)]
    truth: Vec<String>,
    /// Cover the queries of all these ground truths
    #[arg(long)]
    all_queries: bool,
    /// Name of the merged ground truth
    #[arg(long = "as-name", value_name = "NAME", default_value = "united")]
    union_name: String,
    /// Ground truth to compare with [default: the last of --truth]
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    /// Output: a folder or bundle
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Form: json, qrels or bundle
    #[arg(long = "as", default_value = "qrels", value_name = "FORM", value_parser = form_parser())]
    form: String,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<()> {
    let inputs = Inputs { any_order: true, ..args.input.inputs(args.form == BUNDLE) };
    let union = Union {
        truths: args.truth.clone(),
        covers_all: args.all_queries,
        name: args.union_name.clone(),
    };
    let out = args.output.as_deref().map(|out| (form(&args.form), out));
    let written = with_spinner("merging", || study::unite(&inputs, &union, out))?;
    InputArgs::warn(&written.study);
    say::print_written(&written.files);
    let base = args.base.as_ref().or(args.truth.last()).cloned().unwrap_or_default();
    let effects = with_spinner("measuring", || measure_effects(args, &written.study, &base))?;
    args.format.print(|| {
        report::union::report(&union.name, &union.truths, &written.counts, (&base, &effects))
    })?;
    Ok(())
}

/// How the metrics of every model change from the ground truth `base` to the merged one.
fn measure_effects(args: &MergeArgs, study: &Study, base: &str) -> Result<Vec<Effect>> {
    let truths =
        [study.require_truth(base)?.clone(), study.require_truth(&args.union_name)?.clone()];
    let images = Clustering::ByImage.images(study);
    let mut model_effects = Vec::new();
    for model in &study.models {
        let ranks = compute_ranks(study, &truths, model)?;
        model_effects.extend(effects(&model.name, [0, 1], &ranks, images.as_deref()));
    }
    Ok(model_effects)
}
