//! `itm-explore find`: the queries that meet a condition, or the items of their rankings.

use std::fmt::Write as _;

use clap::Args;

use super::InputArgs;
use super::draw::{DrawArgs, add_picks};
use super::format::FormatArgs;
use super::marks::MarksArgs;
use super::progress::{try_rank_bar, with_rank_bar};
use crate::analysis::listed_items::{self, Which};
use crate::cli::values::{Directions, above_zero, choices, direction_parser};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::figure::scene::DEPTH;
use crate::filter::{self, Column, Expression, FilterMatches, Marks, MatchedQuery, QuerySearch};
use crate::report::items::{DirectionItems, Items, ListedItems};
use crate::report::matches::MatchReport;
use crate::session::{Pick, QuerySample, Timestamp};
use crate::study::{Study, View};
use crate::truth::Truth;

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  itm-explore find a.npy b.npy coco5k/ --where \"a.r1 == 0 and b.map_at_r > 50%\"\n  \
                  itm-explore find sims.npy coco5k/ --where 'text ~ \"dog\" and words <= 12' --sort -rank --limit 20\n  \
                  itm-explore find sims.npy coco5k/ --items --which non-gt --k 10 --direction both --format csv",
    after_long_help = value_help()
)]
pub(super) struct FindArgs {
    /// Condition, such as "r1 == 0 and words <= 12"
    ///
    /// Without it, other options list every query that the ground truth covers.
    #[arg(
        long = "where",
        value_name = "EXPR",
        allow_hyphen_values = true,
        required_unless_present_any = ["items", "which", "k", "sort", "columns", "limit"]
    )]
    condition: Option<String>,
    /// Model of values without a model's name [default: the first]
    #[arg(long, alias = "models", value_name = "NAME")]
    model: Option<String>,
    /// Ground truth of values without its name [default: the richest]
    #[arg(long, value_name = "NAME")]
    truth: Option<String>,
    /// Direction of retrieval; both with --items [default: t2i if possible]
    #[arg(long, value_name = "DIRECTION", value_parser = direction_parser())]
    direction: Option<Directions>,
    /// Pool: fold1, folds, random1000s7, or of --pool-file
    #[arg(long, value_name = "NAME", default_value = "all")]
    pool: String,
    /// Print only the first N queries; with --items those with such items
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Sort ascending; `-EXPR` sorts descending [default: gallery order]
    #[arg(long, value_name = "EXPR", allow_hyphen_values = true)]
    sort: Option<String>,
    /// More columns, besides those of --where and --sort
    #[arg(long, value_name = "EXPR,..", allow_hyphen_values = true)]
    columns: Option<String>,
    #[command(flatten)]
    marks: MarksArgs,
    #[command(flatten)]
    format: FormatArgs,
    /// List the top items of the queries instead, a line per item
    #[arg(long)]
    items: bool,
    /// Items to list
    #[arg(long, value_name = "WHICH", default_value = Which::ALL[0].0, value_parser = choices(Which::ALL), requires = "items")]
    which: Which,
    /// Depth of the list of items
    #[arg(short, long, value_name = "N", default_value_t = 10, requires = "items", value_parser = above_zero)]
    k: u32,
    #[command(flatten)]
    draw: DrawArgs,
    #[command(flatten)]
    input: InputArgs,
}

pub(super) fn run(args: &FindArgs) -> anyhow::Result<()> {
    let study = args.input.open(true)?;
    let study = study.in_pool(study.pool_named(&args.pool)?)?;
    let mut study = super::with_texts_of(study, args.model.as_deref());
    // A sample may start a session, which is then missing.
    let is_new = args.draw.is_requested() && args.marks.path().is_some_and(|path| !path.exists());
    let marks = if is_new { Marks::default() } else { args.marks.read(&study)? };
    study.mark_not_relevant(&marks.judgments);
    if args.which == Which::Missed && study.phis.is_empty() {
        let found = "missed without a similarity of captions";
        let error = Error::new("--which", found).expected("--phi cider, or --phi NAME=FILE");
        return Err(error.into());
    }
    let views = args.views(&study, &marks)?.into_iter();
    let results = views.map(|view| args.search(&study, view, &marks));
    let results: Vec<SearchResult> = results.collect::<anyhow::Result<_>>()?;
    let Some(first) = results.first() else {
        return Err(Error::new("--direction", "a ground truth without lists").into());
    };
    let condition = args.condition();
    let model = &*study.models[first.view.model].name;
    let truth = &study.name_after_judgments(&study.truths[first.view.truth], &marks.judgments);
    let columns: Vec<&str> = first.columns.iter().map(|column| column.text.as_str()).collect();
    let counts = if args.items {
        let directions = results.iter().map(|result| list_items(args, &study, &marks, result));
        let items = Items {
            study: &study,
            condition,
            model,
            truth,
            which: args.which,
            depth: args.k,
            columns,
            marks: args.marks.path().map(|_| &marks),
            directions: directions.collect::<Result<_>>()?,
        };
        args.format.print(|| items.report().with_pool(&study))?;
        items.counts_text()
    } else {
        warn_without_session(args, &study, first.view);
        let answer = MatchReport {
            study: &study,
            condition,
            model,
            truth,
            direction: first.view.direction,
            columns: &columns,
            found: &first.found,
            sample: first.sample.as_ref(),
        };
        args.format.print(|| answer.report().with_pool(&study))?;
        answer.counts_text()
    };
    say!("{counts}");
    results.iter().try_for_each(|result| report_sample(args, &study, result))?;
    Ok(())
}

/// Queries that meet the condition in one direction.
struct SearchResult {
    view: View,
    filter: Expression,
    columns: Vec<Column>,
    found: FilterMatches,
    /// How the queries were sampled, with `--pick`.
    sample: Option<QuerySample>,
}

impl FindArgs {
    /// The condition of `--where`; without it, a condition that all covered queries meet.
    fn condition(&self) -> &str {
        self.condition.as_deref().unwrap_or(filter::ALL_COVERED)
    }

    /// The views to search: one, or with `--items --direction both` one for each direction of the ground truth.
    fn views(&self, study: &Study, marks: &Marks) -> Result<Vec<View>> {
        let directions = match self.direction {
            None => vec![None],
            Some(&[one]) => vec![Some(one)],
            Some(_) if self.items => {
                let truth = self.view(study, marks, None)?.truth;
                let has_lists = |one: &Direction| study.truths[truth].relevance[*one].is_some();
                Direction::BOTH.into_iter().filter(has_lists).map(Some).collect()
            }
            Some(_) => {
                return Err(Error::new("--direction", "both, of queries")
                    .expected("i2t or t2i")
                    .fix("--items lists what both directions rank first"));
            }
        };
        directions.into_iter().map(|direction| self.view(study, marks, direction)).collect()
    }

    /// The view of the options. If `--truth` names a ground truth with judgments, `TRUTH+mine`, the view has `TRUTH`,
    /// and the judgments in `marks` change its ranks later. Without `direction`, [`View::choose`] selects one.
    fn view(&self, study: &Study, marks: &Marks, direction: Option<Direction>) -> Result<View> {
        let is_requested = |truth: &&Truth| {
            let name = study.name_after_judgments(truth, &marks.judgments);
            self.truth.as_deref() == Some(name.as_str())
        };
        let changed = study.truths.iter().find(is_requested).map(|truth| truth.name.as_str());
        let (model, truth) = (self.model.as_deref(), self.truth.as_deref());
        View::choose(study, model, changed.or(truth), direction)
    }

    /// Finds and sorts the queries of a view that meet the condition, and with `--pick` samples them.
    fn search(&self, study: &Study, view: View, marks: &Marks) -> anyhow::Result<SearchResult> {
        let filter = Expression::condition(self.condition(), study, view);
        let filter = filter.map_err(|mistake| anyhow::anyhow!("--where, {mistake}"))?;
        let key = self.sort.as_ref().map(|text| Expression::number(text, study, view)).transpose();
        let key = key.map_err(|mistake| anyhow::anyhow!("--sort, {mistake}"))?;
        let columns = self.columns.iter().flat_map(|list| split_expressions(list));
        let columns = columns.map(|text| Column::parse(text, study, view));
        let columns = columns.collect::<std::result::Result<Vec<_>, _>>();
        let columns = columns.map_err(|mistake| anyhow::anyhow!("--columns, {mistake}"))?;
        let expressions = [self.condition.as_deref(), self.sort.as_deref()];
        let columns = Column::collect((expressions, self.items), columns, (study, view));
        // With `--items` the limit counts only queries that have such items: all are searched.
        let limit = self.limit.filter(|_| !self.items).unwrap_or(usize::MAX);
        let search = QuerySearch {
            filter: &filter,
            key: key.as_ref(),
            columns: &columns,
            limit: if self.draw.is_requested() { usize::MAX } else { limit },
            marks,
        };
        let mut found = with_rank_bar(|token| filter::find_queries(study, view, search, token))?;
        let matches = (&mut found, self.sort.is_some());
        let sample = self.draw.sample_matches((study, marks), view, self.condition(), matches)?;
        found.queries.truncate(limit);
        Ok(SearchResult { view, filter, columns, found, sample })
    }
}

/// Warns if the condition has a value that only a session gives, such as a tag, but no session is given.
fn warn_without_session(args: &FindArgs, study: &Study, view: View) {
    let condition = args.condition.as_deref().unwrap_or_default();
    let needs_session = Column::find_mark_value(condition, study, view);
    if let Some(value) = needs_session.filter(|_| args.marks.path().is_none()) {
        say!("warning: --where: without --session no query has {value}");
    }
}

/// Prints how queries were sampled, if they were, and adds them to the picks of the session, if one is given.
fn report_sample(args: &FindArgs, study: &Study, result: &SearchResult) -> Result<()> {
    let (direction, filter) = (result.view.direction, &result.filter);
    let Some(sample) = &result.sample else {
        return Ok(());
    };
    say!("{}", sample.sentence(direction));
    let Some(path) = args.marks.path() else {
        return Ok(());
    };
    let by = args.marks.annotator(path)?;
    let models = filter.models().into_iter().map(|model| study.models[model].name.clone());
    let models: Vec<String> = models.collect();
    let queries = study.gallery.queries(direction);
    let pick = |matched: &MatchedQuery| Pick {
        query: queries[matched.query as usize].clone(),
        direction,
        models: models.clone(),
        truth: study.truths[result.view.truth].name.clone(),
        depth: DEPTH,
        note: String::new(),
        pool: sample.pool.clone(),
        at: Timestamp::now(),
        by: by.clone(),
        sampled: Some(sample.clone()),
        group: None,
        other: serde_json::Map::new(),
    };
    add_picks(path, result.found.queries.iter().map(pick))
}

/// Splits a list of expressions at commas outside of brackets and quotes.
fn split_expressions(text: &str) -> Vec<&str> {
    let (mut depth, mut quote) = (0_usize, None);
    let is_comma = move |c: char| {
        match (quote, c) {
            (Some(end), _) if c == end => quote = None,
            (None, '"' | '`') => quote = Some(c),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ',') => return depth == 0,
            _ => {}
        }
        false
    };
    text.split(is_comma).collect()
}

/// Help text: every value that conditions can use, and how to write it.
fn value_help() -> String {
    let mut help = "Values of a query:\n".to_owned();
    for (value, doc) in filter::values() {
        // Writing to a string cannot fail.
        let _ = writeln!(help, "  {value:<26} {doc}");
    }
    help += "\nMODEL.VALUE, TRUTH.VALUE and MODEL.TRUTH.VALUE choose by name, in backticks where it is no\n\
             plain word: `my-model`.r1. Operators: == != < <= > >= ~ and or not + - * / and brackets.\n\
             Error types stand for their conditions, as in \"near miss and words <= 8\".\n\
             A query whose value is not known (not covered, undefined) meets no comparison with it.";
    help
}

/// Ranks and selects the items of `--items` for the queries of a result.
fn list_items<'a>(
    args: &FindArgs,
    study: &Study,
    marks: &Marks,
    result: &'a SearchResult,
) -> Result<DirectionItems<'a>> {
    let view = result.view;
    let queries: Vec<u32> = result.found.queries.iter().map(|matched| matched.query).collect();
    let request = listed_items::ItemsRequest {
        queries: &queries,
        depth: args.k as usize,
        which: args.which,
        judgments: &marks.judgments,
    };
    let retrieved =
        try_rank_bar(|token| listed_items::retrieve(study, view, request.depth, token))?;
    let items = listed_items::list_items(study, view, request, &retrieved);
    Ok(DirectionItems {
        direction: view.direction,
        found: &result.found,
        sample: result.sample.as_ref(),
        items: ListedItems::new(items, args.limit),
    })
}

#[cfg(test)]
mod tests {
    use super::split_expressions;

    #[test]
    fn commas_in_brackets_and_quotes_part_nothing() {
        let text = "non_gt_in_top(a, 5),`b,c`.r1, rank == 3";
        assert_eq!(split_expressions(text), ["non_gt_in_top(a, 5)", "`b,c`.r1", " rank == 3"]);
        assert_eq!(split_expressions("r1"), ["r1"]);
    }
}
