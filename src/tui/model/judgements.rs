//! What a person decided, and what follows from it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::data::index::ModelIx;
use crate::jobs::{ModelScores, PlaceKey, Scored};
use crate::rank::edited::Edit;
use crate::study::View;
use crate::truth::response::{self, Response};
use crate::truth::verdict::{Pair, Verdicts};

/// What a person decided.
#[derive(Debug, Default)]
pub struct Judgements {
    /// The verdicts.
    pub verdicts: Verdicts,
    /// The pairs of which nothing could be told: they change no number.
    pub(in crate::tui::model) cant_tell: BTreeSet<Pair>,
}

/// What follows from verdicts in the study that is open.
#[derive(Debug, Default)]
pub struct JudgedNumbers {
    /// Ranks of judged items, as far as they are known.
    pub(in crate::tui::model) ranks: FxHashMap<PlaceKey, Option<u32>>,
    /// Judged items whose ranks are not known: kept, since it is asked for after every event.
    pub(crate) unplaced: Vec<Arc<[PlaceKey]>>,
    /// The numbers that verdicts change, of the views that are shown.
    pub(in crate::tui::model) scored: FxHashMap<View, Judged>,
}

/// Numbers with verdicts, and what they were made of.
#[derive(Debug)]
pub(in crate::tui::model) struct Judged {
    pub(in crate::tui::model) base: Arc<ModelScores>,
    pub(in crate::tui::model) edits: BTreeMap<usize, Edit>,
    pub(in crate::tui::model) scored: Arc<Scored>,
}

impl Judgements {
    /// What was said of a pair.
    pub fn response(&self, pair: Pair) -> Option<Response> {
        let verdict = self.verdicts.get(pair).map(Response::Verdict);
        let cant_tell = || self.cant_tell.contains(&pair).then_some(Response::CantTell);
        verdict.or_else(cant_tell)
    }

    /// How many pairs have an answer.
    pub fn count(&self) -> usize {
        self.verdicts.len() + self.cant_tell.len()
    }

    /// The same in words.
    pub fn counted(&self) -> String {
        response::counted(self.verdicts.len(), self.cant_tell.len())
    }

    /// Whether nothing was said of any pair.
    pub fn is_empty(&self) -> bool {
        self.verdicts.is_empty() && self.cant_tell.is_empty()
    }

    /// The pairs of which something was said.
    pub(in crate::tui::model) fn pairs(&self) -> impl Iterator<Item = Pair> {
        let judged = self.verdicts.iter().map(|(pair, _)| pair);
        judged.chain(self.cant_tell.iter().copied())
    }

    /// Puts what is said of a pair in the place of what was said before, or removes it.
    pub(in crate::tui::model) fn set(&mut self, pair: Pair, response: Option<Response>) {
        self.verdicts.set(pair, response.and_then(Response::verdict));
        self.cant_tell.remove(&pair);
        if response == Some(Response::CantTell) {
            self.cant_tell.insert(pair);
        }
    }
}

impl JudgedNumbers {
    /// Forgets all ranks: others compete.
    pub(in crate::tui) fn forget_ranks(&mut self) {
        self.ranks.clear();
    }

    /// Forgets the ranks of a model that is no longer the same.
    pub(in crate::tui) fn forget_model(&mut self, model: ModelIx) {
        self.ranks.retain(|key, _| key.model != model);
    }
}
