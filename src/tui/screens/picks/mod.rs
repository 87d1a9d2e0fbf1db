//! The screen of picks: all of them in groups, and the figure of them as it would be.

mod draft;
mod figure_view;
pub mod layout;
mod list_view;
mod page;
mod rows;
mod view;
use std::sync::Arc;

use crate::error::Error;
use crate::jobs::{Draft, Drafted};
use crate::tui::model::Model;
use crate::tui::ui::{Context, Ui};

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The picks.
    #[default]
    List,
    /// Their figure.
    Figure,
}

/// A figure that was drawn for the screen, or why there is none.
type Drawn = (Arc<Draft>, Result<Drafted, Error>);

/// State of the screen; the selected pick, and how the figure looks, are those of the model.
#[derive(Debug, Default)]
pub struct Picks {
    /// What keys go to.
    pub pane: Pane,
    /// The first line of the list that is shown.
    pub offset: usize,
    /// The first line of the figure in text that is shown; without one, that at which the selected pick begins.
    pub scroll: Option<usize>,
    /// The figure, once it is drawn.
    pub(crate) drawn: Option<Drawn>,
}

/// What the screen is drawn from.
type Cx<'a> = Context<'a, Picks>;

impl Picks {
    fn cx<'a>(&'a self, model: &'a Model, ui: &'a Ui) -> Cx<'a> {
        Context::new(self, model, ui)
    }
}
