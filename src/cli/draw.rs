//! Samples of the queries that meet a condition: the options `--pick`, `--seed` and `--diverse` of `find` and `figure`.

use std::path::Path;

use clap::Args;

use super::progress;
use super::values::above_zero;
use crate::analysis::draw;
use crate::data::in_use;
use crate::data::text::{count, grouped, shown};
use crate::error::{Error, Result};
use crate::filter::{self, Expression, FilterMatches, Marks, MatchedQuery, QuerySearch};
use crate::session::{OpenSession, Pick, QuerySample, Session};
use crate::study::{Study, View};

/// Finds the queries of a view that meet the condition of `--where`, in gallery order.
pub(super) fn find_matches(
    condition: &str,
    study: &Study,
    view: View,
    marks: &Marks,
) -> anyhow::Result<FilterMatches> {
    let filter = Expression::condition(condition, study, view);
    let filter = filter.map_err(|mistake| anyhow::anyhow!("--where, {mistake}"))?;
    let search = QuerySearch { filter: &filter, key: None, columns: &[], limit: usize::MAX, marks };
    Ok(progress::with_rank_bar(|token| filter::find_queries(study, view, search, token))?)
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
    pub(super) fn is_requested(&self) -> bool {
        self.pick.is_some()
    }

    /// With `--pick`, reduces the matching queries to a sample and returns how it was drawn; else returns `None`. The
    /// sample keeps the order of the matches if `is_sorted`, and is in the order of sampling otherwise.
    ///
    /// # Errors
    /// No query to sample from.
    pub(super) fn sample_matches(
        &self,
        (study, marks): (&Study, &Marks),
        view: View,
        condition: &str,
        (matches, is_sorted): (&mut FilterMatches, bool),
    ) -> Result<Option<QuerySample>> {
        let Some(count) = self.pick else {
            return Ok(None);
        };
        let mut queries: Vec<u32> = matches.queries.iter().map(|matched| matched.query).collect();
        queries.sort_unstable();
        let population = Population { condition, queries: &queries, total: matches.searched };
        let (drawn, sample) =
            population.sample((study, marks), view, (count, self.seed, self.diverse))?;
        let position = |one: &MatchedQuery| drawn.iter().position(|query| *query == one.query);
        matches.queries.retain(|one| position(one).is_some());
        if !is_sorted {
            matches.queries.sort_by_key(position);
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
    /// Number of all queries that were searched for the condition.
    pub(super) total: usize,
}

impl Population<'_> {
    /// A sample of at most `count` queries in sampling order, and its record for picks and figures. With `diverse`, the
    /// queries have different words; else they are drawn at random.
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
            let found = format!("0 of {} queries meet {condition}", grouped(total));
            return Err(Error::new("--pick", found).expected("at least one to draw from"));
        }
        let drawn = if diverse {
            draw::sample_diverse(study, view.direction, queries, count as usize, seed)
        } else {
            draw::sample_at_random(queries, count as usize, seed)
        };
        let sample = QuerySample {
            condition: condition.to_owned(),
            model: study.models[view.model].name.clone(),
            truth: study.name_after_judgments(&study.truths[view.truth], &marks.judgments),
            pool: study.own_pool_name(),
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

/// Adds picks to the session at `path`, which is created if missing, and prints how many. Queries that are picked
/// already are skipped.
///
/// # Errors
/// A session that cannot be read or saved, or is open elsewhere.
pub(super) fn add_picks(path: &Path, picks: impl Iterator<Item = Pick>) -> Result<()> {
    in_use::note_input(path)?;
    let OpenSession { mut session, lock, .. } = Session::open(path)?;
    let before = session.picks.len();
    for new in picks {
        let is_same = |pick: &Pick| pick.direction == new.direction && pick.query == new.query;
        if !session.picks.iter().any(is_same) {
            session.picks.push(new);
        }
    }
    lock.into_saver(path)?.save(&session)?;
    let added = session.picks.len() - before;
    say!("{} added to {}", count(added, "pick"), shown(&path.display().to_string()));
    Ok(())
}
