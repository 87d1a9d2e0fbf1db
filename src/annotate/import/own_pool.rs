//! Whether a pool is that of the questions at hand.

use rustc_hash::FxHashSet;

use super::Import;
use crate::annotate::hits::Hits;
use crate::annotate::pool::{Pool, PooledPair};
use crate::data::Direction;
use crate::data::id::Id;
use crate::error::{Error, Result};

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
    let all_hits = hits.iter().flat_map(|hits| &hits.hits);
    let queries: FxHashSet<(Direction, &Id)> =
        all_hits.clone().map(|hit| (hit.direction, &hit.query)).collect();
    let items = all_hits.flat_map(|hit| &hit.items).map(|item| (&item.image, &item.caption));
    let answers = import.answers.iter().map(|of| (&of.judgment.image, &of.judgment.caption));
    let pairs: FxHashSet<(&Id, &Id)> = items.chain(answers).collect();
    let is_asked = |pair: &PooledPair| pairs.contains(&(&pair.image, &pair.caption));
    if !pool.pairs.is_empty() && !pool.pairs.iter().any(is_asked) {
        return Err(Error::new(file, "none of its pairs is in the HITs or has an answer")
            .expected("the pool that the HITs were made of"));
    }
    let before = pool.pairs.len();
    if hits.is_some() {
        let is_of_query =
            |pair: &PooledPair| queries.contains(&(pair.query_direction, pair.query()));
        pool.pairs.retain(|pair| is_asked(pair) || is_of_query(pair));
    }
    Ok(before - pool.pairs.len())
}
