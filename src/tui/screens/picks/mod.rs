//! The screen of picks: all of them in groups, and the figure of them as it would be.

mod draft;
mod edit;
mod figure_view;
pub mod layout;
mod list_view;
mod page;
mod rows;
pub mod view;

use std::sync::Arc;

use crate::engine::{Draft, Drafted, Export};
use crate::error::Error;
use crate::figure::{Layout, Options, Preset, Wanted};
use crate::session::{Pick, groups};
use crate::tui::app::App;
use crate::tui::pictures::Painted;
pub(super) use page::Picking;

/// What keys go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Pane {
    /// The picks.
    #[default]
    List,
    /// Their figure.
    Figure,
}

/// Whose figure it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// The selected pick's.
    #[default]
    Pick,
    /// That of its group.
    Group,
    /// That of all picks.
    All,
}

impl Scope {
    /// Every scope, with its words.
    pub const ALL: [(&'static str, Scope); 3] = [
        ("this pick", Scope::Pick),
        ("its group", Scope::Group),
        ("all picks", Scope::All),
    ];

    /// Its words.
    pub fn words(self) -> &'static str {
        Scope::ALL[self as usize].0
    }

    /// The next one, or the one before, counted round.
    #[must_use]
    pub fn stepped(self, by: isize) -> Scope {
        let count = Scope::ALL.len() as isize;
        Scope::ALL[(self as isize + by).rem_euclid(count) as usize].1
    }
}

/// How the figure looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Whose it is.
    pub scope: Scope,
    /// Where things stand; by direction where none was chosen.
    pub layout: Option<Layout>,
    /// Columns of the paper: 1 or 2.
    pub columns: u32,
    /// Whether it is shown as a picture; where nothing was chosen, as the terminal can.
    pub as_picture: Option<bool>,
}

impl Default for Shape {
    fn default() -> Self {
        Shape {
            scope: Scope::default(),
            layout: None,
            columns: 1,
            as_picture: None,
        }
    }
}

impl Shape {
    /// How the figure is drawn.
    pub fn options(self) -> Options {
        let Preset { width, text } = Preset::of_columns(self.columns);
        Options {
            layout: self.layout,
            width,
            text,
            ..Options::default()
        }
    }
}

/// A figure that was drawn for the screen, or why there is none.
type Drawn = (Arc<Draft>, Result<Drafted<Painted>, Error>);

/// State of the screen.
#[derive(Debug, Default)]
pub struct Picks {
    /// What keys go to.
    pub pane: Pane,
    /// Place of the selected pick, group by group.
    pub selected: usize,
    /// The first line of the list that is shown.
    pub offset: usize,
    /// The first line of the figure in text that is shown.
    pub scroll: usize,
    /// How the figure looks.
    pub shape: Shape,
    drawn: Option<Drawn>,
    /// The file that is being written.
    export: Option<Arc<Export>>,
    /// Why the last file could not be written.
    pub(in crate::tui) lost: Option<Error>,
}

impl App {
    /// The picks group by group, as the screen lists them.
    pub fn listed_picks(&self) -> impl Iterator<Item = &Pick> {
        let picks = self.session.picks();
        groups(picks).into_iter().flatten().map(|at| &picks[at])
    }

    /// The selected pick.
    pub fn selected_pick(&self) -> Option<&Pick> {
        self.listed_picks().nth(self.picks_selected())
    }

    /// Its place among the listed ones.
    fn picks_selected(&self) -> usize {
        let last = self.session.picks().len().saturating_sub(1);
        self.picks.selected.min(last)
    }

    /// The picks of a scope, in order.
    pub fn picks_of(&self, scope: Scope) -> Vec<&Pick> {
        let Some(selected) = self.selected_pick() else {
            return Vec::new();
        };
        let is_in = |pick: &&Pick| match scope {
            Scope::Pick => std::ptr::eq(*pick, selected),
            Scope::Group => pick.is_beside(selected),
            Scope::All => true,
        };
        self.listed_picks().filter(is_in).collect()
    }

    /// What a pick shows in this study.
    ///
    /// # Errors
    /// A query, a model or a truth that the study lacks.
    pub fn shown_by(&self, pick: &Pick) -> Result<Wanted, Error> {
        Wanted::of_pick(&self.study, pick)
    }
}
