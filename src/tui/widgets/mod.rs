//! Pieces of screens: they take data and styles, and know no [`App`](super::app::App).

pub mod change;
pub mod pane;
pub mod picture;
pub mod text;
pub mod trend;
