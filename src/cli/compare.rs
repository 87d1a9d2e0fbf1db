//! `itm-explore compare`: models side by side, query by query.

use clap::Args;

use super::InputArgs;
use super::eval::{DEPTHS, choice};
use super::format::FormatArgs;
use super::marks::{MarksArgs, with_changed};
use super::progress::counted;
use super::values::{DirectionArgs, above_zero, positive};
use crate::analysis::clusters::Clustering;
use crate::analysis::compare::{self, ModelDifference, Request};
use crate::analysis::paired::every_two;
use crate::analysis::runs::Runs;
use crate::analysis::similarity::{Similarity, similarity};
use crate::data::text::count;
use crate::error::{Error, Result};
use crate::evaluate::plan;
use crate::report::compare::Compared;
use crate::study::Study;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore compare lsa.npy minilm.npy coco5k/\n  \
                        itm-explore compare a.npy b.npy coco5k/ --truth eccv --full\n  \
                        itm-explore compare a.npy b.npy coco5k/ --metrics map_at_r --margin 1")]
pub(super) struct CompareArgs {
    /// Models to compare; NAME stands for its runs NAME@SEED [default: all]
    #[arg(long, alias = "model", value_delimiter = ',', value_name = "A,B")]
    models: Vec<String>,
    /// Metrics, such as R@1 or r1, or `all`
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values_t = ["r1", "map_at_r"].map(str::to_owned))]
    metrics: Vec<String>,
    /// Depths for metrics at K, separated by commas
    #[arg(long, short, value_delimiter = ',', default_values_t = DEPTHS, value_parser = above_zero)]
    k: Vec<u32>,
    /// Ground truths [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Candidate pool, such as fold1, folds or random1000s7
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Print counts, effects, winner flips and similarity of rankings too
    #[arg(long)]
    full: bool,
    /// Treat queries as independent (default: cluster captions by image)
    #[arg(long)]
    by_query: bool,
    /// Test equivalence and non-inferiority within X points, or ranks
    #[arg(long, value_name = "X", value_parser = positive)]
    margin: Option<f64>,
    /// Random seed of the items for Kendall's tau
    #[arg(long, default_value_t = 0, value_name = "N")]
    seed: u64,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// The most models that are compared without being named, since every pair takes a pass.
const MAX_UNNAMED: usize = 4;

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<u8> {
    let mut study = args.input.open(false)?;
    let added = args.marks.lay_over(&mut study, args.input.quiet)?;
    study.require_models_and_truths()?;
    let needs_similarities = args.full || args.format.is_data();
    with_compared(args, &study, &request(args, &study, &added)?, needs_similarities, |compared| {
        args.format.put(compared.report())
    })?;
    Ok(0)
}

/// Only ground truths named with `--truth` are tested: every further row makes Holm's correction stricter.
pub(super) fn request(args: &CompareArgs, study: &Study, added: &[[String; 2]]) -> Result<Request> {
    Ok(Request {
        models: models(args, study)?,
        lines: plan::Request {
            metrics: choice(&args.metrics),
            depths: args.k.clone(),
            truths: with_changed(&args.truth, added),
            pools: vec![study.pool_named(&args.pool)?],
            ..plan::Request::default()
        },
        directions: args.direction.list(),
        clustering: if args.by_query { Clustering::ByQuery } else { Clustering::ByImage },
    })
}

/// The models that are named, or all. Runs of one model are one.
fn models(args: &CompareArgs, study: &Study) -> Result<Vec<Runs>> {
    let all = Runs::of(&study.models);
    let several = all.iter().filter(|runs| runs.are_several());
    let several: Vec<&str> = several.map(|runs| runs.name.as_str()).collect();
    let mut models: Vec<Runs> = Vec::new();
    for name in &args.models {
        let known = all.iter().find(|runs| runs.name == *name).cloned();
        let runs = match known {
            Some(runs) => runs,
            None => Runs::one(&study.models, study.model_place_beside(name, &several)?),
        };
        if models.contains(&runs) {
            let found = format!("model {name} is named twice");
            return Err(Error::new("--models", found).expected("each model once"));
        }
        models.push(runs);
    }
    if args.models.is_empty() {
        models = all;
        if models.len() > MAX_UNNAMED {
            let found = format!("{} models, none of them named", models.len());
            let expected = format!("two models or more, by name if there are over {MAX_UNNAMED}");
            return Err(Error::new("--models", found).expected(expected));
        }
    }
    if models.len() < 2 {
        let found = format!("{} to compare", count(models.len(), "model"));
        let error = Error::new("--models", found).expected("two models or more");
        return Err(error.mend(
            "another score file, or another model with --models, such as runs NAME@1,NAME@2",
        ));
    }
    Ok(models)
}

fn rows(study: &Study, request: &Request) -> Result<Vec<ModelDifference>> {
    let measured = counted(|token| compare::measure(study, request, token))?;
    let rows = measured.rows();
    if rows.is_empty() {
        return Err(Error::new("--direction", "no ground truth has lists in this direction")
            .expected("a direction that a ground truth judges"));
    }
    Ok(rows)
}

fn similarities(
    study: &Study,
    request: &Request,
    seed: u64,
) -> Result<Vec<([usize; 2], Similarity)>> {
    let mut found = Vec::new();
    let study = &study.in_pool(request.lines.pools[0])?;
    for places in every_two(request.models.len()) {
        let models = places.map(|model| &study.models[request.models[model].models[0]]);
        for &direction in &request.directions {
            let similar = counted(|token| similarity(study, models, direction, seed, token))?;
            found.push((places, similar));
        }
    }
    Ok(found)
}

/// Compares the models and hands over the result.
pub(super) fn with_compared(
    args: &CompareArgs,
    study: &Study,
    request: &Request,
    needs_similarities: bool,
    put: impl FnOnce(Compared<'_>) -> Result<()>,
) -> Result<()> {
    let rows = rows(study, request)?;
    let similarities =
        if needs_similarities { similarities(study, request, args.seed)? } else { Vec::new() };
    put(Compared {
        study,
        models: &request.models,
        pool: request.lines.pools[0],
        seed: args.seed,
        by_image: request.clustering.images(study).is_some(),
        margin: args.margin,
        rows: &rows,
        similarities: &similarities,
        is_full: args.full,
    })
}
