//! Samples of queries that meet a condition: flags of `find` and `figure`.

use std::path::Path;

use clap::Args;

use super::values::above_zero;
use crate::analysis::draw;
use crate::data::in_use;
use crate::data::text::{count, grouped, shown};
use crate::error::{Error, Result};
use crate::filter::{FilterMatches, Marks, MatchedQuery};
use crate::session::{Opened, Pick, QuerySample, Session};
use crate::study::{Study, View};

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
        if found.queries.is_empty() {
            let none = format!("0 of {} queries meet {condition}", grouped(found.of));
            return Err(Error::new("--pick", none).expected("at least one to draw from"));
        }
        let mut met: Vec<u32> = found.queries.iter().map(|one| one.query).collect();
        met.sort_unstable();
        let drawn = if self.diverse {
            draw::unlike(study, view.direction, &met, count as usize, self.seed)
        } else {
            draw::at_random(&met, count as usize, self.seed)
        };
        let place = |one: &MatchedQuery| drawn.iter().position(|query| *query == one.query);
        found.queries.retain(|one| place(one).is_some());
        if !sorted {
            found.queries.sort_by_key(place);
        }
        Ok(Some(QuerySample {
            condition: condition.to_owned(),
            model: study.models[view.model].name.clone(),
            truth: study.name_under(&study.truths[view.truth], &marks.judgments),
            pool: study.own_pool(),
            matched: found.met,
            total: found.of,
            sampled: drawn.len(),
            diverse: self.diverse,
            seed: self.seed,
            other: serde_json::Map::new(),
        }))
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
    lock.held(path)?.save(&session)?;
    let added = session.picks.len() - before;
    say!("{} added to {}", count(added, "pick"), shown(&path.display().to_string()));
    Ok(())
}
