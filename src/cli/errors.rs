//! `itm-explore errors`: why a model fails.

use clap::{Args, builder::PossibleValuesParser};

use super::InputArgs;
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::progress::{counted, counting};
use super::values::positive;
use crate::analysis::evidence::Evidence;
use crate::analysis::kinds::{KINDS, Kind};
use crate::analysis::rescale::Rescaling;
use crate::analysis::survey::{self, Survey};
use crate::data::Direction;
use crate::data::index::{ModelIx, TruthIx};
use crate::error::{Error, Result};
use crate::filter::Marks;
use crate::report::errors::Errors;
use crate::report::errors::listed::Listed;
use crate::study::{Study, View};
use crate::truth::Kind as TruthKind;

/// Depths at which hubs are always counted.
const DEPTHS: [usize; 2] = [1, 5];

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore errors lsa.npy minilm.npy coco5k/\n  \
                  itm-explore errors minilm.npy coco5k/ --truth eccv --direction i2t --list near-duplicate\n  \
                  itm-explore errors lsa.npy coco5k/ --session lsa.itm.json")]
pub(super) struct ErrorsArgs {
    /// Models [default: all; for --list the first]
    #[arg(long, alias = "models", value_delimiter = ',', value_name = "NAMES")]
    model: Vec<String>,
    /// Ground truths; hubs, words and lists use the first [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    truth: Vec<String>,
    /// Direction of retrieval [default: t2i if possible]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Candidate pool, such as fold1, folds or random1000s7
    ///
    /// similar100:MODEL: for each query the 100 items that a model scores highest, and its positives; also those of --pool-file.
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
    #[arg(long, conflicts_with = "list")]
    full: bool,
    /// List the queries of one error type instead
    #[arg(long, value_name = "KIND", value_parser = PossibleValuesParser::new(KINDS.iter().map(|kind| kind.key)))]
    list: Option<String>,
    /// Print only the first N queries of a list
    #[arg(long, short = 'n', value_name = "N", requires = "list")]
    limit: Option<usize>,
    /// Add R@1 and mAP@R with scores rescaled by CSLS (10 neighbours)
    #[arg(long, conflicts_with = "list")]
    csls: bool,
    /// Add R@1 and mAP@R with scores rescaled by inverted softmax [T: 0.05]
    #[arg(long, conflicts_with = "list", value_name = "T", num_args = 0..=1, require_equals = true, default_missing_value = "0.05", value_parser = positive)]
    inverted_softmax: Option<f64>,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Neighbours of CSLS, as in its paper.
const NEIGHBOURS: usize = 10;

pub(super) fn run(args: &ErrorsArgs) -> anyhow::Result<u8> {
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let study = super::with_texts_of(study, args.model.first().map(String::as_str));
    let marks = args.marks.read(&study, args.input.quiet)?;
    match &args.list {
        Some(kind) => listed(args, &study, &marks, kind)?,
        None => with_errors(args, &study, &marks, |errors| {
            let models: Vec<ModelIx> = errors.evidence.models.iter().map(|of| of.model).collect();
            args.format.put(errors.report().among(&study, study.pool, &models))
        })?,
    }
    Ok(0)
}

fn gather<'a>(
    args: &ErrorsArgs,
    study: &'a Study,
    chosen: &Chosen,
    marks: &'a Marks,
) -> Result<Evidence<'a>> {
    let mut depths = DEPTHS.to_vec();
    depths.extend(args.k.iter().copied().map(usize::from));
    let both = (chosen.models.as_slice(), chosen.truths.as_slice());
    let asked = (chosen.main.direction, marks);
    counted(|token| Evidence::gather(study, both, asked, &depths, token))
}

/// Surveys the errors of the models and hands over the result.
pub(super) fn with_errors(
    args: &ErrorsArgs,
    study: &Study,
    marks: &Marks,
    put: impl FnOnce(Errors<'_>) -> Result<()>,
) -> Result<()> {
    let chosen = chosen(args, study)?;
    let evidence = gather(args, study, &chosen, marks)?;
    let mut ways = Vec::new();
    ways.extend(args.csls.then_some(Rescaling::Csls(NEIGHBOURS)));
    ways.extend(args.inverted_softmax.map(Rescaling::InvertedSoftmax));
    let truths = (chosen.truths.as_slice(), chosen.main.truth);
    let survey = counting(|token| Survey::of(&evidence, truths, &ways, token))?;
    put(Errors {
        evidence: &evidence,
        survey: &survey,
        hubs: args.hubs,
        words: args.words,
        is_full: args.full,
    })
}

/// What is looked at.
struct Chosen {
    models: Vec<ModelIx>,
    truths: Vec<TruthIx>,
    /// The first model under the truth that details are told under.
    main: View,
}

fn chosen(args: &ErrorsArgs, study: &Study) -> Result<Chosen> {
    // Of missing labels it is the original annotation that lacks something.
    let of_original = || {
        let mut truths = study.truths.iter();
        let original = truths.find(|truth| truth.kind == TruthKind::Original)?;
        (args.list.as_deref() == Some("missing-label")).then_some(original.name.as_str())
    };
    let truth = args.truth.first().map(String::as_str).or_else(of_original);
    let model = args.model.first().map(String::as_str);
    let main = View::choose(study, model, truth, args.direction)?;
    let direction = Some(main.direction);
    let mut models = super::model_places(study, &args.model)?;
    let named = args.truth.iter().map(|name| View::choose(study, None, Some(name), direction));
    let mut truths = named.map(|view| Ok(view?.truth)).collect::<Result<Vec<_>>>()?;
    if truths.is_empty() {
        let has = |truth: &TruthIx| study.truths[*truth].relevance[main.direction].is_some();
        truths.extend(TruthIx::all(&study.truths).filter(has));
    }
    if args.list.is_some() {
        (models, truths) = (vec![main.model], vec![main.truth]);
    }
    Ok(Chosen { models, truths, main })
}

/// The queries of one kind.
fn listed(args: &ErrorsArgs, study: &Study, marks: &Marks, key: &str) -> Result<()> {
    let kind = Kind::named(key).ok_or_else(|| Error::new("--list", key))?;
    let chosen = chosen(args, study)?;
    let view = chosen.main;
    let evidence = &gather(args, study, &chosen, marks)?;
    let examples = survey::examples(evidence, kind, view);
    let (examples, count) = examples.ok_or_else(|| {
        let found = format!("{} cannot be told here: {}", kind.key, kind.meaning);
        Error::new("--list", found).expected(match kind.key {
            "coarse-query" => "two models or more",
            "near-duplicate" => "captions with texts",
            "close-miss" => "--phi cider, or --phi NAME=FILE",
            "lacking-phrase" | "unrelated-caption" => "--entities DIR, of Flickr30k Entities",
            "pm-only" => "a richer ground truth, and COCO's instances_*.json among the files",
            _ => "the original ground truth and another one that the kind is about",
        })
    })?;
    let listed = Listed {
        evidence,
        view,
        kind,
        examples: &examples,
        count,
        limit: args.limit.unwrap_or(usize::MAX),
    };
    let report = listed.report();
    args.format.put(report.among(study, study.pool, &[view.model]))
}
