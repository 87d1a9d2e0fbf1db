//! Files that are read and written.

mod annotation;
mod answers;
#[path = "../common/mod.rs"]
mod common;
mod doctor;
mod forms;
mod inputs;
mod outputs;
mod pools;
mod sessions;
mod truths;
