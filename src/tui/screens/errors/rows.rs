//! What the lists hold, in their order.

use super::{Cx, Errors, Pane};
use crate::analysis::survey::Detail;
use crate::analysis::words::{Swapped, Word, over_represented};
use crate::rank::hubs::Hub;
use crate::tui::model::Model;
use crate::tui::ui::Ui;

/// What hubs are ordered by.
const HUB_ORDERS: [&str; 3] = ["most top-1 misses", "most N_1", "most N_10"];
/// What words are ordered by.
const WORD_ORDERS: [&str; 3] = ["most over-represented", "most failures", "highest failing share"];
/// What swapped words are ordered by.
const SWAPPED_ORDERS: [&str; 2] = ["most added", "most lacked"];

/// The orders of a pane's list; none where it has but one.
fn orders(pane: Pane) -> &'static [&'static str] {
    match pane {
        Pane::Hubs => &HUB_ORDERS,
        Pane::Words => &WORD_ORDERS,
        Pane::Swapped => &SWAPPED_ORDERS,
        Pane::Kinds | Pane::WhatIf => &[],
    }
}

impl<'a> Cx<'a> {
    /// What is told of the model and the truth looked at, once it is known.
    pub(super) fn detail(self) -> Option<&'a Detail> {
        self.model.detail_of(self.model.view).map(AsRef::as_ref)
    }

    /// The order of a pane's list, in words.
    pub(super) fn order(self, pane: Pane) -> &'static str {
        let orders = orders(pane);
        orders.get(self.state.orders[pane as usize]).copied().unwrap_or_default()
    }

    /// The hubs in their order.
    pub fn hubs(self) -> Vec<&'a Hub> {
        let hubs = self.detail().map_or(&[][..], |detail| &detail.hubs);
        let mut hubs: Vec<&Hub> = hubs.iter().collect();
        let last = |hub: &Hub| hub.occurrences.last().copied();
        match self.state.orders[Pane::Hubs as usize] {
            0 => {}
            1 => hubs.sort_by_key(|hub| std::cmp::Reverse(hub.first)),
            _ => hubs.sort_by_key(|hub| std::cmp::Reverse(last(hub))),
        }
        hubs
    }

    /// The words that are over-represented among failures, in their order.
    pub fn words(self) -> Vec<Word> {
        let words = self.detail().map_or(&[][..], |detail| &detail.words);
        let mut words: Vec<Word> = over_represented(words).copied().collect();
        let share = |word: &Word| f64::from(word.failures) / f64::from(word.failures + word.others);
        match self.state.orders[Pane::Words as usize] {
            0 => {}
            1 => words.sort_by_key(|word| std::cmp::Reverse(word.failures)),
            _ => words.sort_by(|one, other| share(other).total_cmp(&share(one))),
        }
        words
    }

    /// The words that tell first items from right ones, in their order: added ones first, or lacked ones.
    pub fn swapped(self) -> Vec<Swapped> {
        let swapped = self.detail().map_or(&[][..], |detail| &detail.swapped);
        let mut swapped = swapped.to_vec();
        if self.state.orders[Pane::Swapped as usize] > 0 {
            swapped.reverse();
        }
        swapped
    }

    /// How many rows a pane's list has.
    pub(super) fn count(self, pane: Pane) -> usize {
        let detail = self.detail();
        match pane {
            Pane::Kinds => crate::analysis::kinds::of(&self.model.study).len(),
            Pane::Hubs => detail.map_or(0, |detail| detail.hubs.len()),
            Pane::Words => self.words().len(),
            Pane::Swapped => detail.map_or(0, |detail| detail.swapped.len()),
            Pane::WhatIf => 0,
        }
    }
}

impl Errors {
    /// Puts the list that keys go to in its next order.
    pub(super) fn next_order(&mut self, model: &mut Model, ui: &Ui) {
        let pane = self.pane;
        let count = orders(pane).len();
        if count == 0 {
            model.message = Some("nothing to sort here".into());
            return;
        }
        let order = &mut self.orders[pane as usize];
        *order = (*order + 1) % count;
        *self.place_mut(pane) = super::Place::default();
        model.message = Some(format!("sorted, {}", self.cx(model, ui).order(pane)));
    }
}
