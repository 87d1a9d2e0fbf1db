//! The list of items: what it shows, and where it was left.

use std::sync::Arc;

use crate::analysis::first_items::Which;
use crate::jobs::{ItemsKey, ItemsOrder, ListedItems};
use crate::study::{Study, View};
use crate::truth::verdict::Verdicts;

/// The list of items, and where it was left.
#[derive(Debug)]
pub struct ItemsState {
    /// Which items are listed, once one chose; before that the first choice that takes any.
    pub chosen: Option<Which>,
    /// How many items of each query are looked at.
    pub depth: usize,
    /// In which order they are listed.
    pub order: ItemsOrder,
    /// The list that was open last, with the places of its selected line and of the first one shown.
    pub place: Option<(ItemsKey, (usize, usize))>,
    /// The list that was left for a pair.
    pub way_back: Option<LeftList>,
}

/// A list that was left for one of its pairs.
#[derive(Debug, Clone)]
pub struct LeftList {
    /// What its queries are of.
    pub view: View,
    /// Its queries.
    pub queries: Arc<[u32]>,
    /// What they have in common.
    pub common: Common,
    /// What was looked at then, the filter and the search: it is gone back to as long as these are the same.
    pub from: (View, String, String),
}

/// What queries have in common whose items are listed.
#[derive(Debug, Clone, Default)]
pub struct Common {
    /// In words; nothing where they are all that are judged.
    pub words: String,
    /// The condition that lists them, as `find --where` takes it, empty where they are all that are judged; `None` where
    /// no condition does.
    pub expression: Option<String>,
}

impl Default for ItemsState {
    fn default() -> Self {
        ItemsState {
            chosen: None,
            depth: 10,
            order: ItemsOrder::default(),
            place: None,
            way_back: None,
        }
    }
}

/// Choices in the order of the key that goes from one to the next: the most wanted first.
const CHOICES: [Which; Which::ALL.len()] =
    [Which::Extra, Which::Positive, Which::NotListed, Which::JudgedNo, Which::All, Which::Missed];

/// The same: what is extra takes a second ground truth, of which a person's yes is one; what is missed a similarity.
pub fn choices(study: &Study, verdicts: &Verdicts) -> &'static [Which] {
    let is_second = || verdicts.iter().any(|(_, verdict)| verdict.is_positive());
    let has_extra = study.truths.len() > 1 || is_second();
    let without = CHOICES.len() - usize::from(study.phis.is_empty());
    &CHOICES[usize::from(!has_extra)..without]
}

/// Depths that can be looked at.
const DEPTHS: [usize; 6] = [1, 3, 5, 10, 20, 50];

impl ItemsState {
    /// Which of these items are listed.
    pub(in crate::tui) fn which(&self, choices: &[Which], found: Option<&ListedItems>) -> Which {
        let is_any = |which: &&Which| found.is_some_and(|found| found.count(**which) > 0);
        let chosen = self.chosen.filter(|which| choices.contains(which));
        let first = || choices.iter().find(is_any).copied();
        chosen.or_else(first).unwrap_or(choices[0])
    }

    /// Lists the items of the choice after one, or before it, counted round.
    pub(in crate::tui) fn step_which(&mut self, choices: &[Which], from: Which, by: isize) {
        let at = choices.iter().position(|which| *which == from);
        let to = (at.unwrap_or(0) as isize + by).rem_euclid(choices.len() as isize);
        self.chosen = Some(choices[to as usize]);
    }

    /// Looks at more items of each query, or at fewer.
    pub(in crate::tui) fn step_depth(&mut self, by: isize) {
        let at = DEPTHS.iter().position(|depth| *depth == self.depth);
        let to = at.unwrap_or(0).saturating_add_signed(by);
        self.depth = DEPTHS[to.min(DEPTHS.len() - 1)];
    }
}
