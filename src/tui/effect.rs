//! What only the terminal's owner can do.

use crate::error::Error;

/// What only the terminal's owner can do.
#[derive(Debug, Clone, PartialEq)]
pub enum Effect {
    /// Leave once everything is saved, with this error if there is one.
    Quit(Option<Error>),
    /// Put text on the clipboard.
    Copy(String),
    /// Give the terminal back to the shell until it says go on.
    Suspend,
    /// Draw everything anew.
    Redraw,
}
