//! `itm-explore slices`: queries on which models differ most.

use std::fs;
use std::path::PathBuf;

use clap::Args;

use super::InputArgs;
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::progress::try_rank_bar;
use crate::analysis::slices::{REQUESTED, Slice, SliceRequest, Slices, WordList, built_in_slices};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::filter::Marks;
use crate::report::slices::SliceReport;
use crate::study::{Study, View};

#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  itm-explore slices lsa.npy minilm.npy coco5k/\n  \
                  itm-explore slices a.npy b.npy coco5k/ --slice 'dogs in snow=text ~ \"dog\" and text ~ \"snow\"'\n  \
                  itm-explore slices a.npy b.npy coco5k/ --table scenes.csv --words words.toml --full")]
pub(super) struct SlicesArgs {
    /// Models; the first two are compared [default: all]
    #[arg(long, alias = "model", value_delimiter = ',', value_name = "A,B")]
    models: Vec<String>,
    /// Ground truth [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Direction of retrieval [default: t2i if possible]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Candidate pool, such as fold1, folds or random1000s7
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Add a slice: the queries that meet a condition; repeatable
    #[arg(long, value_name = "[NAME=]EXPR")]
    slice: Vec<String>,
    /// Words and phrases by group, instead of the built-in list
    #[arg(long, value_name = "FILE.toml")]
    words: Option<PathBuf>,
    /// Print every slice, all intervals and the conditions
    #[arg(long)]
    full: bool,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    format: FormatArgs,
    #[command(flatten)]
    input: InputArgs,
}

/// Splits a value of `--slice` into name and condition: `NAME=EXPR`, or a condition that is its own name.
fn name_and_condition(text: &str) -> (&str, &str) {
    let is_name = |name: &str| !name.contains(['<', '>', '!', '~', '"', '(']);
    match text.split_once('=') {
        Some((name, condition)) if is_name(name) && !condition.starts_with('=') => {
            (name.trim(), condition.trim())
        }
        _ => (text, text),
    }
}

pub(super) fn run(args: &SlicesArgs) -> anyhow::Result<()> {
    let words = read_word_list(args)?;
    let study = args.input.open(true)?;
    study.require_models_and_truths()?;
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let study = super::with_texts_of(study, args.models.first().map(String::as_str));
    let marks = args.marks.read(&study)?;
    let slices = evaluate_slices(args, &study, &words, &marks)?;
    let truth = &study.truths[slices.view.truth];
    let report = SliceReport {
        study: &study,
        truth: &study.name_after_judgments(truth, &marks.judgments),
        slices: &slices,
        is_full: args.full,
    };
    Ok(args.format.print(|| report.report().with_pool(&study))?)
}

/// The word list of `--words`, else the built-in one.
fn read_word_list(args: &SlicesArgs) -> Result<WordList> {
    let Some(path) = &args.words else {
        return Ok(WordList::built_in());
    };
    let text = fs::read_to_string(path).map_err(|error| Error::io(path, &error))?;
    WordList::parse(&path.display().to_string(), &text)
}

/// Evaluates the models on built-in slices and on those of `--slice`.
fn evaluate_slices(
    args: &SlicesArgs,
    study: &Study,
    words: &WordList,
    marks: &Marks,
) -> anyhow::Result<Slices> {
    let models = super::model_indices(study, &args.models)?;
    let first = args.models.first().map(String::as_str);
    let view = View::choose(study, first, args.truth.as_deref(), args.direction)?;
    let mut request = SliceRequest::new(study, &models, view, built_in_slices(study, view, words));
    let requested = args.slice.iter().map(|text| name_and_condition(text));
    let requested: Vec<(&str, &str)> = requested.collect();
    for (at, &(name, condition)) in requested.iter().enumerate() {
        if requested[..at].iter().any(|(known, _)| *known == name) {
            let found = format!("two slices named {name}");
            return Err(Error::new("--slice", found).expected("each name once").into());
        }
        let slice = Slice {
            group: REQUESTED.into(),
            name: name.to_owned(),
            condition: condition.to_owned(),
        };
        request.add(slice).map_err(|mistake| anyhow::anyhow!("--slice {name}, {mistake}"))?;
    }
    Ok(try_rank_bar(|token| request.compute(Some(marks), token))?)
}
