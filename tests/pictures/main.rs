//! Pictures: what is decoded, what is not, and what the screen shows then. Every file is made here.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod loaded;
mod localised;
mod phrases;
#[path = "../readme/predictions.rs"]
mod predictions;
mod screen;
