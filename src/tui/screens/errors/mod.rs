//! The errors screen: error types with their counts, hubs, words of failures, and what rescaled scores
//! would give.

mod define;
mod example;
mod example_view;
mod grid;
mod hubs_view;
mod kinds_view;
pub mod layout;
mod open;
mod page;
mod rescale_view;
mod rows;
mod view;
mod words_view;
use crate::analysis::kinds::{self, Kind};
use crate::study::View;
use crate::tui::model::Model;
use crate::tui::ui::{Context, Ui};

/// The error type and the place of its example, as a session has them.
const TYPE: &str = "error_type";
const EXAMPLE: &str = "example";

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// Error types.
    #[default]
    Kinds,
    /// Hubs.
    Hubs,
    /// Words of failures.
    Words,
    /// Words that tell first items from right ones.
    Swapped,
    /// What rescaled scores would give.
    WhatIf,
}

impl Pane {
    /// Every pane, in the order of the keys.
    pub const ALL: [Pane; 5] = [Pane::Kinds, Pane::Hubs, Pane::Words, Pane::Swapped, Pane::WhatIf];

    /// The pane after this one, or before it, counted round.
    fn stepped(self, by: isize) -> Pane {
        let at = Pane::ALL.iter().position(|pane| *pane == self);
        let count = Pane::ALL.len() as isize;
        let to = (at.unwrap_or(0) as isize + by).rem_euclid(count);
        Pane::ALL[to as usize]
    }
}

/// Where a list is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place {
    /// Place of the selected row.
    pub selected: usize,
    /// Place of the first row shown.
    pub offset: usize,
}

/// State of the screen.
#[derive(Debug, Default)]
pub struct Errors {
    /// What keys go to.
    pub pane: Pane,
    /// The pane that was last gone to, of those beside the kinds.
    beside: Option<Pane>,
    /// Where each pane's list is, in their order.
    places: [Place; 5],
    /// The selected column of the kinds, and what was looked at when it was selected.
    column: Option<(View, View)>,
    /// Place of the example among the queries of the kind.
    example: usize,
    /// The next order of each pane's list, where it has one: how often it was asked for.
    orders: [usize; 5],
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Errors>;

impl Errors {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }
}

impl Cx<'_> {
    /// The kind under the cursor.
    pub fn kind(self) -> &'static Kind {
        &kinds::of(&self.model.study)[self.kind_place()]
    }

    /// Its place among all kinds.
    fn kind_place(self) -> usize {
        let last = kinds::of(&self.model.study).len() - 1;
        self.state.place(Pane::Kinds).selected.min(last)
    }

    /// The model and the truth under the cursor: what is looked at, unless another column was selected
    /// since.
    pub fn view(self) -> View {
        let chosen = self.state.column.filter(|(at, _)| *at == self.model.view);
        chosen.map_or(self.model.view, |(_, view)| view)
    }
}

impl Errors {
    /// Where a pane's list is.
    pub fn place(&self, pane: Pane) -> Place {
        self.places[pane as usize]
    }

    fn place_mut(&mut self, pane: Pane) -> &mut Place {
        &mut self.places[pane as usize]
    }

    /// Gives keys to a pane.
    fn go_to(&mut self, pane: Pane) {
        self.pane = pane;
        if pane != Pane::Kinds {
            self.beside = Some(pane);
        }
    }
}
