//! `itm-explore truth merge`: sessions of several annotators, or several ground truths, as one.

use std::path::PathBuf;

use clap::Args;

use super::super::convert::{BUNDLE, form, forms};
use super::super::format::PrintArgs;
use super::super::{InputArgs, end_on_closed_pipe, progress, report_notes};
use super::sessions;
use crate::analysis::clustering::Clustering;
use crate::annotate::effect::{Effect, effects, ranks};
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::report;
use crate::study::{self, Inputs, Study, Union};

/// What files are for here.
pub(super) const FILES: &str = "Sessions; or ground truths, and models to measure before and after";

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore truth merge anna.itm.json bo.itm.json -o merged.itm.json\n  \
                  itm-explore truth merge human/ coco5k/ --truth human,original -o ours/\n  \
                  itm-explore truth merge human/ coco5k/ lsa.npy --truth human,cxc --as-name ours",
    after_long_help = "Sessions: of a pair counts what most annotators say. First relevant (yes, partial) or not (mostly-no, no), then\n\
                       the grade; a tie of grades gives partial or mostly-no, a tie of relevance leaves the pair out.\n\n\
                       Ground truths: a positive of any of them is a positive; judged not relevant stays so unless another one\n\
                       lists the pair. Models among the files are measured before and after."
)]
pub(in crate::cli) struct MergeArgs {
    /// Ground truths to merge; the first decides which queries are covered
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    /// Cover the queries of all these ground truths
    #[arg(long, requires = "truth")]
    all_queries: bool,
    /// Name of the merged ground truth
    #[arg(long = "as-name", value_name = "NAME", default_value = "united", requires = "truth")]
    union_name: String,
    /// Ground truth to compare with [default: the last of --truth]
    #[arg(long, value_name = "NAME", requires = "truth")]
    base: Option<String>,
    /// List of invalid images, excluded as queries and items; repeatable
    #[arg(long, value_name = "FILE", requires = "truth")]
    without_images: Vec<PathBuf>,
    /// List of invalid captions, excluded likewise; repeatable
    #[arg(long, value_name = "FILE", requires = "truth")]
    without_captions: Vec<PathBuf>,
    /// Output: a session; of ground truths a folder or bundle
    #[arg(long, short, value_name = "OUT")]
    pub(super) output: Option<PathBuf>,
    /// Form of ground truths: json, qrels or bundle
    #[arg(long = "as", default_value = "qrels", value_name = "FORM", value_parser = forms(), requires = "truth")]
    form: String,
    #[command(flatten)]
    pub(super) print: PrintArgs,
    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<u8> {
    end_on_closed_pipe();
    if !args.truth.is_empty() {
        return merge(args);
    }
    let files = &args.input.files;
    if files.is_empty() || files.iter().any(|file| file.is_dir()) {
        return Err(Error::new(
            "--truth",
            "no ground truth is named, and the files are not sessions",
        )
        .expected("names of ground truths, or sessions alone")
        .mend("--truth A,B")
        .into());
    }
    sessions::merge(args)
}

fn merge(args: &MergeArgs) -> anyhow::Result<u8> {
    let inputs = Inputs { any_order: true, ..args.input.inputs(args.form == BUNDLE) };
    let union = Union {
        truths: args.truth.clone(),
        of_all: args.all_queries,
        name: args.union_name.clone(),
        without_images: args.without_images.clone(),
        without_captions: args.without_captions.clone(),
    };
    let out = args.output.as_deref().map(|out| (form(&args.form), out));
    let written = progress::waiting("merging", || study::unite(&inputs, &union, out))?;
    report_notes(&written.study, args.print.quiet);
    for path in &written.files {
        say!("wrote {}", shown(&path.display().to_string()));
    }
    let base = base(args, &written.study)?;
    let effects = progress::waiting("measuring", || measured(args, &written.study, &base))?;
    args.print.format.put(report::union::report(
        &union.name,
        &union.truths,
        &written.counts,
        (&base, &effects),
    ))?;
    Ok(0)
}

/// The truth under which models are measured first.
fn base(args: &MergeArgs, study: &Study) -> Result<String> {
    let last = args.truth.last().ok_or_else(|| Error::new("--truth", "no name"))?;
    let name = args.base.as_ref().unwrap_or(last);
    study.require_truth(name)?;
    Ok(name.clone())
}

/// Every model before and after.
fn measured(args: &MergeArgs, study: &Study, base: &str) -> Result<Vec<Effect>> {
    let before = study.require_truth(base)?.clone();
    let after = study.require_truth(&args.union_name)?.clone();
    let truths = [before, after];
    let images = Clustering::ByImage.images(study)?;
    let mut found = Vec::new();
    for model in &study.models {
        let ranks = ranks(study, &truths, model)?;
        found.extend(effects(&model.name, [0, 1], &ranks, images.as_deref()));
    }
    Ok(found)
}
