//! The candidates that people are asked about: what several models rank first, each pair once.

mod file;

pub use file::{FORMAT, Pool, PoolHead, PooledPair, Proposal, read, write};
