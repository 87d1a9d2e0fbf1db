//! `itm-explore truth unite`: one ground truth of several.

use std::path::PathBuf;

use clap::{Args, builder::PossibleValuesParser};

use super::super::format::PrintArgs;
use super::super::{InputArgs, progress, report_notes};
use crate::analysis::clustering::Clustering;
use crate::annotate::effect::{Effect, effects, ranks};
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::report;
use crate::study::{self, Form, Inputs, Study, Union};
use crate::truth::output::OUTPUTS;

/// The word for one file with the gallery.
const BUNDLE: &str = "bundle";

#[derive(Debug, Args)]
#[command(
    after_help = "What any of them lists is a positive; what one judges not relevant stays so unless another lists it.\n\
                  With models among the files each is measured before and after.\n\n\
                  Examples:\n  itm-explore truth unite human/ coco5k/ sits_test.csv lsa.npy --truth human,cxc --as-name ours -o ours/\n  \
                  itm-explore truth unite human/ coco5k/ --truth human,original --as-name ours --without-captions bad.txt --as bundle -o ours.json"
)]
pub(in crate::cli) struct UniteArgs {
    /// Ground truths, separated by commas: the queries are those of the first
    #[arg(long, value_delimiter = ',', value_name = "NAMES", required = true)]
    truth: Vec<String>,
    /// Take the queries of all of them
    #[arg(long)]
    all_queries: bool,
    /// The name of the union
    #[arg(long = "as-name", value_name = "NAME", default_value = "united")]
    union_name: String,
    /// The ground truth that the union is compared with [default: the last of --truth]
    #[arg(long, value_name = "NAME")]
    base: Option<String>,
    /// A list of images that are invalid, as queries and as items; repeatable
    #[arg(long, value_name = "FILE")]
    without_images: Vec<PathBuf>,
    /// A list of captions that are invalid; repeatable
    #[arg(long, value_name = "FILE")]
    without_captions: Vec<PathBuf>,
    /// Write it: a folder, or the bundle
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
    /// How: qrels and the bundle keep what was judged not relevant
    #[arg(long = "as", default_value = "qrels", value_name = "FORM", value_parser = PossibleValuesParser::new(OUTPUTS.iter().map(|o| o.key).chain([BUNDLE])))]
    form: String,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &UniteArgs) -> anyhow::Result<u8> {
    let inputs = Inputs { any_order: true, ..args.input.inputs(args.form == BUNDLE) };
    let union = Union {
        truths: args.truth.clone(),
        of_all: args.all_queries,
        name: args.union_name.clone(),
        without_images: args.without_images.clone(),
        without_captions: args.without_captions.clone(),
    };
    let lists = OUTPUTS.iter().find(|output| output.key == args.form);
    let form = lists.map_or(Form::Bundle, Form::Lists);
    let out = args.output.as_deref().map(|out| (form, out));
    let written = progress::waiting("uniting", || study::unite(&inputs, &union, out))?;
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
fn base(args: &UniteArgs, study: &Study) -> Result<String> {
    let last = args.truth.last().ok_or_else(|| Error::new("--truth", "no name"))?;
    let name = args.base.as_ref().unwrap_or(last);
    study.require_truth(name)?;
    Ok(name.clone())
}

/// Every model before and after.
fn measured(args: &UniteArgs, study: &Study, base: &str) -> Result<Vec<Effect>> {
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
