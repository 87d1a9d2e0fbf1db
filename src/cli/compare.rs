//! `itm-explore compare`: compares models, query by query.

use clap::Args;

use super::InputArgs;
use super::correlate::{self, SizedFile, describe_sizes, with_free_names};
use super::eval::{DEPTHS, metric_choice, metric_key};
use super::format::FormatArgs;
use super::marks::{MarksArgs, with_mine};
use super::progress::try_rank_bar;
use super::values::{DirectionArgs, above_zero, positive_number};
use crate::analysis::clusters::Clustering;
use crate::analysis::compare::{self, TestRequest};
use crate::analysis::leaderboard::Leaderboard;
use crate::analysis::paired_values::all_pairs;
use crate::analysis::results::{self, ModelValues, Sizes};
use crate::analysis::runs::Runs;
use crate::analysis::similarity::{Similarity, similarity};
use crate::data::text;
use crate::error::{Error, Result};
use crate::evaluate::plan;
use crate::report::compare::{Comparison, ranks};
use crate::study::Study;

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore compare lsa.npy minilm.npy coco5k/\n  \
                        itm-explore compare runs/*.npy earlier.json coco5k/ --truth eccv\n  \
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
    /// Print every pair, counts, winner flips and similarity too
    #[arg(long)]
    full: bool,
    /// Treat queries as independent (default: cluster captions by image)
    #[arg(long)]
    by_query: bool,
    /// Test equivalence and non-inferiority within X points, or ranks
    #[arg(long, value_name = "X", value_parser = positive_number)]
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

pub(super) fn run(args: &CompareArgs) -> anyhow::Result<()> {
    let (results, input) = correlate::split_results(&args.input);
    let (results, galleries) = correlate::read_results(&results, &args.direction.list())?;
    let inputs = input.inputs(false);
    if !results.is_empty() && inputs.demo && !input.given.demo {
        require_one_gallery(&galleries)?;
        rank_results(args, &results, galleries.first().map(|(_, sizes)| *sizes))?;
        return Ok(());
    }
    let mut study = InputArgs::open_inputs(&inputs)?;
    require_same_gallery(&study, galleries)?;
    let mine = args.marks.add_mine(&mut study)?;
    study.require_models_and_truths()?;
    let request = make_request(args, &study, &mine, results)?;
    with_comparison(args, &study, &request, args.full, |comparison| {
        args.format.print(|| comparison.report())
    })?;
    Ok(())
}

/// Checks that result files are of a gallery of the study's size.
pub(super) fn require_same_gallery(study: &Study, result_files: Vec<SizedFile>) -> Result<()> {
    let gallery =
        Sizes { images: study.gallery.images.len(), captions: study.gallery.captions.len() };
    let loaded = std::iter::once(("the score files".to_owned(), gallery));
    require_one_gallery(&loaded.chain(result_files).collect::<Vec<_>>())
}

/// Checks that all files are of galleries of one size: other results cannot be ranked together.
///
/// # Errors
/// A file whose gallery differs in size from that of the first file.
fn require_one_gallery(galleries: &[SizedFile]) -> Result<()> {
    let Some((other, sizes)) = galleries.iter().find(|(_, sizes)| *sizes != galleries[0].1) else {
        return Ok(());
    };
    let (first, expected) = &galleries[0];
    Err(Error::new(other, format!("results of a gallery of {}", describe_sizes(*sizes)))
        .expected(format!("{}, as in {first}", describe_sizes(*expected)))
        .fix("compare models that were evaluated on the same gallery"))
}

/// Prints a leaderboard of earlier results, without score files.
fn rank_results(args: &CompareArgs, results: &[ModelValues], gallery: Option<Sizes>) -> Result<()> {
    let results: Vec<ModelValues> =
        results.iter().filter(|model| is_requested(args, &model.name)).cloned().collect();
    require_two_models(results.len())?;
    let metrics: Vec<String> = args.metrics.iter().map(|name| metric_key(name)).collect();
    let scope = (args.truth.first().map(String::as_str), args.pool.as_str());
    let board = results::leaderboard(&results, gallery, scope, (&metrics, &args.direction.list()))?;
    args.format.print(|| ranks::report(&board, gallery))
}

/// Whether to compare the model `name`: `--models` lists it, or is not given.
fn is_requested(args: &CompareArgs, name: &str) -> bool {
    args.models.is_empty() || args.models.iter().any(|other| other == name)
}

/// Checks that there are at least two models to compare.
fn require_two_models(count: usize) -> Result<()> {
    if count >= 2 {
        return Ok(());
    }
    let found = format!("{} to compare", text::count(count, "model"));
    Err(Error::new("--models", found).expected("two models or more").fix("another score file"))
}

/// The comparison that the arguments request, with models of earlier results. `mine` has the names of each ground truth
/// before and after judgments.
///
/// Only ground truths named with `--truth` are tested: every further row makes Holm's correction stricter.
pub(super) fn make_request(
    args: &CompareArgs,
    study: &Study,
    mine: &[[String; 2]],
    results: Vec<ModelValues>,
) -> Result<ComparisonRequest> {
    let mut results = with_free_names(results, study);
    results.retain(|model| is_requested(args, &model.name));
    let models = requested_runs(args, study, &results)?;
    require_two_models(models.len() + results.len())?;
    let tests = TestRequest {
        models,
        lines: plan::Request {
            metrics: metric_choice(&args.metrics),
            depths: args.k.clone(),
            truths: with_mine(&args.truth, mine),
            pools: vec![study.pool_named(&args.pool)?],
            ..plan::Request::default()
        },
        directions: args.direction.list(),
        clustering: if args.by_query { Clustering::ByQuery } else { Clustering::ByImage },
    };
    Ok(ComparisonRequest { tests, results })
}

/// Models of score files that `--models` lists (all if it is not given), with training runs combined. Listed names of
/// `results` are skipped.
fn requested_runs(args: &CompareArgs, study: &Study, results: &[ModelValues]) -> Result<Vec<Runs>> {
    let all = Runs::from_models(&study.models);
    let shared_names = all.iter().filter(|runs| runs.has_several());
    let shared_names: Vec<&str> = shared_names.map(|runs| runs.name.as_str()).collect();
    let mut models: Vec<Runs> = Vec::new();
    let loaded = args.models.iter().filter(|name| results.iter().all(|model| model.name != **name));
    for name in loaded {
        let known = all.iter().find(|runs| runs.name == *name).cloned();
        let runs = match known {
            Some(runs) => runs,
            None => Runs::single(&study.models, study.model_index_beside(name, &shared_names)?),
        };
        if models.contains(&runs) {
            let found = format!("model {name} is named twice");
            return Err(Error::new("--models", found).expected("each model once"));
        }
        models.push(runs);
    }
    Ok(if args.models.is_empty() { all } else { models })
}

/// Similarity of rankings of every two models in each direction, by the first run of each and in the request's first
/// pool. Each is given with the indices of both models in the request.
fn similarities(
    study: &Study,
    request: &TestRequest,
    seed: u64,
) -> Result<Vec<([usize; 2], Similarity)>> {
    let mut similarities = Vec::new();
    let study = &study.in_pool(request.lines.pools[0])?;
    for pair in all_pairs(request.models.len()) {
        let models = pair.map(|model| &study.models[request.models[model].models[0]]);
        for &direction in &request.directions {
            let similar = try_rank_bar(|token| similarity(study, models, direction, seed, token))?;
            similarities.push((pair, similar));
        }
    }
    Ok(similarities)
}

/// Compares the models and passes the comparison to `print`. More than two models are ranked; with `is_full`, every two
/// are also tested.
pub(super) fn with_comparison(
    args: &CompareArgs,
    study: &Study,
    request: &ComparisonRequest,
    is_full: bool,
    print: impl FnOnce(Comparison<'_>) -> Result<()>,
) -> Result<()> {
    let ComparisonRequest { tests, results } = request;
    let has_pairs = is_full || request.is_pair();
    let mut tests = tests.clone();
    let truth = compare::ranking_truth(study, &tests)?;
    if !has_pairs {
        tests.lines.truths = vec![study.truths[truth].name.clone()];
    }
    let values = try_rank_bar(|token| compare::compute_values(study, &tests, token))?;
    let board = (!request.is_pair()).then(|| values.leaderboard(truth, results));
    let rows = if has_pairs { values.rows() } else { Vec::new() };
    let has_numbers =
        |board: &Leaderboard| board.entries.iter().flat_map(|one| &one.values).any(Option::is_some);
    if !board.as_ref().map_or(!rows.is_empty(), has_numbers) {
        return Err(Error::new("--direction", "no ground truth has lists in this direction")
            .expected("a direction that a ground truth covers"));
    }
    let needs_similarities = is_full || request.is_pair() && args.format.is_data();
    let similarities =
        if needs_similarities { similarities(study, &tests, args.seed)? } else { Vec::new() };
    print(Comparison {
        study,
        models: &tests.models,
        board,
        pool: tests.lines.pools[0],
        seed: args.seed,
        by_image: tests.clustering.images(study).is_some(),
        margin: args.margin,
        rows: &rows,
        similarities: &similarities,
        is_full,
    })
}

/// Models to compare, and the tests of those with score files.
pub(super) struct ComparisonRequest {
    /// Models of score files, and how to compare them query by query.
    tests: TestRequest,
    /// Models of earlier results.
    results: Vec<ModelValues>,
}

impl ComparisonRequest {
    /// Whether the comparison is of two models, both with score files.
    pub(super) fn is_pair(&self) -> bool {
        self.tests.models.len() == 2 && self.results.is_empty()
    }
}
