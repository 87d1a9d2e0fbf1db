//! The browse screen: every query, its ranking, and how each item stands.

mod cards_view;
mod columns;
mod detail;
pub mod layout;
mod page;
mod pointer;
mod queries;
mod ranking;
mod standing_view;
mod steps_view;
mod thumbs;
mod view;
use crate::tui::model::Model;
use crate::tui::ui::{Context, Ui};

/// Whether the ranking is a contact sheet, as a session has it.
pub(in crate::tui) const CARDS: &str = "contact_sheet";
/// Lines of column names in both lists.
const NAMES: u16 = 1;

/// State of the screen; queries and items are selected in the model.
#[derive(Debug, Default)]
pub struct Browse {
    /// Place of the first item of the ranking that is shown.
    pub item_offset: usize,
    /// Whether the ranking is shown as cards.
    pub as_cards: bool,
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Browse>;

impl Browse {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }
}
