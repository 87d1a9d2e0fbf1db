//! `itm-explore compare`: models side by side, query by query.

use clap::{Args, ValueEnum};

use super::direction::DirectionArgs;
use super::eval::choice;
use super::format::PrintArgs;
use super::marks::{MarksArgs, with_changed};
use super::resampling::seed;
use super::{InputArgs, depths};
use crate::analysis::clustering::Clustering;
use crate::analysis::compare::{self, Family, ModelDifference, Request};
use crate::analysis::disagreement::By;
use crate::analysis::listing::{self, What};
use crate::analysis::paired::Outcome;
use crate::analysis::per_query;
use crate::analysis::runs::Runs;
use crate::analysis::similarity::{DEPTHS, Similarity, similarity};
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::error::{Error, Result};
use crate::evaluate::plan::{self, Line};
use crate::metric::Unit;
use crate::rank::pass::CancelToken;
use crate::report::compare::Compared;
use crate::report::listed::Listed;
use crate::study::Study;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore compare lsa.npy minilm.npy coco5k/\n  \
                        itm-explore compare a.npy b.npy coco5k/ --truth eccv --full\n  \
                        itm-explore compare a.npy b.npy coco5k/ --truth eccv --metrics r1 --direction t2i --list losses")]
pub(super) struct CompareArgs {
    /// Models to compare; NAME stands for its runs NAME@SEED [default: all]
    #[arg(long, alias = "model", value_delimiter = ',', value_name = "A,B")]
    models: Vec<String>,
    /// Metrics, such as R@1 or r1, or `all`
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values_t = ["r1", "map_at_r"].map(str::to_owned))]
    metrics: Vec<String>,
    /// Depths for metrics at K, separated by commas
    #[arg(long, short, value_delimiter = ',', default_values_t = depths::USUAL, value_parser = crate::cli::depths::above_zero)]
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
    #[arg(long, conflicts_with = "list")]
    full: bool,
    /// Treat queries as independent (default: cluster captions by image)
    #[arg(long, conflicts_with = "by_image")]
    by_query: bool,
    /// Fail if a caption's image is unknown (default: as --by-query)
    #[arg(long)]
    by_image: bool,
    /// Test equivalence and non-inferiority within X points, or ranks
    #[arg(long, value_name = "X", value_parser = margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Random seed of the items for Kendall's tau
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = seed)]
    seed: u64,
    /// Rows in Holm's correction: all, or pair
    #[arg(long, value_enum, default_value_t = FamilyArg::All)]
    family: FamilyArg,
    /// List queries instead: by outcome, difference or similarity
    #[arg(long, value_enum, value_name = "WHAT")]
    list: Option<List>,
    /// Print only the first N queries of a list
    #[arg(long, short = 'n', value_name = "N", requires = "list")]
    limit: Option<usize>,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    pub(super) input: InputArgs,
}

fn margin(text: &str) -> std::result::Result<f64, String> {
    let margin = text.parse().ok().filter(|margin: &f64| *margin > 0.0 && margin.is_finite());
    margin.ok_or_else(|| "a number above 0 is expected".into())
}

/// The largest difference of two shares, in percentage points.
const MAX_POINTS: f64 = 100.0;

/// Refuses a margin that no difference of shares can exceed.
fn check_margin(args: &CompareArgs, lines: &[Line]) -> Result<()> {
    let is_share =
        |line: &Line| per_query::spec(line).is_some_and(|spec| spec.metric.unit() == Unit::Share);
    match args.margin {
        Some(margin) if margin > MAX_POINTS && lines.iter().any(is_share) => {
            let found =
                format!("{margin} percentage points: no difference is greater than {MAX_POINTS}");
            Err(Error::new("--margin", found)
                .expected(format!("at most {MAX_POINTS}; more only in ranks: --metrics mean_rank")))
        }
        _ => Ok(()),
    }
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FamilyArg {
    All,
    Pair,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum List {
    Wins,
    Ties,
    Losses,
    Deltas,
    Flips,
    Overlap,
    Rbo,
    Tau,
}

/// The depth of `--list overlap`.
const OVERLAP: usize = DEPTHS[2];

/// The most models that are compared without being named, since every pair takes a pass.
const MAX_UNNAMED: usize = 4;

impl List {
    /// What to list of rows, or by which similarity of rankings.
    fn meaning(self) -> std::result::Result<What, By> {
        Ok(match self {
            List::Wins => What::Outcome(Outcome::Win),
            List::Ties => What::Outcome(Outcome::Tie),
            List::Losses => What::Outcome(Outcome::Loss),
            List::Deltas => What::Deltas,
            List::Flips => What::Flips,
            List::Overlap => return Err(By::Overlap(OVERLAP)),
            List::Rbo => return Err(By::RankBiased),
            List::Tau => return Err(By::Tau),
        })
    }
}

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let mut study = args.input.open(args.list.is_some())?;
    super::report_notes(&study, args.print.quiet);
    let added = args.marks.lay_over(&args.input, &mut study, args.print.quiet)?;
    study.require_models_and_truths()?;
    let request = request(args, &study, &added)?;
    let lines = plan::plan(&study, &request.lines)?;
    depths::tell_unheeded(&args.k, &lines);
    check_margin(args, &lines)?;
    match args.list.map(List::meaning) {
        None => compared(args, &study, &request)?,
        Some(Ok(what)) => {
            let rows = rows(&study, &request)?;
            let listing = listing::of_rows(&rows, what)?;
            let title = title(args, &request, &rows[0]);
            let direction = rows[0].direction;
            listed(args, (&study, &request), &listing, title, direction)?;
        }
        Some(Err(by)) => by_similarity(args, &study, &request, by)?,
    }
    Ok(0)
}

/// All queries, those first on which the rankings are least similar.
fn by_similarity(args: &CompareArgs, study: &Study, request: &Request, by: By) -> Result<()> {
    let ([_, _], [direction]) = (request.models.as_slice(), request.directions.as_slice()) else {
        return Err(Error::new("--list", "several models or directions")
            .expected("two models in one direction")
            .mend("choose with --models and --direction"));
    };
    let found = similarities(study, request, args.seed)?;
    let Some((models, found)) = found.first() else {
        return Ok(());
    };
    let names = models.map(|model| request.models[model].name.as_str());
    let title = format!("{} and {} {direction}", names[0], names[1]);
    listed(args, (study, request), &listing::of_rankings(found, by), title, *direction)
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
        clustering: match (args.by_image, args.by_query) {
            (true, _) => Clustering::ByImageOnly,
            (_, true) => Clustering::ByQuery,
            _ => Clustering::ByImage,
        },
        family: match args.family {
            FamilyArg::All => Family::All,
            FamilyArg::Pair => Family::Pair,
        },
    })
}

/// The models that are named, or all; the first two of them for a list. Runs of one model are one.
fn models(args: &CompareArgs, study: &Study) -> Result<Vec<Runs>> {
    let all = Runs::of(&study.models);
    let mut models: Vec<Runs> = Vec::new();
    for name in &args.models {
        let known = all.iter().find(|runs| runs.name == *name).cloned();
        let runs = match known {
            Some(runs) => runs,
            None => Runs::one(&study.models, study.model_place_beside(name, &several(&all))?),
        };
        if models.contains(&runs) {
            let found = format!("model {name} is named twice");
            return Err(Error::new("--models", found).expected("each model once"));
        }
        models.push(runs);
    }
    if args.models.is_empty() {
        models = all;
        if args.list.is_some() {
            models.truncate(2);
        } else if models.len() > MAX_UNNAMED {
            let found = format!("{} models, none of them named", models.len());
            let expected = format!("two models or more, by name if there are over {MAX_UNNAMED}");
            return Err(Error::new("--models", found).expected(expected));
        }
    }
    if models.len() < 2 {
        let plural = if models.len() == 1 { "" } else { "s" };
        let found = format!("{} model{plural} to compare", models.len());
        let error = Error::new("--models", found).expected("two models or more");
        let are_runs = models.first().is_some_and(Runs::are_several);
        let mend = if are_runs {
            "NAME@1 and NAME@2 are runs of one model; name them with --models to compare them"
        } else if study.models.len() < 2 {
            "name another score file"
        } else {
            "name another model with --models"
        };
        return Err(error.mend(mend));
    }
    Ok(models)
}

/// Names that stand for several runs.
fn several(all: &[Runs]) -> Vec<&str> {
    let several = all.iter().filter(|runs| runs.are_several());
    several.map(|runs| runs.name.as_str()).collect()
}

fn rows(study: &Study, request: &Request) -> Result<Vec<ModelDifference>> {
    let token = CancelToken::default();
    let measure = || compare::measure(study, request, &token);
    let Some(measured) = super::progress::shown(|| token.progress(), measure)? else {
        return Ok(Vec::new());
    };
    if measured.is_empty() {
        return Err(Error::new("--direction", "no ground truth has lists in this direction")
            .expected("a direction that a ground truth judges"));
    }
    measured.rows()
}

fn similarities(
    study: &Study,
    request: &Request,
    seed: u64,
) -> Result<Vec<([usize; 2], Similarity)>> {
    let mut found = Vec::new();
    let token = CancelToken::default();
    let study = &study.in_pool(request.lines.pools[0])?;
    for first in 0..request.models.len() {
        for second in first + 1..request.models.len() {
            for &direction in &request.directions {
                let run = |model: usize| &study.models[request.models[model].models[0]];
                let models = [run(first), run(second)];
                let compare = || similarity(study, models, direction, seed, &token);
                let similar =
                    super::progress::named("comparing rankings", || token.progress(), compare)?;
                found.extend(similar.map(|similar| ([first, second], similar)));
            }
        }
    }
    Ok(found)
}

fn compared(args: &CompareArgs, study: &Study, request: &Request) -> Result<()> {
    let models = each(request);
    let caveats = study.pool_caveats(&request.lines.pools, &models);
    let needs_similarities = args.full || args.print.format.is_data();
    with_compared(args, study, request, needs_similarities, |compared| {
        args.print.format.put(compared.report().warned(caveats))
    })
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
        by_image: request.clustering.images(study)?.is_some(),
        margin: args.margin,
        family: request.family,
        rows: &rows,
        similarities: &similarities,
        is_full: args.full,
    })
}

/// All models that are compared, run by run.
fn each(request: &Request) -> Vec<ModelIx> {
    let models = request.models.iter();
    models.flat_map(|runs| &runs.models).copied().collect()
}

/// What a list of a row is, in words.
fn title(args: &CompareArgs, request: &Request, row: &ModelDifference) -> String {
    let [first, second] = row.models.map(|model| request.models[model].name.as_str());
    let key = &row.line.key;
    let what = match args.list {
        Some(List::Wins) => format!("{first} better than {second} by {key}"),
        Some(List::Losses) => format!("{first} worse than {second} by {key}"),
        Some(List::Ties) => format!("{first} equal to {second} by {key}"),
        Some(List::Flips) => format!("another winner of {first} and {second}"),
        _ => format!("{first} - {second} by {key}"),
    };
    format!("{what} {}", row.direction)
}

fn listed(
    args: &CompareArgs,
    (study, request): (&Study, &Request),
    listing: &listing::Listing,
    title: String,
    direction: Direction,
) -> Result<()> {
    let listed = Listed {
        study,
        models: &request.models,
        direction,
        title,
        listing,
        limit: args.limit.unwrap_or(usize::MAX),
    };
    let report = listed.report();
    args.print.format.put(report.among(study, request.lines.pools[0], &each(request)))
}
