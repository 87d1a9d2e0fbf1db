//! The figure of picks: of which, and how it looks.

use crate::figure::{Layout, Options, Preset};

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
    pub const ALL: [(&'static str, Scope); 3] =
        [("this pick", Scope::Pick), ("its group", Scope::Group), ("all picks", Scope::All)];

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
        Shape { scope: Scope::default(), layout: None, columns: 1, as_picture: None }
    }
}

impl Shape {
    /// How the figure is drawn.
    pub fn options(self) -> Options {
        let Preset { width, text } = Preset::of_columns(self.columns);
        Options { layout: self.layout, width, text, ..Options::default() }
    }
}
