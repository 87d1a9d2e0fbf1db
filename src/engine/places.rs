//! Where single items rank: what a verdict needs to know, without counting a study again.

use std::sync::Arc;

use super::worker::Worker;
use super::{Event, Notify};
use crate::data::Direction;
use crate::rank::ranking::places;
use crate::study::Study;
use crate::truth::verdict::Pair;

/// An item whose rank is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceKey {
    /// Index of the model.
    pub model: usize,
    /// Who asks whom.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: u32,
    /// Gallery index of the item.
    pub item: u32,
}

impl PlaceKey {
    /// The item of a pair, asked for by the other part of it.
    pub fn of(model: usize, direction: Direction, pair: Pair) -> Self {
        let (query, item) = pair.asked(direction);
        PlaceKey {
            model,
            direction,
            query,
            item,
        }
    }
}

/// Items, each with its rank from 1; `None` where the model does not rank it.
pub type Placed = Vec<(PlaceKey, Option<u32>)>;

/// Ranks told at once: the screen follows while many are looked up.
const TOGETHER: usize = 64;

/// Looks up ranks, in the order in which they are asked for.
pub(super) fn worker(study: Arc<Study>, notify: &Notify) -> Worker<Vec<PlaceKey>> {
    let of_worker = notify.clone();
    Worker::start(
        "places",
        notify.clone(),
        move |wanted: Vec<PlaceKey>, job| {
            let mut found = Placed::new();
            let asked = |key: &PlaceKey| (key.model, key.direction, key.query);
            for of_query in wanted.chunk_by(|a, b| asked(a) == asked(b)) {
                if job.is_over() {
                    break;
                }
                let items: Vec<u32> = of_query.iter().map(|key| key.item).collect();
                let (model, direction, query) = asked(&of_query[0]);
                let ranks = places(
                    &study.models[model],
                    study.arena.as_deref(),
                    direction,
                    query as usize,
                    &items,
                );
                found.extend(of_query.iter().copied().zip(ranks));
                if found.len() >= TOGETHER {
                    of_worker(Event::Placed(std::mem::take(&mut found)));
                }
            }
            if !found.is_empty() {
                of_worker(Event::Placed(found));
            }
        },
    )
}
