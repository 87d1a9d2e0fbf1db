//! The tree, its pages and its licences.

#[path = "../common/mod.rs"]
mod common;
mod fixtures;
mod layers;
mod licences;
mod python;
mod readme;
#[path = "../common/terminal.rs"]
mod terminal;
mod tracked;
