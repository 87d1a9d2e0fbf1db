//! `itm-explore truth merge`: sessions of several annotators, or several ground truths, as one.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::analysis::clusters::Clustering;
use crate::annotate::effect::{Effect, effects, ranks};
use crate::cli::convert::{BUNDLE, form, forms};
use crate::cli::format::FormatArgs;
use crate::cli::{InputArgs, progress, say};
use crate::data::in_use;
use crate::data::output::check_free;
use crate::data::text::shown;
use crate::error::{Error, Result};
use crate::report;
use crate::report::agreement;
use crate::session::Session;
use crate::session::agreement::{MAJORITY, Panel, read_people};
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
    pub(super) format: FormatArgs,
    #[command(flatten)]
    pub(super) input: InputArgs,
}

pub(super) fn run(args: &MergeArgs) -> anyhow::Result<u8> {
    if !args.truth.is_empty() {
        return merge(args);
    }
    let files = &args.input.files;
    if files.is_empty() || files.iter().any(|file| file.is_dir()) {
        let found = "no ground truth is named, and the files are not sessions";
        let error = Error::new("--truth", found).expected("--truth A,B, or sessions alone");
        return Err(error.into());
    }
    merge_sessions(args)
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
    args.input.report_notes(&written.study);
    say::wrote(&written.files);
    let base = args.base.as_ref().or(args.truth.last()).cloned().unwrap_or_default();
    let effects = progress::waiting("measuring", || measured(args, &written.study, &base))?;
    args.format.put(report::union::report(
        &union.name,
        &union.truths,
        &written.counts,
        (&base, &effects),
    ))?;
    Ok(0)
}

/// Every model before and after.
fn measured(args: &MergeArgs, study: &Study, base: &str) -> Result<Vec<Effect>> {
    let before = study.require_truth(base)?.clone();
    let after = study.require_truth(&args.union_name)?.clone();
    let truths = [before, after];
    let images = Clustering::ByImage.images(study);
    let mut found = Vec::new();
    for model in &study.models {
        let ranks = ranks(study, &truths, model)?;
        found.extend(effects(&model.name, [0, 1], &ranks, images.as_deref()));
    }
    Ok(found)
}

/// Prints how well the annotators of the sessions agree; writes what most of them say to the output.
fn merge_sessions(args: &MergeArgs) -> anyhow::Result<u8> {
    let mut sessions = Vec::new();
    for path in &args.input.files {
        let (session, doubts) = read_people(path)?;
        let file = shown(&path.display().to_string());
        say::warn(doubts.iter().map(|line| format!("{file}: {line}")));
        sessions.push(session);
    }
    let panel = Panel::of(&sessions);
    for name in &panel.shared {
        say!(
            "warning: {} stands in several sessions and is taken for one person: of a pair the latest verdict counts",
            shown(name)
        );
    }
    if let Some(out) = &args.output {
        save(out, args, &panel.merged(&sessions))?;
        say::wrote([out]);
    }
    args.format.put(agreement::report(&panel))?;
    Ok(0)
}

/// Saves the merged session, but never over verdicts that a person gave, whatever is forced.
fn save(out: &Path, args: &MergeArgs, merged: &Session) -> Result<()> {
    in_use::writes(out)?;
    if out.is_dir() {
        return Err(Error::new(out.display(), "a folder, where a file is expected")
            .mend("-o FILE.itm.json, in that folder"));
    }
    let opened = Session::open(out)?;
    let person = opened.session.annotators().into_iter().find(|by| *by != MAJORITY);
    if let Some(person) = person {
        return Err(Error::new(
            out.display(),
            format!("holds verdicts of {person}, which would be lost"),
        )
        .expected("another name, or a session that was merged before"));
    }
    check_free(out, args.input.force)?;
    opened.lock.held(out)?.save(merged)
}
