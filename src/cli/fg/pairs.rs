//! `itm-explore fg pairs`: right texts against wrong ones.

use std::path::PathBuf;

use clap::Args;

use crate::analysis::right_wrong::{self, Accuracy, PairScores};
use crate::cli::format::FormatArgs;
use crate::cli::names;
use crate::data::source::Source;
use crate::data::text::shown;
use crate::data::text_pairs;
use crate::error::Result;
use crate::report::pairs::RightWrong;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore fg pairs clip.jsonl\n  \
                  itm-explore fg pairs clip.jsonl blip.jsonl --failures 20\n  \
                  itm-explore fg pairs clip.jsonl blip.jsonl --format json",
    after_long_help = "A line of a file:\n  {\"image\": \"a.jpg\", \"right\": 0.31, \"wrong\": 0.27, \"kind\": \"colour\",\n   \
                       \"caption\": \"a red bus\", \"negative_caption\": \"a blue bus\"}\n\n\
                       The kind and the texts are optional."
)]
pub(in crate::cli) struct PairsArgs {
    /// Scores of a model, JSON Lines; several models are compared
    #[arg(required = true)]
    scores: Vec<PathBuf>,
    /// Failures to list per model, widest margin first
    #[arg(long, default_value_t = 10, value_name = "N")]
    failures: usize,
    #[command(flatten)]
    format: FormatArgs,
}

pub(super) fn run(args: &PairsArgs) -> anyhow::Result<u8> {
    crate::cli::end_on_closed_pipe();
    let models = read(&args.scores)?;
    let of_model = |model: &PairScores| right_wrong::accuracies(&model.pairs);
    let accuracies: Vec<Vec<Accuracy>> = models.iter().map(of_model).collect();
    let told = RightWrong {
        models: &models,
        accuracies: &accuracies,
        compared: &right_wrong::compared(&models),
        failures: args.failures,
    };
    args.format.put(told.report())?;
    Ok(0)
}

/// The models of all files, in the order of the first; names that stand before are numbered.
fn read(files: &[PathBuf]) -> Result<Vec<PairScores>> {
    names::check_once(files)?;
    let mut models: Vec<PairScores> = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let is_known = |name: &str| models.iter().any(|known| known.name == name);
        let mut model = PairScores {
            name: names::free(&shown(&stem), is_known),
            source: shown(&file.display().to_string()),
            pairs: text_pairs::read(&Source::open(file)?)?,
        };
        if let Some(first) = models.first() {
            right_wrong::align(first, &mut model)?;
        }
        models.push(model);
    }
    Ok(models)
}
