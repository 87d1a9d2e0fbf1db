//! `itm-explore fg`: fine-grained retrieval, with refined captions, enlarged pools and hard negatives.

use std::path::PathBuf;

use clap::Args;

use crate::analysis::fine_grained;
use crate::analysis::right_wrong::{self, Accuracy, PairScores};
use crate::cli::InputArgs;
use crate::cli::correlate::{free_name, require_distinct};
use crate::cli::format::FormatArgs;
use crate::cli::progress::try_rank_bar;
use crate::cli::values::{DirectionArgs, model_assignment};
use crate::data::index::TruthIx;
use crate::data::source::Source;
use crate::data::text::shown;
use crate::data::text_pairs;
use crate::error::Result;
use crate::report::fine_grained::FineGrained;
use crate::report::pairs::RightWrong;
use crate::study::{Pool, Study};
use crate::truth::Kind;

subcommands! {
    pub(in crate::cli) FgCommand:
    /// Compare original with refined captions and enlarged pools
    Pools(Box<PoolsArgs>) => run_pools;
    /// How often a model prefers the correct caption to a hard negative
    Pairs(PairsArgs) => run_pairs;
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore fg pools a.npy b.npy coco5k/ --image-ids MSCOCO_FG_img_filenames.npy\n  \
                  itm-explore fg pools a.npy a_fg.npy coco5k/ --texts fg=MSCOCO_FG_ann.json --captions-of a_fg=fg\n  \
                  itm-explore fg pools study.toml --format csv"
)]
pub(in crate::cli) struct PoolsArgs {
    /// Candidate pools, baseline first
    ///
    /// [default: original and enlarged if the gallery has images without captions, else all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pool: Vec<String>,
    /// Ground truth [default: the original one]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Pair a model with its variant on other captions; repeatable
    ///
    /// [default: the n-th with the n-th]
    #[arg(long, value_name = "ORIGINAL=MODEL", value_parser = model_assignment)]
    pair: Vec<(String, String)>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Prints R@K of each model by candidate pool and captions.
fn run_pools(args: &PoolsArgs) -> anyhow::Result<()> {
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
    let default = original.or_else(|| study.richest()).unwrap_or_default();
    let truth = args.truth.as_ref().map_or(Ok(default), |name| study.truth_index(name))?;
    let (variants, pools) =
        (fine_grained::match_variants(&study, &args.pair)?, pools(args, &study)?);
    let settings =
        try_rank_bar(|token| fine_grained::evaluate(&study, &variants, (truth, &pools), token))?;
    let fine_grained = FineGrained {
        study: &study,
        settings: &settings,
        changes: &fine_grained::test_changes(&study, &settings),
        truth: &study.truths[truth].name,
        directions: &args.direction.list(),
    };
    Ok(args.format.print(|| fine_grained.report())?)
}

/// The pools that `--pool` names; without names the original pool, if the gallery has one, and the whole gallery.
fn pools(args: &PoolsArgs, study: &Study) -> Result<Vec<Pool>> {
    if args.pool.is_empty() {
        let original = study.pool_named("original").ok();
        return Ok(original.into_iter().chain([Pool::All]).collect());
    }
    args.pool.iter().map(|name| study.pool_named(name)).collect()
}

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

/// Prints how often each model scores the right text of a pair above the wrong one.
fn run_pairs(args: &PairsArgs) -> anyhow::Result<()> {
    let models = read_models(&args.scores)?;
    let model_accuracies = |model: &PairScores| right_wrong::accuracies(&model.pairs);
    let accuracies: Vec<Vec<Accuracy>> = models.iter().map(model_accuracies).collect();
    let right_wrong = RightWrong {
        models: &models,
        accuracies: &accuracies,
        tests: &right_wrong::test_models(&models),
        failures: args.failures,
    };
    Ok(args.format.print(|| right_wrong.report())?)
}

/// The models of all files, with their pairs in the order of the first file. Repeated names are numbered.
fn read_models(files: &[PathBuf]) -> Result<Vec<PairScores>> {
    require_distinct(files)?;
    let mut models: Vec<PairScores> = Vec::new();
    for file in files {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let is_taken = |name: &str| models.iter().any(|known| known.name == name);
        let mut model = PairScores {
            name: free_name(&shown(&stem), is_taken),
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
