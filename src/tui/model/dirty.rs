//! What changed, and everything that has to follow: methods of the model mark what they change, and
//! [`Model::recompute`] brings all else up to date, once and in one order.

use std::ops::{BitOr, BitOrAssign};
use std::sync::Arc;

use super::Model;
use crate::filter::Needs;
use crate::jobs::{FilterRequest, ItemsKey, PairedTest};

/// Parts of the state that changed or have to be made again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dirty(u16);

impl Dirty {
    /// Models, truths or pools have other indices than before.
    pub const INDICES: Dirty = Dirty(1);
    /// The study: its models, truths, pool or texts.
    pub const STUDY: Dirty = Dirty(1 << 1);
    /// What is looked at.
    pub const VIEW: Dirty = Dirty(1 << 2);
    /// Ranks, as counted or as judgments change them.
    pub const RANKS: Dirty = Dirty(1 << 3);
    /// Numbers with judgments applied.
    pub const TRUTH: Dirty = Dirty(1 << 4);
    /// Which queries meet the filter.
    pub const FILTER: Dirty = Dirty(1 << 5);
    /// Which queries are listed, and in which order. A judgment alone leaves them as they are: what was judged stays in
    /// sight.
    pub const ROWS: Dirty = Dirty(1 << 6);
    /// The numbers that listed queries are sorted by.
    pub const CELLS: Dirty = Dirty(1 << 7);
    /// The header's numbers.
    pub const NUMBERS: Dirty = Dirty(1 << 8);
    /// What the open popup shows.
    pub const POPUP: Dirty = Dirty(1 << 9);
    /// What a session keeps of the view.
    pub const SESSION: Dirty = Dirty(1 << 10);
    /// What is left to who draws.
    const ON_SCREEN: Dirty = Dirty(Dirty::INDICES.0 | Dirty::POPUP.0 | Dirty::SESSION.0);
    /// All of it, but for the indices.
    pub const ALL: Dirty = Dirty((1 << 11) - 2);

    /// What changes with what, causes before their effects.
    const IMPLIED: [(Dirty, Dirty); 7] = [
        (Dirty::INDICES, Dirty::STUDY),
        (Dirty::STUDY, Dirty(Dirty::VIEW.0 | Dirty::RANKS.0 | Dirty::POPUP.0)),
        (Dirty::VIEW, Dirty(Dirty::TRUTH.0 | Dirty::FILTER.0 | Dirty::SESSION.0)),
        (Dirty::RANKS, Dirty::TRUTH),
        (Dirty::TRUTH, Dirty(Dirty::CELLS.0 | Dirty::NUMBERS.0)),
        (Dirty::FILTER, Dirty(Dirty::ROWS.0 | Dirty::NUMBERS.0)),
        (Dirty::ROWS, Dirty::CELLS),
    ];

    /// Whether any of these is dirty.
    pub fn has(self, any: Dirty) -> bool {
        self.0 & any.0 != 0
    }

    /// With all that follows.
    #[must_use]
    pub fn closed(self) -> Dirty {
        Dirty::IMPLIED.iter().fold(
            self,
            |dirty, (cause, effects)| {
                if dirty.has(*cause) { dirty | *effects } else { dirty }
            },
        )
    }
}

impl BitOr for Dirty {
    type Output = Dirty;

    fn bitor(self, other: Dirty) -> Dirty {
        Dirty(self.0 | other.0)
    }
}

impl BitOrAssign for Dirty {
    fn bitor_assign(&mut self, other: Dirty) {
        *self = *self | other;
    }
}

impl Model {
    /// Brings all that follows from what was changed up to date: the study, numbers with judgments, rows, cells, the
    /// header's numbers, the selection. What is on screen is left to who draws it. After every event, and before a
    /// method reads what it changed the cause of.
    pub(in crate::tui) fn recompute(&mut self) {
        let mut dirty = std::mem::take(&mut self.dirty).closed();
        if dirty.has(Dirty::VIEW) && self.show_texts_of_model() {
            dirty = (dirty | Dirty::RANKS).closed();
        }
        if dirty.has(Dirty::STUDY) {
            self.known.overlaps.clear();
        }
        if dirty.has(Dirty::RANKS) {
            self.known.error_analysis.forget_ranks();
        }
        if dirty.has(Dirty::TRUTH) {
            self.refresh_judged();
        }
        if dirty.has(Dirty::FILTER) {
            self.apply_filter();
        }
        // While a condition is asked, the list stays as it was.
        let is_other = self.selection.listed != Some(self.view.direction);
        if dirty.has(Dirty::ROWS) && (is_other || !self.is_filtering()) {
            self.list_queries();
        }
        if dirty.has(Dirty::CELLS) {
            self.read_sort_values();
        }
        if dirty.has(Dirty::NUMBERS) {
            self.record_numbers();
        }
        self.dirty |= Dirty(dirty.0 & Dirty::ON_SCREEN.0);
        self.follow_query();
        self.tell_moved();
        self.arrange();
    }
}

/// What the screen and the popup on top of it ask of the model.
#[derive(Default)]
pub struct Demand {
    /// Whose rankings of the selected query are shown.
    pub rankings: RankingsOf,
    /// Whether numbers of every model and direction are shown.
    pub all_views: bool,
    /// Whether it is shown why models fail.
    pub causes: bool,
    /// The chart of a study that is shown, by its place among them.
    pub chart: Option<usize>,
    /// What the popup asks.
    pub popup: Asked,
}

/// Models whose rankings of the selected query are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RankingsOf {
    /// No query is in sight.
    #[default]
    Nothing,
    /// The one looked at.
    LookedAt,
    /// All that are compared.
    Compared,
}

/// What a popup asks.
#[derive(Default)]
pub enum Asked {
    /// Nothing.
    #[default]
    Nothing,
    /// Every metric of what is looked at.
    EveryMetric,
    /// The curve over alpha.
    Curve,
    /// The queries that meet a condition, or what must be known before they can be asked.
    Filter(Option<Arc<FilterRequest>>, Option<Needs>),
    /// The first items of queries.
    Items(ItemsKey),
    /// Paired tests.
    Tests(Arc<PairedTest>),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judgment_changes_numbers_and_no_row() {
        let judged = Dirty::RANKS.closed();
        assert!(judged.has(Dirty::NUMBERS) && judged.has(Dirty::CELLS));
        assert!(!judged.has(Dirty::ROWS) && !judged.has(Dirty::SESSION));
        assert_eq!(Dirty::INDICES.closed(), Dirty::INDICES | Dirty::ALL);
    }
}
