//! Pieces of screens: they take data and styles, and know no [`Model`](super::model::Model).

pub mod change;
pub mod chart;
pub mod columns;
pub mod hits;
pub mod list;
pub mod marked;
pub mod message;
pub mod pane;
pub mod phrased;
pub mod picture;
pub mod prompt;
pub mod segments;
pub mod text;
pub mod trend;
