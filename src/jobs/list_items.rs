//! The first items of the queries listed, pair by pair.

use std::cmp::Ordering;
use std::sync::Arc;

use super::{Asks, Job, Run, Stamp, Wanted};
use crate::analysis::first_items::{Asked, FirstItem, Which, first_items, retrieved};
use crate::data::parallel;
use crate::error::Error;
use crate::rank::retrieved::Retrieved;
use crate::study::{Study, View};
use crate::truth::standing::Badge;
use crate::truth::verdict::Verdicts;
use crate::tui::app::App;
use crate::tui::model::dirty;

/// Whose first items are listed, and how.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemsKey {
    /// The state of all ranks.
    pub ranks: Stamp,
    /// Model, truth and direction.
    pub view: View,
    /// Gallery indices of the queries.
    pub queries: Arc<[u32]>,
    /// How many items of each query are looked at.
    pub depth: usize,
    /// In which order.
    pub order: ItemsOrder,
}

/// The order of the items that are listed; those that are alike in it stay query by query.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ItemsOrder {
    /// Query by query as these are listed, by rank.
    #[default]
    Queries,
    /// The highest score first.
    Score,
    /// By rank.
    Rank,
    /// By what is known of the pair, as the legend has it.
    Standing,
}

impl ItemsOrder {
    /// The order that comes after this one.
    #[must_use]
    pub fn next(self) -> Self {
        match self {
            ItemsOrder::Queries => ItemsOrder::Score,
            ItemsOrder::Score => ItemsOrder::Rank,
            ItemsOrder::Rank => ItemsOrder::Standing,
            ItemsOrder::Standing => ItemsOrder::Queries,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            ItemsOrder::Queries => "query by query",
            ItemsOrder::Score => "highest score first",
            ItemsOrder::Rank => "by rank",
            ItemsOrder::Standing => "by sign",
        }
    }

    /// The places of items in this order.
    fn sorted(self, all: &[FirstItem]) -> Vec<u32> {
        let mut places: Vec<u32> = (0..all.len() as u32).collect();
        let of = |place: &u32| &all[*place as usize];
        // Where a model tells no score, this is NaN: such items stand at the end.
        let by_score = |a: &u32, b: &u32| {
            let [a, b] = [a, b].map(|place| of(place).score);
            let order = (a.is_nan(), b).partial_cmp(&(b.is_nan(), a));
            order.unwrap_or(Ordering::Equal)
        };
        // What the model does not rank has rank 0, and stands at the end.
        let rank = |place: &u32| of(place).rank.wrapping_sub(1);
        let sign = |place: &u32| {
            let badge = of(place).badge;
            Badge::ALL.iter().position(|known| *known == badge)
        };
        match self {
            ItemsOrder::Queries => {}
            ItemsOrder::Score => parallel::sort_by(&mut places, &by_score),
            ItemsOrder::Rank => parallel::sort_by(&mut places, &|a, b| rank(a).cmp(&rank(b))),
            ItemsOrder::Standing => parallel::sort_by(&mut places, &|a, b| sign(a).cmp(&sign(b))),
        }
        places
    }
}

/// Items as they were found: the first ones, and the most similar that are not among these.
type Found = [Arc<[FirstItem]>; 2];

/// Items, and which of them each choice takes.
#[derive(Debug)]
pub struct ListedItems {
    found: Found,
    /// Places in what was found, choice by choice as [`Which::ALL`] has them.
    chosen: [Vec<u32>; Which::ALL.len()],
}

impl ListedItems {
    fn new(found: Found, order: ItemsOrder) -> Self {
        let [places, missed] = found.each_ref().map(|items| order.sorted(items));
        let chosen = Which::ALL.map(|(_, which)| {
            if which == Which::Missed {
                return missed.clone();
            }
            let is_taken = |place: &&u32| which.takes(found[0][**place as usize].badge);
            places.iter().filter(is_taken).copied().collect()
        });
        ListedItems { found, chosen }
    }

    fn places(&self, which: Which) -> &[u32] {
        let all = Which::ALL.iter().zip(&self.chosen);
        let mut of_choice = all.filter(|((_, known), _)| *known == which);
        of_choice.next().map_or(&[], |(_, places)| places)
    }

    /// How many items a choice takes.
    pub fn count(&self, which: Which) -> usize {
        self.places(which).len()
    }

    /// All items that a choice takes, in their order.
    pub fn all(&self, which: Which) -> Vec<FirstItem> {
        let items = &self.found[usize::from(which == Which::Missed)];
        let places = self.places(which).iter();
        places.map(|place| items[*place as usize]).collect()
    }

    /// The item at a place among those that a choice takes.
    pub fn get(&self, which: Which, at: usize) -> Option<&FirstItem> {
        let place = *self.places(which).get(at)? as usize;
        self.found[usize::from(which == Which::Missed)].get(place)
    }
}

/// Lists the first items of queries; keeps them as they were found last, to be sorted anew.
#[derive(Default)]
pub struct ListItems {
    found: Option<(ItemsKey, Found)>,
}

impl Job for ListItems {
    const NAME: &'static str = "items";
    /// The list that was opened is waited for, whatever is counted meanwhile.
    const IS_LONG: bool = false;
    type Key = ItemsKey;
    type Part = ();
    type Input = (Arc<Study>, Verdicts);
    /// All of them, or why they cannot be told.
    type Output = Result<Arc<ListedItems>, Error>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let order = run.key.order;
        match self.found(run) {
            Ok(Some(found)) => run.send(Ok(Arc::new(ListedItems::new(found, order)))),
            Ok(None) => {}
            Err(error) => run.send(Err(error)),
        }
    }
}

impl ListItems {
    /// The items query by query, as they are known or else found; `None` where it was cancelled.
    fn found(&mut self, run: &Run<'_, Self>) -> Result<Option<Found>, Error> {
        let unsorted = ItemsKey { order: ItemsOrder::default(), ..run.key.clone() };
        if let Some((known, found)) = &self.found
            && *known == unsorted
        {
            return Ok(Some(found.clone()));
        }
        let (study, verdicts) = run.input;
        let (view, depth) = (run.key.view, run.key.depth);
        let retrieved = retrieved(study, view, depth, run.token)?;
        let find = |retrieved: &Retrieved, which| {
            let asked = Asked { queries: &run.key.queries, depth, which, verdicts };
            first_items(study, view, asked, retrieved).map(Arc::from)
        };
        let both = |retrieved: Retrieved| {
            Ok([find(&retrieved, Which::All)?, find(&retrieved, Which::Missed)?])
        };
        let found = retrieved.map(both).transpose()?;
        self.found = found.clone().map(|found| (unsorted, found));
        Ok(found)
    }
}

impl Asks for ListItems {
    fn wanted(app: &App) -> Option<Wanted<'_, Self>> {
        let model = &app.model;
        let dirty::Asked::Items(key) = &model.demand.popup else {
            return None;
        };
        let is_there = model.items_of(key).is_some();
        let input = || (model.study.clone(), model.judgements.verdicts.clone());
        (!is_there).then(|| Wanted::one(key.clone(), input))
    }

    fn take(app: &mut App, key: ItemsKey, found: Self::Output) {
        app.model.known.items = Some((key, found));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_sorted_and_alike_ones_stay_query_by_query() {
        let one = |at: usize, rank, score, badge| FirstItem {
            at,
            query: at as u32,
            item: 0,
            rank,
            score,
            phi: f64::NAN,
            badge,
        };
        let all: Arc<[FirstItem]> = [
            one(0, 1, 0.2, Badge::Extra),
            one(0, 2, 0.1, Badge::NotListed),
            one(1, 1, f64::NAN, Badge::Original),
            one(2, 1, 0.9, Badge::Extra),
        ]
        .into();
        let places = |order: ItemsOrder| order.sorted(&all);
        assert_eq!(places(ItemsOrder::Queries), [0, 1, 2, 3]);
        assert_eq!(places(ItemsOrder::Score), [3, 0, 1, 2]);
        assert_eq!(places(ItemsOrder::Rank), [0, 2, 3, 1]);
        assert_eq!(places(ItemsOrder::Standing), [2, 0, 3, 1]);
        let missed = [one(7, 0, 0.3, Badge::NotJudged), one(5, 40, 0.4, Badge::NotJudged)];
        let listed = ListedItems::new([all, missed.into()], ItemsOrder::Rank);
        assert_eq!(listed.get(Which::Missed, 0).map(|one| one.at), Some(5));
        assert_eq!(listed.count(Which::Missed), 2);
        let missed = listed.all(Which::Missed);
        assert_eq!([missed[0].at, missed[1].at], [5, 7]);
        let extra = [0, 1].map(|at| listed.get(Which::Extra, at).unwrap().at);
        assert_eq!((extra, listed.count(Which::Extra)), ([0, 2], 2));
    }
}
