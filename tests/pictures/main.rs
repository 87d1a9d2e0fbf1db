//! Pictures: what is decoded, what is not, and what is said then. Every file is made here.

#[path = "../common/mod.rs"]
mod common;
mod files;
mod loaded;
