//! Queries of a figure: by id, picked, or sampled from those that meet a condition.

use super::FigureArgs;
use crate::cli::draw;
use crate::cli::say;
use crate::cli::show::locate_query;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::scene::DEPTH;
use crate::figure::selection::QuerySelection;
use crate::figure::{self, FigureQuery};
use crate::filter::Marks;
use crate::session::Pick;
use crate::study::{Study, View};

/// The queries to draw, with models, ground truth and depth: picks if given, else those of `--where` or `--query`.
pub(super) fn requested_queries(
    args: &FigureArgs,
    (study, marks): (&Study, &Marks),
    picks: Option<&[Pick]>,
) -> anyhow::Result<Vec<FigureQuery>> {
    let has_models = !args.model.is_empty();
    let models = has_models.then(|| figure::find_models(study, &args.model)).transpose()?;
    let truth = args.truth.as_deref().map(|name| study.truth_index(name)).transpose()?;
    if let Some(picks) = picks {
        return Ok(from_picks(study, picks, (models.as_deref(), truth), args.k)?);
    }
    let (queries, selection) = match &args.condition {
        Some(condition) => matching_queries(args, (study, marks), condition)?,
        None => (queries_by_id(args, study)?, QuerySelection::Named),
    };
    let figure_query = |(query, view): (usize, View)| FigureQuery {
        direction: view.direction,
        query,
        models: models.clone().unwrap_or_else(|| vec![view.model]),
        truth: truth.unwrap_or(view.truth),
        depth: args.k.unwrap_or(DEPTH),
        note: String::new(),
        heading: String::new(),
        selection: selection.clone(),
    };
    Ok(queries.into_iter().map(figure_query).collect())
}

/// The queries of picks. If given, `models`, `truth` and `depth` replace those of the picks. Picks that the study lacks
/// are skipped with a warning.
///
/// # Errors
/// A study that lacks all picks.
fn from_picks(
    study: &Study,
    picks: &[Pick],
    (models, truth): (Option<&[ModelIx]>, Option<TruthIx>),
    depth: Option<u32>,
) -> Result<Vec<FigureQuery>> {
    let (mut queries, mut errors) = (Vec::new(), Vec::new());
    for pick in picks {
        match FigureQuery::from_pick(study, pick, (models, truth)) {
            Ok(one) => queries.push(FigureQuery { depth: depth.unwrap_or(one.depth), ..one }),
            Err(error) => errors.push(error),
        }
    }
    let count = grouped(errors.len());
    match errors.into_iter().next() {
        Some(first) if queries.is_empty() => {
            let fix = "the files that the session was made with, or --model NAME and --truth NAME of these";
            return Err(first.fix(fix));
        }
        Some(first) => say::warn([format!(
            "{count} of {} picks excluded: {}",
            grouped(picks.len()),
            first.found()
        )]),
        None => {}
    }
    Ok(queries)
}

/// The queries of `--query` by id or file name, each with a view: the first model and the richest ground truth.
fn queries_by_id(args: &FigureArgs, study: &Study) -> Result<Vec<(usize, View)>> {
    let mut queries = Vec::new();
    for id in &args.query {
        let (direction, query) = locate_query(study, id.trim(), args.direction)?;
        let truth = study.richest().unwrap_or_default();
        let one = (query, View { model: ModelIx::default(), truth, direction });
        if queries.contains(&one) {
            let found = format!("query {id} is named twice");
            return Err(Error::new("--query", found).expected("each query once"));
        }
        queries.push(one);
    }
    Ok(queries)
}

/// The queries that meet a condition, or a sample of them, each with its view, and how they were selected.
fn matching_queries(
    args: &FigureArgs,
    (study, marks): (&Study, &Marks),
    condition: &str,
) -> anyhow::Result<(Vec<(usize, View)>, QuerySelection)> {
    let model = args.model.first().map(String::as_str);
    let view = View::choose(study, model, args.truth.as_deref(), args.direction)?;
    let mut found = draw::find_matches(condition, study, view, marks)?;
    let sample = args.draw.sample_matches((study, marks), view, condition, (&mut found, false))?;
    let sample = sample.map(Box::new);
    let selection = sample.map_or(QuerySelection::Named, QuerySelection::Sampled);
    Ok((found.queries.iter().map(|one| (one.query as usize, view)).collect(), selection))
}
