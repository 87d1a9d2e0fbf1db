//! The first items of the queries listed, pair by pair.

use std::sync::Arc;

use super::Stamp;
use super::job::{Job, Run};
use crate::analysis::first_items::{Asked, FirstItem, Which, first_items};
use crate::error::Error;
use crate::study::{Study, View};
use crate::truth::verdict::Verdicts;

/// Whose first items are listed.
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
}

/// Items by query and rank, and which of them each choice takes.
#[derive(Debug)]
pub struct ListedItems {
    all: Vec<FirstItem>,
    /// Places in `all`, choice by choice as [`Which::ALL`] has them; nothing for all.
    chosen: [Vec<u32>; Which::ALL.len()],
    /// The most similar items that are not among the first.
    missed: Vec<FirstItem>,
}

impl ListedItems {
    fn new(all: Vec<FirstItem>, missed: Vec<FirstItem>) -> Self {
        let chosen = Which::ALL.map(|(_, which)| match which {
            Which::All | Which::Missed => Vec::new(),
            which => {
                let is_taken = |(_, one): &(u32, &FirstItem)| which.takes(one.badge);
                let taken = (0..).zip(&all).filter(is_taken);
                taken.map(|(at, _)| at).collect()
            }
        });
        ListedItems {
            all,
            chosen,
            missed,
        }
    }

    fn places(&self, which: Which) -> Option<&[u32]> {
        let all = Which::ALL.iter().zip(&self.chosen);
        let mut of_choice = all.filter(|((_, known), _)| *known == which && which != Which::All);
        of_choice.next().map(|(_, places)| &**places)
    }

    /// How many items a choice takes.
    pub fn count(&self, which: Which) -> usize {
        if which == Which::Missed {
            return self.missed.len();
        }
        self.places(which).map_or(self.all.len(), <[u32]>::len)
    }

    /// The item at a place among those that a choice takes.
    pub fn get(&self, which: Which, at: usize) -> Option<&FirstItem> {
        if which == Which::Missed {
            return self.missed.get(at);
        }
        match self.places(which) {
            Some(places) => self.all.get(*places.get(at)? as usize),
            None => self.all.get(at),
        }
    }
}

/// Lists the first items of queries.
#[derive(Default)]
pub struct ListingItems;

impl Job for ListingItems {
    const NAME: &'static str = "items";
    /// The list that was opened is waited for, whatever is counted meanwhile.
    const IS_LONG: bool = false;
    type Key = ItemsKey;
    type Part = ();
    type Input = (Arc<Study>, Verdicts);
    /// All of them, or why they cannot be told.
    type Output = Result<Arc<ListedItems>, Error>;

    fn run(&mut self, (): &(), run: &Run<'_, Self>) {
        let (study, verdicts) = run.input;
        let find = |which| {
            let asked = Asked {
                queries: &run.key.queries,
                depth: run.key.depth,
                which,
                verdicts,
            };
            first_items(study, run.key.view, asked, run.token).transpose()
        };
        let found = find(Which::All).zip(find(Which::Missed));
        if let Some((all, missed)) = found {
            let listed = || Ok(Arc::new(ListedItems::new(all?, missed?)));
            run.send(listed());
        }
    }
}
