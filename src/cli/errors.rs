//! `itm-explore errors`: error analysis.

use clap::Args;

use super::InputArgs;
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::progress::try_rank_bar;
use crate::analysis::evidence::Evidence;
use crate::analysis::survey::{self, Survey};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::error::Result;
use crate::filter::Marks;
use crate::report::errors::Errors;
use crate::study::{Study, View};

/// Depths at which hubs are counted besides those of `--k`.
const HUB_DEPTHS: [usize; 2] = [1, 5];

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore errors lsa.npy minilm.npy coco5k/\n  \
                  itm-explore errors minilm.npy coco5k/ --truth eccv --direction i2t --full\n  \
                  itm-explore errors lsa.npy coco5k/ --session lsa.itm.json")]
pub(super) struct ErrorsArgs {
    /// Models [default: all]
    #[arg(long, alias = "models", value_delimiter = ',', value_name = "NAMES")]
    model: Vec<String>,
    /// Ground truths; hubs and words use the first [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    /// Direction of retrieval [default: t2i if possible]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    #[command(flatten)]
    marks: MarksArgs,
    /// Depths at which hubs are counted besides 1 and 5
    #[arg(long, short, default_value = "10", value_name = "N", value_delimiter = ',', value_parser = clap::value_parser!(u16).range(1..=1000))]
    k: Vec<u16>,
    /// Hubs to print per model, those most often top-1 first
    #[arg(long, default_value_t = 20, value_name = "N")]
    hubs: usize,
    /// Words to print per model
    #[arg(long, default_value_t = 15, value_name = "N")]
    words: usize,
    /// Print every ground truth, hubs, words and what the types mean too
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &ErrorsArgs) -> anyhow::Result<()> {
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let study = super::with_texts_of(study, args.model.first().map(String::as_str));
    let marks = args.marks.read(&study)?;
    with_errors(args, &study, &marks, |errors| {
        args.format.print(|| errors.report().with_pool(&study))
    })?;
    Ok(())
}

/// Analyses the errors of the models and passes the result to `then`.
pub(super) fn with_errors<T>(
    args: &ErrorsArgs,
    study: &Study,
    marks: &Marks,
    then: impl FnOnce(Errors<'_>) -> Result<T>,
) -> Result<T> {
    let ErrorScope { models, truths, main } = select_scope(args, study)?;
    let depths: Vec<usize> =
        HUB_DEPTHS.into_iter().chain(args.k.iter().copied().map(usize::from)).collect();
    let evidence = try_rank_bar(|token| {
        Evidence::gather(study, (&models, &truths), (main.direction, marks), &depths, token)
    })?;
    let survey = Survey::new(&evidence, &truths, main.truth);
    then(Errors {
        evidence: &evidence,
        survey: &survey,
        tags: survey::tag_counts(&marks.tags),
        hubs: args.hubs,
        words: args.words,
        is_full: args.full,
    })
}

/// Models and ground truths to analyse.
struct ErrorScope {
    models: Vec<ModelIx>,
    truths: Vec<TruthIx>,
    /// First model, ground truth of hubs and words, and direction.
    main: View,
}

/// The requested models and ground truths; without names all models, and all ground truths with the direction.
fn select_scope(args: &ErrorsArgs, study: &Study) -> Result<ErrorScope> {
    let truth = args.truth.first().map(String::as_str);
    let model = args.model.first().map(String::as_str);
    let main = View::choose(study, model, truth, args.direction)?;
    let direction = Some(main.direction);
    let models = super::model_indices(study, &args.model)?;
    let named = args.truth.iter().map(|name| View::choose(study, None, Some(name), direction));
    let mut truths = named.map(|view| Ok(view?.truth)).collect::<Result<Vec<_>>>()?;
    if truths.is_empty() {
        let has_lists = |truth: &TruthIx| study.truths[*truth].relevance[main.direction].is_some();
        truths.extend(TruthIx::all(&study.truths).filter(has_lists));
    }
    Ok(ErrorScope { models, truths, main })
}
