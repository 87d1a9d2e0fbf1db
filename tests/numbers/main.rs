//! Numbers, against references.

#[path = "../common/mod.rs"]
mod common;
mod correlate;
mod grades;
mod inference;
mod parity;
mod scenarios;
mod semantic;
