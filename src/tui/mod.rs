//! The explorer in a terminal.

pub mod action;
pub mod app;
pub mod context;
pub mod event;
pub mod keymap;
pub mod state;
pub mod thumbnails;

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
use crate::session::OpenSession;
use crate::study::{Inputs, Study};
use event::terminal::Colours;
use keymap::Keymap;
pub use run::draw;
use state::pool::PoolToJudge;
use theme::Theme;
use thumbnails::ImageMode;

/// Start-up options.
pub struct Options {
    /// Bindings of keys to actions.
    pub keymap: Keymap,
    /// The theme, after its name.
    pub theme: (String, Theme),
    /// Colours that the terminal can show.
    pub colours: Colours,
    /// Whether to use the mouse.
    pub mouse: bool,
    /// The session to continue.
    pub session: OpenSession,
    /// Name of the annotator.
    pub annotator: String,
    /// Which protocol shows images.
    pub thumbnails: ImageMode,
    /// Annotation pool to judge, with the judgments of other annotators.
    pub pool: Option<PoolToJudge>,
    /// Input files as typed.
    pub files: Vec<String>,
    /// Whether to start with the tour.
    pub tour: bool,
    /// Inputs of the study.
    pub inputs: Inputs,
    /// Models of earlier results, in each direction.
    pub results: PerDirection<Vec<ModelValues>>,
    /// Whether to reload changed files automatically.
    pub watch: bool,
}

/// Runs the explorer until the user leaves; returns the exit code.
///
/// # Errors
/// When the terminal fails, or when no model has numbers (NaN in its matrix).
pub fn run(study: Study, options: Options) -> Result<u8> {
    run::run_explorer(study, options)
}
