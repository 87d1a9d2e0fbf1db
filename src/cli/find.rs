//! `itm-explore find`: the queries that meet a condition.

use std::fmt::Write as _;

use clap::Args;

use super::InputArgs;
use super::draw::{DrawArgs, Group};
use super::format::FormatArgs;
use super::marks::MarksArgs;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::error::Result;
use crate::filter::{self, Filter, FilterMatches, Key, Marks, Question};
use crate::rank::pass::CancelToken;
use crate::report::found::Answer;
use crate::session::QuerySample;
use crate::study::{Study, View};

#[derive(Debug, Args)]
#[command(after_help = after_help())]
pub(super) struct FindArgs {
    #[command(flatten)]
    input: InputArgs,
    /// The condition, such as "r1 == 0 and words <= 12"
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    condition: String,
    /// The model that values without a model's name are of [default: the first]
    #[arg(long, alias = "models", value_name = "NAME")]
    model: Option<String>,
    /// The truth that values without a truth's name are under, and whose queries are listed [default:
    /// the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Direction of retrieval [default: t2i, where the truth has it]
    #[arg(long, value_enum)]
    direction: Option<Direction>,
    /// Candidate pool: all, fold1, folds, a pool of --pool-file, random1000s7
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Print only the first N
    #[arg(long, value_name = "N")]
    limit: Option<usize>,
    /// Sort by a value, the least first; a minus turns it round [default: as in the gallery]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    sort: Option<String>,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    draw: DrawArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// Say nothing about the inputs on stderr
    #[arg(long, short)]
    quiet: bool,
}

pub(super) fn run(args: &FindArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    let study = args.input.open(true)?;
    if !args.quiet {
        super::report_notes(&study);
    }
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let (model, truth) = (args.model.as_deref(), args.truth.as_deref());
    let view = View::choose(&study, model, truth, args.direction)?;
    let filter = Filter::parse(&args.condition, &study, view);
    let filter = filter.map_err(|mistake| anyhow::anyhow!("--where, {mistake}"))?;
    let key = args
        .sort
        .as_ref()
        .map(|text| Key::parse(text, &study, view));
    let key = key.transpose();
    let key = key.map_err(|mistake| anyhow::anyhow!("--sort, {mistake}"))?;
    // Queries that are drawn may begin a session.
    let marks = if args.draw.is_asked() && args.marks.is_new() {
        Marks::default()
    } else {
        args.marks.read(&args.input, &study, args.quiet)?
    };
    let question = Question {
        filter: &filter,
        key: key.as_ref(),
        limit: args
            .limit
            .filter(|_| !args.draw.is_asked())
            .unwrap_or(usize::MAX),
        marks: &marks,
    };
    let token = CancelToken::default();
    let find = || filter::find(&study, view, question, &token);
    let mut found = super::progress::shown(|| token.progress(), find)?;
    let drawn = args.draw.draw(&study, view, &args.condition, &mut found)?;
    found.queries.truncate(args.limit.unwrap_or(usize::MAX));
    let answer = Answer {
        condition: &args.condition,
        model: &study.models[view.model].name,
        truth: &study.truths[view.truth].name,
        direction: view.direction,
        found: &found,
        drawn: drawn.as_ref(),
    };
    args.format.put(answer.report())?;
    say!("{}", answer.share());
    drawn.map_or(Ok(()), |drawn| {
        notes(args, &study, (view, &filter), &drawn, &found)
    })?;
    Ok(0)
}

/// Says how queries were drawn, and adds them to the picks of a session where one is named.
fn notes(
    args: &FindArgs,
    study: &Study,
    (view, filter): (View, &Filter),
    drawn: &QuerySample,
    found: &FilterMatches,
) -> Result<()> {
    say!("{}", drawn.sentence(view.direction));
    let Some(path) = args.marks.path() else {
        return Ok(());
    };
    let group = Group {
        study,
        direction: view.direction,
        models: models(study, view, filter),
        drawn,
        by: &args.marks.annotator(path)?,
    };
    group.record(path, found)
}

/// The models of the view and of the condition, each once.
fn models(study: &Study, view: View, filter: &Filter) -> Vec<String> {
    let mut models = vec![view.model];
    for need in &filter.needs().views {
        if !models.contains(&need.model) {
            models.push(need.model);
        }
    }
    let name = |model: ModelIx| study.models[model].name.clone();
    models.into_iter().map(name).collect()
}

fn after_help() -> String {
    let mut help = "Values of a query:\n".to_owned();
    for (value, doc) in filter::values() {
        // Writing to a string cannot fail.
        let _ = writeln!(help, "  {value:<26} {doc}");
    }
    help += "\nMODEL.VALUE, TRUTH.VALUE and MODEL.TRUTH.VALUE choose by name, in backticks where it is no\n\
             plain word: `my-model`.r1. Operators: == != < <= > >= ~ and or not + - * / and brackets.\n\
             A query whose value is not known (not judged, undefined) meets no comparison with it.\n\n\
             Examples:\n  itm-explore find a.npy b.npy coco5k/ --where \"a.r1 == 0 and b.map_at_r > 50%\"\n  \
             itm-explore find sims.npy coco5k/ --where 'text ~ \"dog\" and extra_in_top(5) >= 2' --sort -rank --limit 20\n  \
             itm-explore find a.npy b.npy coco5k/ --where \"a.r1 == 0 and b.r1\" --pick 5 --seed 7 --session own.itm.json\n  \
             itm-explore find lsa.npy coco5k/ --session lsa.itm.json --where \"verdicts > 0 and not r1\"";
    help
}
