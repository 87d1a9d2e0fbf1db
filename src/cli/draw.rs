//! Samples of queries that meet a condition: flags of `find` and `figure`.

use std::path::Path;

use clap::Args;

use super::progress;
use super::values::above_zero;
use crate::analysis::draw;
use crate::data::in_use;
use crate::data::text::{count, grouped, shown};
use crate::error::{Error, Result};
use crate::filter::{self, Expression, FilterMatches, Marks, MatchedQuery, Question};
use crate::session::{Opened, Pick, QuerySample, Session};
use crate::study::{Study, View};

/// The queries of a view that meet a condition.
pub(super) fn matches(
    condition: &str,
    study: &Study,
    view: View,
    marks: &Marks,
) -> anyhow::Result<FilterMatches> {
    let filter = Expression::condition(condition, study, view);
    let filter = filter.map_err(|mistake| anyhow::anyhow!("--where, {mistake}"))?;
    let question = Question { filter: &filter, key: None, columns: &[], limit: usize::MAX, marks };
    Ok(progress::counting(|token| filter::find(study, view, question, token))?)
}

#[derive(Debug, Clone, Args)]
pub(super) struct DrawArgs {
    /// Sample N matching queries; `find` adds them to the session's picks
    #[arg(long, value_name = "N", requires = "condition", value_parser = above_zero)]
    pick: Option<u32>,
    /// Random seed
    #[arg(long, value_name = "S", default_value_t = 0, requires = "pick")]
    seed: u64,
    /// Sample queries with different words instead of at random
    #[arg(long, requires = "pick")]
    diverse: bool,
}

impl DrawArgs {
    /// Whether queries are to be sampled: `--pick` was given.
    pub(super) fn is_asked(&self) -> bool {
        self.pick.is_some()
    }

    /// Keeps only the sampled queries, in sampling order, or if they are `sorted` as they were, and returns how they
    /// were sampled; `None` without a request. The sample does not depend on the sort order.
    ///
    /// # Errors
    /// No query to sample from.
    pub(super) fn draw(
        &self,
        (study, marks): (&Study, &Marks),
        view: View,
        condition: &str,
        (found, sorted): (&mut FilterMatches, bool),
    ) -> Result<Option<QuerySample>> {
        let Some(count) = self.pick else {
            return Ok(None);
        };
        let mut met: Vec<u32> = found.queries.iter().map(|one| one.query).collect();
        met.sort_unstable();
        let population = Population { condition, queries: &met, total: found.of };
        let (drawn, sample) =
            population.sample((study, marks), view, (count, self.seed, self.diverse))?;
        let place = |one: &MatchedQuery| drawn.iter().position(|query| *query == one.query);
        found.queries.retain(|one| place(one).is_some());
        if !sorted {
            found.queries.sort_by_key(place);
        }
        Ok(Some(sample))
    }
}

/// Queries to sample from.
pub(super) struct Population<'a> {
    /// The condition that they meet.
    pub(super) condition: &'a str,
    /// Gallery indices of the queries, ascending.
    pub(super) queries: &'a [u32],
    /// Number of queries searched.
    pub(super) total: usize,
}

impl Population<'_> {
    /// A sample of `count` queries in sampling order, and how they were sampled.
    ///
    /// # Errors
    /// No query to sample from.
    pub(super) fn sample(
        &self,
        (study, marks): (&Study, &Marks),
        view: View,
        (count, seed, diverse): (u32, u64, bool),
    ) -> Result<(Vec<u32>, QuerySample)> {
        let Population { condition, queries, total } = *self;
        if queries.is_empty() {
            let none = format!("0 of {} queries meet {condition}", grouped(total));
            return Err(Error::new("--pick", none).expected("at least one to draw from"));
        }
        let drawn = if diverse {
            draw::unlike(study, view.direction, queries, count as usize, seed)
        } else {
            draw::at_random(queries, count as usize, seed)
        };
        let sample = QuerySample {
            condition: condition.to_owned(),
            model: study.models[view.model].name.clone(),
            truth: study.name_under(&study.truths[view.truth], &marks.judgments),
            pool: study.own_pool(),
            matched: queries.len(),
            total,
            sampled: drawn.len(),
            diverse,
            seed,
            other: serde_json::Map::new(),
        };
        Ok((drawn, sample))
    }
}

/// Adds picks to a session, created if missing. An existing pick stays as it is.
///
/// # Errors
/// A session that cannot be read or saved, or is open elsewhere.
pub(super) fn add_picks(path: &Path, picks: impl Iterator<Item = Pick>) -> Result<()> {
    in_use::reads(path)?;
    let Opened { mut session, lock, .. } = Session::open(path)?;
    let before = session.picks.len();
    for new in picks {
        let is_it = |pick: &Pick| pick.direction == new.direction && pick.query == new.query;
        if !session.picks.iter().any(is_it) {
            session.picks.push(new);
        }
    }
    lock.into_saver(path)?.save(&session)?;
    let added = session.picks.len() - before;
    say!("{} added to {}", count(added, "pick"), shown(&path.display().to_string()));
    Ok(())
}
