//! What the lists hold, in their order.

use super::Pane;
use crate::analysis::survey::Detail;
use crate::analysis::words::{Swapped, Word, over_represented};
use crate::rank::hubs::Hub;
use crate::tui::app::App;

/// What hubs are ordered by.
const HUB_ORDERS: [&str; 3] = ["most false top-1", "most N_1", "most N_10"];
/// What words are ordered by.
const WORD_ORDERS: [&str; 3] = [
    "most over-represented",
    "most failures",
    "highest failing share",
];
/// What swapped words are ordered by.
const SWAPPED_ORDERS: [&str; 2] = ["most added", "most lacked"];

impl App {
    /// What is told of the model and the truth looked at, once it is known.
    pub(super) fn errors_detail(&self) -> Option<&Detail> {
        self.detail_of(self.view).map(AsRef::as_ref)
    }

    /// The orders of a pane's list; none where it has but one.
    fn orders(pane: Pane) -> &'static [&'static str] {
        match pane {
            Pane::Hubs => &HUB_ORDERS,
            Pane::Words => &WORD_ORDERS,
            Pane::Swapped => &SWAPPED_ORDERS,
            Pane::Kinds | Pane::WhatIf => &[],
        }
    }

    /// The order of a pane's list, in words.
    pub(super) fn errors_order(&self, pane: Pane) -> &'static str {
        let orders = Self::orders(pane);
        orders
            .get(self.errors.orders[pane as usize])
            .copied()
            .unwrap_or_default()
    }

    /// Puts the list that keys go to in its next order.
    pub(super) fn next_errors_order(&mut self) {
        let pane = self.errors.pane;
        let count = Self::orders(pane).len();
        if count == 0 {
            self.message = Some("nothing to sort here".into());
            return;
        }
        let order = &mut self.errors.orders[pane as usize];
        *order = (*order + 1) % count;
        *self.errors.place_mut(pane) = super::Place::default();
        self.message = Some(format!("sorted, {}", self.errors_order(pane)));
    }

    /// The hubs in their order.
    pub fn errors_hubs(&self) -> Vec<&Hub> {
        let hubs = self.errors_detail().map_or(&[][..], |detail| &detail.hubs);
        let mut hubs: Vec<&Hub> = hubs.iter().collect();
        let last = |hub: &Hub| hub.occurrences.last().copied();
        match self.errors.orders[Pane::Hubs as usize] {
            0 => {}
            1 => hubs.sort_by_key(|hub| std::cmp::Reverse(hub.first)),
            _ => hubs.sort_by_key(|hub| std::cmp::Reverse(last(hub))),
        }
        hubs
    }

    /// The words that are over-represented among failures, in their order.
    pub fn errors_words(&self) -> Vec<Word> {
        let words = self.errors_detail().map_or(&[][..], |detail| &detail.words);
        let mut words: Vec<Word> = over_represented(words).copied().collect();
        let share = |word: &Word| f64::from(word.failures) / f64::from(word.failures + word.others);
        match self.errors.orders[Pane::Words as usize] {
            0 => {}
            1 => words.sort_by_key(|word| std::cmp::Reverse(word.failures)),
            _ => words.sort_by(|one, other| share(other).total_cmp(&share(one))),
        }
        words
    }

    /// The words that tell first items from right ones, in their order: added ones first, or lacked ones.
    pub fn errors_swapped(&self) -> Vec<Swapped> {
        let swapped = self
            .errors_detail()
            .map_or(&[][..], |detail| &detail.swapped);
        let mut swapped = swapped.to_vec();
        if self.errors.orders[Pane::Swapped as usize] > 0 {
            swapped.reverse();
        }
        swapped
    }

    /// How many rows a pane's list has.
    pub(super) fn errors_count(&self, pane: Pane) -> usize {
        let detail = self.errors_detail();
        match pane {
            Pane::Kinds => crate::analysis::kinds::KINDS.len(),
            Pane::Hubs => detail.map_or(0, |detail| detail.hubs.len()),
            Pane::Words => self.errors_words().len(),
            Pane::Swapped => detail.map_or(0, |detail| detail.swapped.len()),
            Pane::WhatIf => 0,
        }
    }
}
