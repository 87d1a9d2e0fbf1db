//! `itm-explore semantic`: CIDEr-D of captions as a score matrix, and semantic recall.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Args;

use crate::analysis::semantic_recall::semantic_recall;
use crate::cli::InputArgs;
use crate::cli::format::FormatArgs;
use crate::cli::progress::try_rank_bar;
use crate::cli::values::{DirectionArgs, above_zero, choices};
use crate::data::output::{check_free, write_whole};
use crate::data::scores::{Precision, Scores, save};
use crate::data::text::{grouped, shown};
use crate::figure::charts::{self, semantic_recall::K};
use crate::report;
use crate::study::{Inputs, Phis};

subcommands! {
    pub(in crate::cli) SemanticCommand:
    /// Write CIDEr-D of every caption with every image as a matrix
    Cider(CiderArgs) => write_cider;
    /// Recall of the m most similar items, for m from 1 to 30
    Recall(RecallArgs) => print_recall;
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore semantic cider captions_val2014.json -o phi.npy\n  \
                  itm-explore semantic cider coco5k/ -o phi.npy --dtype f8\n  \
                  itm-explore semantic cider coco5k/ -o phi.npy --tokens ncs --drop-self"
)]
pub(in crate::cli) struct CiderArgs {
    /// Matrix to write: images x captions (.npy)
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Number type
    #[arg(long, value_name = "TYPE", default_value = Precision::Single.key(), value_parser = choices(Precision::ALL.map(|one| (one.key(), one))))]
    dtype: Precision,
    #[command(flatten)]
    input: InputArgs,
}

/// Computes CIDEr-D of every caption with every image, and writes the matrix.
fn write_cider(args: &CiderArgs) -> anyhow::Result<()> {
    let inputs = args.input.inputs(true);
    check_free(&args.output, inputs.force)?;
    // `--tokens` and `--drop-self` are for the written matrix, not for a phi of the study.
    let mut study = InputArgs::read(&Inputs {
        phis: Phis { tokens: None, drop_self: false, ..inputs.phis.clone() },
        ..inputs.clone()
    })?;
    let model = study.cider(inputs.phis.options())?;
    study.notes.extend(study.cider_warning());
    InputArgs::warn(&study);
    let Scores::Phi(phi) = &model.scores else {
        unreachable!("CIDEr-D is computed");
    };
    crate::cli::progress::with_spinner("indexing captions", || phi.index());
    let precision = args.dtype;
    let (done, all) = (AtomicUsize::new(0), study.gallery.images.len());
    crate::cli::progress::with_bar(
        "comparing captions",
        || done.load(Ordering::Relaxed) as f64 / all.max(1) as f64,
        || {
            let count = |images| {
                done.fetch_add(images, Ordering::Relaxed);
            };
            write_whole(&args.output, |file| save::write(phi.as_ref(), precision, file, count))
        },
    )?;
    say!(
        "wrote {}: CIDEr-D of {} images x {} captions, {}; {}",
        shown(&args.output.display().to_string()),
        grouped(all),
        grouped(study.gallery.captions.len()),
        precision.key(),
        inputs.phis.options().tokenisation.doc(),
    );
    Ok(())
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore semantic recall lsa.npy minilm.npy coco5k/ --phi cider\n  \
                  itm-explore semantic recall lsa.npy coco5k/ --phi cider --k 1,5,10 --direction t2i\n  \
                  itm-explore semantic recall lsa.npy coco5k/ --phi spice=spice.npy --format csv"
)]
pub(in crate::cli) struct RecallArgs {
    /// Depths of the rankings
    #[arg(long, short, value_delimiter = ',', default_values_t = [K], value_parser = above_zero)]
    k: Vec<u32>,
    #[command(flatten)]
    direction: DirectionArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Prints semantic recall for each m, the number of most similar items.
fn print_recall(args: &RecallArgs) -> anyhow::Result<()> {
    let study = args.input.open(false)?;
    (charts::semantic_recall::CHART.check)(&study)?;
    let directions = args.direction.list();
    let found = try_rank_bar(|token| semantic_recall(&study, &directions, &args.k, token))?;
    Ok(args.format.print(|| report::semantic_recall::report(&found))?)
}
