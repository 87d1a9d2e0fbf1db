//! Whether a pool is that of the questions at hand.

use rustc_hash::FxHashSet;

use super::Import;
use crate::annotate::hits::Hits;
use crate::annotate::pool::{Pool, PooledPair};
use crate::data::Direction;
use crate::data::id::Id;
use crate::error::{Error, Result};

/// What somebody asked or answered.
struct Questions<'a> {
    pairs: FxHashSet<(&'a Id, &'a Id)>,
    queries: FxHashSet<(Direction, &'a Id)>,
}

impl<'a> Questions<'a> {
    fn of(import: &'a Import, hits: Option<&'a Hits>) -> Self {
        let hits = || hits.into_iter().flat_map(|hits| &hits.hits);
        let items = hits().flat_map(|hit| &hit.items);
        let asked = items.map(|item| (&item.image, &item.caption));
        let answers = import.answers.iter();
        let answered = answers.map(|given| (&given.image, &given.caption));
        Questions {
            pairs: asked.chain(answered).collect(),
            queries: hits().map(|hit| (hit.direction, &hit.query)).collect(),
        }
    }

    fn has(&self, pair: &PooledPair) -> bool {
        self.pairs.contains(&(&pair.image, &pair.caption))
    }

    fn has_query(&self, pair: &PooledPair) -> bool {
        let query = (pair.query_direction, pair.query());
        self.queries.contains(&query)
    }
}

/// Leaves out what is of queries that no HIT asks, unless it has an answer; gives how many pairs. Without HITs nobody
/// knows what was asked, and all stay.
///
/// # Errors
/// A pool of which nothing was asked or answered; `file` names it.
pub fn leave_out_foreign(
    pool: &mut Pool,
    file: &str,
    (import, hits): (&Import, Option<&Hits>),
) -> Result<usize> {
    let asked = Questions::of(import, hits);
    if !pool.pairs.is_empty() && !pool.pairs.iter().any(|pair| asked.has(pair)) {
        let (found, of) = match hits {
            Some(_) => ("none of its pairs is in the HITs or has an answer", "the HITs"),
            None => ("none of its pairs has an answer", "the questions"),
        };
        return Err(Error::new(file, found).expected(format!("the pool that {of} were made of")));
    }
    let before = pool.pairs.len();
    if hits.is_some() {
        let is_own = |pair: &PooledPair| asked.has(pair) || asked.has_query(pair);
        pool.pairs.retain(is_own);
    }
    Ok(before - pool.pairs.len())
}
