//! The real binary in a real terminal.

#[path = "../common/mod.rs"]
mod common;
mod endings;
mod explorer;
mod gallery_sessions;
#[path = "../common/terminal.rs"]
mod terminal;
