//! Why models fail, as far as it is known.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::analysis::rescale::WhatIf;
use crate::analysis::survey::Detail;
use crate::data::Direction;
use crate::data::index::ModelIx;
use crate::data::words::Texts;
use crate::error::Error;
use crate::jobs::{Lists, RescaleKey, Stamp};
use crate::rank::hubs::OfModel;
use crate::study::View;

/// What was found out. Ranks change with verdicts, dials and counts: then all but first items is
/// forgotten.
#[derive(Debug, Default)]
pub struct AnalysisState {
    /// The state of all ranks.
    pub(crate) ranks: Stamp,
    pub(in crate::tui::model) top_k: FxHashMap<(ModelIx, Direction), Arc<OfModel>>,
    pub(in crate::tui::model) texts: Option<Arc<Texts>>,
    pub(in crate::tui::model) lists: FxHashMap<View, Arc<Lists>>,
    pub(in crate::tui::model) details: FxHashMap<View, Arc<Detail>>,
    pub(crate) what_if: FxHashMap<RescaleKey, Result<Arc<[WhatIf]>, Error>>,
    /// The model and the truth that are to be rescaled.
    pub(in crate::tui::model) rescale: Option<RescaleKey>,
    /// Share of the pass under way that is done.
    pub(crate) progress: f64,
}

impl AnalysisState {
    /// Forgets what depends on ranks: they are others now.
    pub(in crate::tui::model) fn forget_ranks(&mut self) {
        self.ranks = Stamp::fresh();
        self.lists.clear();
        self.details.clear();
        self.what_if.clear();
        self.rescale = None;
    }
}
