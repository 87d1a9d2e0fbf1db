//! Widgets of screens and popups.

pub mod chart;
pub mod hits;
pub mod list;
pub mod pane;
pub mod prompt;
pub mod segments;
pub mod text;
pub mod thumbnail;
pub mod trend;
