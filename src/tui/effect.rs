//! Effects run by the event loop.

use crate::error::Error;

/// Effect run by the event loop.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave once everything is saved, with this error if there is one.
    Quit(Option<Error>),
    /// Put text on the clipboard.
    Copy(String),
    /// Give the terminal back to the shell until resumed.
    Suspend,
    /// Redraw everything.
    Redraw,
}
