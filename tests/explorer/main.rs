//! Whole screens of the explorer, from keys.

#[path = "../common/mod.rs"]
mod common;
mod curve;
mod explained;
mod filters;
mod images;
mod items;
mod judgments;
mod notes;
mod picks;
mod recompute;
mod screens;
mod side_by_side;
mod slices;
mod tags;
mod thresholds;
mod tui;
