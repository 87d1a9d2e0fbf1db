//! The explorer in a terminal.

pub mod action;
pub mod app;
pub mod context;
pub mod effect;
pub mod event;
pub mod keymap;
pub mod pictures;
pub mod state;

pub mod popup;
pub mod popups;
mod run;
pub mod screen;
pub mod screens;
pub mod signs;
pub mod sort;
pub mod theme;
pub mod tour;
pub mod ui;

use crate::analysis::results::ModelValues;
use crate::data::PerDirection;
use crate::error::Result;
pub use crate::jobs::Backend;
use crate::session::Opened;
use crate::study::{Inputs, Study};
use event::terminal::Colours;
use keymap::Keymap;
use pictures::ImageMode;
pub use run::draw;
use state::pool::PoolToJudge;
use theme::Theme;

/// How the explorer starts.
pub struct Options {
    /// The bindings.
    pub keymap: Keymap,
    /// Name and look.
    pub theme: (String, Theme),
    /// What the terminal can show.
    pub colours: Colours,
    /// Whether the mouse is ours.
    pub mouse: bool,
    /// The session, and who gives verdicts.
    pub session: Opened,
    /// The annotator.
    pub annotator: String,
    /// How pictures are to be shown.
    pub pictures: ImageMode,
    /// A pool whose pairs are to be judged, and what others answered.
    pub pool: Option<PoolToJudge>,
    /// The inputs as they were typed.
    pub files: Vec<String>,
    /// What is to be said at the start.
    pub warning: Option<String>,
    /// Whether it begins with the tour.
    pub tour: bool,
    /// What the study was opened from.
    pub inputs: Inputs,
    /// Models of earlier results, in each direction.
    pub results: PerDirection<Vec<ModelValues>>,
    /// Whether files that change are read again unasked.
    pub watch: bool,
}

/// Runs the explorer until the user leaves; the value is the exit code.
///
/// # Errors
/// When the terminal fails, or when no model has numbers (NaN in its matrix).
pub fn run(study: Study, options: Options) -> Result<u8> {
    run::run_explorer(study, options)
}
