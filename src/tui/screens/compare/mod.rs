//! The compare screen: the same query under two to four models side by side, equal items linked.

mod detail;
mod differences;
pub mod layout;
mod names;
mod page;
mod queries;
mod ranking;
mod strip_view;
mod strips;
mod view;
use crate::data::Direction;
use crate::tui::model::Model;
use crate::tui::model::query_list::Pane;
use crate::tui::ui::{Context, Ui};

/// Whether the rankings are contact sheets, as a session has it.
const CARDS: &str = "compared_contact_sheets";
/// Lines of column names above each ranking.
const NAMES: u16 = 1;

/// State of the screen; the query, the item and the list that keys go to are those of the model.
#[derive(Debug, Default)]
pub struct Compare {
    /// Which of the rankings keys go to, while they go to rankings.
    pub column: usize,
    /// Place of the first item shown, in all rankings alike.
    pub offset: usize,
    /// Whether the rankings are shown as cards, in a row each.
    pub as_cards: bool,
    /// The query that was gone to last.
    begun: Option<(Direction, usize)>,
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Compare>;

impl Compare {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }

    /// Whether the rankings are rows of cards; these tell what is hidden while one judges blind.
    fn shows_cards(&self, model: &Model) -> bool {
        self.as_cards && !model.is_blind() && model.two().is_some()
    }

    /// Whether keys go to cards.
    fn has_cards(&self, model: &Model) -> bool {
        self.shows_cards(model) && model.selection.pane == Pane::Ranking
    }
}

impl<'a> Cx<'a> {
    /// Whether the rankings are contact sheets.
    fn shows_cards(self) -> bool {
        self.state.shows_cards(self.model)
    }

    /// Which of the rankings shown keys go to.
    fn column(self) -> usize {
        let last = self.areas().columns.len().saturating_sub(1);
        self.state.column.min(last)
    }

    /// The ranking that keys go to, and the place of the linked item in it.
    fn cursor(self) -> Option<(&'a [u32], usize)> {
        let model = *self.model.compared().get(self.column())?;
        let ranked = self.model.ranked_by(model)?;
        let rank = self.model.linked().and_then(|item| ranked.rank(item));
        Some((&ranked.ranking.order, rank.map_or(0, |rank| rank - 1)))
    }

    /// The best place of the linked item in all rankings shown: their tops are in sight wherever a model ranks it high.
    /// One that is hidden counts, too, while one goes through the queries, and where the item is its first: that is
    /// linked before any is chosen.
    fn best_place(self) -> Option<usize> {
        let linked = self.model.linked()?;
        let compared = self.model.compared();
        let areas = self.areas();
        let is_in_sight = |at: &usize| areas.sighted().any(|sighted| sighted == *at);
        let is_chosen = self.model.selection.item > 0 && self.model.selection.pane == Pane::Ranking;
        let is_told = |at: &usize| !is_chosen || is_in_sight(at);
        let told = (0..compared.len()).filter(is_told);
        let ranked = told.filter_map(|at| self.model.ranked_by(compared[at]));
        let best = ranked.filter_map(|ranked| ranked.rank(linked)).min();
        best.map(|rank| rank - 1)
    }
}
