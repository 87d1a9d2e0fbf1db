//! Which queries a figure is of: named, picked, or drawn among those that meet a condition.

use super::FigureArgs;
use crate::cli::condition::Condition;
use crate::data::Direction;
use crate::data::id::Id;
use crate::data::index::{ModelIx, TruthIx};
use crate::data::text::grouped;
use crate::error::{Error, Result};
use crate::figure::chosen::Chosen;
use crate::figure::scene::DEPTH;
use crate::figure::{self, Wanted};
use crate::filter::{Marks, MatchedQuery};
use crate::session::Pick;
use crate::study::{Study, View};

/// The queries that the arguments name.
pub(super) fn wanted(
    args: &FigureArgs,
    (study, marks): (&Study, &Marks),
    picks: Option<&[Pick]>,
) -> anyhow::Result<Vec<Wanted>> {
    let asked = Asked::of(args, study)?;
    Ok(match (picks, &args.condition) {
        (Some(picks), _) => of_picks(study, picks, &asked)?,
        (None, Some(condition)) => drawn(args, (study, marks), (condition, &asked))?,
        (None, None) => named(args, study, &asked)?,
    })
}

/// The models, the truth and the depth that the arguments name, whatever a query was picked with.
struct Asked {
    models: Option<Vec<ModelIx>>,
    truth: Option<TruthIx>,
    depth: Option<u32>,
}

impl Asked {
    fn of(args: &FigureArgs, study: &Study) -> Result<Self> {
        let is_any = !args.model.is_empty();
        let models = is_any.then(|| figure::models_named(study, &args.model));
        let truth = args.truth.as_deref();
        Ok(Asked {
            models: models.transpose()?,
            truth: truth.map(|name| study.truth_place(name)).transpose()?,
            depth: args.k,
        })
    }

    /// A query that no pick is of; without what is asked for, with a view's model and truth.
    fn of_query(&self, query: usize, view: View, chosen: Chosen) -> Wanted {
        let models = self.models.clone();
        Wanted {
            direction: view.direction,
            query,
            models: models.unwrap_or_else(|| vec![view.model]),
            truth: self.truth.unwrap_or(view.truth),
            depth: self.depth.unwrap_or(DEPTH),
            note: String::new(),
            heading: String::new(),
            chosen,
        }
    }
}

/// The queries of picks, with what is asked for, else as they were picked. What the study lacks is left out, which is
/// told.
///
/// # Errors
/// A study that lacks what every pick is of.
fn of_picks(study: &Study, picks: &[Pick], asked: &Asked) -> Result<Vec<Wanted>> {
    let (mut wanted, mut lacking) = (Vec::new(), Vec::new());
    for pick in picks {
        match Wanted::of_pick_under(study, pick, (asked.models.as_deref(), asked.truth)) {
            Ok(mut one) => {
                one.depth = asked.depth.unwrap_or(one.depth);
                wanted.push(one);
            }
            Err(error) => lacking.push(error),
        }
    }
    let Some(first) = lacking.first() else {
        return Ok(wanted);
    };
    let (left, of) = (grouped(lacking.len()), grouped(picks.len()));
    let told = format!("{left} of {of} picks left out: {}", first.found());
    if wanted.is_empty() {
        let mend =
            "the files that the session was made with, or --model NAME and --truth NAME of these";
        return Err(lacking.swap_remove(0).mend(mend));
    }
    super::warn(&[told]);
    Ok(wanted)
}

fn named(args: &FigureArgs, study: &Study, asked: &Asked) -> Result<Vec<Wanted>> {
    let ids = args.query.iter().map(|id| Id::parse(id.trim()));
    let ids: Vec<Id> = ids.collect();
    if let Some(at) = (0..ids.len()).find(|&at| ids[..at].contains(&ids[at])) {
        let found = format!("query {} is named twice", ids[at]);
        return Err(Error::new("--query", found).expected("each query once"));
    }
    let one = |id: Id| {
        let direction = args.direction.unwrap_or_else(|| of_id(study, &id));
        let query = figure::query_named(study, direction, &id)?;
        let view = View {
            model: ModelIx::default(),
            truth: study.richest().unwrap_or_default(),
            direction,
        };
        Ok(asked.of_query(query, view, Chosen::Named))
    };
    ids.into_iter().map(one).collect()
}

/// The direction in which an id is a query: that of captions where both have it, or neither.
fn of_id(study: &Study, id: &Id) -> Direction {
    let is_query = |direction: &Direction| study.gallery.queries(*direction).find(id).is_some();
    let both = [Direction::T2i, Direction::I2t];
    both.into_iter().find(is_query).unwrap_or(Direction::T2i)
}

fn drawn(
    args: &FigureArgs,
    (study, marks): (&Study, &Marks),
    (condition, asked): (&Condition, &Asked),
) -> anyhow::Result<Vec<Wanted>> {
    let direction = args.direction;
    let model = args.model.first().map(String::as_str);
    let view = View::choose(study, model, args.truth.as_deref(), direction)?;
    let mut found = condition.find(study, view, marks)?;
    let drawn = args.draw.draw((study, marks), view, condition, (&mut found, false))?;
    let chosen = drawn.map_or(Chosen::Named, |drawn| Chosen::Sampled(Box::new(drawn)));
    let one = |one: &MatchedQuery| asked.of_query(one.query as usize, view, chosen.clone());
    Ok(found.queries.iter().map(one).collect())
}
