//! `itm-explore fg pools`: refined captions and enlarged pools.

use clap::{Args, ValueEnum};

use crate::analysis::fine_grained::{self, Counted, Repaired};
use crate::cli::InputArgs;
use crate::cli::direction::DirectionArgs;
use crate::cli::format::PrintArgs;
use crate::data::index::{ModelIx, TruthIx};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::report::fine_grained::{FineGrained, Which};
use crate::study::{Pool, Study};
use crate::truth::Kind;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore fg pools a.npy b.npy coco5k/ --image-ids MSCOCO_FG_img_filenames.npy\n  \
                  itm-explore fg pools a.npy a_fg.npy coco5k/ --texts fg=MSCOCO_FG_ann.json --captions-of a_fg=fg\n  \
                  itm-explore fg pools study.toml --list failed --format csv"
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
    #[arg(long, value_name = "ORIGINAL=MODEL", value_parser = crate::cli::captions_of)]
    pair: Vec<(String, String)>,
    /// Maximum number of example queries per direction
    #[arg(long, value_name = "N", default_value_t = 5)]
    examples: usize,
    /// List queries that all models fail, or those repaired, instead
    #[arg(long, value_enum, value_name = "WHAT")]
    list: Option<List>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    input: InputArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum List {
    Failed,
    Repaired,
}

pub(super) fn run(args: &PoolsArgs) -> anyhow::Result<u8> {
    crate::cli::end_on_closed_pipe();
    let study = args.input.open(true)?;
    crate::cli::report_notes(&study, args.print.quiet);
    study.require_models_and_truths()?;
    let truth = truth(args, &study)?;
    let Some(counted) = counted(args, &study, truth)? else {
        return Ok(1);
    };
    let directions = args.direction.list();
    let of_direction = |&direction| counted.repaired(direction);
    let repaired: Vec<Repaired> = directions.iter().flat_map(of_direction).collect();
    let changes = match args.list {
        None => counted.changes(&study)?,
        Some(_) => Vec::new(),
    };
    let found = FineGrained {
        study: &study,
        counted: &counted,
        changes: &changes,
        repaired: &repaired,
        truth: &study.truths[truth].name,
        directions: &directions,
        examples: args.examples,
    };
    args.print.format.put(match args.list {
        None => {
            let pools: Vec<Pool> = pools(args, &study)?;
            let models: Vec<ModelIx> = ModelIx::all(&study.models).collect();
            found.report().warned(study.pool_caveats(&pools, &models))
        }
        Some(List::Failed) => found.list(Which::Failed),
        Some(List::Repaired) => found.list(Which::Repaired),
    })?;
    Ok(0)
}

fn truth(args: &PoolsArgs, study: &Study) -> Result<TruthIx> {
    if let Some(name) = &args.truth {
        return study.truth_place(name);
    }
    let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
    Ok(original.or_else(|| study.richest()).unwrap_or_default())
}

fn counted(args: &PoolsArgs, study: &Study, truth: TruthIx) -> Result<Option<Counted>> {
    let variants = fine_grained::variants(study, &args.pair)?;
    let pools = pools(args, study)?;
    let token = CancelToken::default();
    crate::cli::progress::shown(
        || token.progress(),
        || fine_grained::count(study, variants, (truth, &pools), &token),
    )
}

/// The pools asked for; else the smaller one of the usual two first.
fn pools(args: &PoolsArgs, study: &Study) -> Result<Vec<Pool>> {
    if args.pool.is_empty() {
        let original = study.pool_named("original").ok();
        return Ok(original.into_iter().chain([Pool::All]).collect());
    }
    args.pool.iter().map(|name| study.pool_named(name)).collect()
}
