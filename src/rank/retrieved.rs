//! The first items of every query, in the pool that they are in.

use super::heads::{Heads, heads};
use super::pass::Watch;
use crate::data::Direction;
use crate::data::arena::{Arena, Part};
use crate::data::gallery::Gallery;
use crate::data::scores::Model;
use crate::error::Result;

/// What a model retrieves for the queries of one direction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Retrieved {
    /// Who asks whom.
    pub direction: Direction,
    /// Gallery indices of the queries that are in the pool.
    pub queries: Vec<u32>,
    /// Gallery indices of the items that some of them rank.
    pub items: Vec<u32>,
    /// The first items of each query of the gallery, best first; nothing of those outside the pool.
    heads: Vec<Box<[u32]>>,
}

impl Retrieved {
    /// Finds the first `k` items of all queries; `None` when it was cancelled.
    ///
    /// # Errors
    /// As [`heads`].
    pub fn of(
        (gallery, arena): (&Gallery, Option<&Arena>),
        model: &Model,
        direction: Direction,
        k: usize,
        watch: &Watch,
    ) -> Result<Option<Self>> {
        let sizes = gallery.sizes();
        let mut found = Retrieved {
            direction,
            queries: Vec::new(),
            items: Vec::new(),
            heads: vec![Box::default(); sizes[direction]],
        };
        let Some(arena) = arena else {
            let Some(heads) = heads(gallery, model, None, direction, k, watch)? else {
                return Ok(None);
            };
            found.queries = (0..sizes[direction] as u32).collect();
            found.items = (0..sizes[direction.flipped()] as u32).collect();
            for (query, head) in found.heads.iter_mut().enumerate() {
                *head = heads.of(query).into();
            }
            return Ok(Some(found));
        };
        for part in arena.parts() {
            let gallery = Gallery::of_part(part);
            let Some(heads) = heads(&gallery, &model.within(part), None, direction, k, watch)?
            else {
                return Ok(None);
            };
            found.add(part, &heads);
        }
        found.queries.sort_unstable();
        found.items.sort_unstable();
        Ok(Some(found))
    }

    /// Adds the queries of a part, whose heads are over its indices.
    fn add(&mut self, part: &Part, heads: &Heads) {
        let (queries, items) = (part.queries(self.direction), part.items(self.direction));
        for (place, &query) in queries.iter().enumerate() {
            let head = heads.of(place).iter();
            self.heads[query as usize] = head.map(|&item| items[item as usize]).collect();
        }
        self.queries.extend_from_slice(queries);
        self.items.extend_from_slice(items);
    }

    /// The first items of a query; fewer where its ranking ends.
    pub fn head(&self, query: u32) -> &[u32] {
        &self.heads[query as usize]
    }

    /// The first item of a query.
    pub fn first(&self, query: u32) -> Option<u32> {
        self.head(query).first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::ranking::Ranking;
    use crate::study::demo;

    /// In the whole gallery and in a pool, by sorting everything.
    #[test]
    fn heads_are_those_of_whole_rankings() {
        let whole = demo::open().unwrap();
        let pool = whole.pool_named("random20s3").unwrap();
        for study in [whole.clone(), whole.in_pool(pool).unwrap()] {
            for direction in Direction::BOTH {
                let model = &study.models[1];
                let field = (&study.gallery, study.arena.as_deref());
                let found = Retrieved::of(field, model, direction, 7, &Watch::default());
                let found = found.unwrap().unwrap();
                assert_eq!(found.queries.len(), study.pool_sizes()[direction]);
                assert_eq!(found.items.len(), study.pool_sizes()[direction.flipped()]);
                for query in 0..study.gallery.queries(direction).len() {
                    let mut ranking = Ranking::of(model, direction, query);
                    if let Some(arena) = &study.arena {
                        ranking.keep(|item| arena.competes(direction, query, item));
                    }
                    ranking.order.truncate(7);
                    assert_eq!(found.head(query as u32), ranking.order);
                }
            }
        }
    }
}
