//! `find --items`: a line for each query and item.

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::{Answered, FindArgs};
use crate::analysis::first_items::{self, Which};
use crate::data::Direction;
use crate::error::{Error, Result};
use crate::filter::Marks;
use crate::rank::pass::CancelToken;
use crate::report::items::{Found, Items, OfDirection};
use crate::study::Study;

#[derive(Debug, Args)]
pub(super) struct ItemsArgs {
    /// List the top items of the queries instead, a line per item
    #[arg(long)]
    items: bool,
    /// Items to list
    #[arg(long, value_name = "WHICH", default_value = Which::ALL[0].0, value_parser = which(), requires = "items")]
    which: Which,
    /// Depth of the list of items
    #[arg(short, long, value_name = "N", default_value_t = 10, requires = "items", value_parser = crate::cli::depths::above_zero)]
    k: u32,
}

fn which() -> impl TypedValueParser<Value = Which> {
    let words = Which::ALL.map(|(word, _)| PossibleValue::new(word));
    PossibleValuesParser::new(words).map(|word| {
        let found = Which::ALL.into_iter().find(|(known, _)| *known == word);
        found.map_or(Which::All, |(_, which)| which)
    })
}

impl ItemsArgs {
    /// Whether items are listed, not queries.
    pub(super) fn is_asked(&self) -> bool {
        self.items
    }
}

/// Lists the items of every direction asked for.
pub(super) fn run(args: &FindArgs, study: &Study, marks: &Marks) -> anyhow::Result<()> {
    if args.items.which == Which::Missed && study.phis.is_empty() {
        let found = "missed without a similarity of captions";
        return Err(Error::new("--which", found)
            .expected("--phi cider, or --phi NAME=FILE")
            .into());
    }
    let mut answers = Vec::new();
    for direction in directions(args, study, marks)? {
        let view = args.view(study, marks, direction)?;
        answers.push(args.answer(study, view, marks)?);
    }
    let found = answers.iter().map(|answered| of_direction(args, study, marks, answered));
    let directions: Vec<OfDirection<'_>> = found.collect::<Result<_>>()?;
    let [model, truth] = answers[0].asked.names(study, marks);
    let items = Items {
        study,
        condition: args.condition(),
        model: &model,
        truth: &truth,
        which: args.items.which,
        depth: args.items.k,
        columns: answers[0].asked.heads(),
        verdicts: args.marks.path().map(|_| &marks.verdicts),
        directions,
    };
    let models = answers[0].asked.filter.models();
    args.print.format.put(items.report().among(study, study.pool, &models))?;
    say!("{}", items.share());
    answers.iter().try_for_each(|answered| super::notes(args, study, answered))?;
    Ok(())
}

/// The directions, as `View::choose` takes them: of both, those that the truth has.
fn directions(args: &FindArgs, study: &Study, marks: &Marks) -> Result<Vec<Option<Direction>>> {
    let Some(wanted) = &args.direction else {
        return Ok(vec![None]);
    };
    if let Some(one) = wanted.one() {
        return Ok(vec![Some(one)]);
    }
    let truth = args.view(study, marks, None)?.truth;
    let has = |direction: &Direction| study.truths[truth].relevance[*direction].is_some();
    let both = wanted.list().into_iter().filter(has).map(Some).collect::<Vec<_>>();
    if both.is_empty() {
        return Err(Error::new("--direction", "a ground truth without lists"));
    }
    Ok(both)
}

fn of_direction<'a>(
    args: &FindArgs,
    study: &Study,
    marks: &Marks,
    answered: &'a Answered,
) -> Result<OfDirection<'a>> {
    let view = answered.asked.view;
    let queries: Vec<u32> = answered.found.queries.iter().map(|one| one.query).collect();
    let asked = first_items::Asked {
        queries: &queries,
        depth: args.items.k as usize,
        which: args.items.which,
        verdicts: &marks.verdicts,
    };
    let token = CancelToken::default();
    let find = || {
        let retrieved = first_items::retrieved(study, view, asked.depth, &token)?;
        let list = |retrieved| first_items::first_items(study, view, asked, &retrieved);
        retrieved.map(list).transpose()
    };
    let items = super::super::progress::shown(|| token.progress(), find)?;
    Ok(OfDirection {
        direction: view.direction,
        found: &answered.found,
        drawn: answered.drawn.as_ref(),
        items: Found::first(items.unwrap_or_default(), args.limit),
    })
}
