//! Output of the subcommands.

mod alone;
mod charts;
#[path = "../common/mod.rs"]
mod common;
mod compare;
mod errors;
mod figures;
mod find;
mod program;
mod show;
mod slices;
