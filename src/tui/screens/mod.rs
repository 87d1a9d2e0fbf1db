//! The screens: a file or folder each. Header and footer are the same on all of them.

pub mod browse;
mod card_view;
pub mod compare;
pub mod errors;
pub mod footer;
pub mod header;
pub mod items;
pub mod metrics;
pub mod picks;
pub(super) mod queries;
mod ranking;

use ratatui::layout::Rect;

use super::screen::Screen;

/// Every screen, in the order of their keys.
pub fn all() -> Vec<Box<dyn Screen>> {
    vec![
        Box::new(browse::Browse::default()),
        Box::new(items::Items::default()),
        Box::new(compare::Compare::default()),
        Box::new(metrics::Metrics::default()),
        Box::new(errors::Errors::default()),
        Box::new(picks::Picks::default()),
    ]
}

/// Areas that all screens have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Frame {
    /// Area of the view and the two metrics.
    pub header: Rect,
    /// Area of the screen.
    pub body: Rect,
    /// Area of keys, search input and messages.
    pub footer: Rect,
}

/// Areas for a terminal of a number of columns and rows; all are empty if it is too small.
pub fn frame((width, height): (u16, u16)) -> Frame {
    if width < 40 || height < 8 {
        return Frame::default();
    }
    let header_rows = if height >= 12 { 2 } else { 1 };
    Frame {
        header: Rect::new(0, 0, width, header_rows),
        body: Rect::new(0, header_rows, width, height - header_rows - 1),
        footer: Rect::new(0, height - 1, width, 1),
    }
}
