//! What a person decided, and what follows from it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::data::index::ModelIx;
use crate::engine::{ModelScores, PlaceKey, Scored};
use crate::rank::edited::Edit;
use crate::study::View;
use crate::truth::verdict::Verdicts;

/// What a person decided, and what follows from it.
#[derive(Debug, Default)]
pub struct Judgements {
    /// The verdicts.
    pub verdicts: Verdicts,
    /// Ranks of judged items, as far as they are known.
    pub(in crate::tui::model) ranks: FxHashMap<PlaceKey, Option<u32>>,
    /// Judged items whose ranks are not known: kept, since it is asked for after every event.
    pub(in crate::tui::model) unplaced: Vec<Arc<[PlaceKey]>>,
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
    /// Forgets all ranks: others compete.
    pub(in crate::tui) fn forget_ranks(&mut self) {
        self.ranks.clear();
    }

    /// Forgets the ranks of a model that is no longer the same.
    pub(in crate::tui) fn forget_model(&mut self, model: ModelIx) {
        self.ranks.retain(|key, _| key.model != model);
    }
}
