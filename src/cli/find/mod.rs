//! `itm-explore find`: the queries that meet a condition, and what ranks first for them.

mod columns;
mod items;

use std::fmt::Write as _;

use clap::Args;

use self::columns::ColumnsArgs;
use self::items::ItemsArgs;
use super::InputArgs;
use super::condition::Condition;
use super::direction::OneOrBoth;
use super::draw::{DrawArgs, Group};
use super::format::PrintArgs;
use super::marks::MarksArgs;
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::filter::{self, Column, Filter, FilterMatches, Key, Marks, Question};
use crate::rank::pass::CancelToken;
use crate::report::found::Answer;
use crate::session::QuerySample;
use crate::study::{Study, View};
use crate::truth::Truth;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore find a.npy b.npy coco5k/ --where \"a.r1 == 0 and b.map_at_r > 50%\"\n  \
                  itm-explore find sims.npy coco5k/ --where 'text ~ \"dog\" and words <= 12' --sort -rank --limit 20\n  \
                  itm-explore find sims.npy coco5k/ --items --which extra --k 10 --direction both --format csv",
    after_long_help = values()
)]
pub(super) struct FindArgs {
    /// Condition, such as "r1 == 0 and words <= 12", or a saved @NAME
    ///
    /// Without it, other options list every query that the ground truth covers.
    #[arg(
        long = "where",
        value_name = "EXPR",
        allow_hyphen_values = true,
        required_unless_present_any = ["items", "which", "k", "sort", "columns", "limit"]
    )]
    condition: Option<Condition>,
    /// Model of values without a model's name [default: the first]
    #[arg(long, alias = "models", value_name = "NAME")]
    model: Option<String>,
    /// Ground truth of values without its name [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Direction of retrieval; both with --items [default: t2i if possible]
    #[arg(long, value_name = "DIRECTION", value_parser = OneOrBoth::parser())]
    direction: Option<OneOrBoth>,
    /// Candidate pool, such as fold1, folds or random1000s7
    ///
    /// similar100:MODEL: for each query the 100 items that a model scores highest, and its positives; also those of --pool-file.
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Print only the first N queries; with --items those with such items
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Sort ascending; `-EXPR` sorts descending [default: gallery order]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    sort: Option<String>,
    #[command(flatten)]
    columns: ColumnsArgs,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    print: PrintArgs,
    #[command(flatten)]
    items: ItemsArgs,
    #[command(flatten)]
    draw: DrawArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &FindArgs) -> anyhow::Result<u8> {
    super::end_on_closed_pipe();
    args.condition.as_ref().map_or(Ok(()), Condition::check)?;
    let study = args.input.open(true)?;
    super::report_notes(&study, args.print.quiet);
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let mut study = super::with_texts_of(study, args.model.as_deref());
    let marks = args.read_marks(&study)?;
    study.tell_not_relevant(&marks.verdicts);
    if args.items.is_asked() {
        items::run(args, &study, &marks)?;
        return Ok(0);
    }
    let direction = match &args.direction {
        Some(wanted) => Some(wanted.one().ok_or_else(both)?),
        None => None,
    };
    let view = args.view(&study, &marks, direction)?;
    tell_unmarked(args, &study, view);
    let answered = args.answer(&study, view, &marks)?;
    let Answered { asked, found, drawn } = &answered;
    let [model, truth] = asked.names(&study, &marks);
    let answer = Answer {
        condition: args.condition(),
        model: &model,
        truth: &truth,
        direction: asked.view.direction,
        columns: &asked.heads(),
        found,
        drawn: drawn.as_ref(),
    };
    let models = asked.filter.models();
    args.print.format.put(answer.report().among(&study, study.pool, &models))?;
    say!("{}", answer.share());
    notes(args, &study, &answered)?;
    Ok(0)
}

fn both() -> Error {
    Error::new("--direction", "both, of queries")
        .expected("i2t or t2i")
        .mend("--items lists what both directions rank first")
}

/// What is asked of one direction.
struct Asked {
    view: View,
    filter: Filter,
    key: Option<Key>,
    columns: Vec<Column>,
}

impl Asked {
    /// The names of the model and the truth, with the verdicts that are laid over it.
    fn names(&self, study: &Study, marks: &Marks) -> [String; 2] {
        let View { model, truth, .. } = self.view;
        let truth = study.name_under(&study.truths[truth], &marks.verdicts);
        [study.models[model].name.clone(), truth]
    }

    /// The heads of the columns.
    fn heads(&self) -> Vec<&str> {
        self.columns.iter().map(|column| column.text.as_str()).collect()
    }
}

/// What was found in one direction.
struct Answered {
    asked: Asked,
    found: FilterMatches,
    drawn: Option<QuerySample>,
}

impl FindArgs {
    fn condition(&self) -> &str {
        self.condition.as_deref().unwrap_or(filter::ALL)
    }

    /// What is looked at. Ground truths may be named as verdicts change them: these are laid over ranks.
    fn view(&self, study: &Study, marks: &Marks, direction: Option<Direction>) -> Result<View> {
        let is_named = |truth: &&Truth| {
            let name = study.name_under(truth, &marks.verdicts);
            self.truth.as_deref() == Some(name.as_str())
        };
        let changed = study.truths.iter().find(is_named);
        let changed = changed.map(|truth| truth.name.as_str());
        let (model, truth) = (self.model.as_deref(), self.truth.as_deref());
        View::choose(study, model, changed.or(truth), direction)
    }

    /// What a person made. Queries that are drawn may begin a session.
    fn read_marks(&self, study: &Study) -> Result<Marks> {
        if self.draw.is_asked() && self.marks.is_new() {
            return Ok(Marks::default());
        }
        self.marks.read(&self.input, study, self.print.quiet)
    }

    /// Reads the expressions.
    fn asked(&self, study: &Study, view: View) -> anyhow::Result<Asked> {
        let filter = Filter::parse(self.condition(), study, view);
        let flag = || self.condition.as_ref().map_or("--where".into(), Condition::flag);
        let wrong = |mistake| anyhow::anyhow!("{}, {mistake}", flag());
        let filter = filter.map_err(wrong)?;
        let key = self.sort.as_ref();
        let key = key.map(|text| Key::parse(text, study, view)).transpose();
        let key = key.map_err(|mistake| anyhow::anyhow!("--sort, {mistake}"))?;
        let named = [self.condition.as_deref(), self.sort.as_deref()];
        let of_items = self.items.is_asked();
        let columns = self.columns.read((named, of_items), study, view)?;
        Ok(Asked { view, filter, key, columns })
    }

    /// Asks all queries of a direction.
    fn answer(&self, study: &Study, view: View, marks: &Marks) -> anyhow::Result<Answered> {
        let asked = self.asked(study, view)?;
        // Of items those queries are counted that have any: all are asked.
        let limit = self.limit.filter(|_| !self.items.is_asked());
        let first = limit.filter(|_| !self.draw.is_asked());
        let question = Question {
            filter: &asked.filter,
            key: asked.key.as_ref(),
            columns: &asked.columns,
            limit: first.unwrap_or(usize::MAX),
            marks,
        };
        let token = CancelToken::default();
        let find = || filter::find(study, view, question, &token);
        let mut found = super::progress::shown(|| token.progress(), find)?;
        let sorted = (&mut found, self.sort.is_some());
        let drawn = self.draw.draw((study, marks), view, self.condition(), sorted)?;
        found.queries.truncate(limit.unwrap_or(usize::MAX));
        Ok(Answered { asked, found, drawn })
    }
}

/// Says where a condition is about what a person made, and no session tells that.
fn tell_unmarked(args: &FindArgs, study: &Study, view: View) {
    let condition = args.condition.as_deref().unwrap_or_default();
    let named = Column::named_in(condition, study, view);
    let of_person = named.iter().find(|column| column.is_of_person());
    if let Some(column) = of_person.filter(|_| args.marks.path().is_none()) {
        say!("warning: --where: {} is 0 for every query without --session", column.text);
    }
}

/// Says how queries were drawn, and adds them to the picks of a session where one is named.
fn notes(args: &FindArgs, study: &Study, answered: &Answered) -> Result<()> {
    let Some(drawn) = &answered.drawn else {
        return Ok(());
    };
    let asked = &answered.asked;
    say!("{}", drawn.sentence(asked.view.direction));
    let Some(path) = args.marks.path() else {
        return Ok(());
    };
    let models = asked.filter.models();
    let names = models.iter().map(|&model| study.models[model].name.clone());
    let group = Group {
        study,
        direction: asked.view.direction,
        models: names.collect(),
        drawn,
        by: &args.marks.annotator(path)?,
    };
    group.record(path, &answered.found)
}

/// What a condition may name.
fn values() -> String {
    let mut help = "Values of a query:\n".to_owned();
    for (value, doc) in filter::values() {
        // Writing to a string cannot fail.
        let _ = writeln!(help, "  {value:<26} {doc}");
    }
    help += "\nMODEL.VALUE, TRUTH.VALUE and MODEL.TRUTH.VALUE choose by name, in backticks where it is no\n\
             plain word: `my-model`.r1. Operators: == != < <= > >= ~ and or not + - * / and brackets.\n\
             Error types stand for their conditions, as in \"near miss and words <= 8\".\n\
             A query whose value is not known (not judged, undefined) meets no comparison with it.";
    help
}
