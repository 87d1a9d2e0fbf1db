//! The screens: a folder each, with its state, a [`Screen`] in `page` (what it makes of keys and the mouse)
//! and `view`, which draws. Header, footer and whatever opens on top are the same on all of them.

pub mod browse;
mod card_view;
pub mod compare;
pub mod errors;
mod filtered_view;
pub mod footer;
pub mod header;
pub mod layout;
pub mod metrics;
mod numbers_view;
pub mod picks;
mod queries;
use super::screen::Screen;

/// Every screen, in the order of their keys.
pub fn all() -> Vec<Box<dyn Screen>> {
    vec![
        Box::new(browse::Browse::default()),
        Box::new(compare::Compare::default()),
        Box::new(metrics::Metrics::default()),
        Box::new(errors::Errors::default()),
        Box::new(picks::Picks::default()),
    ]
}
