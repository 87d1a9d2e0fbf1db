//! `itm-explore fg`: refined captions and enlarged pools.

use clap::{Args, ValueEnum};

use super::InputArgs;
use super::direction::DirectionArgs;
use super::format::PrintArgs;
use crate::analysis::fine_grained::{self, Counted, Repaired};
use crate::data::index::{ModelIx, TruthIx};
use crate::error::Result;
use crate::rank::pass::CancelToken;
use crate::report::fine_grained::{FineGrained, Which};
use crate::study::{Pool, Study};
use crate::truth::Kind;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore fg a.npy b.npy coco5k/ --image-ids MSCOCO_FG_img_filenames.npy\n  \
                  itm-explore fg a.npy a_fg.npy coco5k/ captions.json --texts refined=MSCOCO_FG_ann.json --captions-of a_fg=refined\n  \
                  itm-explore fg study.toml --list failed --format csv"
)]
pub(super) struct FgArgs {
    #[command(flatten)]
    input: InputArgs,
    /// Candidate pools, the baseline's first [default: original and enlarged where the gallery has images
    /// without captions, else all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    pool: Vec<String>,
    /// The ground truth that tells positives [default: the original one]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Say which model with other captions belongs to which with the original ones [default: the n-th to the
    /// n-th]; repeatable
    #[arg(long, value_name = "ORIGINAL=MODEL", value_parser = super::captions_of)]
    pair: Vec<(String, String)>,
    /// The most queries to show as examples in each direction
    #[arg(long, value_name = "N", default_value_t = 5)]
    examples: usize,
    /// Print queries instead: those that all models fail at 1 with the original captions, or those of them
    /// that other captions make right
    #[arg(long, value_enum, value_name = "WHAT")]
    list: Option<List>,
    #[command(flatten)]
    print: PrintArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum List {
    Failed,
    Repaired,
}

pub(super) fn run(args: &FgArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let study = args.input.open(true)?;
    super::report_notes(&study, args.print.quiet);
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

fn truth(args: &FgArgs, study: &Study) -> Result<TruthIx> {
    if let Some(name) = &args.truth {
        return study.truth_place(name);
    }
    let original = TruthIx::find(&study.truths, |truth| truth.kind == Kind::Original);
    Ok(original.or_else(|| study.richest()).unwrap_or_default())
}

fn counted(args: &FgArgs, study: &Study, truth: TruthIx) -> Result<Option<Counted>> {
    let variants = fine_grained::variants(study, &args.pair)?;
    let pools = pools(args, study)?;
    let token = CancelToken::default();
    super::progress::shown(
        || token.progress(),
        || fine_grained::count(study, variants, (truth, &pools), &token),
    )
}

/// The pools asked for; else the smaller one of the usual two first.
fn pools(args: &FgArgs, study: &Study) -> Result<Vec<Pool>> {
    if args.pool.is_empty() {
        let original = study.pool_named("original").ok();
        return Ok(original.into_iter().chain([Pool::All]).collect());
    }
    args.pool.iter().map(|name| study.pool_named(name)).collect()
}
