//! `itm-explore semantic cider`: CIDEr-D of every caption with every image, as a matrix.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::{Args, builder::PossibleValuesParser};

use crate::cli::InputArgs;
use crate::data::output::write_whole;
use crate::data::scores::{Precision, Scores};
use crate::data::text::{grouped, shown};
use crate::study::{Inputs, Phis};

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
    #[arg(long, value_name = "TYPE", default_value = Precision::Single.key(), value_parser = PossibleValuesParser::new(Precision::ALL.map(Precision::key)))]
    dtype: String,
    /// Print warnings only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &CiderArgs) -> anyhow::Result<u8> {
    let inputs = args.input.inputs(true);
    inputs.spare(&args.output)?;
    // They are of the matrix that is written, and of no phi.
    let mut study = InputArgs::open_with(&Inputs {
        phis: Phis { tokenisation: None, drop_self: false, ..inputs.phis.clone() },
        ..inputs.clone()
    })?;
    let model = study.cider(inputs.phis.options())?;
    study.notes.extend(study.cider_warning());
    crate::cli::report_notes(&study, args.quiet);
    let Scores::Phi(phi) = &model.scores else {
        unreachable!("CIDEr-D is computed");
    };
    crate::cli::progress::waiting("indexing captions", || phi.index());
    let precision = Precision::named(&args.dtype).unwrap_or(Precision::Single);
    let (done, all) = (AtomicUsize::new(0), study.gallery.images.len());
    crate::cli::progress::named(
        "comparing captions",
        || done.load(Ordering::Relaxed) as f64 / all.max(1) as f64,
        || {
            let count = |images| {
                done.fetch_add(images, Ordering::Relaxed);
            };
            write_whole(&args.output, |file| phi.write(precision, file, count))
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
    Ok(0)
}
