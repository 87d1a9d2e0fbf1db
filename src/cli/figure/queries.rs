//! Queries of a figure: by id, picked, or sampled from those that meet a condition.

use super::FigureArgs;
use crate::cli::draw;
use crate::cli::say;
use crate::cli::show::place_of;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::scene::DEPTH;
use crate::figure::selection::Chosen;
use crate::figure::{self, Wanted};
use crate::filter::Marks;
use crate::session::Pick;
use crate::study::{Study, View};

/// The queries of the arguments.
pub(super) fn wanted(
    args: &FigureArgs,
    (study, marks): (&Study, &Marks),
    picks: Option<&[Pick]>,
) -> anyhow::Result<Vec<Wanted>> {
    let is_any = !args.model.is_empty();
    let models = is_any.then(|| figure::models_named(study, &args.model)).transpose()?;
    let truth = args.truth.as_deref().map(|name| study.truth_place(name)).transpose()?;
    if let Some(picks) = picks {
        return Ok(of_picks(study, picks, (models.as_deref(), truth), args.k)?);
    }
    let (queries, chosen) = match &args.condition {
        Some(condition) => drawn(args, (study, marks), condition)?,
        None => (named(args, study)?, Chosen::Named),
    };
    let one = |(query, view): (usize, View)| Wanted {
        direction: view.direction,
        query,
        models: models.clone().unwrap_or_else(|| vec![view.model]),
        truth: truth.unwrap_or(view.truth),
        depth: args.k.unwrap_or(DEPTH),
        note: String::new(),
        heading: String::new(),
        chosen: chosen.clone(),
    };
    Ok(queries.into_iter().map(one).collect())
}

/// The queries of picks, with the models, ground truth and depth of the options, else those of the picks. Picks that
/// the study lacks are skipped with a warning.
///
/// # Errors
/// A study that lacks all picks.
fn of_picks(
    study: &Study,
    picks: &[Pick],
    asked: (Option<&[ModelIx]>, Option<TruthIx>),
    depth: Option<u32>,
) -> Result<Vec<Wanted>> {
    let (mut wanted, mut lacking) = (Vec::new(), Vec::new());
    for pick in picks {
        match Wanted::of_pick(study, pick, asked) {
            Ok(one) => wanted.push(Wanted { depth: depth.unwrap_or(one.depth), ..one }),
            Err(error) => lacking.push(error),
        }
    }
    let count = grouped(lacking.len());
    match lacking.into_iter().next() {
        Some(first) if wanted.is_empty() => {
            let mend = "the files that the session was made with, or --model NAME and --truth NAME of these";
            return Err(first.mend(mend));
        }
        Some(first) => say::warn([format!(
            "{count} of {} picks excluded: {}",
            grouped(picks.len()),
            first.found()
        )]),
        None => {}
    }
    Ok(wanted)
}

/// The queries of ids or file names, with the first model and the richest ground truth.
fn named(args: &FigureArgs, study: &Study) -> Result<Vec<(usize, View)>> {
    let mut found = Vec::new();
    for id in &args.query {
        let (direction, query) = place_of(study, id.trim(), args.direction)?;
        let truth = study.richest().unwrap_or_default();
        let one = (query, View { model: ModelIx::default(), truth, direction });
        if found.contains(&one) {
            let twice = format!("query {id} is named twice");
            return Err(Error::new("--query", twice).expected("each query once"));
        }
        found.push(one);
    }
    Ok(found)
}

/// The queries that meet a condition, or a sample of them, and how they were chosen.
fn drawn(
    args: &FigureArgs,
    (study, marks): (&Study, &Marks),
    condition: &str,
) -> anyhow::Result<(Vec<(usize, View)>, Chosen)> {
    let model = args.model.first().map(String::as_str);
    let view = View::choose(study, model, args.truth.as_deref(), args.direction)?;
    let mut found = draw::matches(condition, study, view, marks)?;
    let drawn = args.draw.draw((study, marks), view, condition, (&mut found, false))?;
    let chosen = drawn.map_or(Chosen::Named, |drawn| Chosen::Sampled(Box::new(drawn)));
    Ok((found.queries.iter().map(|one| (one.query as usize, view)).collect(), chosen))
}
