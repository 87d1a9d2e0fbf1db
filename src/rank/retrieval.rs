//! The top items of every query, in its pool.

use super::pass::CancelToken;
use super::top_k::{TopK, top_k};
use crate::data::Direction;
use crate::data::candidate_mask::CandidateMask;
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;

/// Top items of a model for the queries of one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TopItems {
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery indices of the queries in the pool.
    pub queries: Vec<u32>,
    /// Gallery indices of the items in the pool.
    pub items: Vec<u32>,
    /// The top items of each query of the gallery, best first; empty outside the pool.
    top_k: TopK,
}

impl TopItems {
    /// Finds the first `k` items of all queries in the pool; `None` if cancelled.
    ///
    /// # Errors
    /// As [`top_k`].
    pub fn find(
        (gallery, mask): (&Gallery, Option<&CandidateMask>),
        model: &Model,
        direction: Direction,
        k: usize,
        token: &CancelToken,
    ) -> Result<Option<Self>> {
        let Some(top_k) = top_k(gallery, model, mask, direction, k, token)? else {
            return Ok(None);
        };
        let in_pool = |direction: Direction| -> Vec<u32> {
            let Some(mask) = mask else {
                return (0..gallery.queries(direction).len() as u32).collect();
            };
            let parts = mask.parts().iter();
            let mut all: Vec<u32> =
                parts.flat_map(|part| part.queries(direction).to_vec()).collect();
            all.sort_unstable();
            all
        };
        let (queries, items) = (in_pool(direction), in_pool(direction.flipped()));
        Ok(Some(TopItems { direction, queries, items, top_k }))
    }

    /// The top items of the query with this gallery index; fewer if its ranking ends, none outside the pool.
    pub fn head(&self, query: u32) -> &[u32] {
        &self.top_k[query as usize]
    }

    /// The top-1 of the query with this gallery index; `None` if nothing is ranked for it.
    pub fn first(&self, query: u32) -> Option<u32> {
        self.head(query).first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::index::QueryIx;
    use crate::rank::ranking::Ranking;
    use crate::study::demo;

    /// In the whole gallery and in a pool, by sorting everything.
    #[test]
    fn top_k_are_those_of_whole_rankings() {
        let whole = demo::open().unwrap();
        let pool = whole.pool_named("random20s3").unwrap();
        for study in [whole.clone(), whole.in_pool(pool).unwrap()] {
            for direction in Direction::BOTH {
                let model = &study.models[1];
                let field = (&study.gallery, study.mask.as_deref());
                let found = TopItems::find(field, model, direction, 7, &CancelToken::default());
                let found = found.unwrap().unwrap();
                assert_eq!(found.queries.len(), study.pool_sizes()[direction]);
                assert_eq!(found.items.len(), study.pool_sizes()[direction.flipped()]);
                for query in 0..study.gallery.queries(direction).len() {
                    let mut ranking = Ranking::for_query(model, direction, query);
                    if let Some(mask) = &study.mask {
                        ranking.keep(|item| mask.competes(direction, QueryIx::new(query), item));
                    }
                    ranking.order.truncate(7);
                    assert_eq!(found.head(query as u32), ranking.order);
                }
            }
        }
    }
}
