//! `itm-explore compare`: models side by side, query by query.

use clap::{Args, ValueEnum};

use super::direction::DirectionArgs;
use super::eval::choice;
use super::format::paper::PaperArgs;
use super::marks::MarksArgs;
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
                  itm-explore compare a.npy b.npy eccv.json --truth eccv --metrics r1 --direction t2i --list losses\n  \
                  itm-explore compare a.npy b.npy eccv.json --truth eccv --direction t2i --list flips")]
pub(super) struct CompareArgs {
    /// Models to compare; NAME stands for its runs NAME@1, NAME@2
    ///
    /// [default: all, at most four; for --list the first two]
    #[arg(long, alias = "model", value_delimiter = ',', value_name = "A,B")]
    models: Vec<String>,
    /// Metrics, such as R@1 or r1, or `all`
    #[arg(long, value_delimiter = ',', value_name = "NAMES", default_values_t = ["r1", "map_at_r"].map(str::to_owned))]
    metrics: Vec<String>,
    /// Depths of metrics at K, separated by commas
    #[arg(long, short, value_delimiter = ',', default_values_t = depths::USUAL, value_parser = crate::cli::depths::above_zero)]
    k: Vec<u32>,
    /// Ground truths [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    #[command(flatten)]
    direction: DirectionArgs,
    /// Candidate pool, such as fold1, folds or random1000s7
    ///
    /// similar100:MODEL: for each query the 100 items that a model scores highest, and its positives; also those of --pool-file.
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Treat queries as independent (default: cluster by image)
    #[arg(long, conflicts_with = "by_image")]
    by_query: bool,
    /// Cluster by image, and fail if a caption's image is unknown
    #[arg(long)]
    by_image: bool,
    /// Also test equivalence within X percentage points, or ranks
    #[arg(long, value_name = "X", value_parser = margin, allow_negative_numbers = true)]
    margin: Option<f64>,
    /// Random seed of the items for Kendall's tau
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = seed)]
    seed: u64,
    /// Rows in Holm's correction: all, or pair
    #[arg(long, value_enum, default_value_t = FamilyArg::All)]
    family: FamilyArg,
    /// List queries: wins, ties, losses, deltas, flips, overlap, rbo, tau
    #[arg(long, value_enum, value_name = "WHAT")]
    list: Option<List>,
    /// Print only the first N queries of a list
    #[arg(long, short = 'n', value_name = "N", requires = "list")]
    limit: Option<usize>,
    #[command(flatten)]
    format: PaperArgs,
    #[command(flatten)]
    marks: MarksArgs,
    /// Print warnings only
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    pub(super) input: InputArgs,
}

fn margin(text: &str) -> std::result::Result<f64, String> {
    let margin = text.parse().ok().filter(|margin: &f64| *margin > 0.0 && margin.is_finite());
    margin.ok_or_else(|| "a number above 0 is expected".into())
}

/// The greatest difference of two shares, in percentage points.
const GREATEST: f64 = 100.0;

/// That a margin is one that a difference can go beyond, where any metric is a share.
fn check_margin(args: &CompareArgs, lines: &[Line]) -> Result<()> {
    let is_share =
        |line: &Line| per_query::spec(line).is_some_and(|spec| spec.metric.unit() == Unit::Share);
    match args.margin {
        Some(margin) if margin > GREATEST && lines.iter().any(is_share) => {
            let found =
                format!("{margin} percentage points: no difference is greater than {GREATEST}");
            Err(Error::new("--margin", found)
                .expected(format!("the least difference that matters, below {GREATEST}; more in ranks, with --metrics mean_rank alone")))
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

/// The most models that are compared without being named: every two of them take a pass.
const MOST: usize = 4;

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
    args.format.check()?;
    let mut study = args.input.open(args.list.is_some())?;
    super::report_notes(&study, args.quiet);
    let added = args.marks.lay_over(&args.input, &mut study, args.quiet)?;
    study.require_models_and_truths()?;
    tell_unasked(args, &added);
    if args.margin.is_some() && args.format.is_latex() {
        say!(
            "warning: --margin: changes nothing in LaTeX, which has no column for it; --format table has"
        );
    }
    let request = request(args, &study)?;
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
    if !args.truth.is_empty() {
        say!("warning: --truth: changes nothing, as how alike rankings are depends on none");
    }
    let found = similarities(study, request, args.seed)?;
    let Some((models, found)) = found.first() else {
        return Ok(());
    };
    let names = models.map(|model| request.models[model].name.as_str());
    let title = format!("{} and {} {direction}", names[0], names[1]);
    listed(args, (study, request), &listing::of_rankings(found, by), title, *direction)
}

/// Warns where the verdicts change ground truths and none of those was asked for.
fn tell_unasked(args: &CompareArgs, added: &[[String; 2]]) {
    let changed = added.iter().filter(|[truth, _]| args.truth.contains(truth));
    let changed: Vec<&str> = changed.map(|[_, changed]| changed.as_str()).collect();
    let is_asked = |name: &&str| args.truth.iter().any(|asked| asked == name);
    if !changed.is_empty() && !changed.iter().any(is_asked) {
        let changed = changed.join(",");
        say!("warning: --session: changes nothing, as --truth does not name {changed}");
    }
}

/// What is compared. Whoever names ground truths has those tested and no others: each row that is tested makes the
/// correction of all others harder.
fn request(args: &CompareArgs, study: &Study) -> Result<Request> {
    Ok(Request {
        models: models(args, study)?,
        lines: plan::Request {
            metrics: choice(&args.metrics),
            depths: args.k.clone(),
            truths: args.truth.clone(),
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
        } else if models.len() > MOST {
            let found = format!("{} models and no choice among them", models.len());
            let expected = format!("two models or more, by name; up to {MOST} need none");
            return Err(Error::new("--models", found).expected(expected));
        }
    }
    if models.len() < 2 {
        let plural = if models.len() == 1 { "" } else { "s" };
        let found = format!("{} model{plural} to compare", models.len());
        let error = Error::new("--models", found).expected("two models or more");
        let are_runs = models.first().is_some_and(Runs::are_several);
        let mend = if are_runs {
            "NAME@1 and NAME@2 are runs of one model; named with --models they are compared"
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
    let rows = rows(study, request)?;
    let similarities = similarities(study, request, args.seed)?;
    let compared = Compared {
        study,
        models: &request.models,
        pool: request.lines.pools[0],
        seed: args.seed,
        by_image: request.clustering.images(study)?.is_some(),
        margin: args.margin,
        family: request.family,
        rows: &rows,
        similarities: &similarities,
    };
    let models = each(request);
    let caveats = study.pool_caveats(&request.lines.pools, &models);
    args.format.put(compared.report().warned(caveats))
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
    args.format.put(report.among(study, request.lines.pools[0], &each(request)))
}
