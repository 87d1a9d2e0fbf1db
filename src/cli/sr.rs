//! `itm-explore sr`: semantic recall over m.

use std::path::{Path, PathBuf};

use clap::Args;

use super::InputArgs;
use super::direction::DirectionArgs;
use super::drawn::{place, write};
use super::format::PrintArgs;
use crate::analysis::semantic_recall::{RecallByM, semantic_recall};
use crate::error::{Error, Result};
use crate::figure::Options;
use crate::figure::chart::{Axis, Chart, Curve, chart};
use crate::rank::pass::CancelToken;
use crate::report;
use crate::truth::similar::DEPTH;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore sr lsa.npy minilm.npy coco5k/ --phi cider\n  \
                  itm-explore sr lsa.npy coco5k/ --phi cider --k 1,5,10 --direction t2i --chart sr.svg"
)]
pub(super) struct SrArgs {
    /// Depths: in the top K of a ranking
    #[arg(long, short, value_delimiter = ',', default_values_t = [10], value_parser = clap::value_parser!(u32).range(1..))]
    k: Vec<u32>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Draw it over m, at the greatest of these depths (.svg, .png, .pdf)
    #[arg(long, value_name = "FILE")]
    chart: Option<PathBuf>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &SrArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let study = args.input.open(false)?;
    if !args.print.quiet {
        super::report_notes(&study);
    }
    study.require_models_and_truths()?;
    if study.phis.is_empty() {
        return Err(Error::new("--phi", "no similarity is named")
            .expected("cider, or NAME=FILE")
            .into());
    }
    let token = CancelToken::default();
    let find = || semantic_recall(&study, &args.direction.list(), &args.k, &token);
    let found = super::progress::shown(|| token.progress(), find)?.unwrap_or_default();
    if let Some(file) = &args.chart {
        args.input.inputs(false).spare(file)?;
        draw(&found, file)?;
    }
    args.print
        .format
        .put(report::semantic_recall::report(&found))?;
    Ok(0)
}

/// Draws a line for each model, similarity and direction.
fn draw(found: &[RecallByM], file: &Path) -> Result<()> {
    let k = found.iter().map(|one| one.k).max().unwrap_or_default();
    let drawn: Vec<&RecallByM> = found.iter().filter(|one| one.k == k).collect();
    let of = Chart {
        title: format!("Semantic recall SR@{k} by the number of most similar items"),
        across: Axis::new(
            "m, the number of most similar items",
            [0.0, DEPTH as f64],
            5.0,
        ),
        up: Axis::new("of these in the top K, in percent", [0.0, 100.0], 20.0),
        lines: drawn.iter().map(|one| line(one, &drawn)).collect(),
        note: "Biten et al. 2022, arXiv:2110.02623.".into(),
    };
    write(&chart(&of, &Options::default())?, file)
}

/// A hue for each model, dashes for each similarity and direction.
fn line(one: &RecallByM, drawn: &[&RecallByM]) -> Curve {
    let kind = |of: &RecallByM| (of.phi.clone(), of.direction);
    let points = (1_u32..).zip(&one.by_m);
    let points = points.filter_map(|(m, of)| Some([f64::from(m), of.value? * 100.0]));
    Curve {
        name: format!("{} {} {}", one.model, one.phi, one.direction),
        hue: place(drawn.iter().map(|of| &of.model), &&one.model),
        dashes: place(drawn.iter().map(|of| kind(of)), &kind(one)),
        points: points.collect(),
    }
}
