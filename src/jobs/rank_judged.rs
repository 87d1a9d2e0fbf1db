//! The ranks of judged items: what a judgment changes in the numbers, without counting a study again.

use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};
use crate::data::Direction;
use crate::data::index::{ItemIx, ModelIx, QueryIx};
use crate::rank::ranking::places;
use crate::study::Study;
use crate::truth::verdict::Pair;
use crate::tui::app::App;

/// An item whose rank is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceKey {
    /// Index of the model.
    pub model: ModelIx,
    /// Direction of retrieval.
    pub direction: Direction,
    /// Gallery index of the query.
    pub query: QueryIx,
    /// Gallery index of the item.
    pub item: ItemIx,
}

impl PlaceKey {
    /// The item of a pair, asked for by the other part of it.
    pub fn of(model: ModelIx, direction: Direction, pair: Pair) -> Self {
        let (query, item) = pair.asked(direction);
        PlaceKey { model, direction, query, item }
    }
}

/// Items, each with its rank from 1; `None` where the model does not rank it.
pub type Placed = Vec<(PlaceKey, Option<u32>)>;

/// Ranks told at once, about: the screen follows while many are looked up.
const TOGETHER: usize = 64;

/// Looks up the ranks of judged items.
#[derive(Default)]
pub struct RankJudged;

impl RankJudged {
    /// Cuts items into parts, in their order; those of one query beside each other stay together.
    pub fn parts(wanted: &[PlaceKey]) -> Vec<Arc<[PlaceKey]>> {
        let mut parts: Vec<Vec<PlaceKey>> = Vec::new();
        for of_query in wanted.chunk_by(|a, b| asked(a) == asked(b)) {
            match parts.last_mut().filter(|part| part.len() < TOGETHER) {
                Some(part) => part.extend(of_query),
                None => parts.push(of_query.to_vec()),
            }
        }
        parts.into_iter().map(Arc::from).collect()
    }
}

fn asked(key: &PlaceKey) -> (ModelIx, Direction, QueryIx) {
    (key.model, key.direction, key.query)
}

impl Job for RankJudged {
    const NAME: &'static str = "places";
    const IS_LONG: bool = false;
    /// The study.
    type Key = Stamp;
    type Part = Arc<[PlaceKey]>;
    type Input = Arc<Study>;
    type Output = Placed;

    fn run(&mut self, part: &Arc<[PlaceKey]>, run: &Run<'_, Self>) {
        let study = run.input;
        let mut found = Placed::new();
        for of_query in part.chunk_by(|a, b| asked(a) == asked(b)) {
            if run.token.is_cancelled() {
                break;
            }
            let items: Vec<u32> = of_query.iter().map(|key| key.item.raw()).collect();
            let (model, direction, query) = asked(&of_query[0]);
            let (model, mask) = (&study.models[model], study.mask.as_deref());
            let ranks = places(model, mask, direction, query.get(), &items);
            found.extend(of_query.iter().copied().zip(ranks));
        }
        run.send(found);
    }
}

impl Asks for RankJudged {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let (key, parts) = (model.known.study_stamp, model.known.judged.unplaced.clone());
        Some(Wanted::parts(key, parts, || model.study.clone()))
    }

    fn take(app: &mut App, _: Stamp, placed: Placed) {
        app.model.take_places(placed);
    }
}
